// A rebuild of facts during changes ends with equal facts, and applies changed settings.

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { beforeAll, expect, test } from 'vitest'
import type { Clickhouse } from '../../src/clickhouse/client.ts'
import { findDamagedParts, mendDamage } from '../../src/facts/damaged-parts.ts'
import { createFactsModule } from '../../src/facts/module.ts'
import { type RebuildRequest, rebuildFacts } from '../../src/facts/rebuild-request.ts'
import { readWatermark } from '../../src/facts/watermark.ts'
import type { Postgres } from '../../src/postgres/client.ts'
import type { StartedModule } from '../../src/server-module.ts'
import type { Services } from '../../src/services.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { addEvent, addPlayer, addReport, type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { flipBytes } from '../support/flip-bytes.ts'
import { log, startTestServices } from '../support/harness.ts'
import { inboxClick } from '../support/inbox-click.ts'
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
  const click = inboxClick({
    id: '019c0000-0000-7000-8000-000000000001',
    created_at: Date.parse('2026-02-10T22:30:00Z'),
    offer_partner_id: 1,
    offer_id: 1,
    partner_id: 1,
    advertiser_id: 1,
    stream_id: 1,
    traffic_source_id: 1,
    country_id: 1,
  })
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

/** Merges the table to parts that stay as they are, and returns the folder and name of one. */
async function somePart(table: string): Promise<{ folder: string; part: string }> {
  await clickhouse.exec(`optimize table ${table} final`)
  const [found] = await clickhouse.query<{ folder: string; part: string }>(
    `select path as folder, name as part from system.parts where table = '${table}' and active and rows > 0 limit 1`,
  )
  return found ?? { folder: '', part: '' }
}

/** Starts the writer of facts once more. Its metrics are registered once in a registry. */
async function startWriter(): Promise<void> {
  running = await createFactsModule().start?.({ ...services, metrics: new Registry() })
}

const damageRebuilds = () => sql(`select reason, state from facts_rebuild where reason like 'damaged: %' order by id`)

test('a rebuild that fails is tried again until it succeeds, and changes are projected meanwhile [SYS-06] [REP-15]', async () => {
  const errors: (string | null)[] = []
  const states = new Set<string>()
  await clickhouse.exec('rename table affiliate_map to affiliate_map_away')
  const done = rebuildFacts(postgres, 'test', ({ state, error }) => {
    states.add(state)
    errors.push(error)
  })
  await expect.poll(() => errors.at(-1), { timeout: 20_000 }).toContain('affiliate_map')
  const player = await addPlayer(postgres, record.links[0] ?? 0, '2026-02-14T10:00:00Z')
  await caughtUp()
  const { rows } = await clickhouse.table(`select count() from player_fact final where player_id = ${player}`)
  expect(Number(rows[0]?.[0])).toBe(1)
  expect([...states]).not.toContain('failed')
  expect([...states]).not.toContain('done')
  await clickhouse.exec('rename table affiliate_map_away to affiliate_map')
  const before = await dump()
  await done
  await caughtUp()
  expect(await dump()).toEqual(before)
})

test('flipped bytes in a part are found and named, and the facts are made again [SYS-06] [REP-15]', async () => {
  const before = await dump()
  for (const table of ['activity_fact', 'player_fact', 'spend_fact']) {
    await running?.stop()
    await sql(`delete from facts_rebuild where reason like 'damaged: %'`)
    const { folder, part } = await somePart(table)
    flipBytes(folder)
    await expect(clickhouse.query(`select max(version) from ${table}`)).rejects.toMatchObject({ code: 'unavailable' })
    await startWriter()
    const made = [{ reason: `damaged: ${table} ${part}`, state: 'done' }]
    await expect.poll(damageRebuilds, { timeout: 60_000 }).toEqual(made)
    expect(await dump()).toEqual(before)
    expect(await findDamagedParts(clickhouse)).toEqual([])
  }
})

test('a part that the engine left out when it started is named, and its facts are made again [SYS-06] [REP-15]', async () => {
  await running?.stop()
  await sql(`delete from facts_rebuild where reason like 'damaged: %'`)
  const before = await dump()
  const { folder, part } = await somePart('player_fact')
  await clickhouse.exec(`alter table player_fact detach part '${part}'`)
  const detached = join(folder, '../detached')
  renameSync(join(detached, part), join(detached, `broken-on-start_${part}`))
  expect(await dump()).not.toEqual(before)
  await startWriter()
  const made = [{ reason: `damaged: player_fact broken-on-start_${part}`, state: 'done' }]
  await expect.poll(damageRebuilds, { timeout: 60_000 }).toEqual(made)
  expect(await dump()).toEqual(before)
})

test('damaged month sums do not count until they are made again; damaged clicks are only named [SYS-06] [REP-15]', async () => {
  await running?.stop()
  await sql(`delete from facts_rebuild where reason like 'damaged: %'`)
  await sql(`insert into fact_month (source, month) values ('activity', '202602') on conflict do nothing`)
  await clickhouse.insert('month_run', ['source', 'month', 'run', 'state'], [['activity', '202602', 7, 'x']])
  const { folder, part } = await somePart('month_run')
  flipBytes(folder)
  const numbers = async () => {
    const { rows } = await postgres.pool.query<{ number: number }>(
      'select number from fact_month order by source, month',
    )
    return rows.map(({ number }) => number)
  }
  const before = await numbers()
  const found = await findDamagedParts(clickhouse)
  expect(found).toMatchObject([{ table: 'month_run', part, isDetached: false }])
  await mendDamage({ postgres, clickhouse }, log, found)
  expect(await numbers()).toEqual(before.map((number) => number + 1))
  expect(await findDamagedParts(clickhouse)).toEqual([])
  const click = { table: 'click', part: '202602_1_1_0', isDetached: false, reason: 'Checksum mismatch' }
  await mendDamage({ postgres, clickhouse }, log, [click])
  expect(await damageRebuilds()).toEqual([])
  await startWriter()
})
