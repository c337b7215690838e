// The columns of facts that reports group and filter by, for each source. null: the source does not know it, and its facts have the empty value.
import type { DateDimension, SourceName } from '@tributary/contract/reports/traffic'
import { NO_CLICK, NO_DAY } from '../../facts/columns.ts'

export type ColumnType = 'UInt32' | 'String' | 'Date' | 'UUID'

interface Column {
  readonly type: ColumnType
  readonly sql: Readonly<Record<SourceName, string | null>>
  /** LowCardinality: cast to a plain text in groups, so that it joins and compares with other texts. */
  readonly isLowCardinality?: true
}

const everywhere = (column: string, type: ColumnType = 'UInt32'): Column => ({
  type,
  sql: { click: column, activity: column, spend: column },
})
const ofPeople = (column: string, type: ColumnType): Column => ({
  type,
  sql: { click: column, activity: column, spend: null },
})

/** The first day of the stretch that a day is in. */
export const START_OF: Readonly<Record<DateDimension, (day: string) => string>> = {
  day: (day) => day,
  week: (day) => `toMonday(${day})`,
  month: (day) => `toStartOfMonth(${day})`,
}

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
  site: { ...everywhere('site_id', 'String'), isLowCardinality: true },
  sub: everywhere('sub_id', 'String'),
  promocode: { ...ofPeople('promocode', 'String'), isLowCardinality: true },
  media: { ...everywhere('media_id', 'String'), isLowCardinality: true },
  actual_country: { type: 'UInt32', sql: { click: VISITOR_COUNTRY, activity: 'actual_country_id', spend: null } },
  player: { type: 'String', sql: { click: null, activity: 'outer_id', spend: null } },
  click: { type: 'UUID', sql: { click: 'id', activity: 'click_id', spend: null } },
  first_deposit_day: { type: 'Date', sql: { click: null, activity: 'first_deposit_day', spend: null } },
  registered_day: { type: 'Date', sql: { click: null, activity: 'registered_day', spend: null } },
  day: everywhere(START_OF.day('day'), 'Date'),
  week: everywhere(START_OF.week('day'), 'Date'),
  month: everywhere(START_OF.month('day'), 'Date'),
} as const satisfies Record<string, Column>

export type ColumnName = keyof typeof COLUMNS
export const columnOf = (name: ColumnName): Column => COLUMNS[name]

/** Columns that decide under which groups a fact stands and which filters find it, without days. */
export const dimensionColumns = (source: SourceName): string[] =>
  Object.values<Column>(COLUMNS).flatMap(({ type, sql }) => (type === 'Date' ? [] : (sql[source] ?? [])))

/** The empty value of a type, as SQL. */
export const EMPTY: Readonly<Record<ColumnType, string>> = {
  UInt32: 'toUInt32(0)',
  String: "''",
  Date: `toDate('${NO_DAY}')`,
  UUID: `toUUID('${NO_CLICK}')`,
}
