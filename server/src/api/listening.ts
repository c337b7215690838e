// Opens and closes the listener of an HTTP server.
import type { Server, ServerResponse } from 'node:http'
import { StartError } from '../lib/app-error.ts'

/** A stopping server waits this long for requests in flight. */
const FINISH_SECONDS = 100

/** Closes a server: requests in flight are finished, and each connection is closed as soon as it is idle. */
export async function finishRequests(server: Server, close: () => Promise<void>): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), FINISH_SECONDS * 1000)
  // Kept-alive connections stay open after their last answer.
  const sweep = setInterval(() => server.closeIdleConnections(), 20)
  await close()
  clearTimeout(late)
  clearInterval(sweep)
}

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

const isErrnoException = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error

/** From now on, closes each connection after its next answer. */
export function closeAfterAnswers(server: Server): void {
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false
  })
}

function describeListenFailure(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') return new StartError(`PORT=${port} is in use by another program`)
  if (error.code === 'EACCES') return new StartError(`PORT=${port} may not be used by this user`)
  return error
}
