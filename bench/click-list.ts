// The list of clicks over a hundred million of them (BENCH_SIZE=1): each of its filters alone, page 1 and page 500, by the same function that
// answers the call.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { click } from '@tributary/contract/entities/click'
import { type ListQuery, parseListQuery } from '@tributary/contract/list-query'
import type { Clickhouse } from '../server/src/clickhouse/client.ts'
import { loadConfig } from '../server/src/config.ts'
import type { Acting } from '../server/src/entities/acting.ts'
import { listClickhouse } from '../server/src/entities/clickhouse-list.ts'
import { createLog } from '../server/src/lib/log.ts'
import { startServices, stopAll, type Undo } from '../server/src/server.ts'
import { type Figure, median } from './figure.ts'

const SIZE = Number(process.env.BENCH_SIZE ?? 1)
const CLICKS = Math.round(100_000_000 * SIZE)
const STEP = 250_000
const DAYS = 365
const LAST = Date.UTC(2026, 9, 31)
const FIRST = LAST - DAYS * 86_400_000
const ROUNDS = 3
const PAGES = [1, 500]
const CURRENCY = `insert into currency (title, value) values ('Euro', 'EUR'); update setting set report_currency_id = 1`

export async function run(): Promise<Figure[]> {
  const kept = process.env.BENCH_DATA
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'tributary-bench-'))
  const log = createLog('error')
  const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  const undo: Undo[] = []
  try {
    const services = await startServices(config, log, [], undo)
    const { clickhouse, postgres } = services
    await postgres.pool.query(CURRENCY).catch(() => undefined)
    await seed(clickhouse)
    const acting: Acting = {
      userId: 1,
      holder: { role: 'ADMIN', permissions: [] },
      requestId: 'bench',
      partners: null,
      scopeOf: () => undefined,
      engines: services,
    }
    return await measure(acting, await chooseFilters(clickhouse))
  } finally {
    await stopAll(undo, log)
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A UUIDv7 of an instant, another one for each number. */
const uuidAt = (at: string): string => `reinterpretAsUUID(bitOr(bitShiftLeft(toUInt128(9223372036854775808 + n), 64),
  toUInt128(bitOr(bitShiftLeft(toUInt64(${at}), 16), 28672))))`

/** An id of its own time, and links of which few have most of the clicks. */
async function seed(clickhouse: Clickhouse): Promise<void> {
  const [{ total } = { total: 0 }] = await clickhouse.query<{ total: number }>('select count() as total from click')
  for (let first = total; first < CLICKS; first += STEP) {
    await clickhouse.exec(
      `insert into click (id, day, created_at, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id,
        country_id, bot, is_click, is_unique, canonical_id, site_id, sub_id, partner_click_id, ip, ip_country, user_agent, url, target)
      select ${uuidAt('at')}, toDate(created_at), fromUnixTimestamp64Milli(at, 'UTC') as created_at, link, link % 300 + 1, link % 400 + 1,
        link % 6 + 1, link % 50 + 1, link % 4000 + 1, link % 25 + 1, link % 60 + 1, bot, 1 - bot, is_unique,
        if(bot = 1 or is_unique = 1, toUUID('00000000-0000-0000-0000-000000000000'), ${uuidAt('at - 3600000')}),
        concat('site', toString(link)), concat('s', toString(n % 5000)), concat('pc', toString(cityHash64(n, 5))),
        IPv4NumToString(toUInt32(cityHash64(n % 3000000, 6))), ['DE', 'UA', 'PL', 'BR', 'IN', 'US', 'KZ', ''][cityHash64(n, 7) % 8 + 1],
        concat('Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/', toString(n % 500), '.0.0.0'), '/c/x', 'https://a.example/'
      from (select number as n, toInt64(${FIRST}) + toInt64(n * ${(LAST - FIRST) / CLICKS}) as at,
          toUInt32(pow((cityHash64(n, 3) % 1000003) / 1000003, 2.2) * 11026) + 1 as link,
          toUInt8(cityHash64(n, 4) % 25 = 0) as bot, toUInt8(bot = 0 and cityHash64(n, 8) % 5 != 0) as is_unique
        from numbers(${first}, ${Math.min(STEP, CLICKS - first)}))`,
      {},
      { maxSeconds: 600 },
    )
  }
  if (total < CLICKS) await clickhouse.exec('optimize table click', {}, { maxSeconds: 1800 })
}

interface Sample {
  id: string
  canonical_id: string
  partner_click_id: string
  site_id: string
}

/** Every filter of the list, with a value that many clicks have, or few. */
async function chooseFilters(clickhouse: Clickhouse): Promise<[string, [string, string]][]> {
  const [sample] = await clickhouse.query<Sample>(
    `select id, canonical_id, partner_click_id, site_id from click where is_click = 1 and is_unique = 0
      and created_at > fromUnixTimestamp64Milli({at:Int64}, 'UTC') order by created_at limit 1`,
    { at: FIRST + (LAST - FIRST) / 2 },
  )
  if (sample === undefined) throw new Error('there are no clicks')
  return [
    ['none', ['page', '1']],
    ['created_at', ['filter[created_at][bwn]', '2026-10-10|2026-10-24']],
    ['created_at year', ['filter[created_at][bwn]', '2025-11-02|2026-10-24']],
    ['country', ['filter[country]', '7']],
    ['partner', ['filter[partner]', '7']],
    ['advertiser', ['filter[advertiser]', '3']],
    ['offer', ['filter[offer]', '7']],
    ['offer rare', ['filter[offer]', '299']],
    ['landing', ['filter[landing]', '7']],
    ['traffic_source', ['filter[traffic_source]', '7']],
    ['stream', ['filter[stream]', '3999']],
    ['site_id', ['filter[site_id]', sample.site_id]],
    ['site_id rare', ['filter[site_id]', 'site10999']],
    ['id', ['filter[id]', sample.id]],
    ['partner_click_id', ['filter[partner_click_id]', sample.partner_click_id]],
    ['canonical_id', ['filter[canonical_id]', sample.canonical_id]],
    ['uniqueness', ['filter[uniqueness]', 'duplicate']],
    ['bot', ['filter[bot]', 'true']],
    ['ip_country', ['filter[ip_country]', 'DE']],
  ]
}

async function measure(acting: Acting, filters: readonly [string, [string, string]][]): Promise<Figure[]> {
  const slowest: Figure[] = []
  for (const page of PAGES) {
    let worst: Figure = { name: `click_list.page_${page}`, value: 0, unit: 'ms' }
    for (const [name, filter] of filters) {
      const query = parseListQuery([filter, ['page', String(page)], ['limit', '20']])
      const runs: number[] = []
      for (let round = -1; round < ROUNDS; round++) {
        const ms = await ask(acting, query)
        if (round >= 0) runs.push(ms)
      }
      console.log(`  page ${page} by ${name}: ${median(runs).toFixed(0)} ms`)
      if (median(runs) > worst.value) worst = { ...worst, value: median(runs), runs }
    }
    slowest.push(worst)
  }
  return slowest
}

async function ask(acting: Acting, query: ListQuery): Promise<number> {
  const began = performance.now()
  const { pagination } = await listClickhouse(acting, click, query, new AbortController().signal)
  if (pagination.total === 0) throw new Error('a filter of the bench finds nothing')
  return performance.now() - began
}
