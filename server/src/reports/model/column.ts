// The columns of facts that reports group and filter by, for each source. null = that source knows nothing of it: its facts have the empty value.
import type { SourceName } from '@tributary/contract/reports/traffic'

export type ColumnType = 'UInt32' | 'String' | 'Date' | 'UUID'

interface Column {
  readonly type: ColumnType
  readonly sql: Readonly<Record<SourceName, string | null>>
}

const everywhere = (column: string, type: ColumnType = 'UInt32'): Column => ({
  type,
  sql: { click: column, activity: column, spend: column },
})
const ofPeople = (column: string, type: ColumnType): Column => ({
  type,
  sql: { click: column, activity: column, spend: null },
})

/** {country_codes} and {country_ids} are parallel lists of all countries: a visitor's country is known by its code alone. */
const VISITOR_COUNTRY =
  'toUInt32(transform(toString(ip_country), {country_codes:Array(String)}, {country_ids:Array(UInt32)}, toUInt32(0)))'

export const COLUMNS = {
  offer: everywhere('offer_id'),
  advertiser: everywhere('advertiser_id'),
  partner: everywhere('partner_id'),
  link: everywhere('offer_partner_id'),
  stream: everywhere('stream_id'),
  traffic_source: everywhere('traffic_source_id'),
  country: everywhere('country_id'),
  landing: ofPeople('landing_id', 'UInt32'),
  site: everywhere('site_id', 'String'),
  sub: everywhere('sub_id', 'String'),
  promocode: ofPeople('promocode', 'String'),
  media: everywhere('media_id', 'String'),
  actual_country: { type: 'UInt32', sql: { click: VISITOR_COUNTRY, activity: 'actual_country_id', spend: null } },
  player: { type: 'String', sql: { click: null, activity: 'outer_id', spend: null } },
  click: { type: 'UUID', sql: { click: 'id', activity: 'click_id', spend: null } },
  first_deposit_day: { type: 'Date', sql: { click: null, activity: 'first_deposit_day', spend: null } },
  registered_day: { type: 'Date', sql: { click: null, activity: 'registered_day', spend: null } },
  day: everywhere('day', 'Date'),
  week: everywhere('toMonday(day)', 'Date'),
  month: everywhere('toStartOfMonth(day)', 'Date'),
} as const satisfies Record<string, Column>

export type ColumnName = keyof typeof COLUMNS
export const columnOf = (name: ColumnName): Column => COLUMNS[name]

/** The empty value of a type, as SQL. */
export const EMPTY: Readonly<Record<ColumnType, string>> = {
  UInt32: 'toUInt32(0)',
  String: "''",
  Date: "toDate('1970-01-01')",
  UUID: "toUUID('00000000-0000-0000-0000-000000000000')",
}
