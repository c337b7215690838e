// How each dimension is told from facts. A dimension of the contract that is missing here does not compile.
import type { DimensionName } from '@tributary/contract/reports/traffic'
import type { ColumnName } from './column.ts'
import type { Mapped } from './map.ts'

export type DimensionSql =
  | { readonly kind: 'column'; readonly column: ColumnName }
  /** Two texts as one: 'first,second', and empty when both are. */
  | { readonly kind: 'pair'; readonly columns: readonly [ColumnName, ColumnName] }
  | Mapped

const column = (name: ColumnName): DimensionSql => ({ kind: 'column', column: name })

const DIMENSION_SQL = {
  offer: column('offer'),
  advertiser: column('advertiser'),
  product: { kind: 'mapped', map: 'offer', field: 'product_id', type: 'UInt32' },
  payment_model: { kind: 'mapped', map: 'offer', field: 'payment_model_id', type: 'UInt32' },
  partner: column('partner'),
  stream: column('stream'),
  partner_group: { kind: 'mapped', map: 'partner', field: 'main_partner_group_id', type: 'UInt32' },
  manager: { kind: 'mapped', map: 'partner', field: 'main_manager_id', type: 'UInt32' },
  affiliate_id: { kind: 'mapped', map: 'affiliate', field: 'affiliate_id', type: 'String' },
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

/** Dimensions with so many groups that their children are only read for the page that is shown. */
export const HUGE: readonly DimensionName[] = ['player_outer_id', 'sub_id', 'site_id_sub_id']
