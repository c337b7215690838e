// No click that got its 302 is lost or doubled, and no partner's postback is forgotten, when the server or PostgreSQL is killed under load.
// Real processes, real kill -9; PostgreSQL writes through to the disk here, as it does for an operator.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { openEmbeddedClickhouse } from '../src/clickhouse/embedded.ts'
import { connectPostgres } from '../src/postgres/client.ts'
import { startEmbeddedPostgres } from '../src/postgres/embedded.ts'
import { findPostmaster } from '../src/postgres/postmaster.ts'
import { atEndOfFile } from './cleanup.ts'
import { log } from './harness.ts'
import { startTestServer } from './server-process.ts'
import { CHROME, LINK, MAIN_POSTBACK, makeNetwork, visit } from './tracker-network.ts'

const ENV = { ALLOW_PRIVATE_TARGETS: '1', TRUST_PROXY: '1', LOG_LEVEL: 'error' }
const CONNECTIONS = 24
/** Starts on a busy machine included. */
const LIMIT_MS = 240_000

interface Load {
  answered: Map<number, number>
  ids: string[]
  stop(): Promise<void>
}

/** As many clicks as the connections carry; errors of a dying server are what it is about. */
function startLoad(url: string): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const load: Load = { answered: new Map(), ids: [], stop: async () => undefined }
  let isOver = false
  let sent = 0
  const click = () =>
    new Promise<void>((resolve) => {
      const number = ++sent
      const headers = {
        'user-agent': CHROME,
        'x-forwarded-for': `81.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
      }
      const call = request(`${url}/c/${LINK}?sub_id=${number}`, { agent, headers }, (response) => {
        const status = response.statusCode ?? 0
        load.answered.set(status, (load.answered.get(status) ?? 0) + 1)
        const id = status === 302 ? new URL(response.headers.location ?? '').searchParams.get('click_id') : null
        if (id !== null) load.ids.push(id)
        response.resume().on('close', resolve)
      })
      call.on('error', () => setTimeout(resolve, 20))
      call.end()
    })
  const workers = Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) await click()
  })
  load.stop = async () => {
    isOver = true
    await Promise.all(workers)
    agent.destroy()
  }
  return load
}

const postmaster = (dataDir: string) => findPostmaster(join(dataDir, 'postgres', 'data'))

/** The record of a running server, from outside. */
async function openRecord(dataDir: string): Promise<Client> {
  const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim()
  const client = new Client({
    connectionString: `postgres://tributary:${password}@127.0.0.1:${postmaster(dataDir)?.port}/postgres`,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

test(
  'every click that got its 302 is recorded exactly once after kill -9 of PostgreSQL and of the server [TRK-03]',
  async () => {
    const first = await startTestServer({ env: ENV })
    const { dataDir } = first
    const record = await openRecord(dataDir)
    await makeNetwork(record)
    while ((await visit(first.url, `/c/${LINK}`)).status !== 302) await sleep(20)

    const load = startLoad(first.url)
    await sleep(1500)
    for (let kill = 0; kill < 2; kill++) {
      const taken = load.ids.length
      process.kill(postmaster(dataDir)?.pid ?? 0, 'SIGKILL')
      const postback = await fetch(`${first.url}/postback/${MAIN_POSTBACK}?event=reg&player_id=p${kill}`)
      expect([200, 503]).toContain(postback.status)
      if (postback.status === 503) expect(Number(postback.headers.get('retry-after'))).toBeGreaterThan(0)
      // PostgreSQL is started again by the server, and clicks go on.
      while (load.ids.length < taken + 500) await sleep(20)
    }
    expect(load.answered.get(503)).toBeGreaterThan(0)
    await first.kill()
    await load.stop()
    expect([...load.answered.keys()].sort((a, b) => a - b)).toEqual([302, 503])

    const second = await startTestServer({ env: ENV, dataDir })
    const more = startLoad(second.url)
    await sleep(500)
    await second.stop()
    await more.stop()

    const counted = await countClicks(dataDir)
    const ids = [...load.ids, ...more.ids]
    expect(ids.length).toBeGreaterThan(1500)
    expect(ids.filter((id) => counted.get(id) !== 1)).toEqual([])
  },
  LIMIT_MS,
)

/** How often each click stands in what is derived from the record or, until it is handed over, in the record. */
async function countClicks(dataDir: string): Promise<Map<string, number>> {
  const embedded = await startEmbeddedPostgres(dataDir, log)
  const postgres = connectPostgres(embedded.url, log)
  const clickhouse = openEmbeddedClickhouse(dataDir, log)
  const inbox = await postgres.pool.query<{ id: string }>('select id from click_inbox')
  const counted = new Map<string, number>()
  const loaded = await clickhouse.query<{ id: string; times: number }>(
    'select id, count() as times from click group by id',
  )
  for (const { id, times } of loaded) counted.set(id, Number(times))
  // A click stays in the inbox for a grace after it was handed over: the same one, not a second.
  for (const { id } of inbox.rows) if (!counted.has(id)) counted.set(id, 1)
  await clickhouse.close()
  await postgres.close()
  await embedded.stop()
  return counted
}

test(
  'while PostgreSQL hangs, clicks get 503 after a few seconds, and are taken again on a new connection',
  async () => {
    const server = await startTestServer({ env: ENV })
    const record = await openRecord(server.dataDir)
    await makeNetwork(record)
    while ((await visit(server.url, `/c/${LINK}`)).status !== 302) await sleep(20)
    const { rows } = await record.query(`select pid from pg_stat_activity where application_name = 'tributary clicks'`)
    process.kill(rows[0].pid, 'SIGSTOP')
    const started = Date.now()
    const refused = await visit(server.url, `/c/${LINK}`)
    expect(refused.status).toBe(503)
    expect(Date.now() - started).toBeLessThan(9000)
    while ((await visit(server.url, `/c/${LINK}`)).status !== 302) await sleep(50)
    process.kill(rows[0].pid, 'SIGCONT')
    const writers = await record.query('select count(*)::int as count from click_writer')
    expect(writers.rows[0].count).toBe(2)
    await record.end()
    await server.stop()
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
    const first = await startTestServer({ env: ENV })
    const { dataDir } = first
    const record = await openRecord(dataDir)
    await makeNetwork(record)
    await record.query(`insert into partner_postback_url (partner_id, url) values
    (1, 'http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/told?e={event}&p={player_id}')`)
    const answer = await fetch(`${first.url}/postback/${MAIN_POSTBACK}?event=reg&player_id=p1&site_id=alpha-site`)
    expect(await answer.json()).toEqual({ status: 'ok' })
    while (calls.length === 0) await sleep(10)
    await first.kill()
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
