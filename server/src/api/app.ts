// Builds the HTTP server of a process: request ids, log lines, error answers, limits, and two scopes for the routes of modules.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import { PUBLIC_BODY_LIMITS } from '@tributary/contract/call'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { ZodType } from 'zod'
import { countHops } from '../config.ts'
import { AppError } from '../lib/app-error.ts'
import { chooseRequestId } from '../lib/request-id.ts'
import type { Services } from '../services.ts'
import { exceedsLimits, limitBody } from './body-limits.ts'
import {
  answerMalformed,
  CONNECTION_TIMEOUTS,
  type ConnectionTimeouts,
  endIdleBodies,
  HEADER_LIMIT,
  headerTimeoutOptions,
} from './connections.ts'
import { replyWithError } from './error-reply.ts'
import { addHealthRoutes, measureRequests, type ResponseHook } from './health.ts'
import { addRequestScope } from './request-scope.ts'
import { collectIssues } from './schema-issues.ts'
import { addScreens, SCREENS_DIRECTORY, type Screens } from './screens.ts'

export type ApiApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** Longest parameter of a path. */
const MAX_PARAM_LENGTH = 2048

/** Routes of a server module. */
export interface RouteModule {
  /** Below /api: validated by zod, with security headers and compression. */
  routes?(app: ApiApp, services: Services): void | Promise<void>
  /** At the root, without any hooks. */
  bareRoutes?(app: ApiApp, services: Services): void | Promise<void>
}

export interface AppOptions {
  modules: readonly RouteModule[]
  screensDirectory?: string
  /** Shorter in tests. */
  timeouts?: ConnectionTimeouts
}

/** Returns the app with the routes of all modules. It does not listen yet. */
export async function buildApp(
  services: Services,
  { modules, screensDirectory = SCREENS_DIRECTORY, timeouts = CONNECTION_TIMEOUTS }: AppOptions,
): Promise<ApiApp> {
  const app = createApp(services, timeouts)
  const measure = measureRequests(services.metrics)
  addHealthRoutes(app, services)
  await app.register(async (bare: ApiApp) => {
    for (const module of modules) await module.bareRoutes?.(bare, services)
  })
  const servesApi = services.config.roles.includes('api')
  if (servesApi)
    await app.register(async (scope: ApiApp) => addApiScope(scope, services, modules, measure), { prefix: '/api' })
  await app.register(async (scope: ApiApp) => {
    await protect(scope)
    const screens = servesApi ? await addScreens(scope, screensDirectory) : { sendPage: () => false }
    setNotFound(scope, screens)
  })
  // After all modules: the tracker puts its handlers before those of the framework.
  app.addHook('onReady', (done) => {
    endIdleBodies(app.server, timeouts)
    done()
  })
  return app
}

function createApp(services: Services, timeouts: ConnectionTimeouts): ApiApp {
  // Narrows pino's type, so that modules do not depend on pino.
  const loggerInstance: FastifyBaseLogger = services.log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    // Applies to paths without a route; `limitBody` sets the limit of each route.
    bodyLimit: PUBLIC_BODY_LIMITS.bytes,
    http: { maxHeaderSize: HEADER_LIMIT, ...headerTimeoutOptions(timeouts) },
    // Trusts as many entries of X-Forwarded-For, counted from the end, as the operator has proxies.
    trustProxy: (_address, hop) => hop < countHops(services.config),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    genReqId: chooseRequestId,
    forceCloseConnections: 'idle',
    // A stopping server still answers requests on open connections, and closes each connection afterwards.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => replyWithError(error, request, reply),
    clientErrorHandler: answerMalformed,
  }).withTypeProvider<ZodTypeProvider>()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Some clients send a content type with every request, also without a body.
    if (body === '' && request.method !== 'POST') return done(null, undefined)
    const limits = { ...PUBLIC_BODY_LIMITS, ...request.routeOptions.config?.bodyLimits }
    if (exceedsLimits(body, limits)) return done(new AppError('too_large'))
    void parseJson(request, body, done)
  })
  app.setValidatorCompiler<ZodType>(({ schema }) => (data) => {
    // Fastify hands over null for a body that is absent.
    const parsed = schema.safeParse(data === null ? undefined : data)
    if (parsed.success) return { value: parsed.data }
    return { error: new AppError('invalid', collectIssues(parsed.error.issues)) }
  })
  // The API accepts JSON; scopes that accept other types register their own parsers.
  app.removeContentTypeParser('text/plain')
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler((error, request, reply) => replyWithError(error, request, reply))
  // Fastify closes the connection of a body that is too large, which resets it while the client still writes, and the answer is lost. Node reads
  // what is left of it instead.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.hasHeader('connection')) reply.removeHeader('connection')
    done(null, payload)
  })
  return app
}

async function addApiScope(
  scope: ApiApp,
  services: Services,
  modules: readonly RouteModule[],
  measure: ResponseHook,
): Promise<void> {
  await protect(scope)
  await scope.register(rateLimit, {
    global: false,
    timeWindow: '1 minute',
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('too_many_requests', { retry_after: Math.ceil(ttl / 1000) }),
  })
  scope.addHook('onRoute', limitBody)
  addRequestScope(scope, services)
  scope.addHook('onResponse', measure)
  scope.addHook('onResponse', logRequest(services))
  for (const module of modules) await module.routes?.(scope, services)
  setNotFound(scope, { sendPage: () => false })
}

async function protect(scope: ApiApp): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The component library uses style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // The proxy that terminates TLS sets this header.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
  })
  await scope.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
}

function setNotFound(scope: ApiApp, screens: Screens): void {
  scope.setNotFoundHandler((request, reply) => {
    if (!screens.sendPage(request, reply)) replyWithError(new AppError('not_found'), request, reply)
  })
}

/** Logs one line per API request. The tracker stores its requests in PostgreSQL instead. */
function logRequest({ log }: Services) {
  return async (request: FastifyRequest, reply: { statusCode: number; elapsedTime: number }): Promise<void> => {
    const { method, url, id } = request
    log.info({ request_id: id, method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
  }
}
