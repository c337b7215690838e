// A server killed anywhere in the parse of a spend sheet leaves the whole tab or nothing of it; the next server starts again and takes it once.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Spreadsheet, startGoogleSheetsServer } from '../../../demo/google-sheets-server.ts'
import { openRecord } from '../support/crash-engine.ts'
import { ADMIN, ADMIN_ENV, signInAdmin } from '../support/crash-report.ts'
import { done, makeSpendGround, unique } from '../support/entity-calls.ts'
import { startTestServer, usedFolder } from '../support/server-process.ts'
import { type SignedIn, send } from '../support/sign-in.ts'
import { MONTH } from './sheets-bench.ts'

const FILE = 'a-sheet-of-a-crashing-parse'
const DAYS = Array.from({ length: 8 }, (_, day) => `${MONTH}-${String(day + 1).padStart(2, '0')}`)
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 1)
type Connection = Awaited<ReturnType<typeof openRecord>>

/** Where a parse is killed, in its order: while Google answers, with its spends written, with its log written too, and after its commit. */
const POINTS = ['answer', 'spends', 'log', 'commit'] as const
type Point = (typeof POINTS)[number]
/** A job has five attempts. One kill before the commit and one after it take as long as the ordinary suite can spare. */
const pointsOf = (): readonly Point[] => (process.env.CRASH_ROUNDS === undefined ? ['log', 'commit'] : POINTS)
const WAIT_MS = 60_000

interface Taken {
  readonly spends: number
  readonly sum: number
  readonly entries: number
}

test('kill -9 anywhere in the parse of a tab: the whole tab or nothing is taken, and in the end all of it once [MON-08]', async () => {
  let served: Spreadsheet | undefined
  let answering = Promise.resolve()
  const google = await startGoogleSheetsServer(async () => {
    await answering
    return served
  })
  const env = { ...ADMIN_ENV, LOG_LEVEL: 'error', ALLOW_PRIVATE_TARGETS: '1' }
  let server = await startTestServer({ env, dataDir: await usedFolder() })
  const record = await openRecord(server.dataDir)
  const token = await signInAdmin(server.url)
  const headers = { authorization: `Bearer ${token}` }
  const call: SignedIn['call'] = (method, path, body, more) =>
    send(server.url, method, path, body, { ...headers, ...more })
  const admin = { ...ADMIN, id: 1, token, refreshToken: '', call, open: () => Promise.reject(new Error('no')) }
  const ground = await makeSpendGround(admin, DAYS)
  await done(admin, 'PUT', 'setting/1', { report_currency: ground.net.currency.id })
  // The clock of this machine starts nothing by itself.
  await record.query(
    `insert into sheet_run (kind, due_at, files) values ('daily', '2998-01-01', 0), ('monthly', '2998-01-01', 0)`,
  )
  await done(admin, 'PUT', 'integration/sheets', { base_url: google.url, credential: google.credential })
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Group') })
  const member = { partner: ground.net.partner.id, partner_group: group.id, spend_spreadsheet_id: FILE }
  const { id } = await done(admin, 'POST', 'partner_partner_group', member)
  const names = [String(ground.net.stream.title), String(ground.net.country.title)]
  let before: Taken = { spends: 0, sum: 0, entries: 0 }

  for (let round = 0; round < ROUNDS; round++) {
    const amounts = DAYS.map((_day, index) => round * 100 + index + 10)
    const rows = [
      ['Stream', 'Country', ...DAYS.map((_day, index) => index + 1)],
      [...names, ...amounts],
    ]
    served = { title: 'Spends', locale: 'en_US', timeZone: 'UTC', tabs: [{ id: 0, title: '03.2026', rows }] }
    const whole: Taken = {
      spends: DAYS.length,
      sum: amounts.reduce((all, amount) => all + amount, 0),
      entries: before.entries + DAYS.length,
    }
    await done(admin, 'POST', `partner_partner_group/${id}/parse_sheet`, { month: MONTH })
    for (const point of pointsOf()) {
      const calls = google.calls.length
      const held = Promise.withResolvers<void>()
      if (point === 'answer') answering = held.promise
      const table = point === 'spends' ? 'audit_log' : 'google_parse_result'
      const lock = await openRecord(server.dataDir)
      if (point === 'spends' || point === 'log') await lock.query(`begin; lock table ${table} in share mode`)
      const isThere: Record<Point, () => Promise<boolean>> = {
        answer: () => Promise.resolve(google.calls.length > calls),
        spends: () => isHeld(record, table),
        log: () => isHeld(record, table),
        commit: async () => (await takenOf(record)).sum === whole.sum,
      }
      await hurry(record, point, isThere[point])
      await server.kill()
      await lock.end()
      held.resolve()
      expect(await takenOf(record), `killed at ${point}`).toEqual(point === 'commit' ? whole : before)
      await wake(record)
      server = await startTestServer({ env, dataDir: server.dataDir })
    }
    // The last attempt finds the tab taken and changes nothing.
    await hurry(record, 'the end', () => hasEnded(record))
    expect(await takenOf(record)).toEqual(whole)
    before = whole
  }
  await record.end()
  expect(await server.stop()).toBe(0)
  await google.stop()
}, 400_000)

async function takenOf(record: Connection): Promise<Taken> {
  const { rows } = await record.query<Taken>(`select
    (select count(*)::int from partner_spend) as spends,
    (select coalesce(sum(sum), 0)::int from partner_spend) as sum,
    (select count(*)::int from audit_log where entity = 'partner_spend') as entries`)
  return rows[0] ?? { spends: -1, sum: -1, entries: -1 }
}

/** True while a parse that has written spends waits for writing the table. */
async function isHeld(record: Connection, table: string): Promise<boolean> {
  const { rows } = await record.query(
    `select from pg_locks o join pg_locks w using (pid)
    where not w.granted and w.relation = $1::regclass and o.relation = 'partner_spend'::regclass and o.mode = 'RowExclusiveLock'`,
    [table],
  )
  return rows.length > 0
}

/** True if no parse waits or runs. */
async function hasEnded(record: Connection): Promise<boolean> {
  const { rows } = await record.query(
    `select from jobs.job where name = 'parse-sheet' and state in ('created', 'retry', 'active')`,
  )
  return rows.length === 0
}

/** Skips the half minute of silence after which a killed worker is noticed, and the 15 seconds between two maintenance runs. */
async function wake(record: Connection): Promise<void> {
  await record.query(`update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`)
  await record.query('update jobs.queue set monitor_on = null')
}

/** Skips the pause before the next attempt, until it happened. */
async function hurry(record: Connection, what: string, happened: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + WAIT_MS
  while (!(await happened())) {
    if (Date.now() > until) throw new Error(`the parse did not reach ${what} in time`)
    await record.query(`update jobs.job set start_after = now() where state = 'retry'`)
    await sleep(50)
  }
}
