// Calls partners' URLs. It connects only to checked IPs, waits at most ten seconds and reads at most four kilobytes of the response.

import { createHmac } from 'node:crypto'
import { callbackify } from 'node:util'
import type { PostbackReason } from '@tributary/contract/entities/postback'
import { Agent, request as call, type Dispatcher } from 'undici'
import { ignore } from '../../lib/promises.ts'
import { checkTarget, ForbiddenTarget, resolveTarget } from './target-guard.ts'

export interface CallResult {
  /** The HTTP status; null if there was no answer. */
  code: number | null
  response: string | null
  error: string | null
  /** Why the call failed; null if it succeeded. */
  reason: PostbackReason | null
}

/** A client whose connections stay open between calls. `call` and `probe` never throw. */
export interface PartnerClient {
  call(options: CallOptions): Promise<CallResult>
  /** Sends one GET like a visitor's browser, without following redirects. */
  probe(url: string, userAgent: string): Promise<ProbeResult>
  close(): Promise<void>
}

export interface ProbeResult {
  code: number | null
  location: string | null
  error: string | null
}

export interface CallOptions {
  url: string
  method: string
  /** Must be equal for all attempts of one postback, so that the partner can recognize repetitions. */
  idempotencyKey: string
  /**
   * The signing key of one postback URL of a partner, in hexadecimal. It derives from the installation's secret, so that the database
   * contains no key.
   */
  signingKey?: string | undefined
}

export interface PartnerClientOptions {
  allowsPrivateTargets: boolean
  timeoutMs?: number | undefined
}

const TIMEOUT_MS = 10_000
const RESPONSE_CAP = 4096
/** The maximum of redirects to follow. */
const REDIRECTS = 1
const USER_AGENT = 'Mozilla/5.0 (compatible; postback)'
const KEEP_ALIVE_MS = 10_000

export function openPartnerClient({
  allowsPrivateTargets,
  timeoutMs = TIMEOUT_MS,
}: PartnerClientOptions): PartnerClient {
  const agent = new Agent({
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: {
      timeout: timeoutMs,
      lookup: callbackify(async (host: string, _options: object) => [await resolveTarget(host, allowsPrivateTargets)]),
    },
  })
  return {
    async call(options) {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        return await follow(options, { agent, allowsPrivateTargets, signal })
      } catch (error) {
        const text = signal.aborted ? `no answer within ${timeoutMs / 1000} s` : describe(error)
        return { code: null, response: null, error: text, reason: signal.aborted ? 'timeout' : reasonOf(error) }
      }
    },
    async probe(url, userAgent) {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const target = new URL(url)
        checkTarget(target, allowsPrivateTargets)
        const headers = { 'user-agent': userAgent, accept: '*/*' }
        const answer = await call(target, { method: 'GET', dispatcher: agent, signal, headers })
        answer.body.on('error', ignore).destroy()
        const location = answer.statusCode >= 300 && answer.statusCode < 400 ? answer.headers.location : undefined
        return { code: answer.statusCode, location: [location].flat()[0] ?? null, error: null }
      } catch (error) {
        const text = signal.aborted ? `no answer within ${timeoutMs / 1000} s` : describe(error)
        return { code: null, location: null, error: text }
      }
    },
    close: () => agent.destroy(),
  }
}

/** Makes one call with its own connection. */
export async function callPartner(options: CallOptions & PartnerClientOptions): Promise<CallResult> {
  const client = openPartnerClient(options)
  try {
    return await client.call(options)
  } finally {
    await client.close()
  }
}

interface Connection {
  agent: Dispatcher
  allowsPrivateTargets: boolean
  signal: AbortSignal
}

async function follow(options: CallOptions, connection: Connection): Promise<CallResult> {
  let target = new URL(options.url)
  let method = options.method
  for (let hops = 0; ; hops++) {
    checkTarget(target, connection.allowsPrivateTargets)
    const answer = await callOnce(target, method, options, connection)
    const { code, location } = answer
    if (location === undefined || hops === REDIRECTS) {
      const isRedirect = location !== undefined
      return {
        code,
        response: answer.body,
        error: errorOf(code),
        reason: isRedirect ? 'redirected' : reasonOfCode(code),
      }
    }
    target = new URL(location, target)
    if (code !== 307 && code !== 308) method = 'GET'
  }
}

const errorOf = (code: number): string | null => (code >= 200 && code < 300 ? null : `the answer was ${code}`)

function reasonOfCode(code: number): PostbackReason | null {
  if (code >= 200 && code < 300) return null
  if (code === 410) return 'gone'
  return code >= 500 ? 'server_error' : 'client_error'
}

interface Answer {
  code: number
  body: string
  location: string | undefined
}

async function callOnce(target: URL, method: string, options: CallOptions, connection: Connection): Promise<Answer> {
  const isPost = method === 'POST'
  const { statusCode, headers, body } = await call(target, {
    method: isPost ? 'POST' : 'GET',
    dispatcher: connection.agent,
    signal: connection.signal,
    headers: {
      'user-agent': USER_AGENT,
      accept: '*/*',
      'idempotency-key': options.idempotencyKey,
      ...(isPost ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...sign(target, isPost ? 'POST' : 'GET', options),
    },
    body: isPost ? target.search.slice(1) : null,
  })
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop closes the connection, so the rest of the response is not read.
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= RESPONSE_CAP) break
  }
  const location = statusCode >= 300 && statusCode < 400 ? headers.location : undefined
  return {
    code: statusCode,
    body: readable(Buffer.concat(chunks)),
    location: Array.isArray(location) ? location[0] : location,
  }
}

function sign(target: URL, method: string, { signingKey, idempotencyKey }: CallOptions): Record<string, string> {
  if (signingKey === undefined) return {}
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = signCall({ key: signingKey, timestamp, idempotencyKey, method, url: target.href })
  return { 'x-timestamp': String(timestamp), 'x-signature': `sha256=${signature}` }
}

/** Control characters except tabs and line ends. */
const CONTROLS = /(?![\t\r\n])\p{Cc}/gu

const readable = (bytes: Buffer): string => bytes.subarray(0, RESPONSE_CAP).toString('utf8').replace(CONTROLS, '')

function reasonOf(error: unknown): PostbackReason {
  if (error instanceof ForbiddenTarget || (error instanceof Error && error.cause instanceof ForbiddenTarget)) {
    return 'forbidden_target'
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return TLS.test(code) ? 'bad_tls' : 'no_connection'
}

const TLS = /CERT|TLS|SSL|SIGNATURE|ISSUER|HOSTNAME|EPROTO/

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  const cause = error instanceof AggregateError ? error.errors.map(String).join(', ') : error.message
  return `${cause || error.name}${code}`.slice(0, 500)
}

/** The signing key of one postback URL of a partner, in hexadecimal. */
export const signingKey = (secret: string, urlId: number): string =>
  createHmac('sha256', secret).update(`partner_postback_url:${urlId}`).digest('hex')

export interface SignedCall {
  key: string
  /** Unix seconds. */
  timestamp: number
  idempotencyKey: string
  method: string
  url: string
}

/**
 * HMAC-SHA256 of timestamp, idempotency key, method and URL joined by dots, in hexadecimal. The URL has all parameters, even of a POST.
 * With the key of its URL, a partner can verify the sender and content of a call.
 */
const signCall = ({ key, timestamp, idempotencyKey, method, url }: SignedCall): string =>
  createHmac('sha256', key).update(`${timestamp}.${idempotencyKey}.${method}.${url}`).digest('hex')
