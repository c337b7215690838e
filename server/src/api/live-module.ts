// Server module of live events: `GET events` streams them to open screens as server-sent events.
import { LIVE_TOPIC_NAMES, type LiveTopic } from '@tributary/contract/live'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import { z } from 'zod'
import { createSlot } from '../lib/slot.ts'
import { LIVE_CHANNEL } from '../postgres/live.ts'
import type { ServerModule } from '../server-module.ts'
import type { Services } from '../services.ts'
import type { ApiApp } from './app.ts'
import { identityOf } from './authenticate.ts'
import { createLiveHub, formatEvent, type LiveHub } from './live-hub.ts'
import { readBuildVersion } from './screens.ts'

const liveHub = createSlot<LiveHub>('live hub')

const query = z.strictObject({
  /** Comma-separated topics; default: all. Screens request the frequent topics click and postback only if they show them. */
  topics: z
    .string()
    .max(200, 'value_invalid')
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(Object.fromEntries(LIVE_TOPIC_NAMES.map((name) => [name, name])), 'choice_unknown')))
    .optional(),
})

export const liveModule: ServerModule = {
  name: 'live',
  roles: ['api'],
  async start(services) {
    const { postgres, log, metrics } = services
    const hub = createLiveHub({ postgres, log })
    liveHub.fill(services, hub)
    // The metrics registry holds the gauge.
    void new Gauge({
      name: 'tributary_live_screens',
      help: 'Open screens that hear live messages',
      registers: [metrics],
      collect() {
        this.set(hub.size)
      },
    })
    const subscription = await postgres.listen(LIVE_CHANNEL, hub.deliver, hub.releaseAll)
    return {
      async stop() {
        hub.close()
        await subscription.stop()
      },
    }
  },
  routes(app, services) {
    // Open streams are never idle and would delay the stop.
    app.addHook('preClose', async () => liveHub.of(services).close())
    addEventsRoute(app, services)
  },
}

function addEventsRoute(app: ApiApp, services: Services): void {
  const version = readBuildVersion()
  app.get(
    '/events',
    {
      config: { access: 'everyone' },
      schema: {
        operationId: 'events',
        tags: ['events'],
        summary: `Server-sent events: ${LIVE_TOPIC_NAMES.join(', ')}`,
        querystring: query,
      },
    },
    (request, reply) => {
      const identity = identityOf(request)
      openStream(request, reply)
      reply.raw.write(formatEvent({ topic: 'version', payload: { version } }))
      liveHub.of(services).add({
        raw: reply.raw,
        person: identity.person,
        topics: new Set<LiveTopic>(request.query.topics ?? LIVE_TOPIC_NAMES),
        load: identity.reload,
        until: identity.until,
      })
    },
  )
}

/** Takes the connection over from the framework: no compression, no buffering in proxies. */
function openStream(request: FastifyRequest, reply: FastifyReply): void {
  const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  reply.hijack()
  request.raw.socket.setNoDelay(true)
  reply.raw.writeHead(200, {
    ...Object.fromEntries(headers),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
}
