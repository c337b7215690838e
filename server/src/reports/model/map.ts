// Small tables of what hangs on an offer, a partner or a link and may change without touching a fact. Joined after the facts are added up.
import type { ColumnName, ColumnType } from './column.ts'

interface FactMap {
  readonly table: string
  /** The columns of facts and those of the table that must be equal. */
  readonly keys: readonly (readonly [fact: ColumnName, own: string])[]
}

export const MAPS = {
  offer: { table: 'offer_map', keys: [['offer', 'offer_id']] },
  partner: { table: 'partner_map', keys: [['partner', 'partner_id']] },
  link: { table: 'link_map', keys: [['link', 'offer_partner_id']] },
  affiliate: {
    table: 'affiliate_map',
    keys: [
      ['partner', 'partner_id'],
      ['advertiser', 'advertiser_id'],
    ],
  },
} as const satisfies Record<string, FactMap>

export type MapName = keyof typeof MAPS
export const mapOf = (name: MapName): FactMap => MAPS[name]

/** A value found through a map: one for each fact, or a list of them. */
export interface Mapped {
  readonly kind: 'mapped'
  readonly map: MapName
  readonly field: string
  readonly type: ColumnType
  readonly isList?: true
}
