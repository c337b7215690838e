// Creates the temporary tables of an import: rows as read, and the ids to which their texts refer.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from } from 'pg-copy-streams'
import { STAGED_COLUMNS } from './read-row.ts'
import { mergeRepeatedLines } from './repeated-lines.ts'

/** Temporary tables have no statistics until `analyze` runs. */
const STAGED_ROW = `create temp table staged_row (
    line int, outer_id text, report_date date, registered_at timestamptz, click_id text, country text, site_id text, sub_id text,
    promocode text, currency text, advertiser text, deposits_count int, first_day_amount numeric(18, 4), deposits numeric(18, 4),
    bets numeric(18, 4), bonus numeric(18, 4), commission numeric(18, 4), total_commission numeric(18, 4), income numeric(18, 4)
  ) on commit drop`

export async function openStaging(client: PoolClient): Promise<void> {
  await client.query(STAGED_ROW)
}

/** Copies the lines into staged_row as they arrive. */
export async function stageRows(client: PoolClient, pieces: AsyncIterable<{ bytes: Uint8Array }>): Promise<void> {
  const target = client.query(from(`copy staged_row (${STAGED_COLUMNS.join(', ')}) from stdin`))
  await pipeline(Readable.from(bytesOf(pieces), { objectMode: true, highWaterMark: 1 }), target)
  await client.query('analyze staged_row')
}

async function* bytesOf(pieces: AsyncIterable<{ bytes: Uint8Array }>): AsyncGenerator<Buffer> {
  for await (const { bytes } of pieces) yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Tables that map texts to ids; each distinct text is looked up once. */
const MEANINGS = [
  `create temp table staged_currency on commit drop as
    select written, (select c.id from currency c where lower(c.value) = written or lower(c.title) = written
      order by c.active desc, (lower(c.value) = written) desc, c.id limit 1) as id
    from (select distinct lower(currency) as written from staged_row where currency is not null) as texts`,
  `create temp table staged_country on commit drop as
    select written, (select c.id from country c
      where lower(c.code) = written or lower(c.title) = written
        or exists (select from country_mapping m where m.country_id = c.id and m.active and lower(m.title) = written)
      order by c.active desc, (lower(c.title) = written) desc, c.id limit 1) as id
    from (select distinct lower(country) as written from staged_row where country is not null) as texts`,
  `create temp table staged_advertiser on commit drop as
    select written, (select a.id from advertiser a where lower(a.title) = written or lower(a.crm_id) = written
      order by a.active desc, (lower(a.title) = written) desc, a.id limit 1) as id
    from (select distinct lower(advertiser) as written from staged_row where advertiser is not null) as texts`,
]

export async function resolveTexts(client: PoolClient): Promise<void> {
  for (const sql of MEANINGS) await client.query(sql)
}

/**
 * A line for each player and day. Its advertiser is that of the line, else of the import, else of the click, else the one whose partner
 * offers alone have this site ID. Needs the clicks.
 */
const ENTRY = `create temp table entry on commit drop as
  select s.*, c.id as found_click, cur.id as currency_id, country.id as country_id,
    coalesce(adv.id, $1::int, c.advertiser_id, site.advertiser_id) as advertiser_id
  from staged_row s
    left join staged_currency cur on cur.written = lower(s.currency)
    left join staged_country country on country.written = lower(s.country)
    left join staged_advertiser adv on adv.written = lower(s.advertiser)
    left join found_click c on c.written = lower(s.click_id)
    left join (
      select l.site_id, min(o.advertiser_id) as advertiser_id from offer_partner l join offer o on o.id = l.offer_id
      group by l.site_id having count(distinct o.advertiser_id) = 1
    ) site on site.site_id = s.site_id and $1::int is null`

export async function resolveEntries(client: PoolClient, advertiserId: number | null): Promise<void> {
  await client.query(ENTRY, [advertiserId])
  await mergeRepeatedLines(client)
  await client.query('create index on entry (advertiser_id, outer_id)')
  await client.query('analyze entry')
}
