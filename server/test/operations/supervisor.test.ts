// The product as several processes: trackers, one for everything else, and their supervisor, with real kills.

import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { childrenOf, fillRecord, killAll, postmasterPid } from '../support/crash-engine.ts'
import { ADMIN_ENV, expectCountedOnce, signInAdmin } from '../support/crash-report.ts'
import { createTestConfig } from '../support/harness.ts'
import { type ServerProcess, startTestServer, usedFolder } from '../support/server-process.ts'
import { CHROME, LINK, visit } from '../support/tracker-network.ts'
import { startTraffic } from '../support/traffic.ts'

const ENV = { ...ADMIN_ENV, LOG_LEVEL: 'error', TRUST_PROXY: '1' }
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 1)
const LIMIT_MS = 400_000 * ROUNDS

/** Ids of the running processes of a kind. */
const pidsOf = ({ pid }: ServerProcess, kind: 'app' | 'tracker'): number[] =>
  childrenOf(pid).filter((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(`${kind}-process`)
    } catch {
      return false
    }
  })

/**
 * Only under `npm run test:long`. The ordinary suite kills each of the first alone, and PostgreSQL with a server in crash.test.ts; it stops a server
 * with trackers under load in server-process.test.ts, and one that has confirmed clicks in crash.test.ts.
 */
const LONG_ONLY = ['all processes and PostgreSQL', 'nothing, all are told to stop']

/** Each resolves with true if the supervisor lives. */
const CRASHES: Record<string, (server: ServerProcess) => Promise<boolean>> = {
  'a tracker': async (server) => {
    killAll(pidsOf(server, 'tracker').slice(0, 1))
    return true
  },
  'everything else': async (server) => {
    killAll(pidsOf(server, 'app'))
    return true
  },
  'all processes and PostgreSQL': async (server) => {
    const postgres = postmasterPid(server.dataDir)
    killAll([...pidsOf(server, 'tracker'), ...pidsOf(server, 'app'), postgres, ...childrenOf(postgres)])
    return true
  },
  'the supervisor': async (server) => {
    await server.kill()
    return false
  },
  'nothing, all are told to stop': async (server) => {
    expect(await server.stop()).toBe(0)
    return false
  },
}

test.concurrent(
  'with processes of their own, clicks and postbacks that were confirmed are in the report exactly once after any of them is killed [TRK-03] [SYS-02] [SYS-04]',
  async () => {
    const env = { ...ENV, TRACKERS: '2' }
    let server = await startTestServer({ env, dataDir: await usedFolder() })
    expect([pidsOf(server, 'tracker'), pidsOf(server, 'app')].map(({ length }) => length)).toEqual([2, 1])
    await fillRecord(server)
    const token = await signInAdmin(server.url)
    const traffic = startTraffic(server.url)
    const kinds = Object.entries(CRASHES).filter(([name]) => ROUNDS > 1 || !LONG_ONLY.includes(name))
    const crashes = Array.from({ length: ROUNDS }, () => kinds).flat()
    for (const [name, crash] of crashes) {
      await traffic.confirmMore(150)
      await sleep(Math.random() * 800)
      if (!(await crash(server))) {
        traffic.target = undefined
        server = await startTestServer({ env, dataDir: server.dataDir })
        traffic.target = server.url
      }
      await traffic.confirmMore(150).catch((error: unknown) => {
        throw new Error(`after a kill of ${name}:\n${server.output().slice(-3000)}`, { cause: error })
      })
    }
    await traffic.stop()
    expect([...traffic.statuses.keys()].filter((status) => status !== 302 && status !== 503)).toEqual([])
    await expectCountedOnce(server.url, token, traffic)
    expect(await server.stop()).toBe(0)
  },
  LIMIT_MS,
)

test.concurrent(
  'while everything else is down, clicks are redirected and other requests are told to come back; a restarted tracker keeps its visitors; internal pages stay closed [TRK-03] [API-05] [SYS-04]',
  async () => {
    const env = { ...ENV, TRUST_PROXY: '0', TRACKERS: '1', CLOSE_INTERNAL_PAGES: '1' }
    const server = await startTestServer({ env, dataDir: await usedFolder() })
    await fillRecord(server)
    const get = (path: string, headers = {}) => fetch(`${server.url}${path}`, { headers })
    const click = async (agent: string) => visit(server.url, `/c/${LINK}`, { 'user-agent': agent })

    const metrics = async () => (await get('/metrics')).text()
    expect((await click(CHROME)).status).toBe(302)
    await expect.poll(metrics, { timeout: 20_000 }).toMatch(/tributary_clicks_total\{outcome="redirected"\} [1-9]/)
    // There before anything has happened, so that a first burst is a rise.
    expect(await metrics()).toMatch(/tributary_clicks_total\{outcome="not_recorded"\} 0/)
    expect(await metrics()).toMatch(/tributary_jobs\{job="[^"]+",state="dead"\} 0/)
    // The proxy of somebody else, who did not set TRUST_PROXY, may pass on requests of the world.
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404)
    expect((await get('/tracker/first-clicks?since=0')).status).toBe(404)

    killAll(pidsOf(server, 'tracker'))
    await expect
      .poll(
        () =>
          click(CHROME).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(302)
    killAll(pidsOf(server, 'app'))
    await expect.poll(async () => (await get('/health/live')).status, { timeout: 20_000 }).toBe(503)
    const refused = await get('/api/offer')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await refused.json()).toMatchObject({ code: 'unavailable', request_id: expect.any(String) })
    expect((await click('Mozilla/5.0 (another visitor)')).status).toBe(302)
    await expect.poll(async () => (await get('/health/ready')).status, { timeout: 60_000 }).toBe(200)

    const token = await signInAdmin(server.url)
    const readClicks = async () => {
      const answer = await fetch(`${server.url}/api/click?limit=100`, { headers: { authorization: `Bearer ${token}` } })
      const { items } = (await answer.json()) as { items: { canonical_id: string | null; bot: boolean }[] }
      return items.filter(({ bot }) => !bot).map(({ canonical_id: canonical }) => canonical === null)
    }
    await expect.poll(async () => (await readClicks()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(3)
    expect((await readClicks()).filter((isFirst) => isFirst)).toHaveLength(2)
    expect(await server.stop()).toBe(0)
  },
  LIMIT_MS,
)

test('a process whose supervisor dies while it starts ends [SYS-02]', async () => {
  const config = await createTestConfig()
  const script = join(import.meta.dirname, '../../src/processes/app-process.ts')
  const child = fork(script, [], { stdio: 'ignore', serialization: 'advanced' })
  // The process still loads its modules when the message has been sent and its sender leaves.
  child.send({ kind: 'start', name: 'app', config, socketPath: join(config.dataDir, 'app.sock') }, () =>
    child.disconnect(),
  )
  const end = await Promise.race([once(child, 'exit'), sleep(30_000)])
  child.kill('SIGKILL')
  expect(end).toEqual([null, 'SIGKILL'])
})

test('killSelfAfter ends a process whose event loop is blocked [SYS-02]', async () => {
  const ending = fileURLToPath(new URL('../../src/lib/end-process.ts', import.meta.url))
  const script = `const { killSelfAfter } = await import(${JSON.stringify(ending)})
killSelfAfter(300)
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`
  const blocked = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' })
  const end = await Promise.race([once(blocked, 'exit'), sleep(20_000)])
  blocked.kill('SIGKILL')
  expect(end).toEqual([null, 'SIGKILL'])
})

test('a process that throws an error logs it, ends and is started again [SYS-02] [SYS-04]', async () => {
  const thrower = new URL('../support/throw-on-signal.ts', import.meta.url).href
  const server = await startTestServer({ env: { ...ENV, TRACKERS: '1', NODE_OPTIONS: `--import ${thrower}` } })
  const [app = 0] = pidsOf(server, 'app')
  process.kill(app, 'SIGUSR2')
  await expect.poll(() => pidsOf(server, 'app').find((pid) => pid !== app), { timeout: 60_000 }).toBeDefined()
  expect(server.output()).toMatch(/"process":"app".*thrown by a test.*an error that nothing caught ended the process/)
  await expect.poll(async () => (await fetch(`${server.url}/health/ready`)).status, { timeout: 60_000 }).toBe(200)
  expect(await server.stop()).toBe(0)
})

/** Sends a request whose body follows its headers, and resolves with the answer once the server has closed the connection. */
async function sendSlowly(server: ServerProcess, path: string, body: string, pauseMs: number): Promise<string> {
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1').setNoDelay(true)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  const length = `Content-Type: application/json\r\nContent-Length: ${body.length}`
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: early-answer\r\nConnection: close\r\n${length}\r\n\r\n`,
  )
  await sleep(pauseMs)
  socket.write(body)
  await once(socket, 'close')
  return answer
}

test('an answer given while the body is still being sent reaches the client through a tracker, with its request id [SYS-02] [API-05]', async () => {
  const server = await startTestServer({ env: { ...ENV, TRACKERS: '1' } })
  const cases = [
    ['/api/general_report', JSON.stringify({ filter: {} }), 401],
    ['/api/nothing_here', JSON.stringify({ filter: {} }), 404],
    ['/api/token/refresh', JSON.stringify({ text: 'x'.repeat(40_000) }), 413],
  ] as const
  for (const [path, body, status] of cases)
    for (let time = 0; time < 25; time++) {
      const answer = await sendSlowly(server, path, body, time % 5)
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(answer).toMatch(/x-request-id: early-answer/i)
    }
  expect(await server.stop()).toBe(0)
})
