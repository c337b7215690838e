// The engine of flat reports: period, choices and filters around one table. Each report declares its rows and columns.
import type { Pagination } from '@tributary/contract/list-query'
import type { SecondPeriodName } from '@tributary/contract/period'
import type { Metrics, ReportGroup, ReportRow, ReportTotal } from '@tributary/contract/reports/general'
import type { CostAnswer } from '@tributary/contract/reports/kinds'
import type { SavedReportState } from '@tributary/contract/reports/saved'
import { type DimensionName, isMetric, type MetricName } from '@tributary/contract/reports/traffic'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/labels.ts'
import type { Dictionary, ReportWords } from '../../i18n/shape.ts'
import { DateRangePicker } from '../../ui/date/date-range-picker.tsx'
import { Page } from '../../ui/page.tsx'
import { FailedState } from '../../ui/states.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { ColumnsPopover } from '../columns/columns-popover.tsx'
import { requestedFormulas, useColumnNames } from '../columns/use-formulas.ts'
import { DrillDrawer } from '../drill/drill-drawer.tsx'
import { type DrillTarget, findDrillTarget } from '../drill/drill-target.ts'
import { SpendHover, usePointedSpend } from '../drill/spend-hover.tsx'
import { ActiveFilters } from '../filter/active-filters.tsx'
import { useAddressWords } from '../filter/address-words.ts'
import { FiltersAside, FiltersButton, useFiltersOpen } from '../filter/filters-aside.tsx'
import { NothingFound } from '../filter/nothing-found.tsx'
import { useLostFilters } from '../filter/use-lost-filters.ts'
import classes from '../report.module.css'
import { ExportButton } from '../run/export-button.tsx'
import { ReportActions } from '../run/report-actions.tsx'
import { ReportStatus } from '../run/report-status.tsx'
import { RetryingState } from '../run/retrying-state.tsx'
import {
  type AnswerHeader,
  createRefresh,
  type ReportLoad,
  type ReportQuery,
  useReportLoad,
} from '../run/use-report-query.ts'
import { SavedButton } from '../saved/saved-button.tsx'
import { useDefaultReport } from '../saved/saved-query.ts'
import { ChoiceMenu } from '../table/choice-menu.tsx'
import type { PivotColumn, PivotSort } from '../table/pivot-column.ts'
import { flatColumns, metricsFor } from '../table/report-columns.ts'
import { type Choices, type FlatControl, filterRequest, storeFlat, useFlatState } from './flat-state.ts'
import { type FlatNumbers, FlatPager, FlatTable, type OpenedNumber } from './flat-table.tsx'

const REFRESH = createRefresh('report:refresh-plain', 60, [0, 60])

/** The body of the request: `filter` and optional parts. */
interface FlatRequest {
  readonly filter: Readonly<Record<string, unknown>> & { readonly dateFrom: string; readonly dateTo: string }
  readonly pagination?: { readonly page: number; readonly limit: number }
  readonly sort?: PivotSort
  readonly formulas?: ReturnType<typeof requestedFormulas>
}

type FlatQuery<A> = Pick<ReportQuery<A, FlatRequest>, 'path' | 'isAnswer' | 'countEntries'> & {
  readonly report?: ReportQuery<A, FlatRequest>['report']
  readonly request: FlatRequest
}

export const useFlatReport = <A extends AnswerHeader>({ report = 'generalReport', request, ...query }: FlatQuery<A>) =>
  useReportLoad({ ...query, report, state: request, requestOf: (request: FlatRequest) => request, refresh: REFRESH })

/** Checks only the parts of the shape that rendering needs. */
export const hasRows = (value: unknown, ...keys: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'rows' in value &&
  Array.isArray(value.rows) &&
  ['total', ...keys].every((key) => key in value)

/** Placeholder names of columns before the first answer. */
const UNNAMED = Array.from({ length: 9 }, (_, place) => '\u00a0'.repeat(place + 1))

interface FlatFrameProps<C extends Choices> {
  screen: keyof Dictionary['screens']
  control: FlatControl<C>
  /** Titles of choices and labels of their options; choices without options are hidden. */
  labels: { readonly [K in keyof C]: { readonly title: string; readonly options: Readonly<Record<string, string>> } }
  load: ReportLoad<AnswerHeader & { readonly currency: string }, FlatRequest>
  /** Null before the first answer. */
  rows: number | null
  /** Metrics and formulas of the exported file. */
  fileColumns?: readonly string[]
  /** Selectable columns, and the total for the preview of formulas. Absent: columns are fixed. */
  columns?: { readonly known: readonly string[]; readonly total: Metrics | undefined }
  /** The page grows with its content; otherwise its table fills the screen. */
  isLong?: boolean
  /** Stands before the report, and does not wait for it. */
  lead?: ReactNode
  /** Stands above the words that a failed or an empty report shows in place of its numbers. */
  instead?: ReactNode
  /** Buttons at the end of the bar. */
  tools?: ReactNode
  /** The comparison period, if it follows from the first one. */
  compares?: SecondPeriodName | null
  children: (numbers: FlatNumbers) => ReactNode
}

export function FlatFrame<C extends Choices>(props: FlatFrameProps<C>) {
  const { screen, control, labels, load, rows, fileColumns = [], columns, isLong = false, compares = null } = props
  const { t } = useTranslation()
  const [, setPanelOpen] = useFiltersOpen()
  const [drill, setDrill] = useState<DrillTarget | null>(null)
  const { state, change, ownDays } = control
  useDefaultReport(load.path, control.wasAddressEmpty, control.open)
  const { pagination: _page, ...answered } = load.answeredState
  const current = (): SavedReportState => {
    // The server derives the comparison period from the first one.
    const { dateFrom, dateTo, secondDateFrom: _from, secondDateTo: _to, ...rest } = answered.filter
    return {
      ...control.toSaved(),
      request: { ...answered, filter: ownDays === null ? rest : { ...rest, dateFrom, dateTo } },
      comparesPrevious: compares === 'previous',
      ...(compares !== null && { compares }),
      columns: [...fileColumns],
      look: {},
    }
  }
  const targetOf = ({ narrow, ...target }: OpenedNumber): DrillTarget => ({
    report: load.path,
    request: { filter: { ...answered.filter, ...narrow } },
    ...target,
  })
  const [pointed, point] = usePointedSpend()
  const numbers: FlatNumbers = {
    open(number) {
      point(null)
      setDrill(targetOf(number))
    },
    point: (number, element) => point(number && targetOf(number), element),
  }
  const titles = Object.fromEntries(Object.entries(labels).map(([name, { title }]) => [name, title]))
  const leftOut = useAddressWords([...control.leftOut, ...useLostFilters(control)], titles)
  return (
    <Page
      fill={!isLong}
      leftOut={leftOut}
      title={t(($) => $.screens[screen].title)}
      subtitle={t(($) => $.screens[screen].subtitle)}
      actions={
        <ReportActions report={load.path} status={<ReportStatus to={state.to} load={load} />}>
          <SavedButton report={load.path} current={current} onOpen={control.open} />
          <ExportButton path={load.path} request={() => ({ ...answered, columns: fileColumns })} />
        </ReportActions>
      }
    >
      {props.lead}
      <div className={isLong ? `${classes.toolbar} ${classes.whole}` : classes.toolbar}>
        <DateRangePicker from={state.from} to={state.to} onChange={change} />
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
                // The options belong to this choice.
                onChoose={(option) => change({ choices: { [name]: option } as Partial<typeof state.choices> })}
              />
            ))}
        </div>
        <FiltersButton control={control} />
        {columns === undefined ? null : (
          <ColumnsPopover
            known={columns.known}
            shown={state.columns ?? columns.known}
            metrics={columns.known.filter(isMetric)}
            total={columns.total}
            onShown={(names) => change({ columns: names, page: state.page })}
          />
        )}
        {props.tools}
      </div>
      <ActiveFilters control={control} onOpen={() => setPanelOpen(true)} />
      <div className={classes.columns}>
        <FiltersAside control={control} />
        <div className={classes.main}>
          {load.error || rows === 0 ? props.instead : null}
          {load.error ? (
            <FailedState error={load.error} onRetry={load.refetch} />
          ) : load.isRetrying ? (
            <RetryingState />
          ) : rows === null && !isLong ? (
            <TableSkeleton columns={UNNAMED} />
          ) : rows === 0 ? (
            <NothingFound state={state} onDays={change} onClear={() => change({ filters: {} })} />
          ) : (
            props.children(numbers)
          )}
        </div>
      </div>
      <SpendHover pointed={pointed} currency={load.answer?.currency ?? ''} />
      <DrillDrawer
        target={drill}
        currency={load.answer?.currency ?? ''}
        onMoved={load.refetch}
        onClose={() => setDrill(null)}
      />
    </Page>
  )
}

/** The declaration of a flat report whose rows contain metrics of the general report. */
interface FlatReport<R extends Pick<ReportRow, 'm'>> {
  readonly screen: keyof Dictionary['screens']
  /** The path below /api. */
  readonly path: string
  /** The key of its stored state. */
  readonly store: string
  readonly metrics: readonly MetricName[]
  /** Rows per page if the server pages and sorts. */
  readonly pageSize?: number
  readonly title: DimensionName
  readonly titleOf: (row: R) => string
  readonly textColumns: (words: ReportWords) => readonly PivotColumn<R>[]
  /** Groups of a row, outermost first, which identify its numbers. */
  readonly groupsOf: (row: R) => readonly ReportGroup[]
}

/** Answers that contain all rows have neither pages nor a count. */
type FlatAnswer<R> = Omit<CostAnswer, 'rows' | 'total' | 'items' | 'pagination'> & {
  readonly total: ReportTotal
  readonly rows: R[]
  readonly items?: number
  readonly pagination?: Pagination
}

/** Returns the screen component of a flat report. */
export function defineFlatReport<R extends Pick<ReportRow, 'm'>>(report: FlatReport<R>) {
  const shape = { store: storeFlat(report.store), preset: 'current_month', choices: {} } as const
  const isAnswer = (value: unknown): value is FlatAnswer<R> => hasRows(value, 'formulas')
  const idOf = (row: R) =>
    report
      .groupsOf(row)
      .map(({ id }) => id)
      .join(' ')
  return () => <FlatReportScreen report={report} shape={shape} isAnswer={isAnswer} idOf={idOf} />
}

interface FlatReportScreenProps<R extends Pick<ReportRow, 'm'>> {
  report: FlatReport<R>
  shape: Parameters<typeof useFlatState<Record<never, never>>>[0]
  isAnswer: (value: unknown) => value is FlatAnswer<R>
  idOf: (row: R) => string
}

function FlatReportScreen<R extends Pick<ReportRow, 'm'>>({ report, shape, isAnswer, idOf }: FlatReportScreenProps<R>) {
  const { screen, path, pageSize, groupsOf } = report
  const { t } = useTranslation()
  const words = useReportWords()
  const { role } = useProfile()
  const control = useFlatState(shape)
  const { state, change } = control
  const { known, shown, formulas } = useColumnNames(metricsFor(role.kind, report.metrics), state.columns)
  // The address may sort by a deleted formula.
  const isSorted = state.sort !== null && (state.sort.by === 'group' || known.includes(state.sort.by))
  const load = useFlatReport({
    path,
    request: {
      filter: filterRequest(state),
      ...(pageSize !== undefined && { pagination: { page: state.page, limit: pageSize } }),
      ...(pageSize !== undefined && isSorted && state.sort && { sort: state.sort }),
      formulas: requestedFormulas(state.columns),
    },
    isAnswer,
    countEntries: ({ rows }) => rows.length,
  })
  const { answer } = load
  // The total row has no groups; text columns, which read them, must skip it.
  const total = useMemo(() => {
    const { partial, ...m } = answer?.total ?? {}
    return { m, ...(partial && { partial }) } as R
  }, [answer])
  const textColumns = report.textColumns(words).map((column) => ({
    ...column,
    text: (row: R) => (row === total ? null : column.text(row)),
  }))
  return (
    <FlatFrame
      screen={screen}
      control={control}
      labels={{}}
      load={load}
      rows={answer ? (answer.items ?? answer.rows.length) : null}
      fileColumns={shown}
      columns={{ known, total: answer?.total }}
    >
      {(numbers) =>
        answer ? (
          <>
            <FlatTable<R>
              label={t(($) => $.screens[screen].title)}
              rows={answer.rows}
              idOf={idOf}
              titleLabel={words.dimensions[report.title]}
              titleOf={report.titleOf}
              columns={[...textColumns, ...flatColumns<R>(shown, formulas, { words, currency: answer.currency })]}
              total={total}
              sort={pageSize === undefined ? null : state.sort}
              onSort={(key) => {
                if (pageSize === undefined) return
                const by = known.includes(key) ? key : 'group'
                change({ sort: { by, desc: state.sort?.by === by ? !state.sort.desc : by !== 'group' } })
              }}
              openingOf={(row, key) => {
                const opening = findDrillTarget(key, row.m, formulas)
                const groups = row === total ? [] : groupsOf(row)
                return (
                  opening && {
                    place: { path: groups.map(({ id }) => id) },
                    ...opening,
                    titles: groups.map(({ title }) => title),
                  }
                )
              }}
              numbers={numbers}
              isStale={load.isStale}
            />
            {answer.pagination ? (
              <FlatPager pagination={answer.pagination} onPage={(page) => change({ page })} />
            ) : null}
          </>
        ) : null
      }
    </FlatFrame>
  )
}
