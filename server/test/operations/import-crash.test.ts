// A server killed while it imports a report leaves nothing of it; the next server starts again and imports it once.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fillRecord, openRecord, wakeWorkers } from '../support/crash-engine.ts'
import { ADMIN_ENV, signInAdmin } from '../support/crash-report.ts'
import { startTestServer, usedFolder } from '../support/server-process.ts'

const ROWS = 600
test('kill -9 during an import: all or nothing, resumed by the next server automatically [PLY-09]', async () => {
  const env = { ...ADMIN_ENV, LOG_LEVEL: 'error' }
  let server = await startTestServer({ env, dataDir: await usedFolder() })
  await fillRecord(server)
  const token = await signInAdmin(server.url)
  const lines = Array.from({ length: ROWS }, (_, row) => `p-${row},2026-03-10,alpha-site,${(row % 90) + 10},1,EUR`)
  const file = ['Player ID,Report date,Site ID,Deposits,All deps,Currency', ...lines].join('\n')
  const form = new FormData()
  form.append('file', new Blob([file]), 'report.csv')
  const record = await openRecord(server.dataDir)
  // A lock on the outbox stops the import after its entries and players are written.
  await record.query('begin')
  await record.query('lock table outbox in share mode')
  const headers = { authorization: `Bearer ${token}` }
  const sent = await fetch(`${server.url}/api/player/import?advertiser=1`, { method: 'POST', headers, body: form })
  expect(sent.status).toBe(201)
  const ask = async <T extends object>(sql: string): Promise<T | undefined> => (await record.query<T>(sql)).rows[0]
  const read = () => ask<{ status: string; attempts: number }>('select * from report')
  const held = `select from pg_locks o join pg_locks w using (pid) where not w.granted and w.relation = 'outbox'::regclass
    and o.relation = 'player_report'::regclass and o.mode = 'RowExclusiveLock'`
  while ((await ask(held)) === undefined) await sleep(20)
  await server.kill()
  expect(await read()).toMatchObject({ status: 'processing' })
  expect(
    await ask(
      'select (select count(*)::int from player) as players, (select count(*)::int from player_report) as entries',
    ),
  ).toEqual({ players: 0, entries: 0 })
  await record.query('rollback')
  // Skips the half minute of silence after which a killed worker is noticed.
  const { rowCount } = await record.query(
    `update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`,
  )
  expect(rowCount).toBeGreaterThan(0)
  // Skips the 15 seconds between two maintenance runs of the queues.
  await record.query('update jobs.queue set monitor_on = null')
  server = await startTestServer({ env, dataDir: server.dataDir })
  // Skips the pause before the next attempt.
  while (['waiting', 'processing'].includes(String((await read())?.status))) {
    await record.query(`update jobs.job set start_after = now() where state = 'retry'`)
    await wakeWorkers(record, 'import-reports')
    await sleep(100)
  }
  expect(await read()).toMatchObject({ rows: ROWS, players_added: ROWS, entries_added: ROWS, attempts: 2, error: null })
  expect(await ask('select count(*)::int as entries, sum(deposits)::float as deposits from player_report')).toEqual({
    entries: ROWS,
    deposits: lines.reduce((sum, line) => sum + Number(line.split(',')[3]), 0),
  })
  await record.end()
  expect(await server.stop()).toBe(0)
}, 400_000)
