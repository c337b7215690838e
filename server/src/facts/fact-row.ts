// The rows of player_fact, activity_fact and spend_fact as they travel to ClickHouse: columns, one text a row, and a fingerprint that is
// the same as long as the row says the same.

import { hash } from 'node:crypto'
import { formatMoney } from '@tributary/contract/money'

export const NO_DAY = '1970-01-01'
/** The days that ClickHouse holds beside it. */
export const FIRST_DAY = '1970-01-02'
export const LAST_DAY = '2149-06-06'
export const NO_TIME = '1970-01-01 00:00:00.000'
export const NO_CLICK = '00000000-0000-0000-0000-000000000000'

/** What reports group and filter by; the same on every row of a player. */
export interface PlayerDimensions {
  offer_partner_id: number
  offer_id: number
  partner_id: number
  advertiser_id: number
  landing_id: number
  stream_id: number
  traffic_source_id: number
  country_id: number
  actual_country_id: number
  site_id: string
  sub_id: string
  promocode: string
  media_id: string
  ip_country: string
  geo_country: string
  outer_id: string
  click_id: string
  click_day: string
}

export interface PlayerDates {
  registered_day: string
  first_deposit_day: string
  qualified_day: string
  qualification: 'unqualified' | 'qualified' | 'lost'
}

export interface PlayerFact extends PlayerDimensions, PlayerDates {
  player_id: number
  registered_at: string
  first_deposit_at: string
  payment_resolution: 'none' | 'approved' | 'not_approved'
  cpa_spend: bigint
  rate_missing: number
}

/** What one day says; the player's dimensions and dates stand beside it on the row. */
export interface DayFact {
  day: string
  player_id: number
  source: 'none' | 'postback' | 'report'
  registrations: number
  first_deposits: number
  qualified_players: number
  deposits_count: number
  deposits: bigint
  first_amount: bigint
  first_day_amount: bigint
  bets: bigint
  income: bigint
  cpa_spend: bigint
  rs_spend: bigint
  rate_missing: number
  previous_day: string
  previous_bet_day: string
}

export interface SpendFact {
  spend_id: number
  day: string
  offer_partner_id: number
  offer_id: number
  partner_id: number
  advertiser_id: number
  stream_id: number
  traffic_source_id: number
  country_id: number
  site_id: string
  sub_id: string
  media_id: string
  currency_id: number
  base_original: bigint
  base: bigint
  sum: bigint
  rate_missing: number
}

/** The end of every row of a player. */
const COMMON = [
  'registered_day',
  'first_deposit_day',
  'qualified_day',
  'qualification',
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'advertiser_id',
  'landing_id',
  'stream_id',
  'traffic_source_id',
  'country_id',
  'actual_country_id',
  'site_id',
  'sub_id',
  'promocode',
  'media_id',
  'ip_country',
  'geo_country',
  'outer_id',
  'click_id',
  'click_day',
] as const satisfies readonly (keyof PlayerFact)[]

const PLAYER_OWN = [
  'player_id',
  'registered_at',
  'first_deposit_at',
  'payment_resolution',
  'cpa_spend',
  'rate_missing',
] as const satisfies readonly (keyof PlayerFact)[]

const DAY_OWN = [
  'day',
  'player_id',
  'source',
  'registrations',
  'first_deposits',
  'qualified_players',
  'deposits_count',
  'deposits',
  'first_amount',
  'first_day_amount',
  'bets',
  'income',
  'cpa_spend',
  'rs_spend',
  'rate_missing',
  'previous_day',
  'previous_bet_day',
] as const satisfies readonly (keyof DayFact)[]

export const PLAYER_COLUMNS = [...PLAYER_OWN, ...COMMON]
export const ACTIVITY_COLUMNS = [...DAY_OWN, ...COMMON]

export const SPEND_COLUMNS = [
  'spend_id',
  'day',
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'advertiser_id',
  'stream_id',
  'traffic_source_id',
  'country_id',
  'site_id',
  'sub_id',
  'media_id',
  'currency_id',
  'base_original',
  'base',
  'sum',
  'rate_missing',
] as const satisfies readonly (keyof SpendFact)[]

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
export const playerContent = (row: PlayerFact): string => `${contentOf(row, PLAYER_OWN)},${contentOf(row, COMMON)}`

/** Makes the contents of one player's days: what they have in common is written once. */
export function dayContents(player: PlayerFact): (day: DayFact) => string {
  const common = contentOf(player, COMMON)
  return (day) => `${contentOf(day, DAY_OWN)},${common}`
}

/** 52 bits, so that JSON carries it exactly. */
export const fingerprint = (content: string): number => Number.parseInt(hash('sha1', content).slice(0, 13), 16)

export const NO_DIMENSIONS: PlayerDimensions = {
  offer_partner_id: 0,
  offer_id: 0,
  partner_id: 0,
  advertiser_id: 0,
  landing_id: 0,
  stream_id: 0,
  traffic_source_id: 0,
  country_id: 0,
  actual_country_id: 0,
  site_id: '',
  sub_id: '',
  promocode: '',
  media_id: '',
  ip_country: '',
  geo_country: '',
  outer_id: '',
  click_id: NO_CLICK,
  click_day: NO_DAY,
}

export const NO_DATES: PlayerDates = {
  registered_day: NO_DAY,
  first_deposit_day: NO_DAY,
  qualified_day: NO_DAY,
  qualification: 'unqualified',
}

export const NO_ACTIVITY = {
  source: 'none',
  registrations: 0,
  first_deposits: 0,
  qualified_players: 0,
  deposits_count: 0,
  deposits: 0n,
  first_amount: 0n,
  first_day_amount: 0n,
  bets: 0n,
  income: 0n,
  cpa_spend: 0n,
  rs_spend: 0n,
  rate_missing: 0,
  previous_day: NO_DAY,
  previous_bet_day: NO_DAY,
} as const satisfies Partial<DayFact>
