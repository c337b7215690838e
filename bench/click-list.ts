// Measures the list of a hundred million clicks (BENCH_SIZE=1): each filter alone, page 1 and page 500, by the function that
// answers the call.

import { rmSync } from 'node:fs'
import { click } from '@tributary/contract/entities/click'
import { type ListQuery, parseListQuery } from '@tributary/contract/list-query'
import type { Clickhouse } from '../server/src/clickhouse/client.ts'
import { loadConfig } from '../server/src/config.ts'
import { listClickhouse } from '../server/src/entities/engine/clickhouse/list.ts'
import type { RequestContext } from '../server/src/entities/engine/model/request-context.ts'
import { createLog } from '../server/src/lib/log.ts'
import { stopAll, type Undo } from '../server/src/lib/undo.ts'
import { startServices } from '../server/src/server.ts'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median, sizeOf } from './figure.ts'

const FULL_CLICKS = 100_000_000
const CLICKS = Math.round(FULL_CLICKS * sizeOf(FULL_CLICKS))
const STEP = 250_000
const DAYS = 365
const LAST = Date.UTC(2026, 9, 31)
const FIRST = LAST - DAYS * 86_400_000
const ROUNDS = 3
const PAGES = [1, 500]
const CURRENCY = `insert into currency (title, value) values ('Euro', 'EUR'); update setting set report_currency_id = 1`

export async function run(): Promise<Figure[]> {
  const kept = process.env.BENCH_DATA
  const dataDir = kept ?? makeDataDirectory('bench')
  const log = createLog('error')
  const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' })
  const undo: Undo[] = []
  try {
    const services = await startServices(config, log, [], undo)
    const { clickhouse, postgres } = services
    await postgres.pool.query(CURRENCY).catch(() => undefined)
    await seed(clickhouse)
    const context: RequestContext = {
      userId: 1,
      holder: { role: 'ADMIN', permissions: [] },
      requestId: 'bench',
      partners: null,
      scopeOf: () => undefined,
      engines: services,
    }
    return await measure(context, await chooseFilters(clickhouse))
  } finally {
    await stopAll(undo, log)
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A UUIDv7 of an instant, another one for each number. */
const uuidAt = (at: string): string => `reinterpretAsUUID(bitOr(bitShiftLeft(toUInt128(9223372036854775808 + n), 64),
  toUInt128(bitOr(bitShiftLeft(toUInt64(${at}), 16), 28672))))`

/** Inserts clicks with ids of their time; few partner offers have most of them. */
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

interface Filter {
  readonly name: string
  /** Values that differ by round, because recent queries may be cached. */
  readonly ask: (round: number) => readonly [string, string]
}

/** Every filter of the list. */
async function chooseFilters(clickhouse: Clickhouse): Promise<Filter[]> {
  const samples = await clickhouse.query<Sample>(
    `select id, canonical_id, partner_click_id, site_id from click where is_click = 1 and is_unique = 0
      and created_at > fromUnixTimestamp64Milli({at:Int64}, 'UTC') order by created_at limit ${ROUNDS + 1}`,
    { at: FIRST + (LAST - FIRST) / 2 },
  )
  const sampled = (name: keyof Sample): Filter => ({
    name,
    ask: (round) => [`filter[${name}]`, samples[round]?.[name] ?? ''],
  })
  const numbered = (name: string, first: number): Filter => ({
    name,
    ask: (round) => [`filter[${name}]`, String(first + round)],
  })
  const said = (name: string, texts: readonly string[], operator = ''): Filter => ({
    name,
    ask: (round) => [`filter[${name}]${operator}`, texts[round % texts.length] ?? ''],
  })
  return [
    { name: 'nothing', ask: () => ['page', '1'] },
    said('created_at', ['2026-10-10|2026-10-24', '2026-06-01|2026-06-14'], '[bwn]'),
    said('created_at', ['2025-11-02|2026-10-24', '2025-12-02|2026-09-24'], '[bwn]'),
    numbered('country', 7),
    numbered('partner', 7),
    numbered('advertiser', 1),
    numbered('offer', 7),
    numbered('landing', 7),
    numbered('traffic_source', 7),
    numbered('stream', 3900),
    sampled('site_id'),
    // Partner offers with few clicks.
    { name: 'site_id', ask: (round) => ['filter[site_id]', `site${10_900 + round}`] },
    sampled('id'),
    sampled('partner_click_id'),
    sampled('canonical_id'),
    said('uniqueness', ['duplicate', 'unique']),
    said('bot', ['true', 'false']),
    said('ip_country', ['DE', 'UA', 'PL', 'BR']),
  ]
}

async function measure(context: RequestContext, filters: readonly Filter[]): Promise<Figure[]> {
  const slowest: Figure[] = []
  for (const page of PAGES) {
    let worst: Figure = { name: `click_list.page_${page}`, value: 0, unit: 'ms' }
    for (const { name, ask } of filters) {
      const runs: number[] = []
      // The first round warms up.
      for (let round = 0; round <= ROUNDS; round++) {
        const query = parseListQuery([ask(round), ['page', String(page)], ['limit', '20']])
        const ms = await time(context, query)
        if (round > 0) runs.push(ms)
      }
      console.log(`  page ${page} by ${name}: ${median(runs).toFixed(0)} ms`)
      if (median(runs) > worst.value) worst = { ...worst, value: median(runs), runs }
    }
    slowest.push(worst)
  }
  return slowest
}

async function time(context: RequestContext, query: ListQuery): Promise<number> {
  const began = performance.now()
  const { pagination } = await listClickhouse(context, click, query)
  if (pagination.total === 0) throw new Error('a filter of the bench finds nothing')
  return performance.now() - began
}
