// The state of the general report in the address, in storage and on the wire. The address overrides storage, which overrides defaults.
import type { RoleKind } from '@tributary/contract/access'
import { PAGE_SIZES } from '@tributary/contract/limits'
import {
  addDays,
  daysBetween,
  isDay,
  type Period,
  PRESETS,
  type Preset,
  presetPeriod,
  SECOND_PERIODS,
  type SecondPeriodName,
  secondPeriod,
} from '@tributary/contract/period'
import {
  ACTIVITIES,
  type Activity,
  BASELINES,
  type Baseline,
  defaultSort,
  LEVEL_FIELDS,
  REPORT_FILTER_NAMES,
  reportFilterOf,
} from '@tributary/contract/reports/choices'
import { isFormulaKey, readFormulaKey } from '@tributary/contract/reports/column-name'
import type { GeneralReportInput, SortKey } from '@tributary/contract/reports/general'
import {
  DIMENSION_NAMES,
  type DimensionName,
  isKeyVisibleTo,
  isMetric,
  isVisibleTo,
  visibleLevels,
} from '@tributary/contract/reports/traffic'
import { requestedFormulas } from '../../reports/columns/use-formulas.ts'
import {
  type Condition,
  type Filters,
  keepFilters,
  readColumns,
  readConditions,
  readDays,
  readFilters,
  readPage,
  readSort,
  writeConditions,
  writeFilters,
  writeSort,
} from '../../reports/filter/filter-state.ts'
import { readMoment } from '../../reports/run/known-moment.ts'

/** 'off', a named period, the days of an own one as `from..to`, or the last day of a period of the same length, as older addresses have it. */
export type SecondPeriod = 'off' | SecondPeriodName | (string & {})

/** The chart draws the sorted column. */
export const FOLLOWS_SORT = 'sort'

export interface ReportState {
  /** Outermost first, without duplicates. */
  readonly levels: readonly DimensionName[]
  readonly from: string
  readonly to: string
  readonly second: SecondPeriod
  /** The second period has columns of its own instead of changes beside the numbers. */
  readonly hasTwoColumns: boolean
  readonly activity: Activity
  readonly baseLine: Baseline
  readonly filters: Filters
  readonly conditions: readonly Condition[]
  readonly sort: { readonly by: SortKey; readonly desc: boolean } | null
  readonly page: number
  readonly limit: number
  /** As known on that moment (ISO 8601); null = now. */
  readonly knownAt: string | null
  /** Names of shown columns in their order; null shows all. */
  readonly columns: readonly string[] | null
  /** The key of the drawn column, or FOLLOWS_SORT; null = no chart. */
  readonly chart: string | null
}

export type Search = Readonly<Record<string, unknown>>

export const MAX_LEVELS = LEVEL_FIELDS.length
const REPORT_PAGE_SIZE = 100

export const defaultState = (today: string): ReportState => ({
  levels: ['offer', 'traffic_source'],
  from: today,
  to: today,
  second: 'off',
  hasTwoColumns: false,
  activity: 'all',
  baseLine: 'all',
  filters: {},
  conditions: [],
  sort: null,
  page: 1,
  limit: REPORT_PAGE_SIZE,
  knownAt: null,
  columns: null,
  chart: null,
})

const REPORT_KEYS = [
  'by',
  'from',
  'to',
  'second',
  'both',
  'activity',
  'baseline',
  'if',
  'sort',
  'page',
  'limit',
  'known',
  'columns',
  'chart',
] as const
const isReportKey = (key: string) =>
  (REPORT_KEYS as readonly string[]).includes(key) || (REPORT_FILTER_NAMES as readonly string[]).includes(key)

/** Null if the address has no report parameters. Invalid ones are ignored. */
export function readSearch(search: Search, today: string): ReportState | null {
  if (!Object.keys(search).some(isReportKey)) return null
  const start = defaultState(today)
  const levels = readLevels(search.by)
  return {
    levels: levels.length > 0 ? levels : start.levels,
    ...(readDays(search) ?? { from: today, to: today }),
    second: isSecondPeriod(search.second) ? search.second : 'off',
    hasTwoColumns: search.both === true,
    activity: ACTIVITIES.find((name) => name === search.activity) ?? 'all',
    baseLine: BASELINES.find((name) => name === search.baseline) ?? 'all',
    filters: readFilters(search),
    conditions: readConditions(search.if),
    sort: readSortKey(search.sort),
    page: readPage(search.page),
    limit: PAGE_SIZES.find((size) => size === search.limit) ?? REPORT_PAGE_SIZE,
    knownAt: readMoment(search.known),
    columns: readColumns(search.columns),
    chart: typeof search.chart === 'string' && search.chart !== '' ? search.chart : null,
  }
}

/** Names of the report parameters that `readSearch` leaves out because it cannot read them. */
export function findUnreadable(search: Search): string[] {
  const filters = readFilters(search)
  const isRead: Readonly<Record<string, (value: unknown) => boolean>> = {
    by: (value) => readLevels(value).join('.') === value,
    from: () => readDays(search) !== null,
    to: () => readDays(search) !== null,
    second: (value) => value === 'off' || isSecondPeriod(value),
    both: (value) => value === true || value === false,
    activity: (value) => ACTIVITIES.some((name) => name === value),
    baseline: (value) => BASELINES.some((name) => name === value),
    if: (value) => readConditions(value).length > 0,
    sort: (value) => readSortKey(value) !== null,
    known: (value) => readMoment(value) !== null,
    columns: (value) => (readColumns(value) ?? []).every(isColumnKey),
    ...Object.fromEntries(REPORT_FILTER_NAMES.map((name) => [name, () => filters[name] !== undefined])),
  }
  const isLost = (name: string) => search[name] !== undefined && isRead[name]?.(search[name]) === false
  return Object.keys(isRead).filter(isLost)
}

/** Writes all report parameters, so that a copied address shows the same on another day; other parameters stay. */
export function writeSearch(state: ReportState, search: Search = {}): Record<string, unknown> {
  const kept = Object.entries(search).filter(([key]) => !isReportKey(key))
  return {
    ...Object.fromEntries(kept),
    by: state.levels.join('.'),
    from: state.from,
    to: state.to,
    ...(state.second !== 'off' && { second: state.second }),
    ...(state.hasTwoColumns && { both: true }),
    ...(state.activity !== 'all' && { activity: state.activity }),
    ...(state.baseLine !== 'all' && { baseline: state.baseLine }),
    ...writeFilters(state.filters),
    ...(state.conditions.length > 0 && { if: writeConditions(state.conditions) }),
    ...(state.sort && { sort: writeSort(state.sort) }),
    ...(state.page !== 1 && { page: state.page }),
    ...(state.limit !== REPORT_PAGE_SIZE && { limit: state.limit }),
    ...(state.knownAt !== null && { known: state.knownAt }),
    ...(state.columns !== null && { columns: state.columns.join('.') }),
    ...(state.chart !== null && { chart: state.chart }),
  }
}

/** The stored form: the address without the page, and the preset, so that 'today' is today again tomorrow. */
export interface StoredReport {
  readonly search: Search
  readonly preset: Preset | null
}

export function isStoredReport(value: unknown): value is StoredReport {
  return (
    typeof value === 'object' &&
    value !== null &&
    'search' in value &&
    typeof value.search === 'object' &&
    value.search !== null &&
    'preset' in value &&
    (value.preset === null || (PRESETS as readonly unknown[]).includes(value.preset))
  )
}

export function toStored(state: ReportState, preset: Preset | null): StoredReport {
  return { search: writeSearch({ ...state, page: 1, knownAt: null }), preset }
}

export function fromStored({ search, preset }: StoredReport, today: string): ReportState {
  const state = readSearch(search, today) ?? defaultState(today)
  return preset === null ? state : { ...state, ...presetPeriod(preset, today) }
}

/** The request of a state. */
export function toRequest(state: ReportState): GeneralReportInput {
  const { levels } = state
  const groupBy = (at: number) => levels[at] ?? ('off' as const)
  return {
    filter: {
      groupBy: groupBy(0),
      secondGroupBy: groupBy(1),
      thirdGroupBy: groupBy(2),
      fourthGroupBy: groupBy(3),
      dateFrom: state.from,
      dateTo: state.to,
      ...secondDays(state),
      ...(state.knownAt !== null && { knownAt: state.knownAt }),
      activity: state.activity,
      baseLine: state.baseLine,
      ...writeFilters(state.filters),
    },
    cfFilter: writeConditions(state.conditions),
    pagination: { page: state.page, limit: state.limit },
    ...(state.sort && { sort: state.sort }),
    formulas: requestedFormulas(state.columns),
  }
}

/** The second period; null if it is off. */
export function secondPeriodOf({ from, to, second }: Pick<ReportState, 'from' | 'to' | 'second'>): Period | null {
  if (second === 'off') return null
  if (isNamedPeriod(second)) return secondPeriod(second, { from, to })
  const own = readOwnPeriod(second)
  if (own !== null) return own
  return { from: addDays(second, -daysBetween(from, to)), to: second }
}

function secondDays(state: ReportState): { secondDateFrom?: string; secondDateTo?: string } {
  const second = secondPeriodOf(state)
  return second === null ? {} : { secondDateFrom: second.from, secondDateTo: second.to }
}

export const effectiveSort = ({
  levels,
  sort,
}: Pick<ReportState, 'levels' | 'sort'>): NonNullable<ReportState['sort']> => sort ?? defaultSort(levels[0] ?? 'off')

/**
 * Removes metrics, filters and levels that are hidden from the user, and deleted formulas: addresses may be older or from other users.
 * `formulas` are the existing ones; undefined until they are loaded.
 */
export function keepVisible(
  state: ReportState,
  role: RoleKind,
  formulas?: readonly { readonly id: number }[],
): ReportState {
  const isSeen = (key: string) => {
    const own = readFormulaKey(key)
    if (own !== null) return formulas === undefined || formulas.some(({ id }) => id === own.id)
    return isKeyVisibleTo(key, role)
  }
  return {
    ...state,
    levels: visibleLevels(state.levels, role),
    filters: keepFilters(state.filters, (name) => isVisibleTo(reportFilterOf(name), role)),
    conditions: state.conditions.filter(({ metric }) => isSeen(metric)),
    sort: state.sort && isSeen(state.sort.by) ? state.sort : null,
  }
}

/** Names of the parameters of which `keepVisible` removes something that is hidden from the user. */
export function findHidden(state: ReportState, role: RoleKind): string[] {
  const kept = keepVisible(state, role)
  const isLess = (all: readonly unknown[], rest: readonly unknown[]) => rest.length < all.length
  const isUnseen = (key: string) => isMetric(key) && !isKeyVisibleTo(key, role)
  return [
    ...(state.levels.some((level) => !kept.levels.includes(level)) ? ['by'] : []),
    ...Object.keys(state.filters).filter((name) => !(name in kept.filters)),
    ...(isLess(state.conditions, kept.conditions) ? ['if'] : []),
    ...(state.sort !== null && kept.sort === null ? ['sort'] : []),
    ...(state.columns?.some(isUnseen) ? ['columns'] : []),
    ...(state.chart !== null && isUnseen(state.chart) ? ['chart'] : []),
  ]
}

/** A dimension that another level has swaps places with it; 'off' removes the level. */
export function chooseLevel(
  levels: readonly DimensionName[],
  at: number,
  choice: DimensionName | 'off',
): readonly DimensionName[] {
  if (choice === 'off') return levels.length === 1 ? levels : levels.filter((_, level) => level !== at)
  const used = levels.indexOf(choice)
  const replaced = levels[at]
  if (at >= levels.length) return used >= 0 ? levels : [...levels, choice].slice(0, MAX_LEVELS)
  return levels.map((level, place) => (place === at ? choice : place === used && replaced ? replaced : level))
}

/** The first click on a column sorts descending, the next one reverses the order. */
export function nextSort(shown: NonNullable<ReportState['sort']>, by: SortKey): NonNullable<ReportState['sort']> {
  return shown.by === by ? { by, desc: !shown.desc } : { by, desc: by !== 'group' }
}

/** True for a comparison period that follows from the first period. */
export const isNamedPeriod = (value: unknown): value is SecondPeriodName =>
  (SECOND_PERIODS as readonly unknown[]).includes(value)

/** The comparison period of the days. */
export const ownSecondPeriod = ({ from, to }: Period): SecondPeriod => `${from}..${to}`

function readOwnPeriod(text: string): Period | null {
  const [from = '', to = '', ...rest] = text.split('..')
  return rest.length === 0 && isDay(from) && isDay(to) && from <= to ? { from, to } : null
}

const isSecondPeriod = (value: unknown): value is SecondPeriod =>
  isNamedPeriod(value) || (typeof value === 'string' && (isDay(value) || readOwnPeriod(value) !== null))

function readLevels(value: unknown): DimensionName[] {
  if (typeof value !== 'string') return []
  const names = value.split('.').filter((name) => (DIMENSION_NAMES as readonly string[]).includes(name))
  return [...new Set(names as DimensionName[])].slice(0, MAX_LEVELS)
}

function readSortKey(value: unknown): ReportState['sort'] {
  const sort = readSort(value)
  return sort !== null && isSortKey(sort.by) ? { by: sort.by, desc: sort.desc } : null
}

/** True for the column of a metric or of a formula, which may have been deleted. */
const isColumnKey = (key: string): boolean => isFormulaKey(key) || isMetric(key.replace(/_2$/, ''))

const isSortKey = (by: string): by is SortKey => by === 'group' || isColumnKey(by)
