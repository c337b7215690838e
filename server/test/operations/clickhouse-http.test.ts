// ClickHouse by CLICKHOUSE_URL behaves like the embedded engine: the same statements, values and errors.

import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { connectClickhouse } from '../../src/clickhouse/http.ts'
import { CLICKHOUSE_MIGRATIONS, fillMacros, migrateClickhouse, splitStatements } from '../../src/clickhouse/migrate.ts'
import { applyStorageTiers } from '../../src/clickhouse/storage-tiers.ts'
import { readMigrations } from '../../src/lib/migration.ts'
import { serveClickhouse } from '../support/clickhouse-over-http.ts'
import { makeDirectory } from '../support/harness.ts'

const tiers = makeDirectory()
writeFileSync(
  join(tiers, 'config.xml'),
  `<clickhouse><storage_configuration>
    <disks><slow><path>${tiers}/slow/</path></slow></disks>
    <policies><tiered><volumes>
      <default><disk>default</disk></default><cold><disk>slow</disk></cold>
    </volumes></tiered></policies>
  </storage_configuration></clickhouse>`,
)
const server = await serveClickhouse(makeDirectory(), 0, [`--config-file=${join(tiers, 'config.xml')}`])
const clickhouse = connectClickhouse(server.url, undefined)
afterAll(async () => {
  await clickhouse.close()
  await server.close()
})

test('typed parameters, decimals, dates and null are as with the embedded engine [SYS-02]', async () => {
  const sql = `select {text:String} as text, {list:Array(String)} as list, {price:Decimal(18,4)} as price, {none:Nullable(UInt32)} as none,
    {id:UInt64} as id, toDateTime64('2026-03-01 10:00:00.123', 3) as at`
  const params = { text: "it's\t\\ 'x'", list: ["a'b", 'c\\d'], price: '1.5', none: null, id: 2 ** 40 }
  expect(await clickhouse.query(sql, params)).toEqual([{ ...params, at: '2026-03-01 10:00:00.123' }])
  await expect(clickhouse.query('select {x:UInt8}')).rejects.toThrow('no value for {x}')
})

test('20,000 ids of a filter are not sent in the URL [SYS-02]', async () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => 1_000_000_000 + index)
  expect(await clickhouse.query('select length({ids:Array(UInt32)}) as n', { ids })).toEqual([{ n: 20_000 }])
})

test('rows are inserted and read as table, objects and stream [SYS-02]', async () => {
  await clickhouse.exec('create table moved (a UInt32, b String) engine = MergeTree order by a')
  const rows = Array.from({ length: 5000 }, (_, n) => [n, `text\t${n}`])
  await clickhouse.insert('moved', ['a', 'b'], rows)
  await clickhouse.insertText('moved', ['a', 'b'], 'TabSeparated', Buffer.from('5000\tx\\ty\n'))
  expect((await clickhouse.table('select * from moved where a < 5000 order by a')).rows).toEqual(rows)
  const streamed = await Array.fromAsync(
    clickhouse.queryStream(
      'select a, b, toUInt64(18446744073709551615) as most from moved where a >= {from:UInt32} order by a',
      { from: 4999 },
    ),
  )
  expect(streamed).toEqual([
    { a: 4999, b: 'text\t4999', most: 18446744073709551615n },
    { a: 5000, b: 'x\ty', most: 18446744073709551615n },
  ])
})

test('rows are written to a compressed file and read from it [SYS-02] [SYS-05]', async () => {
  await clickhouse.exec('create table stored (a UInt32, b String) engine = MergeTree order by a')
  await clickhouse.insert(
    'stored',
    ['a', 'b'],
    Array.from({ length: 3000 }, (_, n) => [n, `text\t${n}`]),
  )
  const path = join(makeDirectory(), 'rows.native.zst')
  await clickhouse.exportTo(path, 'select a, b from stored where a >= 1000')
  await clickhouse.exec('create table brought_back as stored')
  await clickhouse.importFrom(path, 'brought_back', ['a', 'b'])
  const sums = 'select count() as n, sum(a) as sum, sum(cityHash64(b)) as hash from'
  expect(await clickhouse.query(`${sums} brought_back`)).toEqual(
    await clickhouse.query(`${sums} stored where a >= 1000`),
  )
})

test('an error has its code; a time-out and a lost server are reported as such [SYS-02]', async () => {
  await expect(clickhouse.query('select nothing_like_this')).rejects.toMatchObject({
    name: 'ClickhouseError',
    code: 47,
  })
  const endless = 'select count() from numbers(1000000000000) where sipHash64(number) = 1'
  await expect(clickhouse.query(endless, {}, { maxSeconds: 1 })).rejects.toMatchObject({ code: 'timeout' })
  const gone = connectClickhouse(await findDeadUrl(), undefined)
  await expect(gone.query('select 1')).rejects.toMatchObject({
    code: 'unavailable',
    details: { retry_after: expect.any(Number) },
  })
  await expect(gone.ping()).rejects.toMatchObject({ code: 'unavailable' })
  await gone.close()
})

test('an answer beyond the memory limit is an error, and the next one succeeds [SYS-02] [REP-12]', async () => {
  const settings = { max_memory_usage: 10_000_000 }
  const large = 'select groupArray(toString(number)) as list from numbers(3000000)'
  await expect(clickhouse.query(large, {}, { settings })).rejects.toMatchObject({ name: 'AppError', code: 'too_large' })
  expect(await clickhouse.query('select 1 as n')).toEqual([{ n: 1 }])
})

test('an aborted read closes its connection and ends the query on the server; writes continue [SYS-02] [REP-12]', async () => {
  // Never answers while the client is connected.
  const asked: IncomingMessage[] = []
  const deaf = createHttpServer((request) => void asked.push(request))
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve))
  const address = deaf.address()
  const door = connectClickhouse(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, undefined)
  const leaving = new AbortController()
  const { signal } = leaving
  const works = [
    door.table('select 1', {}, { signal }),
    Array.fromAsync(door.queryStream('select 1', {}, { signal })),
    door.exec('optimize table x', {}, { signal }),
  ].map((work) => work.catch((error: unknown) => error))
  await expect.poll(() => asked.length).toBe(3)
  const closed = asked.map((request) => once(request.socket, 'close'))
  leaving.abort(new Error('gone'))
  expect(await Promise.all(works)).toEqual(works.map(() => new Error('gone')))
  await Promise.all(closed)
  const settings = asked.map(({ url }) => {
    const { searchParams } = new URL(url ?? '', 'http://x')
    return [searchParams.get('readonly'), searchParams.get('cancel_http_readonly_queries_on_client_close')]
  })
  expect(settings.filter(([readonly]) => readonly === '2')).toEqual([
    ['2', '1'],
    ['2', '1'],
  ])
  await door.close()
  deaf.close()
})

test('a query aborted while it waits for a connection does not take one later [SYS-02] [REP-12]', async () => {
  // Answers when the test says so.
  const asked: ServerResponse[] = []
  const slow = createHttpServer((request, response) => void request.resume().on('end', () => asked.push(response)))
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const address = slow.address()
  const door = connectClickhouse(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, undefined)
  const ask = (signal?: AbortSignal) => door.table('select 1', {}, signal === undefined ? {} : { signal })
  const answerAll = (): void => {
    for (const response of asked.splice(0)) response.end('{"meta":[],"data":[]}')
  }
  const first = Array.from({ length: 12 }, () => ask())
  await expect.poll(() => asked.length).toBe(12)
  const leaving = new AbortController()
  const left = Array.from({ length: 12 }, () => ask(leaving.signal))
  await setTimeout(50)
  leaving.abort(new Error('gone'))
  expect(await Promise.allSettled(left)).toEqual(left.map(() => ({ status: 'rejected', reason: new Error('gone') })))
  answerAll()
  await Promise.all(first)
  const next = Array.from({ length: 12 }, () => ask())
  await expect.poll(() => asked.length).toBe(12)
  // Longer than idle connections are kept open.
  await setTimeout(3000)
  answerAll()
  expect(await Promise.all(next)).toEqual(next.map(() => ({ columns: [], rows: [] })))
  await door.close()
  slow.close()
})

test('on a cluster, migrations create replicated tables on all nodes [SYS-02]', async () => {
  const cluster = connectClickhouse(server.url, 'main')
  const folder = makeDirectory()
  writeFileSync(
    join(folder, '0001-x.sql'),
    'create table x{{on_cluster}} (a UInt8) engine = {{replicated}}ReplacingMergeTree order by a;\n',
  )
  // The test's engine has no cluster, and its error contains the requested name.
  await expect(migrateClickhouse(cluster, folder)).rejects.toMatchObject({
    code: 701,
    message: expect.stringContaining("'main'"),
  })
  expect(cluster.macros).toEqual({ on_cluster: " ON CLUSTER 'main'", replicated: 'Replicated' })
  await cluster.close()
})

test('on a cluster, every statement on tables runs on all servers, with replicated engines, and ClickHouse can read it [SYS-02]', async () => {
  const cluster = connectClickhouse(server.url, 'main')
  const statements = readMigrations(CLICKHOUSE_MIGRATIONS).flatMap(({ sql }) =>
    splitStatements(fillMacros(sql, cluster)),
  )
  expect(statements.length).toBeGreaterThan(30)
  for (const statement of statements) {
    await clickhouse.exec(`explain ast ${statement}`)
    if (/^insert/i.test(statement)) continue
    expect(statement).toContain(" ON CLUSTER 'main'")
    if (/engine =/i.test(statement)) expect(statement).toMatch(/engine = Replicated(Replacing)?MergeTree/)
  }
  await cluster.close()
})

test('every statement that changes tables names the cluster, except those on partitions and the clones of back-ups [SYS-02]', () => {
  const source = join(import.meta.dirname, '../../src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(facts|clickhouse)\/.*\.ts$/.test(name),
  )
  const statements = files.flatMap((name) =>
    [
      ...readFileSync(join(source, name), 'utf8').matchAll(
        /`((?:create|drop|alter|truncate|optimize) table|exchange tables)[^`]*`/g,
      ),
    ].map(([text]) => text),
  )
  expect(statements.length).toBeGreaterThan(8)
  for (const statement of statements.filter((text) => !/(drop|replace) partition/.test(text)))
    expect(statement).toMatch(/on_cluster|\$\{alter\}/)
})

test('reads on a cluster are shared by its replicas, by the same statements; equal inserts are not taken for one [SYS-02]', async () => {
  const requests: URLSearchParams[] = []
  const listening = createHttpServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(new URL(request.url ?? '/', 'http://localhost').searchParams)
    request.resume()
    response.end('{"meta":[],"data":[]}')
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  for (const name of ['main', undefined]) {
    const client = connectClickhouse(url, name)
    await client.table('select 1')
    await client.insert('x', ['a'], [[1]])
    await client.close()
  }
  listening.close()
  const [read, insert, ownRead, ownInsert] = requests
  expect(Object.fromEntries(read ?? [])).toMatchObject({
    enable_parallel_replicas: '1',
    max_parallel_replicas: '1000',
    cluster_for_parallel_replicas: 'main',
    parallel_replicas_min_number_of_rows_per_replica: '1000000',
  })
  expect(insert?.get('insert_deduplicate')).toBe('0')
  expect(insert?.has('enable_parallel_replicas')).toBe(false)
  expect([ownRead?.has('enable_parallel_replicas'), ownInsert?.has('insert_deduplicate')]).toEqual([false, false])
  // The engine knows these settings and answers with them.
  const settings = { enable_parallel_replicas: 1, max_parallel_replicas: 1000, insert_deduplicate: 0 }
  expect(await clickhouse.query('select 1 as one', {}, { settings })).toEqual([{ one: 1 }])
})

test('old months move to the cold volume of the storage policy, and nothing is set twice [SYS-02] [SYS-06]', async () => {
  await migrateClickhouse(clickhouse)
  const add = (day: string) =>
    clickhouse.exec(
      `insert into click (id, day, created_at) select generateUUIDv4(), '${day}', toDateTime64('${day} 10:00:00', 3, 'UTC')`,
    )
  await add('2020-01-15')
  const tiered = { policy: 'tiered', coldVolume: 'cold', coldAfterMonths: 3 }
  await applyStorageTiers(clickhouse, tiered)
  await add(new Date().toISOString().slice(0, 10))
  const disks = async () =>
    (
      await clickhouse.query<{ disk: string }>(
        `select disk_name as disk from system.parts where active and table = 'click' order by partition_id`,
      )
    ).map(({ disk }) => disk)
  await expect.poll(disks, { timeout: 20_000 }).toEqual(['slow', 'default'])
  const executed: string[] = []
  const watched = { ...clickhouse, exec: async (statement: string) => void executed.push(statement) }
  await applyStorageTiers(watched, tiered)
  expect(executed).toEqual([])
  await applyStorageTiers(watched, { ...tiered, coldAfterMonths: 6 })
  expect(executed).toHaveLength(4)
})

async function findDeadUrl(): Promise<string> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await new Promise((resolve) => probe.close(resolve))
  return `http://127.0.0.1:${port}`
}
