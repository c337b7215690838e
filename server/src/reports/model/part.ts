// How each part is added up from its source. A part of the contract that is missing here does not compile.
import type { Activity } from '@tributary/contract/reports/choices'
import { PART_NAMES, PARTS, type PartName, type SourceName } from '@tributary/contract/reports/traffic'
import { SUMMED_COLUMNS, SUMS_TABLE } from '../../facts/months/summed-columns.ts'

/** Told by `firstRowSql`: a player is counted at their first row of a stretch of days. */
const DISTINCT = ''

const PART_SQL = {
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
} as const satisfies Record<PartName, string>

export const partSql = (part: PartName): string => PART_SQL[part]
export const sourceOf = (part: PartName): SourceName => PARTS[part].source
export const kindOf = (part: PartName): 'count' | 'money' | 'distinct' => PARTS[part].kind

/**
 * Distinct players without a set: every row of a player has the same dimensions, so the player is counted at the row before which
 * there is none since `start`. Only good while rows of one player are left out by nothing but their day.
 */
export const firstRowSql = (part: 'bettors' | 'players', start: string): string =>
  part === 'bettors' ? `countIf(bets > 0 and previous_bet_day < ${start})` : `countIf(previous_day < ${start})`

/** The same over sums of months, where the rows before are lists. */
export const firstSummedSql = (part: 'bettors' | 'players', start: string): string =>
  `sum(arrayCount(before -> before < ${start}, ${part === 'bettors' ? 'bet_days' : 'days'}))`

/** Digits after the point in the whole numbers in which parts travel. */
export const scaleOf = (part: PartName): 0 | 4 => (PARTS[part].kind === 'money' ? 4 : 0)

const DEPOSITS =
  '(first_deposits > 0 or deposits_count > 0 or deposits != 0 or first_amount != 0 or first_day_amount != 0)'

const DEPOSIT_PARTS: readonly PartName[] = [
  'new_deposits',
  'deposits_count',
  'deposits_amount',
  'first_day_amount',
  'first_amount',
]

/** What a choice of activity leaves: which player days, which parts, and whether it is about players alone. */
export const ACTIVITY_SQL = {
  all: { where: null, parts: PART_NAMES },
  ftd: { where: null, parts: PART_NAMES, dayInPeriod: 'first_deposit_day' },
  new_players: { where: null, parts: PART_NAMES, dayInPeriod: 'registered_day' },
  deposits: { where: DEPOSITS, parts: DEPOSIT_PARTS },
  registrations: { where: 'registrations > 0', parts: ['registrations'] },
} as const satisfies Record<
  Activity,
  { where: string | null; parts: readonly PartName[]; dayInPeriod?: 'first_deposit_day' | 'registered_day' }
>

const NO_ROWS = 'toUInt64(0)'
/**
 * What makes a row of a report: traffic, as a rule, and then entered spend alone makes none; in others anything at all, or only what costs,
 * or first deposits. Sources that are not named are not read.
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
export type RowsBy = keyof typeof ROWS_BY

/** Above zero where facts of the source make a row; null when the source is not read. */
export const rowsSql = (source: SourceName, rowsBy: RowsBy): string | null => ROWS_BY[rowsBy][source]
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

/** Whether the sums of months carry it. */
export const isSummed = (part: PartName): boolean => SUMMED_COLUMNS[part] !== null

/** Sums of months have the columns of facts, so that parts are added up alike; those that make a row are counted. */
export const SUMS_SQL = {
  from: SUMS_TABLE,
  rows: { click: 'sum(is_click)', activity: 'sum(rows)', spend: 'sum(spends)' },
} as const satisfies { from: string; rows: Record<SourceName, string> }

/** The same as `rowsSql` over sums of months of several sources. */
export function summedRowsSql(sources: readonly SourceName[], rowsBy: RowsBy): string {
  const making = sources.filter((source) => makesRows(source, rowsBy))
  return making.length === 0 ? NO_ROWS : making.map((source) => SUMS_SQL.rows[source]).join(' + ')
}
