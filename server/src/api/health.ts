// Routes for liveness, readiness and Prometheus metrics of the process. They need no token and write no log lines.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { mergeMetrics } from '../lib/process-report.ts'
import type { Services } from '../services.ts'
import type { ApiApp } from './app.ts'
import { requireInside } from './internal-pages.ts'

export function createMetrics(): Registry {
  const metrics = new Registry()
  collectDefaultMetrics({ register: metrics, prefix: 'tributary_' })
  return metrics
}

export function addHealthRoutes(
  app: ApiApp,
  { readiness, metrics, config, others }: Pick<Services, 'readiness' | 'metrics' | 'config' | 'others'>,
): void {
  const silent = { logLevel: 'silent' as const }
  for (const prefix of ['', '/api']) {
    app.get(`${prefix}/health/live`, silent, () => ({ status: 'live' }))
    app.get(`${prefix}/health/ready`, silent, async (_request, reply) => {
      const missing = await readiness.findFailing()
      if (missing.length === 0) return { status: 'ready' }
      return reply.status(503).send({ status: 'not ready', missing })
    })
  }
  app.get('/metrics', silent, async (request, reply) => {
    requireInside(request, config)
    return reply.type(metrics.contentType).send(await (await mergeMetrics(metrics, others)).metrics())
  })
}

export type ResponseHook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void

/** Measures requests by route instead of URL, which limits the number of time series. */
export function measureRequests(metrics: Registry): ResponseHook {
  const duration = new Histogram({
    name: 'tributary_http_request_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [metrics],
  })
  return (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  }
}
