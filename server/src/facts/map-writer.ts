// Writes the maps of offers, partners and partner offers. Reports look up their attributes by id, so that a new manager or tag rewrites no fact.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { Snapshot } from './snapshot.ts'

/** One ClickHouse table, and the PostgreSQL select of its rows for the keys $1. A key without a row was deleted. */
interface MapTable {
  readonly table: string
  readonly columns: readonly string[]
  readonly key: string
  readonly sql: string
}

const ids = (select: string): string => `array(${select})`

const OFFER_MAP: MapTable = {
  table: 'offer_map',
  columns: ['offer_id', 'advertiser_id', 'country_id', 'payment_model_id', 'payment_model_type', 'product_id'],
  key: 'offer_id',
  sql: `select o.id as offer_id, o.advertiser_id, c.country_id, o.payment_model_id, m.type as payment_model_type,
      coalesce(o.product_id, 0) as product_id
    from offer o join advertiser_country c on c.id = o.advertiser_country_id join payment_model m on m.id = o.payment_model_id
    where o.id = any($1)`,
}

/** The main manager is the first active one, those marked `is_main` before others. The main group is the first active one. */
const PARTNER_MAP: MapTable = {
  table: 'partner_map',
  columns: [
    'partner_id',
    'main_manager_id',
    'main_partner_group_id',
    'manager_ids',
    'partner_group_ids',
    'partner_tag_ids',
  ],
  key: 'partner_id',
  sql: `select p.id as partner_id,
      coalesce((select m.user_id from partner_partner_group g join partner_group_manager m on m.partner_partner_group_id = g.id
        where g.partner_id = p.id and g.active and m.active order by m.is_main desc, g.id, m.id limit 1), 0) as main_manager_id,
      coalesce((select g.partner_group_id from partner_partner_group g where g.partner_id = p.id and g.active order by g.id limit 1), 0)
        as main_partner_group_id,
      ${ids(`select distinct m.user_id from partner_partner_group g join partner_group_manager m on m.partner_partner_group_id = g.id
        where g.partner_id = p.id and g.active and m.active order by 1`)} as manager_ids,
      ${ids('select g.partner_group_id from partner_partner_group g where g.partner_id = p.id and g.active order by 1')} as partner_group_ids,
      ${ids('select t.partner_tag_id from partner_partner_tag t where t.partner_id = p.id order by 1')} as partner_tag_ids
    from partner p where p.id = any($1)`,
}

const OFFER_PARTNER_MAP: MapTable = {
  table: 'link_map',
  columns: ['offer_partner_id', 'offer_partner_tag_ids'],
  key: 'offer_partner_id',
  sql: `select l.id as offer_partner_id, ${ids(
    'select t.offer_partner_tag_id from offer_partner_offer_partner_tag t where t.offer_partner_id = l.id order by 1',
  )} as offer_partner_tag_ids from offer_partner l where l.id = any($1)`,
}

export const MAPS = { offer: OFFER_MAP, partner: PARTNER_MAP, offer_partner: OFFER_PARTNER_MAP } as const
/** The name of a map; the value of a row changes with the record, without new facts. */
export type MapName = keyof typeof MAPS

/** Writes the rows of these keys, and deleted rows for keys that the record no longer has. `suffix` selects the tables of a rebuild. */
export async function writeMap(
  snapshot: Snapshot,
  clickhouse: Clickhouse,
  name: MapName,
  keys: readonly number[],
  suffix = '',
): Promise<void> {
  if (keys.length === 0) return
  const { table, columns, key, sql } = MAPS[name]
  const rows = await snapshot.read<Record<string, unknown>>(sql, [keys])
  const found = new Set(rows.map((row) => row[key]))
  const gone = keys.filter((id) => !found.has(id))
  const values = rows.map((row) => [...columns.map((column) => row[column]), snapshot.version, 0])
  await clickhouse.insert(`${table}${suffix}`, [...columns, 'version', 'is_deleted'], values)
  if (gone.length > 0) {
    await clickhouse.insert(
      `${table}${suffix}`,
      [key, 'version', 'is_deleted'],
      gone.map((id) => [id, snapshot.version, 1]),
    )
  }
  if (name === 'partner') await writeAffiliates(snapshot, clickhouse, keys, suffix)
}

interface Affiliate {
  partner_id: number
  advertiser_id: number
  affiliate_id: string
}

const AFFILIATES =
  'select partner_id, advertiser_id, affiliate_id from partner_advertiser_affiliate where partner_id = any($1) and active'

async function writeAffiliates(
  snapshot: Snapshot,
  clickhouse: Clickhouse,
  keys: readonly number[],
  suffix: string,
): Promise<void> {
  const table = `affiliate_map${suffix}`
  const rows = await snapshot.read<Affiliate>(AFFILIATES, [keys])
  const found = new Set(rows.map((row) => `${row.partner_id} ${row.advertiser_id}`))
  const written = await clickhouse.query<Omit<Affiliate, 'affiliate_id'>>(
    `select partner_id, advertiser_id from ${table} final where partner_id in {keys:Array(UInt32)} and is_deleted = 0`,
    { keys },
  )
  const gone = written.filter((row) => !found.has(`${row.partner_id} ${row.advertiser_id}`))
  const values = [
    ...rows.map((row) => [row.partner_id, row.advertiser_id, row.affiliate_id, snapshot.version, 0]),
    ...gone.map((row) => [row.partner_id, row.advertiser_id, '', snapshot.version, 1]),
  ]
  if (values.length > 0) {
    await clickhouse.insert(table, ['partner_id', 'advertiser_id', 'affiliate_id', 'version', 'is_deleted'], values)
  }
}
