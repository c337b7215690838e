// The PostgreSQL client: types, notifications that survive a lost connection, and an unreachable database.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { connectPostgres } from '../../src/postgres/client.ts'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { asUnavailable } from '../../src/postgres/failure.ts'
import { createTestDatabase, log } from '../support/harness.ts'

const database = await createTestDatabase('empty')
const postgres = connectPostgres(database.url, log)
afterAll(() => postgres.close())

test('64-bit integers are numbers, dates and decimals text, moments Date', async () => {
  const text = `select 5000000000::int8 as id, array[1,2]::int8[] as ids, date '2026-03-01' as day, 0.10::numeric as sum,
    timestamptz '2026-03-01 10:00:00Z' as at, uuidv7() is not null as u`
  expect((await postgres.pool.query(text)).rows).toEqual([
    { id: 5_000_000_000, ids: [1, 2], day: '2026-03-01', sum: '0.10', at: new Date('2026-03-01T10:00:00Z'), u: true },
  ])
})

test('a transaction is all or nothing', async () => {
  await postgres.pool.query('create table entry (a integer)')
  const failed = postgres.withTransaction(async (trx) => {
    await sql`insert into entry values (1)`.execute(trx)
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  await postgres.withTransaction((trx) => sql`insert into entry values (2)`.execute(trx))
  expect((await postgres.pool.query('select a from entry')).rows).toEqual([{ a: 2 }])
})

test('a repeated transaction is all or nothing, too, and its statements are prepared once per connection', async () => {
  await postgres.pool.query('create table repeated (a integer unique)')
  const write = (values: readonly number[]): Promise<{ name: string; uses: number }[]> =>
    postgres.withRepeatedTransaction(async (trx) => {
      for (const value of values) await sql`insert into repeated values (${value})`.execute(trx)
      const { rows } = await sql<{ name: string; uses: number }>`select name, generic_plans + custom_plans as uses
        from pg_prepared_statements where statement like 'insert into repeated%'`.execute(trx)
      return rows
    })
  expect(await write([1, 2, 3])).toEqual([{ name: 'repeated-1', uses: 3 }])
  await expect(write([4, 1])).rejects.toThrow('repeated_a_key')
  expect(await write([5])).toHaveLength(1)
  const { rows } = await postgres.pool.query<{ a: number }>('select a from repeated order by a')
  expect(rows.map(({ a }) => a)).toEqual([1, 2, 3, 5])
})

test('notifications resume after a lost connection, and the gap is reported', async () => {
  const heard: string[] = []
  let reconnects = 0
  const subscription = await postgres.listen(
    'news',
    (payload) => heard.push(payload),
    () => reconnects++,
  )
  await postgres.pool.query("notify news, 'one'")
  await until(() => heard.length === 1)
  await postgres.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tributary listen' and datname = current_database()",
  )
  await until(() => reconnects === 1)
  await postgres.pool.query("notify news, 'two'")
  await until(() => heard.length === 2)
  expect(heard).toEqual(['one', 'two'])
  await subscription.stop()
  await postgres.pool.query("notify news, 'three'")
  await sleep(50)
  expect(heard).toHaveLength(2)
})

test('a subscription stops while its database is unreachable, and so does the server [SYS-04]', async () => {
  const away = await createTestDatabase('empty')
  const client = connectPostgres(away.url, log)
  const subscription = await client.listen('news', () => undefined)
  await away.drop()
  await expect.poll(() => client.ping().then(String, String)).not.toBe('undefined')
  await subscription.stop()
  await client.close()
}, 20_000)

test('an unreachable database is unavailable for a while, an error of a statement is not [SYS-04]', async () => {
  const gone = connectPostgres('postgres://x:y@127.0.0.1:1/z', log)
  await expect(gone.ping()).rejects.toMatchObject({ code: 'unavailable', details: { retry_after: 2 } })
  await gone.close()
  const full = Object.assign(new DatabaseError('could not extend file: No space left on device', 1, 'error'), {
    code: '53100',
  })
  expect(asUnavailable(full)).toMatchObject({ code: 'unavailable', details: { retry_after: 30 } })
  const mistake = await postgres.pool.query('select nothing_like_this').catch((error: unknown) => error)
  expect(asUnavailable(mistake)).toBeUndefined()
  expect(asUnavailable(new Error('else'))).toBeUndefined()
})

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not happen')
    await sleep(10)
  }
}

test('the embedded server listens on a socket file in its directory, or on TCP if the path is too long [SYS-01]', async () => {
  expect(new URL(inject('postgresUrl')).searchParams.get('host')).toMatch(/^\//)
  const directory = mkdtempSync(join(tmpdir(), 'tributary-'.padEnd(110, 'x')))
  chmodSync(directory, 0o755)
  const far = await startEmbeddedPostgres(directory, log)
  const client = connectPostgres(far.url, log)
  expect((await client.pool.query('select inet_server_addr() is not null as tcp')).rows).toEqual([{ tcp: true }])
  await client.close()
  await far.stop()
  rmSync(directory, { recursive: true })
})
