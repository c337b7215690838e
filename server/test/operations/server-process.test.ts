// The server as a process: signals, kill -9, other users, two on one folder, engines that go away. A start takes seconds: tests of one folder come
// one after another, and one that leaves its server running leaves it to the next one; tests with folders of their own run side by side.

import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, onTestFailed, test } from 'vitest'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { endPostmaster, findPostmaster, isProcess } from '../../src/postgres/postmaster.ts'
import { log, makeDirectory } from '../support/harness.ts'
import { databaseUrl } from '../support/run-postgres.ts'
import { type ServerProcess, spawnTestServer, startTestServer, usedFolder } from '../support/server-process.ts'

const isRoot = process.getuid?.() === 0
/** Exists on every system; has no home and owns nothing. */
const NOBODY = { name: 'nobody', uid: 65_534, gid: 65_534 }

const isReady = async ({ url }: ServerProcess): Promise<boolean> =>
  (await fetch(`${url}/api/health/ready`)).status === 200
const postmasterOf = (server: ServerProcess) => findPostmaster(join(server.dataDir, 'postgres', 'data'))

async function until(condition: () => boolean | Promise<boolean>, what: string, ms = 60_000): Promise<void> {
  const deadline = Date.now() + ms
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`${what} did not happen`)
    await sleep(50)
  }
}

/** Sends requests on kept and on new connections, whatever readiness says, until the server refuses new connections. */
function startRequests(url: string) {
  const kept = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const agents = [...kept, ...Array.from({ length: 4 }, () => false as const)]
  const failures: string[] = []
  let [answered, closed, isOpen] = [0, 0, true]
  const send = (path: string, agent: Agent | false): Promise<void> =>
    new Promise((resolve) => {
      const sending = request(`${url}${path}`, { agent }, (response) => {
        answered++
        if (agent !== false && response.headers.connection === 'close') closed++
        response.resume().on('close', resolve)
      })
      sending.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNREFUSED') failures.push(`${error.code} ${error.message} ${path}`)
        isOpen = false
        resolve()
      })
      sending.end()
    })
  const visit = async (agent: Agent | false): Promise<void> => {
    while (isOpen) {
      await send('/c/00000000-0000-0000-0000-000000000000', agent)
      await send('/api/health/live', agent)
      await sleep(2)
    }
  }
  const running = Promise.all(agents.map(visit))
  return {
    async stop() {
      isOpen = false
      await running
      for (const agent of kept) agent.destroy()
      return { answered, closed, failures }
    },
  }
}

async function queryOnce(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

/** Address of a new database on the same PostgreSQL. */
async function createDatabase(url: string, name: string): Promise<URL> {
  await queryOnce(url, `create database ${name}`)
  return new URL(databaseUrl(url, name))
}

let last: ServerProcess | undefined

/** The server that the test before left running, else a new one on the folder of the last; on another folder after a failed test. */
async function queryOf({ dataDir }: ServerProcess, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: findEmbeddedPostgres(dataDir) })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function runningServer(): Promise<ServerProcess> {
  onTestFailed(() => {
    last = undefined
  })
  if (last === undefined || !isProcess(last.pid))
    last = await startTestServer({ dataDir: last?.dataDir ?? (await usedFolder()) })
  return last
}

/** The next server on the folder of one that was killed. */
async function startAfter({ dataDir }: ServerProcess): Promise<ServerProcess> {
  last = await startTestServer({ dataDir })
  return last
}

describe('on one folder, one after another', () => {
  test('a second server on the same DATA_DIR says so in one line and stops; the first goes on', async () => {
    const first = await runningServer()
    const second = spawnTestServer({ dataDir: first.dataDir })
    expect(await second.exited).toBe(1)
    expect(second.output()).toBe(
      `tributary: DATA_DIR=${first.dataDir} is in use by another server (process ${first.pid}): stop it or choose another DATA_DIR\n`,
    )
    expect(await isReady(first)).toBe(true)
  })

  test('a PostgreSQL that dies under a running server is started again; until then requests get 503 [SYS-04]', async () => {
    const server = await runningServer()
    const first = postmasterOf(server)
    process.kill(first?.pid ?? 0, 'SIGKILL')
    const statuses = new Set<number>()
    await until(async () => {
      statuses.add((await fetch(`${server.url}/api/health/ready`)).status)
      const pid = postmasterOf(server)?.pid
      return pid !== undefined && pid !== first?.pid && (await isReady(server))
    }, 'the recovery')
    expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true)
  })

  test('a command works beside the running server, and alone [SYS-06]', async () => {
    const server = await runningServer()
    const beside = spawnTestServer({ dataDir: server.dataDir, args: ['facts:rebuild'] })
    expect(await beside.exited, beside.output()).toBe(0)
    expect(await isReady(server)).toBe(true)
    // The server does what was requested, also after the command has been ended.
    const requests = async () =>
      (await queryOf(server, 'select state from facts_rebuild order by id')).map(({ state }) => state)
    process.kill(server.pid, 'SIGSTOP')
    const left = spawnTestServer({ dataDir: server.dataDir, args: ['facts:rebuild'] })
    await until(async () => (await requests()).at(-1) === 'waiting', 'the request')
    expect(await left.stop('SIGINT')).toBe(1)
    expect(left.output()).toContain('no longer waiting; the running server does what was requested')
    process.kill(server.pid, 'SIGCONT')
    await until(async () => (await requests()).join() === 'done,done', 'the rebuild')
    expect(await server.stop('SIGINT')).toBe(0)
    const alone = spawnTestServer({ dataDir: server.dataDir, args: ['facts:rebuild'], env: { LOG_LEVEL: 'info' } })
    expect(await alone.exited, alone.output()).toBe(0)
    expect(alone.output()).toContain('"level":"info"')
    expect(alone.output()).not.toContain('Server listening')
    expect(postmasterOf(alone)).toBeUndefined()
  })

  test('after kill -9 the next start finds the PostgreSQL that is still running, and its stop ends it [SYS-04]', async () => {
    const killed = await runningServer()
    const left = postmasterOf(killed)
    await killed.kill()
    expect(isProcess(left?.pid ?? 0)).toBe(true)
    const next = await startAfter(killed)
    expect(postmasterOf(next)?.pid).toBe(left?.pid)
    expect(await isReady(next)).toBe(true)
    expect(await next.stop()).toBe(0)
    expect(isProcess(left?.pid ?? 0)).toBe(false)
  })

  test('a stop finishes the request that is being sent, and serves no new one [SYS-04]', async () => {
    const server = await runningServer()
    const { port } = new URL(server.url)
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'x'.repeat(20) })
    let reply = ''
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('data', (chunk) => (reply += chunk.toString()))
    const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
    const head = `POST /api/token?2fa=true HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.write(head + body.slice(0, 20))
    await sleep(200)
    const stopped = server.stop()
    await sleep(400)
    await expect(fetch(`${server.url}/api/health/live`)).rejects.toThrow()
    socket.write(body.slice(20))
    await closed
    expect(reply).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(reply).toContain('"request_id"')
    expect(await stopped).toBe(0)
  })

  test('a second signal, more than a second later, ends it at once', async () => {
    const server = await runningServer()
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => socket.destroy())
    socket.write(
      'POST /api/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    await sleep(200)
    void server.stop('SIGTERM')
    await sleep(1100)
    expect(isProcess(server.pid)).toBe(true)
    expect(await server.stop('SIGTERM')).toBe(143)
    socket.destroy()
    // Its PostgreSQL has outlived it.
    const left = postmasterOf(server)
    if (left !== undefined) await endPostmaster(left.pid, 20)
  })
})

describe.concurrent('from nothing', () => {
  test.runIf(isRoot)(
    'started by root, PostgreSQL runs as another user, also in a folder that only root can enter, and the start names its files [SYS-01]',
    async () => {
      const closed = join(makeDirectory(), 'closed')
      mkdirSync(closed, { mode: 0o700 })
      chmodSync(closed, 0o700)
      const server = await startTestServer({ dataDir: closed })
      expect(await isReady(server)).toBe(true)
      expect(statSync(`/proc/${postmasterOf(server)?.pid}`).uid).not.toBe(0)
      const files = realpathSync(join(closed, 'postgres'))
      expect(server.output()).toContain(`data     ${closed} (PostgreSQL embedded in ${files}, ClickHouse embedded)`)
      expect(await server.stop()).toBe(0)
      rmSync(files, { recursive: true })
    },
  )

  test('started by an ordinary user it begins from nothing, says where it is, runs as that user, stops on SIGTERM and leaves no process [SYS-01] [SYS-04]', async () => {
    const server = await startTestServer(isRoot ? { user: NOBODY } : {})
    expect(await isReady(server)).toBe(true)
    expect(server.output()).toMatch(/Tributary is ready on http:\/\/localhost:\d+\n {2}roles {4}api, tracker, worker\n/)
    expect(statSync(join(server.dataDir, 'secret')).mode & 0o777).toBe(0o600)
    expect(statSync(join(server.dataDir, 'postgres-password')).mode & 0o777).toBe(0o600)
    const postmaster = postmasterOf(server)
    const uid = isRoot ? NOBODY.uid : process.getuid?.()
    expect(statSync(`/proc/${postmaster?.pid}`).uid).toBe(uid)
    expect(statSync(`/proc/${server.pid}`).uid).toBe(uid)
    expect(await server.stop()).toBe(0)
    expect(isProcess(postmaster?.pid ?? 0)).toBe(false)
  })
})

describe.concurrent('external engines', () => {
  test('two servers on one empty database by URL: both are ready, it was migrated once; ready says what is missing while it is away, and recovers with it [SYS-02] [SYS-03] [SYS-04]', async () => {
    const folders = [await usedFolder(), await usedFolder()] as const
    const external = await startEmbeddedPostgres(folders[0], log)
    const { port, href: url } = await createDatabase(external.url, 'shared')
    const both = await Promise.all(folders.map((dataDir) => startTestServer({ env: { DATABASE_URL: url }, dataDir })))
    for (const server of both) expect(await isReady(server)).toBe(true)
    expect(await queryOnce(url, 'select count(*) = count(distinct number) as once from migration')).toEqual([
      { once: true },
    ])
    await external.stop()
    for (const { url: address } of both) {
      const away = await fetch(`${address}/api/health/ready`)
      expect(away.status).toBe(503)
      expect(await away.json()).toEqual({ status: 'not ready', missing: ['postgresql'] })
      expect((await fetch(`${address}/api/health/live`)).status).toBe(200)
    }
    const back = await startEmbeddedPostgres(folders[0], log, { port: Number(port) })
    for (const server of both) await until(() => isReady(server), 'the recovery')
    for (const server of both) expect(await server.stop()).toBe(0)
    await back.stop()
  })

  test('an address where nothing answers stops the start with one line [SYS-02]', async () => {
    const server = spawnTestServer({ env: { DATABASE_URL: 'postgres://x:hunter2@127.0.0.1:1/z' } })
    expect(await server.exited).toBe(1)
    expect(server.output()).toMatch(/^tributary: [^\n]*DATABASE_URL[^\n]*ECONNREFUSED[^\n]*\n$/)
    expect(server.output()).not.toContain('hunter2')
  })
})

describe.concurrent('signals and settings', () => {
  test('SIGTERM under load, also to the whole process group, with and without trackers: readiness turns 503, requests are answered with `connection: close`, no connection is reset, and PostgreSQL stops as well [SYS-04]', async () => {
    const stops = Number(process.env.STOP_ROUNDS ?? 2)
    const dataDir = await usedFolder()
    for (let round = 0; round < stops; round++) {
      const isGroup = round % 2 === 0
      const env = { DRAIN_SECONDS: '2', LOG_LEVEL: 'error', TRACKERS: String(Math.ceil(round / 2) % 2) }
      const server = await startTestServer({ dataDir, isGroup, env })
      const postmaster = postmasterOf(server)?.pid ?? 0
      expect(isProcess(postmaster)).toBe(true)
      const load = startRequests(server.url)
      await sleep(500)
      expect(await isReady(server)).toBe(true)
      if (isGroup) process.kill(-server.pid, 'SIGTERM')
      else process.kill(server.pid, 'SIGTERM')
      await sleep(500)
      const draining = await fetch(`${server.url}/api/health/ready`)
      expect([draining.status, draining.headers.get('connection')]).toEqual([503, 'close'])
      expect(await server.exited, server.output()).toBe(0)
      const { answered, closed, failures } = await load.stop()
      expect(answered).toBeGreaterThan(100)
      expect(closed).toBeGreaterThan(5)
      expect(failures).toEqual([])
      expect(isProcess(postmaster)).toBe(false)
      expect(existsSync(join(dataDir, 'server.lock'))).toBe(false)
    }
  })

  test('a signal during the start is obeyed', async () => {
    const server = spawnTestServer({ dataDir: await usedFolder() })
    await until(() => postmasterOf(server) !== undefined, 'the start')
    expect(await server.stop()).toBe(0)
    expect(postmasterOf(server)).toBeUndefined()
  })

  test('a wrong value stops the start with one line that names it', async () => {
    const server = spawnTestServer({ env: { PORT: 'x' } })
    expect(await server.exited).toBe(1)
    expect(server.output()).toBe('tributary: PORT=x is not a port number from 0 to 65535\n')
  })

  test('an unknown command says which there are', async () => {
    const command = spawnTestServer({ args: ['nonsense'] })
    expect(await command.exited).toBe(1)
    expect(command.output()).toBe(
      'tributary: no command "nonsense": there are facts:rebuild, backup, restore, backup:verify\n',
    )
  })

  test('a port in use stops the start with one line, and what had been started stops; a first start has made no database', async () => {
    const other = createServer().listen(0)
    await once(other, 'listening')
    const address = other.address()
    const port = String(typeof address === 'object' ? address?.port : '')
    const second = spawnTestServer({ dataDir: await usedFolder(), env: { PORT: port } })
    expect(await second.exited).toBe(1)
    expect(second.output()).toMatch(/^(\{.*\}\n)*tributary: PORT=\d+ is in use by another program\n$/)
    expect(postmasterOf(second)).toBeUndefined()
    for (const TRACKERS of ['0', '1']) {
      const first = spawnTestServer({ env: { PORT: port, TRACKERS } })
      expect(await first.exited).toBe(1)
      expect(first.output()).toBe(`tributary: PORT=${port} is in use by another program\n`)
      expect([TRACKERS, existsSync(join(first.dataDir, 'postgres'))]).toEqual([TRACKERS, false])
    }
    other.close()
  })
})
