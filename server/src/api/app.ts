// The HTTP server of a process: what every request gets (id, log line, form of errors), and the two scopes that parts put routes in.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { ZodType } from 'zod'
import { AppError } from '../lib/app-error.ts'
import { withStatements } from '../lib/statement-scope.ts'
import type { Part, Services } from '../services.ts'
import { isReading } from './authorize.ts'
import { disconnectSignal } from './disconnect.ts'
import { describeFailure, replyWithError } from './error-reply.ts'
import { addHealthRoutes, measureRequests, type ResponseHook } from './health.ts'
import { collectIssues } from './schema-issues.ts'
import { addScreens, SCREENS_DIRECTORY, type Screens } from './screens.ts'

export type ApiApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

const BODY_LIMIT = 1024 * 1024
/** Room for a filter of ten thousand ids in an address. */
const HEADER_LIMIT = 64 * 1024
/** Longer addresses than any browser's are refused before they are parsed. */
const MAX_PARAM_LENGTH = 2048
const REQUEST_ID = /^[\w.-]{8,64}$/

export interface AppOptions {
  parts: readonly Part[]
  screensDirectory?: string
}

/** Routes of the parts are in place; it does not listen yet. */
export async function buildApp(
  services: Services,
  { parts, screensDirectory = SCREENS_DIRECTORY }: AppOptions,
): Promise<ApiApp> {
  const app = createApp(services)
  const measure = measureRequests(services.metrics)
  addHealthRoutes(app, services)
  await app.register(async (bare: ApiApp) => {
    for (const part of parts) await part.bareRoutes?.(bare, services)
  })
  const servesApi = services.config.roles.includes('api')
  if (servesApi)
    await app.register(async (scope: ApiApp) => addApiScope(scope, services, parts, measure), { prefix: '/api' })
  await app.register(async (scope: ApiApp) => {
    await protect(scope)
    const screens = servesApi ? await addScreens(scope, screensDirectory) : { sendPage: () => false }
    setNotFound(scope, screens)
  })
  return app
}

function createApp(services: Services): ApiApp {
  // Narrower than pino's own type, which parts need not know.
  const loggerInstance: FastifyBaseLogger = services.log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    http: { maxHeaderSize: HEADER_LIMIT },
    // As many entries of X-Forwarded-For as proxies of the operator's own have added, counted from the end; no header counts without one.
    trustProxy: (_address, hop) => hop < services.config.trustProxy,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    genReqId: chooseRequestId,
    forceCloseConnections: 'idle',
    // A request that comes on an open connection while the server stops is still answered, and the connection closed after it.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => replyWithError(error, request, reply),
    clientErrorHandler: refuseMalformed,
  }).withTypeProvider<ZodTypeProvider>()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients that name a type with every request send nothing with this one.
    if (body === '' && request.method === 'DELETE') done(null, undefined)
    else void parseJson(request, body, done)
  })
  app.setValidatorCompiler<ZodType>(({ schema }) => (data) => {
    const parsed = schema.safeParse(data)
    if (parsed.success) return { value: parsed.data }
    return { error: new AppError('invalid', { issues: collectIssues(parsed.error.issues) }) }
  })
  // JSON is the language of the API; whoever reads anything else says so in its own scope.
  app.removeContentTypeParser('text/plain')
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler((error, request, reply) => replyWithError(error, request, reply))
  return app
}

/** An id that the sender gave is kept, so that one id follows a request through several systems. */
function chooseRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}

async function addApiScope(
  scope: ApiApp,
  services: Services,
  parts: readonly Part[],
  measure: ResponseHook,
): Promise<void> {
  await protect(scope)
  await scope.register(rateLimit, { global: false })
  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store').header('x-request-id', request.id)
    withStatements('request', done)
  })
  // Again, because a body is read in another asynchronous context.
  scope.addHook('preValidation', (request, reply, done) => {
    withStatements('request', done, isReading(request) ? disconnectSignal(reply) : undefined)
  })
  scope.addHook('onResponse', measure)
  scope.addHook('onResponse', logRequest(services))
  for (const part of parts) await part.routes?.(scope, services)
  setNotFound(scope, { sendPage: () => false })
}

async function protect(scope: ApiApp): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The component library sets sizes and colours in style attributes.
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
    // Whether the product is behind TLS is known to the proxy that ends it.
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

/** One line a request of the API; the tracker's requests are rows of the record instead. */
function logRequest({ log }: Services) {
  return async (request: FastifyRequest, reply: { statusCode: number; elapsedTime: number }): Promise<void> => {
    const { method, url, id } = request
    log.info({ request_id: id, method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
  }
}

/** What cannot be read as HTTP never becomes a request: it is answered here, in the same form. */
function refuseMalformed(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const isLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const line = isLarge ? '431 Request Header Fields Too Large' : isLate ? '408 Request Timeout' : '400 Bad Request'
  const failure = new AppError(isLate ? 'timeout' : isLarge ? 'too_large' : 'bad_request')
  const body = JSON.stringify(describeFailure(failure, 'en', randomUUID()))
  const head = `HTTP/1.1 ${line}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`
  socket.end(head + body)
}
