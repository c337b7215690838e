// Bytes on disk that each thing takes which grows with traffic, and what a month of clicks costs to delete: the figures of docs/growth.md.
// Texts are as long and as different as those of real visitors: addresses, agents, sub ids and click ids of partners.

import { rmSync } from 'node:fs'
import { loadConfig } from '../server/src/config.ts'
import { deleteOldClicks } from '../server/src/facts/clicks/deleted-clicks.ts'
import { createLog } from '../server/src/lib/log.ts'
import { stopAll, type Undo } from '../server/src/lib/undo.ts'
import { startServices } from '../server/src/server.ts'
import type { Services } from '../server/src/services.ts'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, sizeOf } from './figure.ts'

const FULL_CLICKS = 3_000_000
const CLICKS = Math.round(FULL_CLICKS * sizeOf(FULL_CLICKS))
const ROWS = 100_000
const LINKS = 2000

export async function run(): Promise<Figure[]> {
  const dataDir = makeDataDirectory('bench')
  const log = createLog('error')
  const undo: Undo[] = []
  try {
    const services = await startServices(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }), log, [], undo)
    return [...(await measureClicks(services)), ...(await measureRecord(services))]
  } finally {
    await stopAll(undo, log)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const CLICK_ID = 'dateTimeToUUIDv7(toDateTime(at))'

const SEED = `insert into click (id, day, created_at, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id,
    traffic_source_id, country_id, bot, is_click, is_unique, canonical_id, site_id, sub_id, partner_click_id, ip, ip_country, user_agent,
    referrer, language, url, target)
  select ${CLICK_ID}, toDate(at), at, link, link % 300 + 1, link % 400 + 1, link % 6 + 1, link % 50 + 1, link % 900 + 1, link % 25 + 1, link % 60 + 1,
    bot, not bot, not bot and not again, if(again, ${CLICK_ID}, toUUID('00000000-0000-0000-0000-000000000000')),
    concat('site', toString(link % 700)), concat('campaign-', toString(h2 % 5000), '-', toString(h2 % 40)),
    lower(hex(h1)), concat(toString(h1 % 223 + 1), '.', toString(h2 % 256), '.', toString(h2 % 65521 % 256), '.', toString(h1 % 251)),
    arrayElement(['UA', 'PL', 'DE', 'BR', 'IN', 'CA', 'KZ', 'TR'], h1 % 8 + 1),
    concat('Mozilla/5.0 (', arrayElement(['Linux; Android 14; SM-A', 'Linux; Android 15; Pixel ', 'iPhone; CPU iPhone OS ', 'Windows NT 10.0; Win64; x64; '], h2 % 4 + 1),
      toString(h2 % 97), ') AppleWebKit/537.36 (KHTML, like Gecko) Chrome/', toString(120 + h2 % 20), '.0.', toString(h2 % 400), '.0 Mobile Safari/537.36'),
    if(h1 % 3 = 0, concat('https://pages.example/', toString(h1 % 3000)), ''), arrayElement(['uk', 'pl', 'de', 'pt-BR', 'en'], h1 % 5 + 1),
    concat('/c/', lower(hex(cityHash64(link))), '?click_id=', lower(hex(h1)), '&sub_id=campaign-', toString(h2 % 5000)),
    concat('https://advertiser', toString(link % 6), '.example/land?clickid=', lower(hex(h2)), '&site=', toString(link % 700))
  from (select number, toDateTime64('2026-01-01 00:00:00', 3, 'UTC') + toIntervalMillisecond(intDiv(number * 2592000000, ${CLICKS})) as at,
      cityHash64(number, 1) as h1, cityHash64(number, 2) as h2,
      toUInt32(pow((cityHash64(number, 3) % 1000003) / 1000003, 2.2) * ${LINKS}) + 1 as link,
      toUInt8(cityHash64(number, 4) % 20 = 0) as bot, toUInt8(cityHash64(number, 5) % 5 = 0) as again
    from numbers(${CLICKS}))`

async function measureClicks({ clickhouse, postgres }: Services): Promise<Figure[]> {
  await clickhouse.exec(SEED, {}, { maxSeconds: 600 })
  await clickhouse.exec('optimize table click final', {}, { maxSeconds: 600 })
  const bytes = async (table: string) => {
    const [found] = await clickhouse.query<{ bytes: number; rows: number }>(
      `select sum(bytes_on_disk) as bytes, sum(rows) as rows from system.parts where active and table = '${table}'`,
    )
    return { bytes: found?.bytes ?? 0, rows: found?.rows ?? 0 }
  }
  const columns = await clickhouse.query<{ name: string; bytes: number }>(
    `select column as name, sum(column_bytes_on_disk) as bytes from system.parts_columns where active and table = 'click'
      group by name order by bytes desc limit 8`,
  )
  console.log(
    `  largest columns, bytes a click: ${columns.map(({ name, bytes: size }) => `${name} ${(size / CLICKS).toFixed(1)}`).join(', ')}`,
  )
  const clicks = await bytes('click')
  const began = performance.now()
  await deleteOldClicks({ postgres, clickhouse }, '202602', Date.now(), { graceMs: 0 })
  const summed = performance.now()
  const days = await bytes('click_day')
  await deleteOldClicks({ postgres, clickhouse }, '202602', Date.now(), { graceMs: 0 })
  const dropped = performance.now()
  return [
    { name: 'disk.click_bytes', value: clicks.bytes / CLICKS, unit: 'B' },
    { name: 'disk.click_day_bytes', value: days.bytes / days.rows, unit: 'B' },
    { name: 'disk.click_day_rows', value: days.rows, unit: 'rows' },
    { name: 'disk.sum_month_ms', value: summed - began, unit: 'ms' },
    { name: 'disk.drop_month_ms', value: dropped - summed, unit: 'ms' },
  ]
}

/** Rows of the record that grow with traffic, each with its indexes. Triggers and references are off. */
const RECORD: Readonly<Record<string, string>> = {
  click_inbox:
    'insert into click_inbox (id, writer, created_at, line) select gen_random_uuid(), 1, now(), repeat(md5(n::text), 19)',
  player: `insert into player (outer_id, registered_at, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, site_id,
    sub_id, click_id, attribution) select 'player-' || n, now(), n % 2000, 1, n % 400, 1, n % 900, 1, 'site' || n % 700, 'campaign-' || n % 5000,
    gen_random_uuid(), 'click'`,
  player_event: `insert into player_event (player_id, type, happened_at, amount, currency_id, transaction_id, identity) select n, 'dep', now(), 10.5, 1,
    md5(n::text), md5(n::text)`,
  postback: `insert into postback (direction, status, event_type, click_id, player_id, player_outer_id, offer_partner_id, offer_id, partner_id, url, params,
    method, response_code, response, attempts) select case n % 3 when 0 then 'out' else 'in' end, case n % 3 when 0 then 'sent' else 'accepted' end, 'dep',
    gen_random_uuid()::text, n, 'player-' || n, n % 2000, 1, n % 400, 'https://partner' || n % 400 || '.example/postback?click=' || md5(n::text),
    jsonb_build_object('click_id', md5(n::text), 'type', 'dep', 'sum', 10.5), 'GET', 200, 'ok', 1`,
  postback_attempt: `insert into postback_attempt (postback_id, number, at, method, url, code, response, duration_ms)
    select n, 1, now(), 'GET', 'https://partner' || n % 400 || '.example/postback?click=' || md5(n::text), 200, 'ok', 35`,
  audit_log: `insert into audit_log (action, entity, entity_id, before, after, cause)
    select 'update', 'player', n, '{"qualification": "unqualified"}', '{"qualification": "qualified", "qualified_at": "2026-01-01T00:00:00.000Z"}', 'qualify'`,
}

async function measureRecord({ postgres }: Services): Promise<Figure[]> {
  const client = await postgres.pool.connect()
  const figures: Figure[] = []
  try {
    await client.query('set session_replication_role = replica')
    for (const [table, insert] of Object.entries(RECORD)) {
      const before = await sizeOfTable(client, table)
      await client.query(`${insert} from generate_series(1, ${ROWS}) n`)
      figures.push({
        name: `disk.${table}_bytes`,
        value: ((await sizeOfTable(client, table)) - before) / ROWS,
        unit: 'B',
      })
    }
  } finally {
    client.release(true)
  }
  return figures
}

/** With its partitions, if it has some. */
async function sizeOfTable(client: { query: Services['postgres']['pool']['query'] }, table: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `select pg_total_relation_size($1::regclass) + coalesce(
      (select sum(pg_total_relation_size(relid)) from pg_partition_tree($1::regclass) where isleaf and level > 0), 0)::bigint as bytes`,
    [table],
  )
  return Number(rows[0]?.bytes ?? 0)
}
