// Declares how dimensions and filters read facts: from a column, a pair of columns, or a map. All of the contract must be listed, or the file
// does not compile.
import type { ReportFilterName } from '@tributary/contract/reports/choices'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import type { ColumnName, ColumnType } from './column.ts'

/** Where a dimension has its value: in a column, in two columns, or in a map. */
export type DimensionSql =
  | { readonly kind: 'column'; readonly column: ColumnName }
  /** Two texts joined as 'first,second'; empty if both are empty. */
  | { readonly kind: 'pair'; readonly columns: readonly [ColumnName, ColumnName] }
  | MappedSql

/** A value that a map supplies for each fact: one value, or a list. */
export interface MappedSql {
  readonly kind: 'mapped'
  readonly map: MapName
  readonly field: string
  readonly type: ColumnType
  readonly isList?: true
}

/** A small table of attributes that change without rewriting facts. It is joined after facts are summed. */
interface FactMap {
  readonly table: string
  /** Pairs of a fact column and a table column that must be equal. */
  readonly keys: readonly (readonly [fact: ColumnName, own: string])[]
}

const MAPS = {
  offer: { table: 'offer_map', keys: [['offer', 'offer_id']] },
  partner: { table: 'partner_map', keys: [['partner', 'partner_id']] },
  offer_partner: { table: 'link_map', keys: [['offer_partner', 'offer_partner_id']] },
  affiliate: {
    table: 'affiliate_map',
    keys: [
      ['partner', 'partner_id'],
      ['advertiser', 'advertiser_id'],
    ],
  },
} as const satisfies Record<string, FactMap>

/** The name of a map: a table that supplies values for facts. */
export type MapName = keyof typeof MAPS
/** The declaration of a map. */
export const mapOf = (name: MapName): FactMap => MAPS[name]

const column = (name: ColumnName): DimensionSql => ({ kind: 'column', column: name })
const mapped = (map: MapName, field: string, type: ColumnType = 'UInt32'): MappedSql => ({
  kind: 'mapped',
  map,
  field,
  type,
})
const mappedList = (map: MapName, field: string): MappedSql => ({ ...mapped(map, field), isList: true })

const DIMENSION_SQL = {
  offer: column('offer'),
  advertiser: column('advertiser'),
  product: mapped('offer', 'product_id'),
  payment_model: mapped('offer', 'payment_model_id'),
  partner: column('partner'),
  stream: column('stream'),
  partner_group: mapped('partner', 'main_partner_group_id'),
  manager: mapped('partner', 'main_manager_id'),
  affiliate_id: mapped('affiliate', 'affiliate_id', 'String'),
  traffic_source: column('traffic_source'),
  landing: column('landing'),
  site_id: column('site'),
  sub_id: column('sub'),
  site_id_sub_id: { kind: 'pair', columns: ['site', 'sub'] },
  promocode: column('promocode'),
  country: column('country'),
  actual_country: column('actual_country'),
  player_outer_id: column('player'),
  day: column('day'),
  week: column('week'),
  month: column('month'),
} as const satisfies Record<DimensionName, DimensionSql>

export const dimensionSql = (name: DimensionName): DimensionSql => DIMENSION_SQL[name]

/**
 * What a spend takes from its partner offer, and the column that may tell it without one. If neither does, no group of the dimension carries
 * the spend, also if facts of other sources lack the value too.
 */
const FROM_OFFER_PARTNER: Partial<Record<DimensionName, ColumnName | 'nothing'>> = {
  offer: 'nothing',
  advertiser: 'nothing',
  product: 'nothing',
  payment_model: 'nothing',
  affiliate_id: 'nothing',
  traffic_source: 'traffic_source',
  site_id: 'site',
  sub_id: 'nothing',
  site_id_sub_id: 'nothing',
}

export const sourceWithoutOfferPartner = (name: DimensionName): ColumnName | 'nothing' | 'always' =>
  FROM_OFFER_PARTNER[name] ?? 'always'

/** Dimensions with so many groups that inner levels are read only for the rows of the page. */
export const HUGE_DIMENSIONS: readonly DimensionName[] = ['player_outer_id', 'sub_id', 'site_id_sub_id']

const FILTER_SQL = {
  advertisers: column('advertiser'),
  offers: column('offer'),
  products: mapped('offer', 'product_id'),
  paymentModels: mapped('offer', 'payment_model_id'),
  partners: column('partner'),
  partnerGroups: mappedList('partner', 'partner_group_ids'),
  managers: mappedList('partner', 'manager_ids'),
  partnerTags: mappedList('partner', 'partner_tag_ids'),
  offerTags: mappedList('offer_partner', 'offer_partner_tag_ids'),
  streams: column('stream'),
  trafficSources: column('traffic_source'),
  landings: column('landing'),
  countries: column('country'),
  geoCountry: column('actual_country'),
  affiliateId: mapped('affiliate', 'affiliate_id', 'String'),
  siteId: column('site'),
  subId: column('sub'),
  promocode: column('promocode'),
  mediaId: column('media'),
  playerOuterId: column('player'),
  clickId: column('click'),
  firstDeposit: column('first_deposit_day'),
} as const satisfies Record<ReportFilterName, DimensionSql>

export const filterSql = (name: ReportFilterName): DimensionSql => FILTER_SQL[name]
