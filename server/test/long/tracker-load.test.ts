// No click that was answered with 302 is lost or duplicated when PostgreSQL and the server are killed under full load. Real processes, real
// kill -9, durable writes of PostgreSQL.

import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openEmbeddedClickhouse } from '../../src/clickhouse/embedded.ts'
import { connectPostgres } from '../../src/postgres/client.ts'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { fillRecord, killAll, postmasterPid } from '../support/crash-engine.ts'
import { log } from '../support/harness.ts'
import { startTestServer, usedFolder } from '../support/server-process.ts'
import { CHROME, LINK, MAIN_POSTBACK } from '../support/tracker-network.ts'

const ENV = { TRUST_PROXY: '1', LOG_LEVEL: 'error' }
const CONNECTIONS = 24
/** Includes starts on a busy machine. */
const LIMIT_MS = 240_000

interface Load {
  answered: Map<number, number>
  ids: string[]
  stop(): Promise<void>
}

/** Sends as many clicks as the connections carry; errors of a dying server are expected. */
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

test(
  'every click that got its 302 is recorded exactly once after kill -9 of PostgreSQL and of the server [TRK-03]',
  async () => {
    const dataDir = await usedFolder()
    const first = await startTestServer({ env: ENV, dataDir })
    await fillRecord(first)
    const load = startLoad(first.url)
    await sleep(1500)
    for (let kill = 0; kill < 2; kill++) {
      const taken = load.ids.length
      killAll([postmasterPid(dataDir)])
      const postback = await fetch(`${first.url}/postback/${MAIN_POSTBACK}?event=reg&player_id=p${kill}`)
      expect([200, 503]).toContain(postback.status)
      if (postback.status === 503) expect(Number(postback.headers.get('retry-after'))).toBeGreaterThan(0)
      // The server restarts PostgreSQL, and clicks continue.
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

/** Counts each click in the facts or, until it is handed over, in PostgreSQL. */
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
  // A click stays in the inbox for a while after its hand-over; it is the same click, not a second one.
  for (const { id } of inbox.rows) if (!counted.has(id)) counted.set(id, 1)
  await clickhouse.close()
  await postgres.close()
  await embedded.stop()
  return counted
}
