// The SQL that sums each component from its source. Every component of the contract must be listed, or the file does not compile.
import type { Activity } from '@tributary/contract/reports/choices'
import { COMPONENT_NAMES, COMPONENTS, type ComponentName, type SourceName } from '@tributary/contract/reports/traffic'
import { SUMMED_COLUMNS, SUMS_TABLE } from '../../facts/months/summed-columns.ts'

/** `firstRowSql` counts these components. */
const DISTINCT = ''

const COMPONENT_SQL = {
  clicks: 'sum(is_click)',
  unique_clicks: 'sum(is_unique)',
  registrations: 'sum(registrations)',
  new_deposits: 'sum(first_deposits)',
  deposits_count: 'sum(deposits_count)',
  deposits_amount: 'sum(deposits)',
  first_day_amount: 'sum(first_day_amount)',
  first_amount: 'sum(first_amount)',
  bets: 'sum(bets)',
  bettors: DISTINCT,
  income: 'sum(income)',
  player_spend: 'sum(cpa_spend + rs_spend)',
  entered_spend: 'sum(sum)',
  qualified_players: 'sum(qualified_players)',
  cohort_players: 'sum(registrations)',
  depositors: 'uniqExactIf(player_id, deposits_count > 0)',
} as const satisfies Record<ComponentName, string>

export const componentSql = (component: ComponentName): string => COMPONENT_SQL[component]
export const sourceOf = (component: ComponentName): SourceName => COMPONENTS[component].source
export const kindOf = (component: ComponentName): 'count' | 'money' | 'distinct' => COMPONENTS[component].kind

/**
 * Counts distinct players without a set: all rows of a player have the same dimensions, so the first row since `start` counts the player.
 * Valid only if no condition except the day omits rows of a player.
 */
export const firstRowSql = (component: 'bettors' | 'players', start: string): string =>
  component === 'bettors' ? `countIf(bets > 0 and previous_bet_day < ${start})` : `countIf(previous_day < ${start})`

/** Like `firstRowSql` over month sums, which store the previous days as lists. */
export const firstSummedSql = (component: 'bettors' | 'players', start: string): string =>
  `sum(arrayCount(before -> before < ${start}, ${component === 'bettors' ? 'bet_days' : 'days'}))`

/** The decimal digits that a component's whole number includes. */
export const scaleOf = (component: ComponentName): 0 | 4 => (COMPONENTS[component].kind === 'money' ? 4 : 0)

const DEPOSITS =
  '(first_deposits > 0 or deposits_count > 0 or deposits != 0 or first_amount != 0 or first_day_amount != 0)'

const DEPOSIT_COMPONENTS: readonly ComponentName[] = [
  'new_deposits',
  'deposits_count',
  'deposits_amount',
  'first_day_amount',
  'first_amount',
]

/** For each activity: the player days and components that it counts, and the day by which it selects players. */
export const ACTIVITY_SQL = {
  all: { where: null, components: COMPONENT_NAMES },
  ftd: { where: null, components: COMPONENT_NAMES, dayInPeriod: 'first_deposit_day' },
  new_players: { where: null, components: COMPONENT_NAMES, dayInPeriod: 'registered_day' },
  deposits: { where: DEPOSITS, components: DEPOSIT_COMPONENTS },
  registrations: { where: 'registrations > 0', components: ['registrations'] },
} as const satisfies Record<
  Activity,
  { where: string | null; components: readonly ComponentName[]; dayInPeriod?: 'first_deposit_day' | 'registered_day' }
>

const NO_ROWS = 'toUInt64(0)'
/**
 * The facts that make a row appear: traffic (entered spend alone does not), anything, costs, or first deposits. A source with null is not read.
 */
const ROWS_BY = {
  traffic: { click: 'sum(is_click)', activity: 'count()', spend: NO_ROWS },
  anything: { click: 'sum(is_click)', activity: 'count()', spend: 'countIf(sum != 0)' },
  costs: {
    click: null,
    activity: 'countIf(cpa_spend != 0 or rs_spend != 0 or first_deposits > 0 or qualified_players > 0)',
    spend: 'countIf(sum != 0)',
  },
  deposits: { click: null, activity: 'sum(first_deposits)', spend: null },
} as const satisfies Record<string, Record<SourceName, string | null>>
/** What makes a row appear. */
export type RowsBy = keyof typeof ROWS_BY

/** SQL that is above zero if facts of the source make a row appear; null if the source is not read. */
export const rowsSql = (source: SourceName, rowsBy: RowsBy): string | null => ROWS_BY[rowsBy][source]
/** True if facts of the source can make a row appear. */
export const makesRows = (source: SourceName, rowsBy: RowsBy): boolean =>
  ![null, NO_ROWS].includes(rowsSql(source, rowsBy))

interface SourceSql {
  readonly from: string
  readonly where: readonly string[]
  readonly rateMissing: string
}

export const SOURCE_SQL = {
  click: { from: 'click', where: [], rateMissing: 'toUInt8(0)' },
  activity: {
    from: 'activity_fact final',
    where: ['is_deleted = 0'],
    rateMissing: 'max(rate_missing)',
  },
  spend: {
    from: 'spend_fact final',
    where: ['is_deleted = 0'],
    rateMissing: 'max(rate_missing)',
  },
} as const satisfies Record<SourceName, SourceSql>

/** True if month sums contain the component. */
export const isSummed = (component: ComponentName): boolean => SUMMED_COLUMNS[component] !== null

/** Month sums have the same columns as facts, so that the same SQL sums components. `rows` counts the summed facts. */
export const SUMS_SQL = {
  from: SUMS_TABLE,
  rows: { click: 'sum(is_click)', activity: 'sum(rows)', spend: 'sum(spends)' },
} as const satisfies { from: string; rows: Record<SourceName, string> }

/** Like `rowsSql`, over month sums of several sources. */
export function summedRowsSql(sources: readonly SourceName[], rowsBy: RowsBy): string {
  const making = sources.filter((source) => makesRows(source, rowsBy))
  return making.length === 0 ? NO_ROWS : making.map((source) => SUMS_SQL.rows[source]).join(' + ')
}
