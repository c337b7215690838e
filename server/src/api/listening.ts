// Opens and closes the listener of an HTTP server.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer, Server as NetServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { StartError } from '../lib/app-error.ts'

/** A stopping server waits this long for requests in flight. */
const FINISH_SECONDS = 100

/** Closes a server: requests in flight are finished, and each connection is closed as soon as it is idle. After a drain none is reset. */
export async function finishRequests(server: Server, close: () => Promise<void>): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), FINISH_SECONDS * 1000)
  const silent = silentConnections.get(server)
  if (silent !== undefined) {
    await closeListener(server)
    await waitForRequests(silent)
  }
  // Kept-alive connections stay open after their last answer.
  const sweep = setInterval(() => server.closeIdleConnections(), 20)
  await close()
  clearTimeout(late)
  clearInterval(sweep)
}

/** A listener that is never free of new connections is closed after this time. */
const ACCEPT_MS = 5000
/** Connections accepted during a drain have this long to send their first request: clients on slow networks send it late. */
const ARRIVAL_MS = 3000
/** Connections may arrive in a longer turn of the event loop, after it has looked for them. */
const SHORT_TURN_MS = 0.05

/**
 * Closes the listener after a short turn of the event loop without a new connection. Node accepts one connection a turn, and the system resets
 * those that wait when their listener closes.
 */
function closeListener(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const began = performance.now()
  let turnBegan = began
  let isAccepting = true
  const noteConnection = (): void => {
    isAccepting = true
  }
  const endTurn = (): void => {
    const now = performance.now()
    const isQuiet = !isAccepting && now - turnBegan < SHORT_TURN_MS
    if (!isQuiet && now - began < ACCEPT_MS) {
      isAccepting = false
      turnBegan = now
      setImmediate(endTurn)
      return
    }
    closeSocket(server)
    server.off('connection', noteConnection)
    resolve()
  }
  server.on('connection', noteConnection)
  // A first call compiles the function, in which time connections would arrive.
  closeSocket(new NetServer())
  setImmediate(endTurn)
  return promise
}

/** Waits until each connection has sent a request or is closed, at most ARRIVAL_MS. */
async function waitForRequests(silent: ReadonlySet<Socket>): Promise<void> {
  const end = performance.now() + ARRIVAL_MS
  while (silent.size > 0 && performance.now() < end) await sleep(20)
}

/** The HTTP server's own `close` also ends connections whose request has not arrived yet. */
const closeSocket = (server: NetServer): unknown => NetServer.prototype.close.call(server)

/** Listens on IPv6 and IPv4; on IPv4 alone if the system has no IPv6. Throws StartError if the port cannot be used. */
export async function listenOnPort(
  port: number,
  listenAt: (address: { port: number; host: string }) => Promise<unknown>,
): Promise<void> {
  try {
    await listenAt({ port, host: '::' })
  } catch (error) {
    if (!isErrnoException(error)) throw error
    if (error.code !== 'EAFNOSUPPORT' && error.code !== 'EADDRNOTAVAIL') throw describeListenFailure(error, port)
    await listenAt({ port, host: '0.0.0.0' })
  }
}

/** The port, or a free one for 0. Throws StartError if another program uses it. */
export async function probePort(port: number): Promise<number> {
  const server = createServer()
  await listenOnPort(port, async (address) => {
    server.listen(address)
    await once(server, 'listening')
  })
  const bound = server.address()
  server.close()
  await once(server, 'close')
  return typeof bound === 'object' && bound !== null ? bound.port : port
}

/**
 * A first start writes nothing if another program uses its port. Later starts do not ask: processes of a killed server may hold it for a moment.
 * Throws StartError.
 */
export async function probeAtFirstStart({ dataDir, port }: Pick<Config, 'dataDir' | 'port'>): Promise<void> {
  if (port !== 0 && !existsSync(join(dataDir, 'postgres')) && !existsSync(join(dataDir, 'clickhouse')))
    await probePort(port)
}

const isErrnoException = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error

/** Connections accepted during a drain whose first request has not arrived. */
const silentConnections = new WeakMap<Server, Set<Socket>>()

/** From now on, closes each connection after its next answer. */
export function closeAfterAnswers(server: Server): void {
  const silent = new Set<Socket>()
  silentConnections.set(server, silent)
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    silent.delete(socket)
    response.shouldKeepAlive = false
  })
}

function describeListenFailure(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') return new StartError(`PORT=${port} is in use by another program`)
  if (error.code === 'EACCES') return new StartError(`PORT=${port} may not be used by this user`)
  return error
}
