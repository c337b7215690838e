// Reports over their registry while ClickHouse dies and comes back, and while people leave: nobody gets half an answer, and the next one is clean.

import { REPORTS } from '@tributary/contract/reports/registry'
import { beforeAll, expect, test, vi } from 'vitest'
import { accessModule } from '../../src/api/access-module.ts'
import { reportModule } from '../../src/api/report-routes.ts'
import type { Server } from '../../src/server.ts'
import { type ClickhouseProcess, startClickhouseProcess } from '../support/clickhouse-process.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { seedReports } from './reports-seed.ts'

let engine: ClickhouseProcess
let server: Server
let admin: SignedIn
/** Every report when all is well. Nothing is written afterwards, so that all of them stay so. */
let before: Record<string, Told>
const PATHS = REPORTS.map(({ path }) => path)
const BODY = { filter: { dateFrom: '2026-06-01', dateTo: '2026-06-30' } }
const bodyOf = (path: string): object => (path.startsWith('budget_report') ? { filter: {}, month: '2026-06' } : BODY)

beforeAll(async () => {
  engine = await startClickhouseProcess()
  server = await startTestApp({ modules: [accessModule, reportModule], env: { CLICKHOUSE_URL: engine.url } })
  admin = await signIn(server, 'ADMIN')
  await seedReports(server.services)
  before = await tellAll()
})

interface Told {
  status: number
  text: string
}

/** What an answer says, without the moments at which it was made. */
async function told(path: string): Promise<Told> {
  const response = await admin.call('POST', path, bodyOf(path))
  const {
    built_at: _built,
    watermark: _watermark,
    sources: _sources,
    ...answer
  } = (await response.json()) as Record<string, unknown>
  return { status: response.status, text: response.status === 200 ? JSON.stringify(answer) : String(answer.code) }
}

async function tellAll(paths = PATHS): Promise<Record<string, Told>> {
  const answers = paths.map(async (path): Promise<[string, Told]> => [path, await told(path)])
  return Object.fromEntries(await Promise.all(answers))
}

test('a report during a restart of ClickHouse is complete or rejected as unavailable, and complete afterwards [REP-12] [SYS-02]', async () => {
  expect(Object.values(before).map(({ status }) => status)).toEqual(PATHS.map(() => 200))
  const restarting = engine.killAndRestart()
  const during = await tellAll()
  await restarting
  const seen = Object.entries(during).map(([path, { status, text }]) =>
    status === 503 ? 503 : text === before[path]?.text,
  )
  expect(seen).toContain(503)
  expect(seen.filter((one) => one !== 503 && one !== true)).toEqual([])
  await expect.poll(() => tellAll(), { timeout: 20_000 }).toEqual(before)
})

test('who leaves, at whatever moment, leaves nothing in the answer of the next one [REP-12]', async () => {
  for (const [round, milliseconds] of [1, 5, 15, 40].entries()) {
    const leaving = PATHS.map(async (path) => {
      const gone = AbortSignal.timeout(milliseconds)
      await fetch(`${server.url}/api/${path}`, {
        method: 'POST',
        signal: gone,
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(path)),
      }).catch(() => undefined)
    })
    await Promise.all(leaving)
    // A fourth of them each time: they share the connections to the engine.
    expect(before).toMatchObject(await tellAll(PATHS.filter((_, place) => place % 4 === round)))
  }
  expect(await tellAll()).toEqual(before)
})

test('a report beyond its time limit fails with a message in the user’s language, and the next one succeeds [REP-12] [I18N-02]', async () => {
  const { clickhouse } = server.services
  // The limit of the statement itself, only shorter than the product's: the engine ends it.
  const table = clickhouse.table.bind(clickhouse)
  const hurried = vi
    .spyOn(clickhouse, 'table')
    .mockImplementation((sql, params, options) => table(sql, params, { ...options, maxSeconds: 0.001 }))
  const answer = await admin.call('POST', 'general_report', BODY, { 'accept-language': 'ru' })
  expect([answer.status, await answer.json()]).toMatchObject([
    504,
    { code: 'timeout', message: 'Запрос выполнялся слишком долго' },
  ])
  const late = await tellAll()
  hurried.mockRestore()
  for (const path of PATHS) expect([{ status: 504, text: 'timeout' }, before[path]]).toContainEqual(late[path])
  expect(await tellAll()).toEqual(before)
})

test('a report beyond the memory limit fails with a message, and the next one succeeds [REP-12] [I18N-02]', async () => {
  const { clickhouse } = server.services
  const table = clickhouse.table.bind(clickhouse)
  const cramped = vi.spyOn(clickhouse, 'table').mockImplementation((sql, params, options) => {
    const settings = { ...options?.settings, max_memory_usage: 1 }
    return table(sql, params, { ...options, settings })
  })
  const answer = await admin.call('POST', 'general_report', BODY, { 'accept-language': 'ru' })
  expect([answer.status, await answer.json()]).toMatchObject([
    413,
    { code: 'too_large', message: expect.stringContaining('больше памяти, чем отводится') },
  ])
  const told = await tellAll()
  cramped.mockRestore()
  for (const path of PATHS) expect(told[path]).toEqual({ status: 413, text: 'too_large' })
  expect(await tellAll()).toEqual(before)
})
