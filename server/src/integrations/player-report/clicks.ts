// Finds the clicks that a report names, in the inbox before hand-over and in ClickHouse afterwards.

import type { PoolClient } from 'pg'
import type { Clickhouse } from '../../clickhouse/client.ts'

const TEXTS = [
  'sub_id',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'partner_click_id',
  'promocode',
  'media_id',
  'ip_country',
] as const
const NUMBERS = [
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'advertiser_id',
  'landing_id',
  'stream_id',
  'traffic_source_id',
] as const
const COLUMNS = ['id', ...NUMBERS, 'site_id', ...TEXTS].join(', ')

/** Ids per query. Ids are sorted by time, so that each query reads a part of the table. */
const AT_ONCE = 20_000

const FOUND_CLICK = `create temp table found_click (
    written text, id uuid, ${NUMBERS.map((name) => `${name} int`).join(', ')}, site_id text, ${TEXTS.map((name) => `${name} text`).join(', ')}
  ) on commit drop`

/** Texts that can be click ids. */
const WANTED = `create temp table wanted_click on commit drop as
  select distinct lower(click_id) as written, lower(click_id)::uuid as id from staged_row s
  where click_id ~* '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$'`

const OF_INBOX = `insert into found_click (written, ${COLUMNS})
  select w.written, ${COLUMNS.split(', ')
    .map((name) => `i.${name}`)
    .join(', ')} from wanted_click w join click_inbox_row i on i.id = w.id`

/** Referenced rows may have been deleted: a deleted landing is dropped from the click, any other deleted row drops the click. */
const WITHOUT_GONE = [
  'update found_click c set landing_id = null where landing_id is not null and not exists (select from landing r where r.id = c.landing_id)',
  `delete from found_click c where not (${[
    'offer_partner_id offer_partner',
    'offer_id offer',
    'partner_id partner',
    'stream_id partner_stream',
    'traffic_source_id traffic_source',
  ]
    .map((pair) => pair.split(' '))
    .map(([column, table]) => `exists (select from ${table} r where r.id = c.${column})`)
    .join(' and ')})`,
]

interface Loaded {
  id: string
}

/** Fills found_click. */
export async function findClicks(
  client: PoolClient,
  clickhouse: Clickhouse,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  await client.query(FOUND_CLICK)
  await client.query(WANTED)
  await client.query('create index on wanted_click (id)')
  await client.query('analyze wanted_click')
  await client.query(OF_INBOX)
  const { rows } = await client.query<{ total: number }>('select count(*) as total from wanted_click')
  const total = rows[0]?.total ?? 0
  let done = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    signal.throwIfAborted()
    const { rows: wanted } = await client.query<{ id: string }>(
      'select id from wanted_click where id > $1 order by id limit $2',
      [after, AT_ONCE],
    )
    const ids = wanted.map((row) => row.id)
    if (ids.length > 0) await findLoaded(client, clickhouse, ids)
    done += wanted.length
    onProgress(total === 0 ? 1 : done / total)
    if (wanted.length < AT_ONCE) break
    after = wanted.at(-1)?.id ?? after
  }
  // A click that was handed over meanwhile is found in both places.
  await client.query('delete from found_click a using found_click b where a.written = b.written and a.ctid > b.ctid')
  for (const sql of WITHOUT_GONE) await client.query(sql)
  await client.query('create index on found_click (written)')
  await client.query('analyze found_click')
}

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

async function findLoaded(client: PoolClient, clickhouse: Clickhouse, ids: readonly string[]): Promise<void> {
  const times = ids.map(timeOf)
  const found = await clickhouse.query<Loaded>(
    `select ${COLUMNS} from click
      where created_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') and created_at <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
        and id in {ids:Array(UUID)}`,
    { from: Math.min(...times), to: Math.max(...times), ids },
    { lane: 'long' },
  )
  if (found.length === 0) return
  // ClickHouse stores '' and 0 for absent values.
  const absent = [...TEXTS.map((name) => `nullif(c.${name}, '')`)].join(', ')
  await client.query(
    `insert into found_click (written, id, ${NUMBERS.join(', ')}, site_id, ${TEXTS.join(', ')})
      select c.id::text, c.id, ${NUMBERS.map((name) => (name === 'landing_id' ? 'nullif(c.landing_id, 0)' : `c.${name}`)).join(', ')},
        c.site_id, ${absent}
      from jsonb_populate_recordset(null::found_click, $1::jsonb) c`,
    [JSON.stringify(found)],
  )
}
