// Rows of player_fact, activity_fact and spend_fact on their way to ClickHouse: columns, one text a row, and a fingerprint that stays the same
// as long as the row says the same. The order of columns is part of the fingerprints that are stored.

import { hash } from 'node:crypto'
import { formatMoney } from '@tributary/contract/money'
import { DAY_OWN, namesOf, PLAYER_DATES, PLAYER_DIMENSIONS, PLAYER_OWN, type RowOf, SPEND } from './columns.ts'

export type PlayerDimensions = RowOf<typeof PLAYER_DIMENSIONS>
export type PlayerDates = RowOf<typeof PLAYER_DATES>
export type PlayerFact = RowOf<typeof PLAYER_OWN> & PlayerDates & PlayerDimensions
export type DayFact = RowOf<typeof DAY_OWN>
export type SpendFact = RowOf<typeof SPEND>

/** These end every row of a player. */
const COMMON = [...namesOf(PLAYER_DATES), ...namesOf(PLAYER_DIMENSIONS)]

const OWN_OF_PLAYER = namesOf(PLAYER_OWN)
const OWN_OF_DAY = namesOf(DAY_OWN)

export const PLAYER_COLUMNS = [...OWN_OF_PLAYER, ...COMMON]
export const ACTIVITY_COLUMNS = [...OWN_OF_DAY, ...COMMON]
export const SPEND_COLUMNS = namesOf(SPEND)

/** What follows the content in every versioned table. */
export const VERSION_COLUMNS = ['version', 'is_deleted'] as const
export const LOG_COLUMNS = ['known_at', 'cause', 'actor_id', 'request_id'] as const

/** Beyond it Decimal(18,4) would refuse the whole insert, and with it everybody's rows. */
const MOST = 99_999_999_999_999_9999n
const bound = (units: bigint): bigint => (units > MOST ? MOST : units < -MOST ? -MOST : units)

const toValue = (value: unknown): unknown =>
  typeof value === 'bigint' ? (value === 0n ? '0' : formatMoney(bound(value))) : value

/** The values of a row as JSON without the brackets: the head of a line of JSONCompactEachRow. */
function contentOf<T>(row: T, columns: readonly (keyof T)[]): string {
  return JSON.stringify(columns.map((column) => toValue(row[column]))).slice(1, -1)
}

export const spendContent = (row: SpendFact): string => contentOf(row, SPEND_COLUMNS)
export const playerContent = (row: PlayerFact): string => `${contentOf(row, OWN_OF_PLAYER)},${contentOf(row, COMMON)}`

/** Writes the contents of one player's days; their common columns are written once. */
export function dayContents(player: PlayerFact): (day: DayFact) => string {
  const common = contentOf(player, COMMON)
  return (day) => `${contentOf(day, OWN_OF_DAY)},${common}`
}

/** 52 bits, so that JSON carries it exactly. */
export const fingerprint = (content: string): number => Number.parseInt(hash('sha1', content).slice(0, 13), 16)
