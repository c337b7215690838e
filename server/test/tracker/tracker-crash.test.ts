// The server answers while PostgreSQL hangs, and no partner's postback is forgotten when the server is killed. Real processes; clicks that survive
// kill -9 are the matter of crash.test.ts.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { atEndOfFile } from '../support/cleanup.ts'
import { fillRecord, openRecord } from '../support/crash-engine.ts'
import { type ServerProcess, startTestServer, usedFolder } from '../support/server-process.ts'
import { LINK, MAIN_POSTBACK, visit } from '../support/tracker-network.ts'

const ENV = { ALLOW_PRIVATE_TARGETS: '1', TRUST_PROXY: '1', LOG_LEVEL: 'error' }
/** Starts on a busy machine included. */
const LIMIT_MS = 240_000

let server: ServerProcess

beforeAll(async () => {
  server = await startTestServer({ env: ENV, dataDir: await usedFolder() })
  await fillRecord(server)
}, LIMIT_MS)

test(
  'while PostgreSQL hangs, clicks get 503 after a few seconds, and are taken again on a new connection',
  async () => {
    const record = await openRecord(server.dataDir)
    const countWriters = async (): Promise<number> =>
      (await record.query('select count(*)::int as count from click_writer')).rows[0].count
    const before = await countWriters()
    const { rows } = await record.query(`select pid from pg_stat_activity where application_name = 'tributary clicks'`)
    process.kill(rows[0].pid, 'SIGSTOP')
    const refused = await visit(server.url, `/c/${LINK}`)
    expect(refused.status).toBe(503)
    while ((await visit(server.url, `/c/${LINK}`)).status !== 302) await sleep(50)
    process.kill(rows[0].pid, 'SIGCONT')
    expect(await countWriters()).toBe(before + 1)
    await record.end()
  },
  LIMIT_MS,
)

test(
  'a postback to a partner that was being sent when the server was killed is sent again [TRK-07]',
  async () => {
    const calls: string[] = []
    let isAnswering = false
    const partner = createServer((call, response) => {
      calls.push(call.url ?? '')
      if (isAnswering) response.end('ok')
    })
    partner.listen(0, '127.0.0.1')
    await once(partner, 'listening')
    atEndOfFile(() => {
      partner.closeAllConnections()
      partner.close()
    })
    const address = partner.address()
    const { dataDir } = server
    const record = await openRecord(dataDir)
    await record.query(`insert into partner_postback_url (partner_id, url) values
    (1, 'http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/told?e={event}&p={player_id}')`)
    const answer = await fetch(`${server.url}/postback/${MAIN_POSTBACK}?event=reg&player_id=p1&site_id=alpha-site`)
    expect(await answer.json()).toEqual({ status: 'ok' })
    while (calls.length === 0) await sleep(10)
    await server.kill()
    isAnswering = true
    // The lease of a minute is not waited for.
    await record.query(`update postback set next_attempt_at = now() where status = 'pending'`)
    const second = await startTestServer({ env: ENV, dataDir })
    const told = async (): Promise<{ status: string; attempts: number }> =>
      (await record.query(`select status, attempts from postback where direction = 'out' and url like '%e=reg%'`))
        .rows[0]
    for (let look = 0; look < 600 && (await told()).status !== 'sent'; look++) await sleep(50)
    const { status, attempts } = await told()
    expect(status).toBe('sent')
    // Once by the one that was killed, once by the other; a machine that stands still may take an answer for missing. Each is counted.
    expect(attempts).toBeGreaterThan(1)
    // Later it is told of the qualification as well.
    const registered = calls.filter((call) => !call.includes('e=bl'))
    expect(registered).toEqual(Array.from({ length: attempts }, () => '/told?e=reg&p=p1'))
    await record.end()
    await second.stop()
  },
  LIMIT_MS,
)
