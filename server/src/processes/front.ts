// The HTTP server of a tracker process: answers clicks and passes everything else on to the process behind it.

import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createProxyServer } from 'httpxy'
import {
  answerMalformed,
  CONNECTION_TIMEOUTS,
  endIdleBodies,
  HEADER_LIMIT,
  headerTimeoutOptions,
} from '../api/connections.ts'
import { describeFailure, languageOf } from '../api/error-reply.ts'
import { AppError } from '../lib/app-error.ts'
import { chooseRequestId } from '../lib/request-id.ts'
import { type ClickHandler, serveClick } from '../tracker/clicks/click-handler.ts'

/** As Fastify's: longer than proxies and browsers keep idle connections. */
const KEEP_ALIVE_MS = 72_000
const READY_PATHS = new Set(['/health/ready', '/api/health/ready'])

/** Serves clicks with `clicks`; other requests go to the socket file, with the client's address in X-Forwarded-For. Does not listen yet. */
export function createFront(clicks: ClickHandler, socketPath: string): Server {
  const proxy = createProxyServer({ target: { socketPath }, agent: new Agent({ keepAlive: true }) })
  // This server alone decides whether the client's connection stays open.
  proxy.on('proxyRes', ({ headers }) => {
    if (headers.connection === 'keep-alive') headers.connection = undefined
  })
  const server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // A slow upload may take longer than any limit of a whole request; `endIdleBodies` ends stalled ones.
      requestTimeout: 0,
      ...headerTimeoutOptions(CONNECTION_TIMEOUTS),
    },
    (request, response) => {
      const { url = '' } = request
      if (url.startsWith('/c/')) {
        serveClick(request, response, clicks)
        return
      }
      if (clicks.inbox.isFailing && READY_PATHS.has(url)) {
        writeJson(response, 503, { status: 'not ready', missing: ['clicks'] })
        return
      }
      const before = request.headers['x-forwarded-for']
      const peer = request.socket.remoteAddress ?? ''
      const requestId = chooseRequestId(request)
      const headers = {
        'x-forwarded-for': before === undefined ? peer : `${String(before)}, ${peer}`,
        'x-request-id': requestId,
        // A process that closes after an early answer would break off the body that is still sent, and its answer would be lost.
        connection: 'keep-alive',
      }
      proxy.web(request, response, { headers }).catch((error: unknown) => {
        if (response.destroyed) return
        clicks.log.warn({ request_id: requestId, error }, 'a request was not passed on')
        answerUnavailable(request, response, requestId)
      })
    },
  )
  server.on('clientError', answerMalformed)
  endIdleBodies(server, CONNECTION_TIMEOUTS)
  return server
}

/** The process behind is being started again. */
function answerUnavailable(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const failure = new AppError('unavailable', { retry_after: 2 })
  response.setHeader('Retry-After', '2')
  writeJson(response, 503, describeFailure(failure, languageOf(request), requestId))
}

function writeJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(value))
}
