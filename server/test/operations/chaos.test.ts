// Kills random processes at random moments: every confirmed event is in the report once, and partners received every event. The suite runs each
// kill that crash.test.ts lacks once; `npm run test:long` runs 20 rounds (CHAOS_ROUNDS, CHAOS_SECONDS; CHAOS_SEED repeats a run).

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeRandom } from '../../../demo/random.ts'
import { type ClickhouseProcess, startClickhouseProcess } from '../support/clickhouse-process.ts'
import { childrenOf, fillRecord, killAll, openRecord, postmasterPid } from '../support/crash-engine.ts'
import { ADMIN_ENV, expectCountedOnce, signInAdmin } from '../support/crash-report.ts'
import { type ServerProcess, startTestServer, usedFolder } from '../support/server-process.ts'
import { startTraffic, type Traffic } from '../support/traffic.ts'

const ROUNDS = Number(process.env.CHAOS_ROUNDS ?? 2)
/** The length of a round; the kill happens at a random moment of it. */
const SECONDS = Number(process.env.CHAOS_SECONDS ?? 1.5)
const SEED = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)
/** Includes starts on a busy machine. */
const LIMIT_MS = 180_000 + ROUNDS * (SECONDS * 1000 + 90_000)

interface World {
  server: ServerProcess
  readonly clickhouse: ClickhouseProcess
  readonly env: Record<string, string>
}

type Death = (world: World, chance: () => number) => Promise<void>

/** Starts the server with its old environment; it may already be dead. */
async function restart(world: World): Promise<void> {
  world.server = await startTestServer({ env: world.env, dataDir: world.server.dataDir })
}

const DEATHS: Readonly<Record<string, Death>> = {
  ClickHouse: ({ clickhouse }) => clickhouse.killAndRestart(),
  'the server, and its directory lock was torn': async (world) => {
    await world.server.kill()
    writeFileSync(join(world.server.dataDir, 'server.lock'), '{"pid":')
    await restart(world)
  },
  PostgreSQL: async ({ server }) => killAll([postmasterPid(server.dataDir)]),
  'the server': async (world) => {
    await world.server.kill()
    await restart(world)
  },
  'a connection’s process of PostgreSQL': async ({ server }, chance) => {
    const children = childrenOf(postmasterPid(server.dataDir))
    killAll([children[Math.floor(chance() * children.length)] ?? 0])
  },
}

/** A fake partner server that records events per player by idempotency value. It is down now and then. */
async function startBooks() {
  const told = new Map<string, Set<string>>()
  let calls = 0
  const http = createServer((request, response) => {
    if (++calls % 7 === 0) return request.socket.destroy()
    const { searchParams } = new URL(request.url ?? '/', 'http://partner.example')
    const event = `${searchParams.get('e')} ${searchParams.get('p')}`
    told.set(event, (told.get(event) ?? new Set()).add(String(request.headers['idempotency-key'])))
    response.end('ok')
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  // The server listens on TCP, so the address has a port.
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/?e={event}&p={player_id}`, told }
}

/** Skips leases of a minute and delays between attempts. */
async function expectAllTold(dataDir: string, traffic: Traffic, told: ReadonlyMap<string, Set<string>>): Promise<void> {
  const expected = [...traffic.registrations].flatMap((player) => [`reg ${player}`, `ftd ${player}`])
  const missing = (): string[] => expected.filter((event) => !told.has(event))
  const record = await openRecord(dataDir)
  try {
    for (const until = Date.now() + 90_000; missing().length > 0 && Date.now() < until; await sleep(500))
      await record.query(
        `update postback set next_attempt_at = now() where status = 'pending' and next_attempt_at > now() + interval '1 second'`,
      )
  } finally {
    await record.end()
  }
  expect(missing(), 'events that no partner was told of').toEqual([])
  expect(
    [...told].filter(([, keys]) => keys.size > 1),
    'events that were put on their way twice',
  ).toEqual([])
}

test(
  `nothing answered is lost or counted twice and partners hear of everything, whatever is killed when: seed ${SEED} [TRK-03] [TRK-06] [TRK-07] [REP-15]`,
  async () => {
    const random = makeRandom(SEED)
    const clickhouse = await startClickhouseProcess()
    const env = {
      ...ADMIN_ENV,
      ...{ TRUST_PROXY: '1', ALLOW_PRIVATE_TARGETS: '1', LOG_LEVEL: 'error', CLICKHOUSE_URL: clickhouse.url },
    }
    const world: World = { server: await startTestServer({ env, dataDir: await usedFolder() }), clickhouse, env }
    const books = await startBooks()
    await fillRecord(world.server)
    const record = await openRecord(world.server.dataDir)
    await record.query('insert into partner_postback_url (partner_id, url) values (1, $1)', [books.url])
    await record.end()
    const traffic = startTraffic(world.server.url)
    await traffic.confirmMore(50)
    // With fewer rounds than kinds, only the first kinds run.
    const names = Object.keys(DEATHS).slice(0, ROUNDS)
    for (let round = 0; round < ROUNDS; round++) {
      // Each kind runs once before any repeats.
      const left = round % names.length
      if (left === 0) names.sort(() => random.next() - 0.5)
      const name = names[left] ?? ''
      const moment = random.next() * SECONDS * 1000
      process.stdout.write(`round ${round + 1}: ${name} after ${Math.round(moment)} ms (seed ${SEED})\n`)
      await sleep(moment)
      // Requests fail while the server is dead.
      await DEATHS[name]?.(world, () => random.next())
      traffic.target = world.server.url
      await traffic.confirmMore(30).catch((error: unknown) => {
        throw new Error(`after the death of ${name}:\n${world.server.output().slice(-3000)}`, { cause: error })
      })
      await sleep(SECONDS * 1000 - moment)
    }
    await traffic.stop()
    expect([...traffic.statuses.keys()].filter((status) => status !== 302 && status !== 503)).toEqual([])
    // A token expires before twenty rounds are over.
    await expectCountedOnce(world.server.url, await signInAdmin(world.server.url), traffic)
    await expectAllTold(world.server.dataDir, traffic, books.told)
    process.stdout.write(
      `${traffic.confirmed.length} clicks confirmed, ${traffic.registrations.size} players, ${traffic.deposits.size} deposits, ${books.told.size} events told\n`,
    )
    expect(await world.server.stop()).toBe(0)
  },
  LIMIT_MS,
)
