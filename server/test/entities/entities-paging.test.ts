// How deep lists page, what a deep page costs, and that a list ends when its caller leaves.

import { setTimeout as sleep } from 'node:timers/promises'
import { PAGED_ROWS } from '@tributary/contract/limits'
import { say } from '@tributary/contract/words/messages'
import { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { listEntity } from '../../src/entities/engine/store.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, ENTITY_MODULES, idsOf, type Json } from '../support/entity-calls.ts'
import { entityOf } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
const EXTRA = 1000

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  const { pool } = server.services.postgres
  await pool.query(
    `insert into postback (direction, status, event_type, method, created_at)
      select 'in', 'accepted', 'reg', 'GET', now() - n * interval '1 second' from generate_series(1, $1::int) as n`,
    [PAGED_ROWS + EXTRA],
  )
  await pool.query('vacuum analyze postback')
})

test('rows beyond the first 100,000 are rejected with advice how to narrow, in every list and look-up [LIST-03] [API-05]', async () => {
  for (const list of ['postback', 'audit_log', 'offer', 'offer_partner', 'click', 'player/geo_country', 'partner']) {
    const lookup = list === 'partner' || list.includes('/') ? '&lookup=1' : ''
    const limit = lookup === '' ? 500 : 10
    const last = PAGED_ROWS / limit
    const there = await ask(admin, 'GET', `${list}?limit=${limit}&page=${last}${lookup}`)
    expect(there.status, list).toBe(200)
    const beyond = await ask(admin, 'GET', `${list}?limit=${limit}&page=${last + 1}${lookup}`)
    expect(beyond, list).toMatchObject({
      status: 422,
      body: { code: 'page_too_deep', message: say('en', 'page_too_deep'), request_id: expect.any(String) },
    })
  }
  for (const query of ['limit=5000&page=21', 'limit=3000&page=34', 'limit=-1&page=11', 'limit=1&page=100001'])
    expect(await ask(admin, 'GET', `postback?${query}`), query).toMatchObject({
      status: 422,
      body: { code: 'page_too_deep' },
    })
  const russian = await ask(admin, 'GET', 'click?page=5001', undefined, { 'accept-language': 'ru' })
  expect(russian.body.message).toBe(say('ru', 'page_too_deep'))
  for (const language of ['en', 'ru'] as const)
    expect(say(language, 'page_too_deep').replace(/\D/g, '')).toBe(String(PAGED_ROWS))
})

test('the pager ends with the last allowed page [LIST-03] [API-03]', async () => {
  const list = await done(admin, 'GET', 'postback?limit=500')
  expect(list.pagination).toMatchObject({ approximate: true, maxPageNumber: 200 })
  expect((list.pagination as Json).total).toBeGreaterThan(PAGED_ROWS)
})

test('the deepest pages contain the right rows [LIST-01] [LIST-03]', async () => {
  const { rows } = await server.services.postgres.pool.query<{ id: number }>(
    'select id from postback order by created_at desc, id desc limit $1',
    [PAGED_ROWS],
  )
  const expected = rows.map(({ id }) => id)
  expect(idsOf(await done(admin, 'GET', 'postback?limit=500&page=200'))).toEqual(expected.slice(-500))
  expect(idsOf(await done(admin, 'GET', 'postback?limit=5000&page=16'))).toEqual(expected.slice(75_000, 80_000))
  expect(idsOf(await done(admin, 'GET', 'postback?limit=-1&page=10'))).toEqual(expected.slice(-10_000))
})

interface Node {
  'Node Type': string
  'Actual Loops': number
  Plans?: Node[]
}

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)]

test('a page is counted once, however many rows it has [LIST-03]', async () => {
  const { postgres } = server.services
  const add = (from: number, to: number) =>
    postgres.pool.query(
      `insert into landing (title, value) select 'L ' || n, '/' || n from generate_series($1::int, $2::int) as n`,
      [from, to],
    )
  // With statistics of a small table the planner expects no rows beyond its end, and plans as for a single row.
  await postgres.pool.query('alter table landing set (autovacuum_enabled = false)')
  await add(1, 10)
  await postgres.pool.query('analyze landing')
  await add(11, 3000)
  const sent: { text: string; values: unknown[] }[] = []
  const send = postgres.pool.query.bind(postgres.pool)
  Object.assign(postgres.pool, {
    query: (statement: { text: string; values: unknown[] }) => {
      sent.push(statement)
      return send(statement)
    },
  })
  const engines = server.services
  const holder = { role: 'ADMIN', permissions: ['FULL_ACCESS'] } as const
  const context = { userId: 1, holder, requestId: 'test', partners: null, scopeOf: () => undefined, engines }
  const query = { page: 3, limit: 1000, query: '', conditions: [], order: [] }
  try {
    expect((await listEntity(context, entityOf('landing'), query, { detailed: false })).items).toHaveLength(1000)
  } finally {
    Object.assign(postgres.pool, { query: send })
  }
  const [page] = sent
  const { rows } = await send(`explain (analyze, format json) ${page?.text}`, page?.values ?? [])
  const counts = flatten(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Node Type'] === 'Aggregate')
  expect(counts.map((node) => node['Actual Loops'])).toEqual([1])
  expect(sent).toHaveLength(1)
})

test('a caller who leaves ends the statements of a list, a look-up and an export [LIST-14] [LIST-12]', async () => {
  const blocker = new Client({ connectionString: server.services.postgres.url })
  await blocker.connect()
  try {
    for (const [path, table] of [
      ['postback', 'postback'],
      ['postback/export?format=csv', 'postback'],
      ['offer', 'offer'],
      ['offer?lookup=1', 'offer'],
      ['player/promocode?lookup=1', 'player'],
    ] as const) {
      await blocker.query('begin')
      await blocker.query(`lock table ${table} in access exclusive mode`)
      const caller = new AbortController()
      const answer = admin.open(path, caller.signal).then(
        () => 'answered',
        () => 'left',
      )
      const countWaiting = async (): Promise<number> => {
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return (await blocker.query(waiting)).rows.length
      }
      await until(async () => (await countWaiting()) > 0)
      caller.abort()
      expect(await answer).toBe('left')
      await until(async () => (await countWaiting()) === 0)
      await blocker.query('rollback')
      expect((await admin.call('GET', path)).status, path).toBe(200)
    }
  } finally {
    await blocker.end()
  }
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not happen')
    await sleep(10)
  }
}
