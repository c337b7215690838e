// Ends a running statement from outside of its connection, by the protocol's cancel request: it needs no free connection and names the
// session by its secret key, so it works while the pool is exhausted.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { ignore } from '../lib/promises.ts'

/** What pg knows of a connection and its types do not tell. */
interface Session {
  readonly host: string
  readonly port: number
  readonly processID: number
  readonly secretKey: number
  readonly connection: { readonly stream: Socket }
}

const CODE = 80_877_102
const BYTES = 16
/** The statement may not have reached the server yet, which then ignores the request: it is repeated until the statement has ended. */
const REPEAT_MS = 100
const ANSWER_MS = 5000

/**
 * Cancels what runs on the connection until `running` settles. Resolves when no request is under way any more: only then may the
 * connection serve anybody else. A request whose fate is unknown destroys the connection instead.
 */
export async function cancelUntilSettled(client: ClientBase, running: Promise<unknown>): Promise<void> {
  let isRunning = true
  const settled = running.then(ignore, ignore).then(() => {
    isRunning = false
  })
  while (isRunning) {
    try {
      await requestCancel(client)
    } catch {
      sessionOf(client).connection.stream.destroy()
      return
    }
    await Promise.race([settled, sleep(REPEAT_MS)])
  }
}

/** Resolves when the server has closed the request's connection: it has signalled the session by then. Rejects when that is not known. */
function requestCancel(client: ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = sessionOf(client)
  const request = Buffer.alloc(BYTES)
  for (const [index, value] of [BYTES, CODE, processID, secretKey].entries()) request.writeInt32BE(value, index * 4)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  return new Promise((resolve, reject) => {
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('PostgreSQL did not answer a cancel request')))
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('connect', () => socket.write(request))
    socket.resume()
  })
}

// The members are there in every version of pg 8; only its types leave them out.
const sessionOf = (client: ClientBase): Session => client as unknown as Session
