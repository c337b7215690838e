// Migrations: forward, once, in order, one server at a time; a migration that has run never changes.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { CLICKHOUSE_MIGRATIONS, migrateClickhouse, splitStatements } from '../../src/clickhouse/migrate.ts'
import { readMigrations } from '../../src/lib/migration.ts'
import { migratePostgres, POSTGRES_MIGRATIONS, withMigrationLock } from '../../src/postgres/migrate.ts'
import { createTestDatabase, makeDirectory, openTestClickhouse } from '../support/harness.ts'

const clickhouse = openTestClickhouse()

function makeFolder(files: Record<string, string>): string {
  const folder = makeDirectory()
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql)
  return folder
}

/** The number of the migration that turned clicks into lines. */
const CLICK_LINES = 85
/** The number of the migration that gave claims a currency of their own. */
const CLAIM_CURRENCY = 480
/** The number of the migration that stored entered spend by month. */
const SPEND_BY_MONTH = 151
/** The number of the migration that marks statements whose carried revenue share leaves nothing. */
const CARRIED_STATEMENTS = 460

const migrate = (url: string, folder: string) => withMigrationLock(url, (client) => migratePostgres(client, folder))

async function read(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const FIRST = {
  '0001-thing.sql': 'create table thing (id integer primary key, title text);\ninsert into thing values (1, $$a$$);',
}
const SECOND = { ...FIRST, '0002-more.sql': 'alter table thing add column more integer not null default 7' }

test('files run in order and once; data of the previous version is kept [SYS-03]', async () => {
  const { url } = await createTestDatabase('empty')
  expect(await migrate(url, makeFolder(FIRST))).toEqual({ applied: ['0001-thing.sql'], total: 1 })
  expect(await migrate(url, makeFolder(FIRST))).toEqual({ applied: [], total: 1 })
  expect(await migrate(url, makeFolder(SECOND))).toEqual({ applied: ['0002-more.sql'], total: 2 })
  expect(await read(url, 'select * from thing')).toEqual([{ id: 1, title: 'a', more: 7 }])
})

/** PostgreSQL behind a port that says `starting up` to the first `count` connections. */
async function startRecovering(url: string, count: number): Promise<string> {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', '']
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''))
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(body.length + 4, 1)
  const target = new URL(url)
  const [folder, port, host] = [target.searchParams.get('host'), Number(target.port), target.hostname]
  let answered = 0
  const server = createServer((socket) => {
    if (answered++ < count) {
      // A PostgreSQL that dies answers nothing.
      if (answered === 1) return void socket.once('data', () => socket.end())
      socket.once('data', () => socket.end(Buffer.concat([head, body])))
      return
    }
    const upstream = folder === null ? connect(port, host) : connect(join(folder, `.s.PGSQL.${port}`))
    socket.pipe(upstream).pipe(socket)
    socket.on('error', () => upstream.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  target.searchParams.delete('host')
  target.hostname = '127.0.0.1'
  target.port = String((server.address() as AddressInfo).port)
  return target.href
}

test('a start waits while PostgreSQL recovers from a crash, and says so once [SYS-03]', async () => {
  const { url } = await createTestDatabase('empty')
  let told = 0
  const result = await withMigrationLock(
    await startRecovering(url, 3),
    (client) => migratePostgres(client, makeFolder(FIRST)),
    () => void told++,
  )
  expect(result.applied).toEqual(['0001-thing.sql'])
  expect(told).toBe(1)
})

test('statements of zero that carry revenue share over become carried, and no other one does [SYS-03][MON-13]', async () => {
  const { url } = await createTestDatabase('empty')
  const all = readMigrations(POSTGRES_MIGRATIONS)
  const folderOf = (last: number) =>
    makeFolder(Object.fromEntries(all.filter(({ number }) => number <= last).map(({ name, sql }) => [name, sql])))
  await migrate(url, folderOf(CARRIED_STATEMENTS - 1))
  // Month, total, and what its line carries.
  const statements = [
    ['2026-01', '0', "'rs'", 'approved'],
    ['2026-02', '10', "'rs'", 'approved'],
    ['2026-03', '0', 'null', 'approved'],
    ['2026-04', '0', "'rs'", 'void'],
  ]
  await read(
    url,
    `insert into partner (id, title) values (9001, 'P');
      insert into currency (id, title, value) values (9001, 'Coin', 'CON');
      ${statements
        .map(
          ([month, total, carries, state], index) => `
      insert into statement (id, partner_id, month, currency_id, state, total, due_on)
        values (${index + 1}, 9001, '${month}', 9001, '${state}', ${total}, '2026-05-01');
      insert into payment_invoice_line (statement_id, kind, amount, currency_id, fx_rate, total, carries)
        values (${index + 1}, 'carry_over', 5, 9001, 1, 5, ${carries});`,
        )
        .join('')}`,
  )
  expect((await migrate(url, folderOf(CARRIED_STATEMENTS))).applied).toEqual(['0460-carried-statements.sql'])
  expect(await read(url, 'select id, carried, due_on is null as "isNotDue" from statement order by id')).toEqual(
    [1, 2, 3, 4].map((id) => ({ id, carried: id === 1, isNotDue: id === 1 })),
  )
})

test('claims of the previous version keep the currency of their spend, and nothing else changes [SYS-03] [MON-06]', async () => {
  const { url } = await createTestDatabase('empty')
  const before = readMigrations(POSTGRES_MIGRATIONS).filter(({ number }) => number < CLAIM_CURRENCY)
  await migrate(url, makeFolder(Object.fromEntries(before.map(({ name, sql }) => [name, sql]))))
  // Spends alone: their references and facts are of no concern here.
  await read(
    url,
    `insert into currency (id, title, value) values (2, 'Two', 'TWO'), (3, 'Three', 'THREE') on conflict do nothing;
      set session_replication_role = replica;
      insert into partner_spend (stream_id, country_id, date, sum, claim_sum, currency_id)
      values (1, 1, '2026-03-01', 5, null, 2), (1, 1, '2026-03-02', 5, 6, 2), (1, 1, '2026-03-03', null, 7, 3)`,
  )
  await migrate(url, POSTGRES_MIGRATIONS)
  const columns = 'sum::int, currency_id, claim_sum::int as claim, claim_currency_id, state, version'
  expect(await read(url, `select ${columns} from partner_spend order by date`)).toEqual([
    { sum: 5, currency_id: 2, claim: null, claim_currency_id: null, state: 'accepted', version: 1 },
    { sum: 5, currency_id: 2, claim: 6, claim_currency_id: 2, state: 'disputed', version: 1 },
    { sum: null, currency_id: 3, claim: 7, claim_currency_id: 3, state: 'claimed', version: 1 },
  ])
})

test('clicks in the inbox of the previous version become lines, field by field [SYS-03][TRK-03]', async () => {
  const { url } = await createTestDatabase('empty')
  const before = readMigrations(POSTGRES_MIGRATIONS).filter(({ number }) => number < CLICK_LINES)
  await migrate(url, makeFolder(Object.fromEntries(before.map(({ name, sql }) => [name, sql]))))
  const columns = 'id, writer, offer_partner_id, landing_id, bot, canonical_id, site_id, sub_id, url, target'
  const click = `'01980000-0000-7000-8000-00000000000a', 3, 5, null::int, false, '01980000-0000-7000-8000-000000000001'::uuid`
  const texts = `'site', E'a\\tb\\\\c\\nü', '/c/x', 'https://a.example/'`
  await read(
    url,
    `insert into click_inbox (${columns}, created_at, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, country_id, ip)
      values (${click}, ${texts}, '2026-03-28 22:00:00.123Z', 1, 2, 3, 4, 6, 7, '10.0.0.1')`,
  )
  const [was] = await read(url, `select ${columns}, created_at, country_id, sub2, ip from click_inbox`)
  await migrate(url, POSTGRES_MIGRATIONS)
  expect(await read(url, `select ${columns}, created_at, country_id, sub2, ip from click_inbox_row`)).toEqual([was])
})

test('servers that start together migrate once [SYS-03]', async () => {
  const { url } = await createTestDatabase('empty')
  const folder = makeFolder({ '0001-slow.sql': 'select pg_sleep(0.2); create table once (a integer)' })
  const results = await Promise.all([1, 2, 3, 4].map(() => migrate(url, folder)))
  expect(results.map(({ applied }) => applied.length).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 1])
})

test('a file that fails leaves nothing behind and stops the start with its name [SYS-03]', async () => {
  const { url } = await createTestDatabase('empty')
  const folder = makeFolder({ ...FIRST, '0002-bad.sql': 'create table half (a integer); select nothing_like_this' })
  await expect(migrate(url, folder)).rejects.toThrow(/^migration 0002-bad\.sql failed: [^\n]+$/)
  expect(await read(url, "select to_regclass('half') as half, (select count(*)::int from migration) as done")).toEqual([
    { half: null, done: 1 },
  ])
  expect(await migrate(url, makeFolder(SECOND))).toMatchObject({ applied: ['0002-more.sql'] })
})

test('a changed, missing, late or duplicate file stops the start with one clear line [SYS-03]', async () => {
  const { url } = await createTestDatabase('empty')
  await migrate(url, makeFolder(SECOND))
  const changed = makeFolder({ ...SECOND, '0001-thing.sql': `${FIRST['0001-thing.sql']} ` })
  await expect(migrate(url, changed)).rejects.toThrow(/0001-thing\.sql was changed after it had run/)
  await expect(migrate(url, makeFolder(FIRST))).rejects.toThrow(/0002-more\.sql, which this version does not know/)
  expect(() => readMigrations(makeFolder({ ...SECOND, '0002-again.sql': 'select 1' }))).toThrow(/its number is taken/)
  expect(() => readMigrations(makeFolder({ 'first.sql': 'select 1' }))).toThrow(/NNNN-name\.sql/)
  const { url: gapped } = await createTestDatabase('empty')
  await migrate(gapped, makeFolder({ '0003-third.sql': 'select 1' }))
  await expect(
    migrate(gapped, makeFolder({ '0002-late.sql': 'select 1', '0003-third.sql': 'select 1' })),
  ).rejects.toThrow(/0002-late\.sql comes before/)
})

test('entered spend of the previous version is stored by month with its valid rows, also when the file was interrupted [SYS-03]', async () => {
  const all = readMigrations(CLICKHOUSE_MIGRATIONS)
  const folder = (upTo: number) =>
    makeFolder(Object.fromEntries(all.filter(({ number }) => number <= upTo).map(({ name, sql }) => [name, sql])))
  await migrateClickhouse(clickhouse, folder(SPEND_BY_MONTH - 1))
  const columns = ['spend_id', 'version', 'is_deleted', 'day', 'partner_id', 'site_id', 'sum', 'hash']
  await clickhouse.insert('spend_fact', columns, [
    [1, 1, 0, '2026-01-05', 7, 'a', 10, 1],
    [2, 1, 0, '2026-02-05', 7, 'b', 20, 2],
  ])
  // Changed, deleted, and in more months than one insert may touch.
  const months = Array.from({ length: 150 }, (_, index) => {
    const day = `${2000 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-15`
    return [100 + index, 2, 0, day, 8, 'c', 1, 3]
  })
  await clickhouse.insert('spend_fact', columns, [
    [1, 2, 0, '2026-03-05', 9, 'a', 11, 4],
    [2, 2, 1, '1970-01-01', 0, '', 0, 0],
    ...months,
  ])
  const read = () =>
    clickhouse.query(`select ${columns.join(', ')} from spend_fact final where is_deleted = 0 order by spend_id`)
  const before = await read()
  expect(before).toHaveLength(151)
  await migrateClickhouse(clickhouse, folder(SPEND_BY_MONTH))
  expect(await read()).toEqual(before)
  expect(
    await clickhouse.query(
      `select distinct partition from system.parts where table = 'spend_fact' and active and rows > 0 and partition like '2026%'`,
    ),
  ).toEqual([{ partition: '202603' }])
  await clickhouse.exec(`alter table migration delete where number = ${SPEND_BY_MONTH} settings mutations_sync = 1`)
  await clickhouse.exec('create table spend_fact_by_month as spend_fact')
  await migrateClickhouse(clickhouse)
  expect(await read()).toEqual(before)
  for (const { name } of await clickhouse.query<{ name: string }>(
    'select name from system.tables where database = currentDatabase()',
  ))
    await clickhouse.exec(`drop table ${name} sync`)
})

test('all migrations run on empty engines [SYS-03]', async () => {
  const { url } = await createTestDatabase('empty')
  const done = await withMigrationLock(url, async (client) => [
    await migratePostgres(client),
    await migrateClickhouse(clickhouse),
  ])
  for (const { applied, total } of done) expect(applied.length).toBe(total)
  const again = await withMigrationLock(url, async (client) => [
    await migratePostgres(client),
    await migrateClickhouse(clickhouse),
  ])
  for (const { applied } of again) expect(applied).toEqual([])
})

test('analytics: an interrupted file runs again, a changed one stops the start [SYS-03]', async () => {
  const own = '9001-things.sql'
  const sql =
    '-- why; not a statement;\ncreate table if not exists things{{on_cluster}} (a UInt8) engine = {{replicated}}MergeTree order by a;\n'
  const product = Object.fromEntries(
    readMigrations(join(import.meta.dirname, '../../src/clickhouse/migrations')).map(({ name, sql: text }) => [
      name,
      text,
    ]),
  )
  await expect(
    migrateClickhouse(clickhouse, makeFolder({ ...product, [own]: `${sql}select nothing_like_this;\n` })),
  ).rejects.toThrow(/^migration 9001-things\.sql failed/)
  expect(await migrateClickhouse(clickhouse, makeFolder({ ...product, [own]: sql }))).toMatchObject({ applied: [own] })
  await expect(migrateClickhouse(clickhouse, makeFolder({ ...product, [own]: `${sql}select 1;` }))).rejects.toThrow(
    /was changed after/,
  )
  await clickhouse.exec('alter table migration delete where number = 9001 settings mutations_sync = 1')
})

test('statements of a file end with ; at the end of a line', () => {
  expect(splitStatements("-- a;\nselect ';' as a\n;\n\nselect 2;  \n-- end\n")).toEqual(["select ';' as a", 'select 2'])
})
