// The general report: toolbar above, filters beside, rows below; numbers open their drill-down.
import type { GeneralReportName } from '@tributary/contract/reports/choices'
import type { SavedReport, SavedReportState } from '@tributary/contract/reports/saved'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { ChangesDrawer } from '../../reports/drill/changes-drawer.tsx'
import { ActiveFilters } from '../../reports/filter/active-filters.tsx'
import { useAddressWords } from '../../reports/filter/address-words.ts'
import { FiltersAside, useFiltersOpen } from '../../reports/filter/filters-aside.tsx'
import { useLostFilters } from '../../reports/filter/use-lost-filters.ts'
import classes from '../../reports/report.module.css'
import { ExportButton } from '../../reports/run/export-button.tsx'
import { ReportActions } from '../../reports/run/report-actions.tsx'
import { ReportStatus } from '../../reports/run/report-status.tsx'
import { SavedButton } from '../../reports/saved/saved-button.tsx'
import { useDefaultReport } from '../../reports/saved/saved-query.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { createSharedValue } from '../../state/stored-value.ts'
import { presetOf } from '../../ui/date/date-range.ts'
import { Page } from '../../ui/page.tsx'
import {
  columnEmphasis,
  displayedColumns,
  isColumnEmphasis,
  type ReportColumns,
  useReportColumns,
} from './columns-button.tsx'
import { useMoreChips } from './more-panel.tsx'
import { ReportBody } from './report-body.tsx'
import { isFlatReport, ReportKindContext, SCREEN_OF, useReportKind } from './report-kind.ts'
import { fromStored, isNamedPeriod, isStoredReport, type ReportState, toRequest, writeSearch } from './report-state.ts'
import { ReportToolbar } from './report-toolbar.tsx'
import { useReport } from './use-report.ts'
import { useReportState } from './use-report-state.ts'

/** `g` and a letter opens an area, so the report waits this long for a letter. */
const PAUSE_MS = 700

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Keys of the report: `g` without a following letter opens the grouping, `c` the comparison. `/` opens the search as on every screen. */
function useReportKeys(): void {
  // Listens to the keys of the whole page.
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const press = (name: string) => document.querySelector<HTMLElement>(`[data-report-key="${name}"]`)?.click()
    const onKey = (event: KeyboardEvent) => {
      const isAfterG = waiting !== undefined
      clearTimeout(waiting)
      waiting = undefined
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('[role="dialog"], [role="menu"]')) return
      if (event.code === 'KeyG') {
        waiting = setTimeout(() => {
          waiting = undefined
          press('group')
        }, PAUSE_MS)
      } else if (event.code === 'KeyC' && !isAfterG) press('compare')
    }
    document.addEventListener('keydown', onKey)
    return () => {
      clearTimeout(waiting)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
}

export function GeneralReportScreen({ kind }: { kind: GeneralReportName }) {
  return (
    <ReportKindContext value={kind}>
      <Report key={kind} name={SCREEN_OF[kind]} />
    </ReportKindContext>
  )
}

function Report({ name }: { name: (typeof SCREEN_OF)[GeneralReportName] }) {
  const { t } = useTranslation()
  const kind = useReportKind()
  const role = useProfile().role.kind
  const control = useReportState(role)
  const load = useReport(control.state)
  const columns = useReportColumns(role, control.state.columns)
  const [, setPanelOpen] = useFiltersOpen()
  const [since, setSince] = useState<string | null>(null)
  // As a state of this component it would render the whole report twice.
  const [toolsPlace] = useState(() => createSharedValue<HTMLElement | null>(null))
  const moreChips = useMoreChips(control)
  const leftOut = useAddressWords([...control.leftOut, ...useLostFilters(control)])
  useReportKeys()
  const openSaved = (saved: SavedReport) => {
    const state = readSaved(saved, businessToday())
    if (state !== null) control.change(state)
    const { emphasis } = saved.state.look
    columnEmphasis.set(isColumnEmphasis(emphasis) ? emphasis : {})
  }
  useDefaultReport(kind, control.wasAddressEmpty, openSaved)
  return (
    <Page
      fill
      leftOut={leftOut}
      title={t(($) => $.screens[name].title)}
      subtitle={t(($) => $.screens[name].subtitle)}
      actions={
        <ReportActions report={kind} status={<ReportStatus to={control.state.to} load={load} />}>
          <SavedButton report={kind} current={() => savedState(control.state, columns)} onOpen={openSaved} />
          <ExportButton path={kind} request={() => exportRequest(control.state, columns)} />
        </ReportActions>
      }
    >
      <ReportToolbar
        control={control}
        role={role}
        columns={columns}
        total={load.answer?.total}
        onChanges={setSince}
        onToolsPlace={toolsPlace.set}
      />
      <ActiveFilters control={control} onOpen={() => setPanelOpen(true)} extra={moreChips} />
      <div className={classes.columns}>
        <FiltersAside control={control} />
        <ReportBody control={control} load={load} role={role} columns={columns} toolsPlace={toolsPlace} />
      </div>
      {isFlatReport(kind) ? null : (
        <ChangesDrawer
          path="general_report"
          filter={toRequest(control.state).filter ?? {}}
          since={since}
          onClose={() => setSince(null)}
        />
      )}
    </Page>
  )
}

/** Columns in wire names, each followed by its twin if there is a second period. */
const wireColumns = (columns: readonly string[], hasSecond: boolean): string[] =>
  columns.flatMap((column) => (hasSecond ? [column, `${column}_2`] : [column]))

function exportRequest(state: ReportState, columns: ReportColumns): object {
  const { pagination: _page, ...request } = toRequest(state)
  return { ...request, columns: wireColumns(displayedColumns(columns, state), state.second !== 'off') }
}

function savedState(state: ReportState, columns: ReportColumns): SavedReportState {
  const preset = presetOf({ from: state.from, to: state.to }, businessToday())
  const { pagination: _page, ...request } = toRequest({ ...state, knownAt: null })
  return {
    search: writeSearch({ ...state, page: 1, knownAt: null }),
    request,
    preset,
    comparesPrevious: state.second === 'previous',
    ...(isNamedPeriod(state.second) && { compares: state.second }),
    columns: wireColumns(columns.shown, state.second !== 'off'),
    look: { emphasis: columnEmphasis.get() },
  }
}

function readSaved({ state: { search, preset } }: SavedReport, today: string): ReportState | null {
  const stored: unknown = { search, preset }
  return isStoredReport(stored) ? fromStored(stored, today) : null
}
