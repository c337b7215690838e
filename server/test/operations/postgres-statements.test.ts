// Statements have a time limit by kind and end when their caller leaves; the connection stays usable.

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { STATEMENT_SECONDS, type StatementKind, withStatementScope } from '../../src/lib/statement-scope.ts'
import { connectPostgres } from '../../src/postgres/client.ts'
import { readInBatches } from '../../src/postgres/cursor.ts'
import { createTestDatabase, log } from '../support/harness.ts'

const database = await createTestDatabase('empty')
/** A single connection, so that the next statement meets anything left running on it. */
const postgres = connectPostgres(database.url, log, { max: 1 })
const watcher = connectPostgres(database.url, log, { applicationName: 'watcher' })
afterAll(async () => {
  await postgres.close()
  await watcher.close()
})

async function pidOf(): Promise<number> {
  const { rows } = await postgres.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

async function countRunning(text: string): Promise<number> {
  const { rows } = await watcher.pool.query(
    `select from pg_stat_activity where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()`,
    [`%${text}%`],
  )
  return rows.length
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not happen')
    await sleep(10)
  }
}

const limitOf = async (): Promise<string> =>
  (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(postgres.db)).rows[0]?.statement_timeout ??
  ''

test('every statement has the time limit of its kind, whatever its connection did before [SYS-04]', async () => {
  const kinds: StatementKind[] = ['list', 'job', 'lookup', 'export', 'request', 'background', 'list']
  for (const kind of kinds) {
    const { rows } = await withStatementScope(kind, () =>
      postgres.pool.query<{ ms: number }>(
        `select setting::int as ms from pg_settings where name = 'statement_timeout'`,
      ),
    )
    expect(rows, kind).toEqual([{ ms: STATEMENT_SECONDS[kind] * 1000 }])
  }
  expect(await withStatementScope('job', limitOf)).toBe('1h')
  expect(await limitOf()).toBe('10min')
  expect(await postgres.withTransaction(async (trx) => (await sql`show statement_timeout`.execute(trx)).rows)).toEqual([
    { statement_timeout: '10min' },
  ])
})

test('a statement past its time limit is a time-out, and its connection stays usable [SYS-04]', async () => {
  const pid = await pidOf()
  const slow = postgres.withTransaction(async (trx) => {
    await sql`set local statement_timeout = 50`.execute(trx)
    await sql`select pg_sleep(30)`.execute(trx)
  })
  await expect(slow).rejects.toMatchObject({ code: 'timeout', status: 504 })
  expect(await pidOf()).toBe(pid)
})

test('a caller who leaves ends the statement, on the same connection, even if the pool is exhausted [SYS-04]', async () => {
  const pid = await pidOf()
  const ways: (() => Promise<unknown>)[] = [
    () => postgres.pool.query('select pg_sleep(60)'),
    () => sql`select pg_sleep(60)`.execute(postgres.db),
  ]
  for (const send of ways) {
    const caller = new AbortController()
    const left = withStatementScope('list', send, caller.signal).then(
      () => 'answered',
      (error: Error) => error.name,
    )
    await until(async () => (await countRunning('pg_sleep(60)')) === 1)
    caller.abort()
    expect(await left).toBe('AbortError')
    expect(await countRunning('pg_sleep(60)')).toBe(0)
    expect(await pidOf()).toBe(pid)
  }
})

test('a caller who has left sends no statement any more [SYS-04]', async () => {
  const caller = new AbortController()
  const waiting = withStatementScope(
    'list',
    async () => {
      await sleep(20)
      return postgres.pool.query('create table never (a integer)')
    },
    caller.signal,
  )
  caller.abort()
  await expect(waiting).rejects.toThrow('aborted')
  const { rows } = await watcher.pool.query(`select to_regclass('never') is null as is_absent`)
  expect(rows).toEqual([{ is_absent: true }])
})

test('whoever leaves never ends the next statement of the connection [SYS-04]', async () => {
  const pid = await pidOf()
  let cancelled = 0
  for (let round = 0; round < 300; round++) {
    const caller = new AbortController()
    const first = withStatementScope(
      'list',
      () => postgres.pool.query('select pg_sleep($1)', [Math.random() * 0.004]),
      caller.signal,
    )
    const next = first.then(
      () => undefined,
      () => cancelled++,
    )
    setTimeout(() => caller.abort(), Math.random() * 6)
    await next
    await expect(postgres.pool.query('select pg_sleep(0.002)')).resolves.toMatchObject({ rowCount: 1 })
  }
  expect(cancelled).toBeGreaterThan(10)
  expect(await pidOf()).toBe(pid)
})

test('a download that is given up ends its statement, while it sorts and between two batches [LIST-12]', async () => {
  const sorts = 'select n, md5(n::text) as text from generate_series(1, 20000000) as n order by 2'
  for (const [text, isBegun] of [
    [sorts, false],
    ['select n from generate_series(1, 20000000) as n', true],
  ] as const) {
    const caller = new AbortController()
    const rows = readInBatches<{ n: number }>(postgres, { sql: text, parameters: [] }, { signal: caller.signal })
    const first = rows.next()
    if (isBegun) expect((await first).value).toHaveLength(500)
    else await until(async () => (await countRunning('generate_series')) === 1)
    caller.abort()
    if (!isBegun) await expect(first).rejects.toThrow('aborted')
    await until(async () => (await countRunning('generate_series')) === 0)
    // The pool has room for the next one.
    expect(await pidOf()).toBeGreaterThan(0)
  }
})
