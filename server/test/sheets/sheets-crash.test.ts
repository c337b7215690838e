// A server killed while it parses a spend sheet leaves nothing of it; the next server starts again and takes the tab once.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Spreadsheet, startGoogleSheetsServer } from '../../../demo/google-sheets-server.ts'
import { openRecord } from '../support/crash-engine.ts'
import { ADMIN, ADMIN_ENV, signInAdmin } from '../support/crash-report.ts'
import { done, makeSpendGround, unique } from '../support/entity-calls.ts'
import { startTestServer, usedFolder } from '../support/server-process.ts'
import { type SignedIn, send } from '../support/sign-in.ts'
import { MONTH } from './sheets-bench.ts'

const FILE = 'a-sheet-of-a-crash'
const DAYS = Array.from({ length: 8 }, (_, day) => `${MONTH}-${String(day + 1).padStart(2, '0')}`)
type Record = Awaited<ReturnType<typeof openRecord>>

test('kill -9 within the transaction of a tab: nothing is taken; the next server takes the whole tab once [MON-08]', async () => {
  let served: Spreadsheet | undefined
  const google = await startGoogleSheetsServer(() => served)
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
  const rows = [
    ['Stream', 'Country', ...DAYS.map((_day, index) => index + 1)],
    [String(ground.net.stream.title), String(ground.net.country.title), ...DAYS.map((_day, index) => index + 10)],
  ]
  served = { title: 'Spends', locale: 'en_US', timeZone: 'UTC', tabs: [{ id: 0, title: '03.2026', rows }] }

  // A lock on the log stops the parse after its spends and their audit are written.
  const lock = await openRecord(server.dataDir)
  await lock.query('begin')
  await lock.query('lock table google_parse_result in share mode')
  await done(admin, 'POST', `partner_partner_group/${id}/parse_sheet`, { month: MONTH })
  while (!(await isHeld(record))) await sleep(20)
  await server.kill()
  await lock.end()
  expect(await takenOf(record)).toEqual({ spends: 0, entries: 0, logs: 0 })
  await wake(record)

  server = await startTestServer({ env, dataDir: server.dataDir })
  await hurry(record, async () => (await takenOf(record)).logs > 0)
  expect(await takenOf(record)).toEqual({ spends: DAYS.length, entries: DAYS.length, logs: 1 })
  await record.end()
  expect(await server.stop()).toBe(0)
  await google.stop()
}, 400_000)

async function takenOf(record: Record): Promise<object & { logs: number }> {
  const { rows } = await record.query<{ spends: number; entries: number; logs: number }>(`select
    (select count(*)::int from partner_spend) as spends,
    (select count(*)::int from audit_log where entity = 'partner_spend') as entries,
    (select count(*)::int from google_parse_result) as logs`)
  return rows[0] ?? { spends: -1, entries: -1, logs: -1 }
}

/** True while a parse that has written spends waits for the log. */
async function isHeld(record: Record): Promise<boolean> {
  const { rows } = await record.query(`select from pg_locks o join pg_locks w using (pid)
    where not w.granted and w.relation = 'google_parse_result'::regclass and o.relation = 'partner_spend'::regclass
      and o.mode = 'RowExclusiveLock'`)
  return rows.length > 0
}

/** Skips the half minute of silence after which a killed worker is noticed, and the 15 seconds between two maintenance runs. */
async function wake(record: Record): Promise<void> {
  await record.query(`update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`)
  await record.query('update jobs.queue set monitor_on = null')
}

/** Skips the pause before the next attempt, until it happened. */
async function hurry(record: Record, happened: () => Promise<boolean>): Promise<void> {
  while (!(await happened())) {
    await record.query('update jobs.queue set singletons_active = null where singletons_active is not null')
    await record.query(`update jobs.job set start_after = now() where state = 'retry'`)
    await sleep(100)
  }
}
