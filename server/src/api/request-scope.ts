// What belongs to one request: its id in the answer and in all log lines, the limits of its statements, and its span.

import type { Span } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import { withLogFields } from '../lib/log.ts'
import { withStatementScope } from '../lib/statement-scope.ts'
import { failSpan, readTraceParent, startRequestSpan, withSpan } from '../lib/tracing.ts'
import type { Services } from '../services.ts'
import type { ApiApp } from './app.ts'
import { isReading } from './authenticate.ts'
import { disconnectSignal } from './connections.ts'

export function addRequestScope(scope: ApiApp, { config }: Pick<Services, 'config'>): void {
  const spans = new WeakMap<FastifyRequest, Span>()

  function enter(request: FastifyRequest, done: () => void, signal?: AbortSignal): void {
    const span = spans.get(request)
    const run = (): void => withStatementScope('request', done, signal)
    withLogFields({ request_id: request.id }, () => (span === undefined ? run() : withSpan(span, run)))
  }

  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store').header('x-request-id', request.id)
    const { method, routeOptions, headers } = request
    const route = routeOptions.url ?? 'none'
    // Only a proxy of the operator says which trace a request belongs to.
    const parent = config.trustProxy > 0 ? readTraceParent(headers) : undefined
    const span = startRequestSpan(`${method} ${route}`, request.id, parent)
    span.setAttributes({ 'http.request.method': method, 'http.route': route })
    spans.set(request, span)
    reply.raw.once('close', () => {
      const { statusCode } = reply.raw
      span.setAttribute('http.response.status_code', statusCode)
      if (statusCode >= 500) failSpan(span, `status ${statusCode}`)
      span.end()
    })
    enter(request, done)
  })
  // Repeated, because the body is read in another asynchronous context.
  scope.addHook('preValidation', (request, reply, done) => {
    enter(request, done, isReading(request) ? disconnectSignal(reply) : undefined)
  })
}
