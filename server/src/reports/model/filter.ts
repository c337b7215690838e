// What each filter field of the contract narrows. A field that is missing here does not compile.
import type { ReportFilterName } from '@tributary/contract/reports/choices'
import type { ColumnName } from './column.ts'
import type { DimensionSql } from './dimension.ts'
import type { MapName, Mapped } from './map.ts'

const column = (name: ColumnName): DimensionSql => ({ kind: 'column', column: name })
const anyOf = (map: MapName, field: string): Mapped => ({ kind: 'mapped', map, field, type: 'UInt32', isList: true })

const FILTER_SQL = {
  advertisers: column('advertiser'),
  offers: column('offer'),
  products: { kind: 'mapped', map: 'offer', field: 'product_id', type: 'UInt32' },
  paymentModels: { kind: 'mapped', map: 'offer', field: 'payment_model_id', type: 'UInt32' },
  partners: column('partner'),
  partnerGroups: anyOf('partner', 'partner_group_ids'),
  managers: anyOf('partner', 'manager_ids'),
  partnerTags: anyOf('partner', 'partner_tag_ids'),
  offerTags: anyOf('link', 'offer_partner_tag_ids'),
  streams: column('stream'),
  trafficSources: column('traffic_source'),
  landings: column('landing'),
  countries: column('country'),
  geoCountry: column('actual_country'),
  affiliateId: { kind: 'mapped', map: 'affiliate', field: 'affiliate_id', type: 'String' },
  siteId: column('site'),
  subId: column('sub'),
  promocode: column('promocode'),
  mediaId: column('media'),
  playerOuterId: column('player'),
  clickId: column('click'),
  firstDeposit: column('first_deposit_day'),
} as const satisfies Record<ReportFilterName, DimensionSql>

export const filterSql = (name: ReportFilterName): DimensionSql => FILTER_SQL[name]
