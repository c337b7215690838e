// A rebuild of facts during changes ends with equal facts, and applies changed settings.

import { beforeAll, expect, test } from 'vitest'
import type { Clickhouse } from '../../src/clickhouse/client.ts'
import { createFactsModule } from '../../src/facts/module.ts'
import { type RebuildRequest, rebuildFacts } from '../../src/facts/rebuild-request.ts'
import { readWatermark } from '../../src/facts/watermark.ts'
import type { Postgres } from '../../src/postgres/client.ts'
import type { StartedModule } from '../../src/server-module.ts'
import type { Services } from '../../src/services.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { addEvent, addPlayer, addReport, type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { startTestServices } from '../support/harness.ts'
import { loadClicks } from '../support/load-clicks.ts'

let services: Services & { stop(): Promise<void> }
let postgres: Postgres
let clickhouse: Clickhouse
let record: FactsRecord
let running: StartedModule | undefined
let sql: ReturnType<typeof sqlOf>

beforeAll(async () => {
  services = await startTestServices()
  postgres = services.postgres
  clickhouse = services.clickhouse
  sql = sqlOf(postgres)
  record = await writeFactsRecord(postgres)
  running = await createFactsModule().start?.(services)
  for (let index = 0; index < 60; index++) {
    const link = record.links[index % 4] ?? 0
    const player = await addPlayer(postgres, link, `2026-02-${String(1 + (index % 27)).padStart(2, '0')}T21:30:00Z`)
    await addEvent(
      postgres,
      player,
      'dep',
      `2026-02-28T2${index % 4}:10:00Z`,
      10 + index,
      index % 3 ? record.eur : record.usd,
    )
    if (index % 2)
      await addReport(postgres, player, '2026-03-01', record.eur, {
        deposits: index,
        deposits_count: 1,
        bets: 3,
        income: index,
      })
  }
  await sql(
    `insert into partner_spend (stream_id, country_id, date, sum, currency_id) values ($1, $2, '2026-02-01', 100, $3)`,
    [record.streams[0], record.countries[0], record.usd],
  )
  atEndOfFile(() => running?.stop())
})

const TABLES = ['player_fact', 'activity_fact', 'spend_fact', 'offer_map', 'partner_map', 'affiliate_map', 'link_map']

async function dump(): Promise<Record<string, unknown>> {
  const tables = TABLES.map(async (table) => {
    const { rows } = await clickhouse.table(
      `select * except (version, is_deleted) from ${table} final where is_deleted = 0`,
    )
    return [table, rows.map((row) => JSON.stringify(row)).sort()] as const
  })
  return Object.fromEntries(await Promise.all(tables))
}

/** Waits until everything committed so far is in ClickHouse. */
async function caughtUp(): Promise<void> {
  const now = Date.now()
  await expect
    .poll(async () => (await readWatermark(postgres)).record.getTime(), { timeout: 20_000 })
    .toBeGreaterThan(now)
}

test('a rebuild ends equal, logs no unchanged rows, and reports its progress [SYS-06]', async () => {
  await caughtUp()
  const before = await dump()
  expect((before.activity_fact as string[]).length).toBeGreaterThan(100)
  const [logged] = await clickhouse.query<{ rows: number }>('select count() as rows from activity_fact_log')
  const seen: RebuildRequest[] = []
  await rebuildFacts(postgres, 'test', (request) => seen.push(request))
  expect(await dump()).toEqual(before)
  expect(await clickhouse.query('select count() as rows from activity_fact_log')).toEqual([logged])
  expect(seen.at(-1)).toMatchObject({ state: 'done', done: 61, total: 61 })
  expect(await clickhouse.query("select name from system.tables where name like '%_rebuild'")).toEqual([])
})

test('a rebuild repairs damaged facts and logs what it changed [SYS-06]', async () => {
  await caughtUp()
  const before = await dump()
  await clickhouse.exec('truncate table player_fact')
  await clickhouse.exec("alter table activity_fact delete where day < '2026-02-20' settings mutations_sync = 2")
  await clickhouse.exec(
    "insert into activity_fact (day, player_id, version, deposits) values ('2026-01-01', 4000000000, 1, 5)",
  )
  await clickhouse.exec('truncate table partner_map')
  await rebuildFacts(postgres, 'test')
  expect(await dump()).toEqual(before)
})

test('changes during a rebuild are not lost [SYS-06]', async () => {
  const rebuilding = Promise.all(['one', 'two'].map((reason) => rebuildFacts(postgres, reason)))
  const players: number[] = []
  for (let index = 0; index < 30; index++) {
    const player = await addPlayer(postgres, record.links[0], '2026-04-01T10:00:00Z')
    players.push(player)
    await addEvent(postgres, player, 'dep', '2026-04-02T10:00:00Z', 5, record.eur)
    if (index % 3 === 0) await sql('delete from player_event where player_id = $1', [players[index - 1] ?? 0])
    await sql(`update partner_spend set date = date '2026-02-01' + $1::int, stream_id = $2`, [
      (index % 4) * 20,
      record.streams[index % 2],
    ])
    if (index % 5 !== 0) continue
    await sql('delete from player_report where player_id = $1', [players[index - 2] ?? 0])
    await sql('delete from player where id = $1', [players[index - 2] ?? 0])
  }
  await rebuilding
  await caughtUp()
  const after = await dump()
  await rebuildFacts(postgres, 'again')
  expect(await dump()).toEqual(after)
  const counted = await sql<{ rows: number }>('select count(*) as rows from player')
  expect(after.player_fact).toHaveLength(counted[0]?.rows ?? 0)
  expect(after.spend_fact).toHaveLength(1)
})

test('another business zone moves the days of clicks, players and spends [SYS-06][REP-15]', async () => {
  const click = {
    id: '019c0000-0000-7000-8000-000000000001',
    created_at: Date.parse('2026-02-10T22:30:00Z'),
    offer_partner_id: 1,
    offer_id: 1,
    partner_id: 1,
    advertiser_id: 1,
    landing_id: null,
    stream_id: 1,
    traffic_source_id: 1,
    country_id: 1,
    bot: false,
    canonical_id: null,
    site_id: 's',
    sub_id: null,
    sub2: null,
    sub3: null,
    sub4: null,
    sub5: null,
    partner_click_id: null,
    promocode: null,
    media_id: null,
    ip: '10.0.0.1',
    ip_country: null,
    user_agent: null,
    referrer: null,
    language: null,
    url: '/',
    target: 'https://a.example/',
  }
  await loadClicks({ postgres, clickhouse }, [click], 'Europe/Kyiv')
  const player = await addPlayer(postgres, record.links[0], '2026-02-10T22:30:00Z')
  await caughtUp()
  const days = async (): Promise<unknown[]> => [
    ...(await clickhouse.query<{ day: string }>('select day from click')).map((row) => row.day),
    ...(
      await clickhouse.query<{ day: string }>(
        'select day from activity_fact final where player_id = {player:UInt32} and is_deleted = 0',
        { player },
      )
    ).map((row) => row.day),
  ]
  expect(await days()).toEqual(['2026-02-11', '2026-02-11'])
  await sql(`update setting set business_time_zone = 'America/New_York'`)
  await expect.poll(days, { timeout: 20_000 }).toEqual(['2026-02-10', '2026-02-10'])
  await caughtUp()
  expect(await sql(`select state from facts_rebuild where reason = 'update setting'`)).toEqual([{ state: 'done' }])
})

test('metrics show how far the facts are [SYS-04]', async () => {
  await caughtUp()
  const text = await services.metrics.metrics()
  expect(text).toMatch(/tributary_facts_waiting_changes 0/)
  const seconds = Number(/tributary_facts_data_to_seconds\{source="record"\} (\S+)/.exec(text)?.[1])
  expect(Date.now() / 1000 - seconds).toBeLessThan(5)
})

test('a rebuild interrupted by a stop starts again with the next server [SYS-06]', async () => {
  await running?.stop()
  services.metrics.clear()
  await sql(`insert into facts_rebuild (reason, state) values ('left', 'running')`)
  await clickhouse.exec('create table if not exists player_fact_rebuild as player_fact')
  running = await createFactsModule().start?.(services)
  await expect
    .poll(() => sql(`select state from facts_rebuild where reason = 'left'`), { timeout: 20_000 })
    .toEqual([{ state: 'done' }])
})
