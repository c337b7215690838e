// Serializes rows of player_fact, activity_fact and spend_fact for ClickHouse and fingerprints their content.
// Stored fingerprints depend on the order of columns.

import { hash } from 'node:crypto'
import { formatMoney } from '@tributary/contract/money'
import { columnNames, DAY_ONLY, PLAYER_DATES, PLAYER_DIMENSIONS, PLAYER_ONLY, type RowOf, SPEND } from './columns.ts'

/** What a player is grouped and filtered by. */
export type PlayerDimensions = RowOf<typeof PLAYER_DIMENSIONS>
/** The days of a player: registration, deposits, qualification. */
export type PlayerDates = RowOf<typeof PLAYER_DATES>
/** The fact of a player: attributes that all of their days share. */
export type PlayerFact = RowOf<typeof PLAYER_ONLY> & PlayerDates & PlayerDimensions
/** The fact of a player's day. */
export type DayFact = RowOf<typeof DAY_ONLY>
/** The fact of an entered spend. */
export type SpendFact = RowOf<typeof SPEND>

/** The last columns of every row of a player. */
const COMMON_COLUMNS = [...columnNames(PLAYER_DATES), ...columnNames(PLAYER_DIMENSIONS)]

const PLAYER_ONLY_COLUMNS = columnNames(PLAYER_ONLY)
const DAY_ONLY_COLUMNS = columnNames(DAY_ONLY)

export const PLAYER_COLUMNS = [...PLAYER_ONLY_COLUMNS, ...COMMON_COLUMNS]
export const ACTIVITY_COLUMNS = [...DAY_ONLY_COLUMNS, ...COMMON_COLUMNS]
export const SPEND_COLUMNS = columnNames(SPEND)

/** They follow the content in every versioned table. */
export const VERSION_COLUMNS = ['version', 'is_deleted'] as const
export const LOG_COLUMNS = ['known_at', 'cause', 'actor_id', 'request_id'] as const

/** A larger amount does not fit Decimal(18,4): ClickHouse would reject the whole insert with all its rows. */
const MAX_UNITS = 99_999_999_999_999_9999n
const clampUnits = (units: bigint): bigint => (units > MAX_UNITS ? MAX_UNITS : units < -MAX_UNITS ? -MAX_UNITS : units)

const toValue = (value: unknown): unknown =>
  typeof value === 'bigint' ? (value === 0n ? '0' : formatMoney(clampUnits(value))) : value

/** The values of a row as a JSON array without its brackets. A line of JSONCompactEachRow starts with them. */
function rowContent<T>(row: T, columns: readonly (keyof T)[]): string {
  return JSON.stringify(columns.map((column) => toValue(row[column]))).slice(1, -1)
}

/** The values of a spend as text; equal texts need no new version of the fact. */
export const spendContent = (row: SpendFact): string => rowContent(row, SPEND_COLUMNS)
/** The values of a player as text; equal texts need no new version of the fact. */
export const playerContent = (row: PlayerFact): string =>
  `${rowContent(row, PLAYER_ONLY_COLUMNS)},${rowContent(row, COMMON_COLUMNS)}`

/** Returns a serializer of one player's days. It serializes the common columns only once. */
export function dayContents(player: PlayerFact): (day: DayFact) => string {
  const common = rowContent(player, COMMON_COLUMNS)
  return (day) => `${rowContent(day, DAY_ONLY_COLUMNS)},${common}`
}

/** 52 bits of SHA-1, because JSON numbers are exact only up to 2^53. */
export const fingerprint = (content: string): number => Number.parseInt(hash('sha1', content).slice(0, 13), 16)
