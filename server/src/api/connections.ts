// Ends connections that no route can answer: malformed requests, late headers, bodies that stop arriving.

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
  /** Without a byte of a body. There is no limit for a whole body: a slow line may need an hour for a large file. */
  readonly idleBodyMs: number
}

export const CONNECTION_TIMEOUTS: ConnectionTimeouts = { headersMs: 15_000, idleBodyMs: 30_000 }

/** Each timeout is looked after so often within its time. */
const CHECKS = 6
/** The sender gets this long to read the answer before its socket is destroyed. */
const LINGER_MS = 1000

/** Options of Node's HTTP server. */
export const headerTimeoutOptions = ({ headersMs }: ConnectionTimeouts) => ({
  headersTimeout: headersMs,
  connectionsCheckingInterval: Math.ceil(headersMs / CHECKS),
})

/** Handles what cannot be parsed as HTTP. */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'HPE_HEADER_OVERFLOW') refuse(socket, '431 Request Header Fields Too Large', 'too_large')
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuse(socket, '408 Request Timeout', 'timeout')
  else if (error.code === 'ECONNRESET') socket.destroy()
  else refuse(socket, '400 Bad Request', 'bad_request')
}

/** Answers in the form of all errors, then closes the socket even if the other side does not. */
function refuse(socket: Socket, status: string, code: ErrorCode): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(describeFailure(new AppError(code), 'en', randomUUID()))
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`
  socket.end(head + body)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

interface OpenBody {
  readonly response: ServerResponse
  /** Bytes of the connection so far. */
  bytes: number
  /** When the last of them came. */
  since: number
}

/** Ends requests whose body stops arriving. Time in which the server itself does not read is not counted. */
export function endIdleBodies(server: Server, { idleBodyMs }: ConnectionTimeouts): void {
  const open = new Map<IncomingMessage, OpenBody>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    // Bodies of other methods are not read; the connection ends when it has been idle for long enough.
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
  }, idleBodyMs / CHECKS)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
}

function endRequest({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) socket.destroy()
  else refuse(socket, '408 Request Timeout', 'timeout')
}

// Detects clients that disconnect. It watches the response, because the request's stream closes as soon as its body is read.

/** Aborts if the connection closes before the whole answer is sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
