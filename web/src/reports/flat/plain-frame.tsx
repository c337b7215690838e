// The frame of a report without levels: days and choices above, filters beside, and in the middle rows, a skeleton, a failure or nothing.
import type { RoleKind } from '@tributary/contract/access'
import type { Metrics } from '@tributary/contract/reports/general'
import type { SavedReportState } from '@tributary/contract/reports/saved'
import { isMetric, type MetricName } from '@tributary/contract/reports/traffic'
import type { ReactNode } from 'react'
import { DateRangePicker } from '../../ui/date/date-range-picker.tsx'
import { Page } from '../../ui/page.tsx'
import { FailedState } from '../../ui/states.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { ColumnsPopover } from '../columns/columns-popover.tsx'
import { useFormulasOf } from '../columns/use-formulas.ts'
import { DrillDrawer } from '../drill/drill-drawer.tsx'
import type { DrillTarget } from '../drill/drill-target.ts'
import { ActiveFilters } from '../filter/active-filters.tsx'
import { FiltersAside, FiltersButton, useFiltersOpen } from '../filter/filters-aside.tsx'
import { NothingFound } from '../filter/nothing-found.tsx'
import classes from '../report.module.css'
import { ExportButton } from '../run/export-button.tsx'
import { ReportNoticeBar } from '../run/report-notice.tsx'
import { ReportStatus, type ToldOfReport } from '../run/report-status.tsx'
import { SavedButton } from '../saved/saved-button.tsx'
import { useDefaultReport } from '../saved/saved-query.ts'
import { ChoiceMenu } from '../table/choice-menu.tsx'
import { formulaColumnName } from '../table/report-columns.ts'
import type { Choices, PlainControl } from './plain-state.ts'
import type { PlainLoad } from './use-plain-report.ts'

// What one does with a report without levels, above it: how current it is, what was kept by name, the file, the columns.

/** Columns that a person chooses from, and the totals in which a formula can be tried. */
export interface PlainColumns {
  readonly known: readonly string[]
  readonly total: Metrics | undefined
}

interface PlainToolsProps<C extends Choices> {
  control: PlainControl<C>
  load: PlainLoad<ToldOfReport>
  /** Of the file: keys of the numbers that are seen. */
  fileColumns: readonly string[]
  /** Null: the columns are as they are. */
  columns: PlainColumns | null
}

/** The team's own columns, for a report whose rows have the numbers of the general one. */
export function usePlainColumns(metrics: readonly MetricName[], chosen: readonly string[] | null) {
  const formulas = useFormulasOf(metrics)
  const known: readonly string[] = [...metrics, ...formulas.map(formulaColumnName)]
  const shown = chosen === null ? known : chosen.filter((name) => known.includes(name))
  return { known, shown: shown.length === 0 ? known : shown, formulas }
}

export function PlainTools<C extends Choices>({ control, load, fileColumns, columns }: PlainToolsProps<C>) {
  const { state, ownDays } = control
  useDefaultReport(load.path, control.wasSilent, control.open)
  const request = (): object => {
    const { pagination: _page, ...asked } = load.asked
    return { ...asked, columns: fileColumns }
  }
  const current = (): SavedReportState => {
    const { pagination: _page, filter, ...asked } = load.asked
    const { dateFrom, dateTo, ...rest } = filter
    return {
      ...control.keep(),
      request: { ...asked, filter: ownDays === null ? rest : { ...rest, dateFrom, dateTo } },
      comparesPrevious: false,
      columns: [...fileColumns],
      look: {},
    }
  }
  return (
    <>
      <ReportStatus to={state.to} load={load} refresh={load.refresh} />
      <SavedButton report={load.path} current={current} onOpen={control.open} />
      <ExportButton path={load.path} request={request} />
      {columns === null ? null : (
        <ColumnsPopover
          known={columns.known}
          shown={state.columns ?? columns.known}
          metrics={columns.known.filter(isMetric)}
          total={columns.total}
          onShown={(names) => control.change({ columns: names, page: state.page })}
        />
      )}
    </>
  )
}

/** Columns that have no names yet, told apart. */
const UNNAMED = Array.from({ length: 9 }, (_, place) => '\u00a0'.repeat(place + 1))

interface PlainFrameProps<C extends Choices> {
  title: string
  subtitle: string
  role: RoleKind
  control: PlainControl<C>
  /** For each choice: its name and the words of its options; without options it is not offered. */
  labels: { readonly [K in keyof C]: { readonly title: string; readonly options: Readonly<Record<string, string>> } }
  load: PlainLoad<ToldOfReport & { readonly currency: string }>
  /** Null: there is no answer yet. */
  rows: number | null
  /** Of the file: keys of the numbers that are seen. */
  fileColumns?: readonly string[]
  /** Absent: the columns are as they are. */
  columns?: PlainColumns
  /** The number that someone looks behind. */
  drill: DrillTarget | null
  onDrill: (target: DrillTarget | null) => void
  /** The page is as long as what is in it, and draws itself while there is no answer; otherwise its table fills the screen. */
  isLong?: boolean
  children: ReactNode
}

export function PlainFrame<C extends Choices>(props: PlainFrameProps<C>) {
  const { control, role, labels, load, rows, drill, onDrill } = props
  const [, setPanelOpen] = useFiltersOpen()
  const { state, change } = control
  return (
    <Page
      fill={props.isLong !== true}
      title={props.title}
      subtitle={props.subtitle}
      actions={
        <>
          <PlainTools
            control={control}
            load={load}
            fileColumns={props.fileColumns ?? []}
            columns={props.columns ?? null}
          />
          <FiltersButton control={control} />
        </>
      }
    >
      <div className={classes.toolbar}>
        <div className={classes.group}>
          <DateRangePicker from={state.from} to={state.to} onChange={({ from, to }) => change({ from, to })} />
        </div>
        <div className={classes.group}>
          {Object.entries(labels)
            .filter(([, { options }]) => Object.keys(options).length > 0)
            .map(([name, { title, options }]) => (
              <ChoiceMenu
                key={name}
                label={title}
                value={state.choices[name] ?? null}
                sections={[
                  { title: null, options: Object.entries(options).map(([key, label]) => ({ name: key, label })) },
                ]}
                // The options are those of the choice itself.
                onChoose={(option) => change({ choices: { [name]: option } as Partial<typeof state.choices> })}
              />
            ))}
        </div>
      </div>
      <ActiveFilters control={control} onOpen={() => setPanelOpen(true)} />
      <ReportNoticeBar notice={load.notice} onReload={load.refetch} />
      <div className={classes.columns}>
        <FiltersAside control={control} role={role} />
        <div className={classes.main}>
          {load.error ? (
            <FailedState error={load.error} onRetry={load.refetch} />
          ) : rows === null && props.isLong !== true ? (
            <TableSkeleton columns={UNNAMED} />
          ) : rows === 0 ? (
            <NothingFound state={state} onDays={change} onClear={() => change({ filters: {} })} />
          ) : (
            props.children
          )}
        </div>
      </div>
      <DrillDrawer
        target={drill}
        currency={load.answer?.currency ?? ''}
        onMoved={load.refetch}
        onClose={() => onDrill(null)}
      />
    </Page>
  )
}
