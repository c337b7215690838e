// Ends connections that no route can answer (malformed requests, late headers, stalled bodies) and detects disconnected clients.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@tributary/contract/error'
import type { FastifyReply } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { describeFailure } from './error-reply.ts'

export interface ConnectionTimeouts {
  /** From the first byte of a request, or from the connection, to the end of its headers. */
  readonly headersMs: number
  /** Longest pause within a body. A whole body has no time limit, because a slow line may need an hour for a large file. */
  readonly idleBodyMs: number
}

export const CONNECTION_TIMEOUTS: ConnectionTimeouts = { headersMs: 15_000, idleBodyMs: 30_000 }

/** Maximum size of headers in bytes; a URL with a filter of ten thousand ids fits. */
export const HEADER_LIMIT = 64 * 1024

/** Number of checks within each timeout. */
const CHECKS_PER_TIMEOUT = 6
/** Time for the client to read the answer before its socket is destroyed. */
const CLOSE_DELAY_MS = 1000

/** Options of Node's HTTP server. */
export const headerTimeoutOptions = ({ headersMs }: ConnectionTimeouts) => ({
  headersTimeout: headersMs,
  connectionsCheckingInterval: Math.ceil(headersMs / CHECKS_PER_TIMEOUT),
})

/** Answers a request that cannot be parsed as HTTP. */
export function answerMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'HPE_HEADER_OVERFLOW') replyAndClose(socket, '431 Request Header Fields Too Large', 'too_large')
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') replyAndClose(socket, '408 Request Timeout', 'timeout')
  else if (error.code === 'ECONNRESET') socket.destroy()
  else replyAndClose(socket, '400 Bad Request', 'bad_request')
}

/** Answers in the form of all errors, then closes the socket even if the other side does not. */
function replyAndClose(socket: Socket, status: string, code: ErrorCode): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(describeFailure(new AppError(code), 'en', randomUUID()))
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`
  socket.end(head + body)
  setTimeout(() => socket.destroy(), CLOSE_DELAY_MS).unref()
}

interface OpenBody {
  readonly response: ServerResponse
  /** Bytes of the connection so far. */
  bytes: number
  /** Arrival of the last bytes, on the clock of performance.now(). */
  since: number
}

/** Ends requests whose body stops arriving. Time in which the server itself does not read does not count. */
export function endIdleBodies(server: Server, { idleBodyMs }: ConnectionTimeouts): void {
  const open = new Map<IncomingMessage, OpenBody>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    // Bodies of GET and HEAD are not read; Node's idle timeout ends their connections.
    if (request.method === 'GET' || request.method === 'HEAD') return
    open.set(request, { response, bytes: request.socket.bytesRead, since: performance.now() })
    request.once('close', () => open.delete(request))
  })
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const [request, body] of open) {
      const { bytesRead } = request.socket
      if (request.complete || request.destroyed) open.delete(request)
      else if (bytesRead !== body.bytes || request.readableLength > 0)
        Object.assign(body, { bytes: bytesRead, since: now })
      else if (now - body.since >= idleBodyMs) endRequest(request, body.response)
    }
  }, idleBodyMs / CHECKS_PER_TIMEOUT)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
}

function endRequest({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) socket.destroy()
  else replyAndClose(socket, '408 Request Timeout', 'timeout')
}

/** Aborts if the connection closes before the whole answer is sent. The request's stream closes as soon as its body is read. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
