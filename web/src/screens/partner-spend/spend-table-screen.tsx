// The table view of partners' spends: a partner's month as a grid with one Save, beside it what is missing.
import { Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconDownload,
  IconList,
  IconListCheck,
} from '@tabler/icons-react'
import { Link, Navigate, useBlocker } from '@tanstack/react-router'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { SpendTable } from '@tributary/contract/calls/spend-table'
import { partnerSpend } from '@tributary/contract/entities/partner-spend'
import { isClaimant } from '@tributary/contract/spend-claim'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '../../data/download.ts'
import { http } from '../../data/http.ts'
import { isOutOfSight } from '../../data/http-error.ts'
import { holderOf, useProfile } from '../../data/profile.ts'
import { useLabels } from '../../i18n/labels.ts'
import { spendAside } from '../../state/preferences.ts'
import { useStoredValue } from '../../state/stored-value.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { Page } from '../../ui/page.tsx'
import { useRowHeight } from '../../ui/row-height.ts'
import { EmptyState, FailedState } from '../../ui/states.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { CellDetails } from './cell-details.tsx'
import { ClashChoice } from './clash-choice.tsx'
import { ClosedBanner } from './closed-banner.tsx'
import { GridLegend } from './grid-legend.tsx'
import {
  countEdits,
  enterTexts,
  findProblems,
  type GridRange,
  keepRejected,
  NO_CURRENCIES,
  NO_EDITS,
  rowKey,
  takeBack,
  toCells,
  withCurrencies,
} from './grid-model.ts'
import { addUp, withSaved } from './grid-totals.ts'
import { SpendImportButton } from './import-modal.tsx'
import { MissingQueue, type OpenDay } from './missing-queue.tsx'
import { ReloadNotice } from './reload-notice.tsx'
import classes from './spend-grid.module.css'
import { SpendGridTable } from './spend-grid.tsx'
import panels from './spend-panels.module.css'
import { type SpendTableState, useTableState } from './spend-table-state.ts'
import { SpreadButton } from './spread-modal.tsx'
import { TableFilters } from './table-filters.tsx'
import { type SpendGrid, useSpendGrid } from './use-spend-grid.ts'
import { useMissing, useSpendRefresh, useTable, useTableAhead, useTableSaving } from './use-spend-table.ts'
import { WARNINGS_SHOWN, withWarnings } from './with-warnings.ts'

/** The lines around an editable cell. */
const GRID_EDGES_PX = 2
const SKELETON = Array.from({ length: 12 }, (_, place) => '\u00a0'.repeat(place + 1))
const NO_TABLE: Pick<SpendTable, 'rows' | 'days'> = { rows: [], days: [] }

export function SpendTableScreen() {
  // Partners enter claims in the list; the table is for staff.
  return holderOf(useProfile()).role === 'PARTNER' ? <Navigate to={partnerSpend.route} replace /> : <SpendTableView />
}

function SpendTableView() {
  const { t } = useTranslation()
  const labels = useLabels()
  const [state, navigate] = useTableState()
  const fetchAhead = useTableAhead()
  const change = (edit: Partial<SpendTableState>) => {
    fetchAhead({ ...state, ...edit })
    navigate(edit)
  }
  const isEditor = !isClaimant(holderOf(useProfile()))
  const load = useTable(state.partner, state.month)
  const missing = useMissing(state, load.isFetching)
  const [isAsideOpen, setAsideOpen] = useStoredValue(spendAside)
  const table = state.partner === null ? undefined : load.data
  const grid = useSpendGrid(table ?? NO_TABLE)
  const gridRef = useRef<HTMLTableElement>(null)
  const shown = table === undefined ? '' : `${table.partner.id} ${table.month}`
  const [opened, setOpened] = useState('')
  // While it renders, so that a new table is drawn once.
  if (shown !== opened) {
    setOpened(shown)
    if (table !== undefined) grid.open({ row: 0, day: firstSight(table) })
  }
  const leave = useGuardedChange(grid, change)
  const openCell = (row: number, day: number) => {
    grid.go({ row, day })
    gridRef.current?.focus()
  }
  const opening = useRef<OpenDay>(() => undefined)
  opening.current = (item, date) => {
    const isShown = table?.partner.id === item.partner.id && table.days.includes(date)
    if (table === undefined || !isShown) {
      void leave({ partner: item.partner.id, month: date.slice(0, 7) })
      return
    }
    const row = table.rows.findIndex(
      ({ stream, country }) => stream.id === item.stream.id && country.id === item.country.id,
    )
    openCell(Math.max(0, row), table.days.indexOf(date))
  }
  const onOpen = useCallback<OpenDay>((item, date) => opening.current(item, date), [])
  const body =
    load.error && table === undefined ? (
      <NoTable error={load.error} onRetry={() => void load.refetch()} />
    ) : state.partner === null ? (
      <EmptyState title={t(($) => $.spends.table.choose)} text={t(($) => $.spends.table.chooseText)} />
    ) : table === undefined ? (
      <TableSkeleton columns={SKELETON} />
    ) : table.rows.length === 0 ? (
      <EmptyState title={t(($) => $.spends.table.empty)} text={t(($) => $.spends.table.emptyText)} />
    ) : (
      <TableWork table={table} grid={grid} gridRef={gridRef} isEditor={isEditor} isStale={load.isPlaceholderData} />
    )
  return (
    <Page
      title={labels.title('partner_spend')}
      subtitle={t(($) => $.spends.table.subtitle)}
      fill
      actions={
        <>
          <Button
            variant="default"
            component={Link}
            to={partnerSpend.route}
            leftSection={<IconList size={15} aria-hidden />}
          >
            {t(($) => $.spends.table.page)}
          </Button>
          {isEditor && (state.partner === null || table !== undefined) ? (
            <SpendImportButton partner={table?.partner ?? null} month={state.month} />
          ) : null}
          {table === undefined ? null : <ExportTable table={table} />}
        </>
      }
    >
      <div className={classes.screen}>
        <TableFilters state={state} onChange={leave}>
          <Button
            variant="default"
            aria-pressed={isAsideOpen}
            leftSection={<IconListCheck size={15} aria-hidden />}
            onClick={() => setAsideOpen(!isAsideOpen)}
          >
            {missing.data === undefined
              ? t(($) => $.spends.missing.label)
              : t(($) => $.spends.missing.toggle, { count: missing.data.days })}
          </Button>
        </TableFilters>
        <div className={classes.work} data-alone={isAsideOpen ? undefined : true}>
          <div className={classes.main}>
            {load.isRefetchError && table !== undefined ? <ReloadNotice onRetry={() => void load.refetch()} /> : null}
            {body}
          </div>
          <aside hidden={!isAsideOpen} className={panels.aside} aria-label={t(($) => $.spends.missing.label)}>
            {missing.data === undefined ? null : (
              <MissingQueue missing={missing.data} isOfAll={state.partner === null} onOpen={onOpen} />
            )}
          </aside>
        </div>
      </div>
    </Page>
  )
}

/** Another try helps unless the partner is out of the user's sight. */
export function NoTable({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  return isOutOfSight(error) ? (
    <EmptyState title={t(($) => $.spends.table.noAccess)} text={t(($) => $.spends.table.noAccessText)} />
  ) : (
    <FailedState error={error} onRetry={onRetry} />
  )
}

/** The day at which the table opens: today, else the month's last day; the first one of a month to come. */
function firstSight({ days, today }: SpendTable): number {
  const at = days.indexOf(today)
  return at !== -1 ? at : today < (days[0] ?? '') ? 0 : days.length - 1
}

/** Asks before edits are lost: by another partner or month, another page, or closing the window. */
function useGuardedChange(grid: SpendGrid, change: (edit: Partial<SpendTableState>) => void) {
  const { t } = useTranslation()
  const isDirty = grid.edits.size > 0
  const isLeaving = useRef(false)
  const ask = () =>
    askForConfirmation({
      title: t(($) => $.form.unsavedTitle),
      text: t(($) => $.form.unsavedText),
      confirm: t(($) => $.form.leave),
      danger: true,
    })
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => isDirty,
    shouldBlockFn: async () => !isLeaving.current && !(await ask()),
  })
  return async (edit: Partial<SpendTableState>) => {
    if (isDirty && !(await ask())) return
    isLeaving.current = true
    change(edit)
    if (isDirty) grid.reset(NO_EDITS)
    isLeaving.current = false
  }
}

function ExportTable({ table: { partner, month } }: { table: SpendTable }) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await download({ path: 'partner_spend/table/export', query: { partner: partner.id, month } })
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      loading={isBusy}
      leftSection={<IconDownload size={15} aria-hidden />}
      onClick={() => void save()}
    >
      {t(($) => $.spends.table.export)}
    </Button>
  )
}

interface TableWorkProps {
  table: SpendTable
  grid: SpendGrid
  gridRef: React.RefObject<HTMLTableElement | null>
  isEditor: boolean
  isStale: boolean
}

function TableWork({ table: loaded, grid, gridRef, isEditor, isStale }: TableWorkProps) {
  const { t } = useTranslation()
  const refresh = useSpendRefresh()
  const saving = useTableSaving(loaded)
  const rowHeight = useRowHeight() + GRID_EDGES_PX
  const [isSaving, setSaving] = useState(false)
  const [chosen, setChosen] = useState(NO_CURRENCIES)
  const table = useMemo(() => withCurrencies(loaded, chosen), [loaded, chosen])
  const { edits, draft, active } = grid
  // Without a draft the totals do not depend on the active cell: a table has 20,000 amounts to add up.
  const typed = useMemo(
    () => (draft === null ? edits : enterTexts(edits, table.rows, [{ ...active, text: draft }])),
    [table, edits, draft, active],
  )
  const totals = useMemo(() => addUp(table, typed), [table, typed])
  const isOpen = table.closed === null
  const { ready, problems, clashes } = useMemo(() => countEdits(grid.edits), [grid.edits])
  const focusGrid = () => gridRef.current?.focus({ preventScroll: true })
  const save = async () => {
    if (ready === 0 || isSaving) return
    setSaving(true)
    try {
      const newest = withCurrencies(await saving.newest(), chosen)
      const answer = await saving.save(toCells(newest, edits, chosen))
      // What was rejected is settled with what the table holds now.
      if (answer.refused.length > 0) await refresh()
      else saving.show(withSaved(newest, edits))
      const kept = keepRejected(edits, table.days, answer.refused)
      grid.reset(kept, answer.saved > 0 ? takeBack(edits, table.rows, kept) : undefined)
      if (answer.saved > 0)
        notifySuccess(
          withWarnings(
            t(($) => $.spends.table.saved, { count: answer.saved }),
            answer.warnings,
          ),
        )
      if (answer.refused.length > 0)
        notifyFailure(new Error(t(($) => $.spends.table.refused, { count: answer.refused.length })))
    } catch (error) {
      notifyFailure(error)
    } finally {
      setSaving(false)
      focusGrid()
    }
  }
  const accept = async (ids: number[]) => {
    try {
      const { accepted, refusals } = await http.put<AcceptAnswer>('partner_spend/accept', { ids })
      if (accepted > 0) notifySuccess(t(($) => $.spends.table.accepted, { count: accepted }))
      if (refusals.length > 0) notifyFailure(new Error(refusalText(refusals)))
      await refresh()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const showProblem = () => {
    const places = findProblems(grid.edits, table.rows)
    const { row, day } = grid.active
    const next = places.find((place) => place.row > row || (place.row === row && place.day > day)) ?? places[0]
    if (next !== undefined) grid.go(next)
    focusGrid()
  }
  return (
    <>
      {table.closed === null ? null : <ClosedBanner month={table.month} closed={table.closed} />}
      {isEditor ? (
        <div className={classes.bar}>
          <Button loading={isSaving} disabled={ready === 0} onClick={() => void save()}>
            {ready === 0 ? t(($) => $.spends.table.save) : t(($) => $.spends.table.saveCells, { count: ready })}
          </Button>
          <IconButton
            label={t(($) => $.spends.table.undo)}
            icon={IconArrowBackUp}
            variant="default"
            size={34}
            disabled={grid.past.length === 0}
            onClick={() => grid.undo()}
          />
          <IconButton
            label={t(($) => $.spends.table.redo)}
            icon={IconArrowForwardUp}
            variant="default"
            size={34}
            disabled={grid.future.length === 0}
            onClick={() => grid.redo()}
          />
          {problems === 0 ? null : (
            <Button
              variant="light"
              color="red"
              leftSection={<IconAlertTriangle size={15} aria-hidden />}
              onClick={showProblem}
            >
              {t(($) => $.spends.table.problems, { count: problems })}
            </Button>
          )}
          {clashes === 0 ? null : (
            <ClashChoice table={table} grid={grid} range={wholeOf(table)} count={clashes} onSettled={focusGrid} />
          )}
          <span className={classes.spring} />
          <SpreadButton table={table} row={table.rows[active.row]} disabled={edits.size > 0 || !isOpen} />
        </div>
      ) : null}
      {totals.isRateMissing ? <p className={panels.hint}>{t(($) => $.spends.table.rateMissing)}</p> : null}
      <SpendGridTable
        table={table}
        grid={grid}
        totals={totals}
        isEditable={isEditor && !isSaving}
        isStale={isStale}
        gridRef={gridRef}
        rowHeight={rowHeight}
        onSave={() => void save()}
      />
      <CellDetails
        table={table}
        grid={grid}
        isEditable={isEditor && isOpen && !isSaving}
        onCurrency={(row, value) => {
          const id = table.currencies.find((currency) => currency.value === value)?.id
          if (id !== undefined) setChosen(new Map(chosen).set(rowKey(row), id))
        }}
        onAccept={isEditor && grid.edits.size === 0 ? (ids) => void accept(ids) : null}
        onSettled={focusGrid}
      />
      <GridLegend table={table} />
      {isEditor ? <p className={panels.keys}>{t(($) => $.spends.table.keys)}</p> : null}
    </>
  )
}

const wholeOf = ({ rows, days }: SpendTable): GridRange => ({
  from: { row: 0, day: 0 },
  to: { row: rows.length - 1, day: days.length - 1 },
})

type AcceptAnswer = AnswerOf<'partner_spend_accept'>

const refusalText = (refusals: AcceptAnswer['refusals']): string =>
  refusals
    .slice(0, WARNINGS_SHOWN)
    .map(({ title, message }) => `${title}: ${message}`)
    .join('. ')
