// Everything confirmed before a kill -9, a stop or a full disk is in the general report exactly once. Real processes and engines, from tracking
// link to report, with durable writes. Each kind of crash runs once; `npm run test:long` repeats them (CRASH_ROUNDS).

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { childrenOf, fillRecord, killAll, openRecord, postmasterPid } from '../support/crash-engine.ts'
import { ADMIN_ENV, expectCountedOnce, signInAdmin } from '../support/crash-report.ts'
import { copyFolder } from '../support/harness.ts'
import { type ServerProcess, spawnTestServer, startTestServer, usedFolder } from '../support/server-process.ts'
import { makeSmallDisk } from '../support/small-disk.ts'
import { LINK, visit } from '../support/tracker-network.ts'
import { startTraffic, type Traffic } from '../support/traffic.ts'

const ENV = { ...ADMIN_ENV, TRUST_PROXY: '1', LOG_LEVEL: 'error' }
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 1)
const LIMIT_MS = 400_000 * ROUNDS

type Crash = (server: ServerProcess) => Promise<'server lives' | 'server is dead'>

/** Kinds of crashes, by the name in error messages. */
const CRASHES: Record<string, Crash> = {
  PostgreSQL: async ({ dataDir }) => {
    killAll([postmasterPid(dataDir)])
    return 'server lives'
  },
  'a process of PostgreSQL': async ({ dataDir }) => {
    const children = childrenOf(postmasterPid(dataDir))
    killAll([children[Math.floor(Math.random() * children.length)] ?? 0])
    return 'server lives'
  },
  'the server and PostgreSQL at once': async (server) => {
    const pid = postmasterPid(server.dataDir)
    killAll([server.pid, pid, ...childrenOf(pid)])
    await server.exited
    return 'server is dead'
  },
  'the server, and the next one while it starts': async (server) => {
    await server.kill()
    const next = spawnTestServer({ env: ENV, dataDir: server.dataDir })
    await sleep(Math.random() * 2500)
    await next.kill()
    return 'server is dead'
  },
  'nothing, the server is told to stop': async (server) => {
    expect(await server.stop()).toBe(0)
    return 'server is dead'
  },
}

// Concurrent, because each test mostly waits for restarts.
test.concurrent(
  'clicks and postbacks that were confirmed are in the report exactly once after any kill -9 or stop under load [TRK-03] [REP-15]',
  async () => {
    let server = await startTestServer({ env: ENV, dataDir: await usedFolder() })
    await fillRecord(server)
    const token = await signInAdmin(server.url)
    const traffic = startTraffic(server.url)
    const crashes = Array.from({ length: ROUNDS }, () => Object.entries(CRASHES)).flat()
    for (const [name, crash] of crashes) {
      await traffic.confirmMore(150)
      await sleep(Math.random() * 800)
      if ((await crash(server)) === 'server is dead') {
        traffic.target = undefined
        server = await startTestServer({ env: ENV, dataDir: server.dataDir })
        traffic.target = server.url
      }
      await traffic.confirmMore(150).catch((error: unknown) => {
        throw new Error(`after a kill of ${name}:\n${server.output().slice(-3000)}`, { cause: error })
      })
    }
    await traffic.stop()
    expect(traffic.repeated()).toBeGreaterThan(0)
    expect([...traffic.statuses.keys()].filter((status) => status !== 302 && status !== 503)).toEqual([])
    expect([...traffic.retryAfter].every((seconds) => Number(seconds) > 0)).toBe(true)
    await expectCountedOnce(server.url, token, traffic)
    expect(await server.stop()).toBe(0)
  },
  LIMIT_MS,
)

test.concurrent(
  'on a full disk clicks are answered 503 with Retry-After, readiness is red, the log is short, nothing confirmed is lost, and it recovers by itself [TRK-03] [REP-15] [SYS-04]',
  async ({ onTestFailed }) => {
    const disk = await makeSmallDisk()
    copyFolder(`${await usedFolder()}/.`, disk.path)
    const server = await startTestServer({ env: ENV, dataDir: disk.path })
    await fillRecord(server)
    const token = await signInAdmin(server.url)
    const traffic = startTraffic(server.url)
    onTestFailed(() => {
      process.stdout.write(`${server.output().slice(-3000)}\n${JSON.stringify([...traffic.statuses])}\n`)
    })
    await traffic.confirmMore(300)
    const release = await disk.fill(() => openRecord(server.dataDir), postmasterPid(server.dataDir))
    await untilRefused(traffic)
    const refused = await visit(server.url, `/c/${LINK}`)
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await fetch(`${server.url}/api/health/live`)).status).toBe(200)
    const ready = await fetch(`${server.url}/api/health/ready`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toEqual({ status: 'not ready', missing: expect.arrayContaining(['clicks']) })
    const lines = errorLinesBySecond(server.output())
    expect(Math.max(...lines.values()), server.output().slice(-3000)).toBeLessThanOrEqual(2)
    await release()
    await traffic.confirmMore(300)
    await expect.poll(async () => (await fetch(`${server.url}/api/health/ready`)).status, { timeout: 10_000 }).toBe(200)
    await traffic.stop()
    expect([...traffic.statuses.keys()].sort((a, b) => a - b)).toEqual([302, 503])
    expect([...traffic.retryAfter].every((seconds) => Number(seconds) > 0)).toBe(true)
    await expectCountedOnce(server.url, token, traffic)
    expect(await server.stop()).toBe(0)
  },
  LIMIT_MS,
)

/** Waits until the disk is full: many rejections and no accepted click between them. */
async function untilRefused({ confirmed, statuses }: Traffic): Promise<void> {
  for (let refused = -1; ; ) {
    const [before, last] = [confirmed.length, statuses.get(503) ?? 0]
    if (refused >= 0 && last - refused >= 30) return
    await sleep(300)
    if (confirmed.length !== before || refused < 0) refused = statuses.get(503) ?? 0
  }
}

/** Lines by second and message. Two can be in one second of the clock, because the seconds of the limit begin at other moments. */
function errorLinesBySecond(output: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [, second = '', message = ''] of output.matchAll(/"time":"([^".]+)[^\n]*"msg":"([^"]+)"/g))
    counts.set(`${second} ${message}`, (counts.get(`${second} ${message}`) ?? 0) + 1)
  return counts
}
