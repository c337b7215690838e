// Calls a third party with JSON within a time limit, and retries after temporary failures. The caller decides which addresses are allowed.

import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { Agent, request } from 'undici'

/** Both methods throw if a URL, or an address to which a name resolves, may not be called. */
export interface TargetGuard {
  check(url: URL, allowsPrivateTargets: boolean): void
  resolve(host: string, allowsPrivateTargets: boolean): Promise<{ address: string; family: 4 | 6 }>
}

export interface IntegrationCall {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly body?: unknown
  readonly credential: string | null
  /** The same for each attempt of one request. */
  readonly idempotencyKey?: string
  readonly signal: AbortSignal
}

/** One request and what came back; `error` if no answer arrived. */
export interface CallAttempt {
  readonly method: IntegrationCall['method']
  readonly status: number | null
  readonly text: string | null
  readonly error: string | null
  readonly durationMs: number
}

export interface CallerOptions {
  readonly guard: TargetGuard
  readonly allowsPrivateTargets: boolean
  readonly timeoutMs?: number
  /** Before the second attempt, doubled for each further one. */
  readonly pauseMs?: number
  /** Called after each attempt, also a failed one, before the next. */
  readonly onAttempt?: (attempt: CallAttempt) => Promise<void>
}

/** Thrown for an unsuccessful answer, or if no answer arrived. */
export class IntegrationFailure extends Error {
  override readonly name = 'IntegrationFailure'
  readonly status: number | null
  /** The body of an unsuccessful answer. */
  readonly answer: string | null

  constructor(message: string, status: number | null, options?: ErrorOptions & { answer?: string }) {
    super(message, options)
    this.status = status
    this.answer = options?.answer ?? null
  }
}

const TIMEOUT_MS = 30_000
const ATTEMPTS = 3
const PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000
const ANSWER_CAP = 64 * 1024 * 1024
const QUOTED = 300

interface Answer {
  status: number
  text: string
  retryAfterMs: number | undefined
}

/** Returns the parsed answer. Throws IntegrationFailure or the signal's reason. */
export async function callIntegration(call: IntegrationCall, options: CallerOptions): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const started = performance.now()
    const { failure, answer } = await attemptCall(call, options)
    await options.onAttempt?.({
      method: call.method,
      status: answer?.status ?? null,
      text: answer?.text ?? null,
      error: failure?.message ?? null,
      durationMs: Math.round(performance.now() - started),
    })
    if (answer !== undefined && answer.status >= 200 && answer.status < 300) return parse(answer.text)
    const isPassing = answer === undefined || answer.status === 429 || answer.status === 408 || answer.status >= 500
    if (!isPassing || attempt >= ATTEMPTS) throw failure ?? rejection(answer)
    const pause = answer?.retryAfterMs ?? (options.pauseMs ?? PAUSE_MS) * 2 ** (attempt - 1)
    await sleep(Math.min(pause, LONGEST_PAUSE_MS), undefined, { signal: call.signal })
  }
}

const rejection = (answer: Answer | undefined): IntegrationFailure =>
  new IntegrationFailure(
    `answered ${answer?.status}: ${answer?.text.slice(0, QUOTED)}`,
    answer?.status ?? null,
    answer === undefined ? {} : { answer: answer.text },
  )

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new IntegrationFailure(`answered no JSON: ${text.slice(0, QUOTED)}`, 200, { cause: error })
  }
}

async function attemptCall(
  call: IntegrationCall,
  options: CallerOptions,
): Promise<{ answer?: Answer; failure?: IntegrationFailure }> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    return { answer: await send(call, options, AbortSignal.any([call.signal, limit])) }
  } catch (error) {
    call.signal.throwIfAborted()
    const said = limit.aborted
      ? `no answer within ${timeoutMs / 1000} s`
      : error instanceof Error
        ? error.message || error.name
        : String(error)
    return { failure: new IntegrationFailure(said, null, { cause: error }) }
  }
}

async function send(
  call: IntegrationCall,
  { guard, allowsPrivateTargets }: CallerOptions,
  signal: AbortSignal,
): Promise<Answer> {
  const url = new URL(call.url)
  guard.check(url, allowsPrivateTargets)
  const lookup = callbackify(async (host: string, _options: object) => [
    await guard.resolve(host, allowsPrivateTargets),
  ])
  const agent = new Agent({ pipelining: 0, connect: { lookup } })
  try {
    const { statusCode, headers, body } = await request(url, {
      method: call.method,
      dispatcher: agent,
      signal,
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.credential === null ? {} : { authorization: `Bearer ${call.credential}` }),
        ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
      },
      body: call.body === undefined ? null : JSON.stringify(call.body),
    })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body) {
      size += (chunk as Buffer).length
      if (size > ANSWER_CAP) throw new Error('the answer is too long')
      chunks.push(chunk as Buffer)
    }
    const wait = Number(headers['retry-after'])
    return {
      status: statusCode,
      text: Buffer.concat(chunks).toString('utf8'),
      retryAfterMs: Number.isFinite(wait) && wait > 0 ? wait * 1000 : undefined,
    }
  } finally {
    void agent.destroy()
  }
}
