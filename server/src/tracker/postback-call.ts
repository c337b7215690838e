// One call of a partner's address: to a checked address, within ten seconds, keeping at most four kilobytes of the answer. Never throws.

import { Agent, request as call } from 'undici'
import { ForbiddenTarget, type ResolvedTarget, resolveTarget } from './target-guard.ts'

export interface CallResult {
  /** null when there was no answer. */
  code: number | null
  response: string | null
  error: string | null
  /** The address is not allowed: asking again would change nothing. */
  isForbidden: boolean
}

export interface CallOptions {
  url: string
  method: string
  allowsInside: boolean
  timeoutMs?: number
}

const TIMEOUT_MS = 10_000
const RESPONSE_CAP = 4096
const REDIRECTS = 3
const USER_AGENT = 'Mozilla/5.0 (compatible; postback)'

export async function callPartner(options: CallOptions): Promise<CallResult> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
  try {
    return await follow(options, signal)
  } catch (error) {
    const isForbidden = error instanceof ForbiddenTarget
    const text = signal.aborted ? `no answer within ${(options.timeoutMs ?? TIMEOUT_MS) / 1000} s` : describe(error)
    return { code: null, response: null, error: text, isForbidden }
  }
}

async function follow({ url, method, allowsInside }: CallOptions, signal: AbortSignal): Promise<CallResult> {
  let target = new URL(url)
  let verb = method
  for (let hops = 0; ; hops++) {
    const answer = await callOnce(target, verb, await abortable(resolveTarget(target, allowsInside), signal), signal)
    const isRedirect = answer.location !== undefined && hops < REDIRECTS
    if (!isRedirect)
      return { code: answer.code, response: answer.body, error: errorOf(answer.code), isForbidden: false }
    target = new URL(answer.location ?? '', target)
    if (answer.code !== 307 && answer.code !== 308) verb = 'GET'
  }
}

const errorOf = (code: number): string | null => (code >= 200 && code < 300 ? null : `the answer was ${code}`)

interface Answer {
  code: number
  body: string
  location: string | undefined
}

async function callOnce(target: URL, method: string, resolved: ResolvedTarget, signal: AbortSignal): Promise<Answer> {
  const agent = new Agent({
    pipelining: 0,
    connect: { lookup: (_host, _options, done) => done(null, [resolved]) },
  })
  try {
    const isPost = method === 'POST'
    const { statusCode, headers, body } = await call(target, {
      method: isPost ? 'POST' : 'GET',
      dispatcher: agent,
      signal,
      headers: {
        'user-agent': USER_AGENT,
        accept: '*/*',
        ...(isPost ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      body: isPost ? target.search.slice(1) : null,
    })
    const chunks: Buffer[] = []
    let size = 0
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
  } finally {
    void agent.destroy()
  }
}

/** All but tab and line ends. */
const CONTROLS = /(?![\t\r\n])\p{Cc}/gu

const readable = (bytes: Buffer): string => bytes.subarray(0, RESPONSE_CAP).toString('utf8').replace(CONTROLS, '')

/** Name resolution cannot be cancelled, but need not be waited for. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  const cause = error instanceof AggregateError ? error.errors.map(String).join(', ') : error.message
  return `${cause || error.name}${code}`.slice(0, 500)
}
