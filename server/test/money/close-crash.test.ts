// A server that is killed while it closes a month leaves nothing of the close; the next one closes it once.

import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { expect, test } from 'vitest'
import { fillRecord, openRecord } from '../support/crash-engine.ts'
import { ADMIN_ENV, signInAdmin } from '../support/crash-report.ts'
import { startTestServer, usedFolder } from '../support/server-process.ts'

const MONTH = addDays(`${today(DEFAULT_ZONE).slice(0, 7)}-01`, -1).slice(0, 7)

test('kill -9 during a close: nothing of it is there, and closing again books everything once [MON-01] [MON-03]', async () => {
  const env = { ...ADMIN_ENV, LOG_LEVEL: 'error' }
  let server = await startTestServer({ env, dataDir: await usedFolder() })
  await fillRecord(server)
  const token = await signInAdmin(server.url)
  const record = await openRecord(server.dataDir)
  const ask = async <T extends object>(sql: string, values: unknown[] = []): Promise<T | undefined> =>
    (await record.query<T>(sql, values)).rows[0]
  await record.query('update offer set cost = null, rs_share = 25, payment_model_id = 2')
  await record.query('delete from offer_payment_model_history')
  const lines = Array.from({ length: 200 }, (_, row) => `p-${row},${MONTH}-10,alpha-site,20,1,10,EUR`)
  const form = new FormData()
  form.append(
    'file',
    new Blob([['Player ID,Report date,Site ID,Deposits,All deps,Income,Currency', ...lines].join('\n')]),
    'r.csv',
  )
  const headers = { authorization: `Bearer ${token}` }
  const sent = await fetch(`${server.url}/api/player/import?advertiser=1`, { method: 'POST', headers, body: form })
  expect(sent.status).toBe(201)
  const projected = `select from report where status not in ('waiting', 'processing') and not exists (select from outbox)`
  while ((await ask(projected)) === undefined) await sleep(50)
  // A lock on the items stops the close after its rows and entries are written.
  await record.query('begin')
  await record.query('lock table ledger_item in share mode')
  const close = (url: string, bearer: string) =>
    fetch(`${url}/api/period_close`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ month: MONTH }),
    })
  const broken = close(server.url, token).catch(() => undefined)
  const waits = `select from pg_locks where not granted and relation = 'ledger_item'::regclass`
  while ((await ask(waits)) === undefined) await sleep(20)
  await server.kill()
  await broken
  await record.query('rollback')
  const left =
    'select (select count(*)::int from period_close) as closes, (select count(*)::int from ledger_entry) as entries'
  expect(await ask(left)).toEqual({ closes: 0, entries: 0 })
  server = await startTestServer({ env, dataDir: server.dataDir })
  const again = await close(server.url, token)
  expect([again.status, await again.text()]).toEqual([201, expect.stringContaining('"entries":1')])
  expect(await ask('select sum(amount)::float as amount, sum(base)::float as income from ledger_item')).toEqual({
    amount: 500,
    income: 2000,
  })
  await record.end()
  expect(await server.stop()).toBe(0)
}, 120_000)
