// Declares the columns of clicks and facts: names, order and kind. Row types, empty rows, statements and lines derive from it.
// columns.test.ts compares it with the tables of both engines, the tracker's COPY and the view of the inbox.

/** The TypeScript type of each kind of column. The columns have no nulls: 0, '', NO_CLICK, NO_DAY and NO_TIME mean "no value". */
interface Values {
  id: number
  count: number
  /** 0 or 1. */
  flag: number
  /** Ten-thousandths. */
  money: bigint
  text: string
  uuid: string
  /** Business day, 'YYYY-MM-DD'. */
  day: string
  /** UTC, 'YYYY-MM-DD hh:mm:ss.mmm'. */
  time: string
}
type Kind = keyof Values
type ColumnKind = Kind | readonly [string, ...string[]]
type Columns = Readonly<Record<string, ColumnKind>>

/** The type of one value. A list declares the names of an Enum8; the first one means "no value". */
type ValueOf<D extends ColumnKind> = D extends Kind ? Values[D] : D extends readonly string[] ? D[number] : never
/** A row with the declared columns. */
export type RowOf<C extends Columns> = { -readonly [N in keyof C]: ValueOf<C[N]> }

/** The day that stands for none in facts. */
export const NO_DAY = '1970-01-01'
/** The first and last day that ClickHouse's type Date can store, apart from NO_DAY. */
export const FIRST_DAY = '1970-01-02'
export const LAST_DAY = '2149-06-06'
export const NO_TIME = '1970-01-01 00:00:00.000'
export const NO_CLICK = '00000000-0000-0000-0000-000000000000'

const EMPTY: Values = { id: 0, count: 0, flag: 0, money: 0n, text: '', uuid: NO_CLICK, day: NO_DAY, time: NO_TIME }

/** A row in which every column has its "no value". */
export function emptyRow<C extends Columns>(columns: C): RowOf<C> {
  const values = Object.entries(columns).map(([name, kind]) => [name, typeof kind === 'string' ? EMPTY[kind] : kind[0]])
  // Object.fromEntries forgets the names of its keys.
  return Object.fromEntries(values) as RowOf<C>
}

/** The names of declared columns, in their order. */
export function columnNames<C extends object>(columns: C): (keyof C & string)[] {
  // The keys of a literal are those of its type.
  return Object.keys(columns) as (keyof C & string)[]
}

/** Reports group and filter by these columns. All rows of one player carry the same values. */
export const PLAYER_DIMENSIONS = {
  offer_partner_id: 'id',
  offer_id: 'id',
  partner_id: 'id',
  advertiser_id: 'id',
  landing_id: 'id',
  stream_id: 'id',
  traffic_source_id: 'id',
  country_id: 'id',
  actual_country_id: 'id',
  site_id: 'text',
  sub_id: 'text',
  promocode: 'text',
  media_id: 'text',
  ip_country: 'text',
  geo_country: 'text',
  outer_id: 'text',
  click_id: 'uuid',
  click_day: 'day',
} as const satisfies Columns

export const PLAYER_DATES = {
  registered_day: 'day',
  first_deposit_day: 'day',
  qualified_day: 'day',
  qualification: ['unqualified', 'qualified', 'lost'],
} as const satisfies Columns

/** The columns that only player_fact has. */
export const PLAYER_ONLY = {
  player_id: 'id',
  registered_at: 'time',
  first_deposit_at: 'time',
  payment_resolution: ['none', 'approved', 'not_approved'],
  cpa_spend: 'money',
  rate_missing: 'flag',
} as const satisfies Columns

/** The columns that only activity_fact has: the figures of one day of a player. The player's dates and dimensions follow them. */
export const DAY_ONLY = {
  day: 'day',
  player_id: 'id',
  source: ['none', 'postback', 'report'],
  registrations: 'count',
  first_deposits: 'count',
  qualified_players: 'count',
  deposits_count: 'count',
  deposits: 'money',
  first_amount: 'money',
  first_day_amount: 'money',
  bets: 'money',
  income: 'money',
  cpa_spend: 'money',
  rs_spend: 'money',
  rate_missing: 'flag',
  previous_day: 'day',
  previous_bet_day: 'day',
  /** The price of the player who qualified, the income and its share, each in its own currency; and the percentage of the share. */
  cpa_original: 'money',
  cpa_currency_id: 'id',
  income_original: 'money',
  income_currency_id: 'id',
  rs_rate: 'money',
  rs_original: 'money',
} as const satisfies Columns

export const SPEND = {
  spend_id: 'id',
  day: 'day',
  offer_partner_id: 'id',
  offer_id: 'id',
  partner_id: 'id',
  advertiser_id: 'id',
  stream_id: 'id',
  traffic_source_id: 'id',
  country_id: 'id',
  site_id: 'text',
  sub_id: 'text',
  media_id: 'text',
  currency_id: 'id',
  base_original: 'money',
  base: 'money',
  sum: 'money',
  rate_missing: 'flag',
  /** On an AGENCY partner offer. Entered spend of other partner offers is shown, but not owed. */
  is_agency: 'flag',
  agency_rate: 'money',
  /** The sum in its own currency. */
  sum_original: 'money',
} as const satisfies Columns

/**
 * Says how each column of `click` derives from a click of the inbox; '?' marks nullable fields. The inbox stores the line without `id`, `day`
 * and `created_at` ('head'), because the day depends on the business time zone.
 */
export const CLICK = {
  id: 'head',
  day: 'head',
  created_at: 'head',
  offer_partner_id: 'id',
  offer_id: 'id',
  partner_id: 'id',
  advertiser_id: 'id',
  stream_id: 'id',
  traffic_source_id: 'id',
  /** The offer's country. */
  country_id: 'id',
  landing_id: 'id?',
  bot: 'boolean',
  is_click: 'derived',
  is_unique: 'derived',
  /** The id of this visitor's first click; null if this click is the first one, or a bot's. */
  canonical_id: 'uuid?',
  site_id: 'text',
  sub_id: 'text?',
  sub2: 'text?',
  sub3: 'text?',
  sub4: 'text?',
  sub5: 'text?',
  partner_click_id: 'text?',
  promocode: 'text?',
  media_id: 'text?',
  ip: 'text',
  ip_country: 'text?',
  user_agent: 'text?',
  referrer: 'text?',
  language: 'text?',
  /** Path and query as received. */
  url: 'text',
  /** The advertiser link to which the visitor was redirected. */
  target: 'text',
} as const

interface ClickValues {
  id: number
  'id?': number | null
  boolean: boolean
  'uuid?': string | null
  text: string
  'text?': string | null
}
type ClickKind = (typeof CLICK)[keyof typeof CLICK]
type FieldOf<K extends ClickKind> = {
  [N in keyof typeof CLICK]: (typeof CLICK)[N] extends K ? N : never
}[keyof typeof CLICK]
/** A column of clicks that the tracker writes. */
export type ClickField = FieldOf<keyof ClickValues>

/** A click of the inbox without its writer. `id` is a UUIDv7; `created_at` is in milliseconds since 1970. */
export type InboxClick = { id: string; created_at: number } & { [N in ClickField]: ClickValues[(typeof CLICK)[N]] }

/** All columns of `click`, in order. */
export const CLICK_COLUMNS = columnNames(CLICK)
const isLine = (name: keyof typeof CLICK): name is ClickField | FieldOf<'derived'> => CLICK[name] !== 'head'
/** The columns of a line of the inbox, in order. */
export const LINE_COLUMNS = CLICK_COLUMNS.filter(isLine)
