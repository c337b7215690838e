// The schedules of the settings: the last and next run of each, and why one does not run.
import type { Schedule } from '@tributary/contract/calls/schedule'
import { beforeAll, expect, test } from 'vitest'
import { writeIntegration } from '../../src/integrations/integration.ts'
import { requestYesterday } from '../../src/jobs/retrieve-players.ts'
import { lastMoment, nextMoment } from '../../src/lib/time-of-day.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { done } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
})

async function read(): Promise<Record<string, Omit<Schedule, 'name'>>> {
  const { items } = (await done(admin, 'GET', 'schedule')) as unknown as { items: Schedule[] }
  return Object.fromEntries(items.map(({ name, ...schedule }) => [name, schedule]))
}

test('the last moment of a time is today’s or yesterday’s; the next one follows a day later [ENT-23]', () => {
  const at = (text: string) => new Date(`2026-03-01T${text}:00.000Z`)
  expect(lastMoment('06:00', at('06:00'))).toEqual(at('06:00'))
  expect(lastMoment('06:00', at('05:59'))).toEqual(new Date('2026-02-28T06:00:00.000Z'))
  expect(nextMoment('06:00', at('05:59'))).toEqual(at('06:00'))
})

test('each time of the settings has its last run, what it handled, the next run, or why it does not run [ENT-23]', async () => {
  const { pool } = server.services.postgres
  expect((await read()).daily_spend_parsing_time).toMatchObject({ last_at: null, next_at: null, off: 'not_set_up' })
  expect((await read()).backup_time).toMatchObject({ last_at: null, next_at: null, off: 'not_set_up' })
  await pool.query(`insert into sheet_run (kind, due_at, files) values ('daily', now(), 7)`)
  await writeIntegration(server.services, 'sheets', { credential: 'a key' })
  await pool.query(
    `insert into backup (target, reason, state, finished_at, error) values ('/x', 'schedule', 'failed', '2026-03-01T03:10Z', 'the disk is full')`,
  )
  await done(admin, 'POST', 'setting', { players_api_retrieval_time: '05:30', alert_mail_time: '07:15' })
  await done(admin, 'PUT', 'integration/players_api', { base_url: 'https://players.example' })
  expect(await requestYesterday(server.services, new Date('2999-03-02T05:30:00Z'))).toBe(true)
  const schedules = await read()
  expect(schedules.players_api_retrieval_time).toEqual({
    last_at: expect.any(String),
    running_since: null,
    count: null,
    failure: null,
    next_at: expect.stringMatching(/T05:30:00\.000Z$/),
    off: null,
  })
  expect(schedules.alert_mail_time).toMatchObject({ next_at: expect.stringMatching(/T07:15:00\.000Z$/), off: null })
  expect(schedules.backup_time).toMatchObject({
    last_at: '2026-03-01T03:10:00.000Z',
    running_since: null,
    failure: 'the disk is full',
  })
  await done(admin, 'POST', 'setting', { sending_held: true })
  expect((await read()).alert_mail_time).toMatchObject({ next_at: null, off: 'held' })
  await pool.query('update setting set sending_held = false')
})

test('the last back-up is the last one that has ended, with its failure; one that runs is shown beside it, by its start [ENT-23] [SYS-05]', async () => {
  const { pool } = server.services.postgres
  await pool.query('delete from backup')
  const add = (state: string, times: string) =>
    pool.query(
      `insert into backup (target, reason, state, requested_at, started_at, finished_at, error) values ('/x', 'schedule', $1, ${times})`,
      [state],
    )
  const shown = async () => (await read()).backup_time
  await add('waiting', `'2026-03-02T03:00Z', null, null, null`)
  expect(await shown()).toMatchObject({ last_at: null, running_since: null, failure: null })
  await pool.query('delete from backup')
  await add('failed', `'2026-03-01T03:00Z', '2026-03-01T03:00Z', '2026-03-01T03:10Z', 'the disk is full'`)
  await add('running', `'2026-03-02T03:00Z', '2026-03-02T03:01Z', null, null`)
  expect(await shown()).toMatchObject({
    last_at: '2026-03-01T03:10:00.000Z',
    running_since: '2026-03-02T03:01:00.000Z',
    failure: 'the disk is full',
  })
  await pool.query(`update backup set state = 'done', finished_at = '2026-03-02T03:20Z' where state = 'running'`)
  expect(await shown()).toMatchObject({ last_at: '2026-03-02T03:20:00.000Z', running_since: null, failure: null })
})
