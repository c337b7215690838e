// The columns that reports group and filter by, as SQL for each source. Null means that the source lacks the column; its facts then have the
// empty value.
import type { DateDimension, SourceName } from '@tributary/contract/reports/traffic'
import { NO_CLICK, NO_DAY } from '../../facts/columns.ts'

/** The ClickHouse type of a column of facts. */
export type ColumnType = 'UInt32' | 'String' | 'Date' | 'UUID'

interface Column {
  readonly type: ColumnType
  readonly sql: Readonly<Record<SourceName, string | null>>
  /** A LowCardinality column is cast to String in groups, so that it can be joined and compared with other texts. */
  readonly isLowCardinality?: true
}

const inEverySource = (column: string, type: ColumnType = 'UInt32'): Column => ({
  type,
  sql: { click: column, activity: column, spend: column },
})
const withoutSpend = (column: string, type: ColumnType): Column => ({
  type,
  sql: { click: column, activity: column, spend: null },
})

/** SQL of the first day of the day, week or month that contains a day. */
export const SLICE_START_SQL: Readonly<Record<DateDimension, (day: string) => string>> = {
  day: (day) => day,
  week: (day) => `toMonday(${day})`,
  month: (day) => `toStartOfMonth(${day})`,
}

/** Clicks store the visitor's country as a code. {country_codes} and {country_ids} are parallel lists of all countries. */
const VISITOR_COUNTRY =
  'toUInt32(transform(toString(ip_country), {country_codes:Array(String)}, {country_ids:Array(UInt32)}, toUInt32(0)))'

export const COLUMNS = {
  offer: inEverySource('offer_id'),
  advertiser: inEverySource('advertiser_id'),
  partner: inEverySource('partner_id'),
  offer_partner: inEverySource('offer_partner_id'),
  stream: inEverySource('stream_id'),
  traffic_source: inEverySource('traffic_source_id'),
  country: inEverySource('country_id'),
  landing: withoutSpend('landing_id', 'UInt32'),
  site: { ...inEverySource('site_id', 'String'), isLowCardinality: true },
  sub: inEverySource('sub_id', 'String'),
  promocode: { ...withoutSpend('promocode', 'String'), isLowCardinality: true },
  media: { ...inEverySource('media_id', 'String'), isLowCardinality: true },
  actual_country: { type: 'UInt32', sql: { click: VISITOR_COUNTRY, activity: 'actual_country_id', spend: null } },
  player: { type: 'String', sql: { click: null, activity: 'outer_id', spend: null } },
  click: { type: 'UUID', sql: { click: 'id', activity: 'click_id', spend: null } },
  first_deposit_day: { type: 'Date', sql: { click: null, activity: 'first_deposit_day', spend: null } },
  registered_day: { type: 'Date', sql: { click: null, activity: 'registered_day', spend: null } },
  day: inEverySource(SLICE_START_SQL.day('day'), 'Date'),
  week: inEverySource(SLICE_START_SQL.week('day'), 'Date'),
  month: inEverySource(SLICE_START_SQL.month('day'), 'Date'),
} as const satisfies Record<string, Column>

/** The name of a column that groups and filters read. */
export type ColumnName = keyof typeof COLUMNS
/** The declaration of a column. */
export const columnOf = (name: ColumnName): Column => COLUMNS[name]

/** The columns of a source that decide a fact's groups and filters, without dates. */
export const dimensionColumns = (source: SourceName): string[] =>
  Object.values<Column>(COLUMNS).flatMap(({ type, sql }) => (type === 'Date' ? [] : (sql[source] ?? [])))

/** SQL of each type's empty value. */
export const EMPTY_SQL: Readonly<Record<ColumnType, string>> = {
  UInt32: 'toUInt32(0)',
  String: "''",
  Date: `toDate('${NO_DAY}')`,
  UUID: `toUUID('${NO_CLICK}')`,
}
