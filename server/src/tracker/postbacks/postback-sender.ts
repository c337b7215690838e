// Sends outbound postbacks: leases due ones within the limits of their hosts, calls the URLs, and stores outcomes in batches. Each is sent at
// least once and retried until it succeeds, the schedule ends, the target is forbidden, or the partner answers 410.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Registry } from 'prom-client'
import type { Logger } from '../../lib/log.ts'
import { failSpan, inRootSpan } from '../../lib/tracing.ts'
import { createHostLimits } from './host-limits.ts'
import { type CallResult, openPartnerClient, signingKey } from './partner-client.ts'
import { createSenderMetrics } from './postback-metrics.ts'
import { type DuePostback, giveUpOn, leaseDue, type Outcome, saveOutcomes } from './postback-queue.ts'

export interface PostbackSender {
  /** Checks for due postbacks now. */
  wake(): void
  /** Resolves when the calls in flight have ended. */
  stop(): Promise<void>
}

export interface SenderOptions {
  pool: Pool
  log: Logger
  metrics?: Registry
  allowsPrivateTargets: boolean
  /** Signing keys derive from it. */
  secret: string
  /** Milliseconds to wait after each failed attempt. After the last delay the postback fails. */
  delays?: readonly number[]
  timeoutMs?: number
  /** How often due postbacks are looked for. */
  pollMs?: number
  /** Called after the outcome of a call was stored, or could not be stored. */
  onOutcome?(postbackId: number, partnerId: number | null): void
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const RETRY_DELAYS: readonly number[] = [
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  4 * HOUR,
  12 * HOUR,
  24 * HOUR,
]
const JITTER = 0.1
const POLL_EVERY_MS = 1000
const GIVE_UP_MS = 10 * MINUTE

/** The key is the same for all attempts, even if the postback is sent again. */
export const toIdempotencyKey = (postbackId: number): string => `postback-${postbackId}`

export function startPostbackSender(options: SenderOptions): PostbackSender {
  const { pool, log, delays = RETRY_DELAYS } = options
  const limits = createHostLimits()
  const client = openPartnerClient(options)
  const calls = new Set<Promise<void>>()
  const metrics =
    options.metrics === undefined
      ? undefined
      : createSenderMetrics(options.metrics, () => limits.count(performance.now()))
  const outcomes = createOutcomeWriter(pool, log)
  let isStopping = false
  let wake: (() => void) | undefined
  let gaveUpAt = performance.now()

  async function send(due: DuePostback): Promise<void> {
    const at = new Date().toISOString()
    const began = performance.now()
    const call = {
      url: due.url,
      method: due.method,
      idempotencyKey: toIdempotencyKey(due.id),
      signingKey: due.signed_by === null ? undefined : signingKey(options.secret, due.signed_by),
    }
    const attributes = { 'server.address': due.host, postback_id: due.id }
    const result = await inRootSpan('postback to a partner', 'call', attributes, async (span) => {
      const outcome = await client.call(call)
      if (outcome.reason !== null) failSpan(span, outcome.reason)
      return outcome
    })
    const now = performance.now()
    limits.ended(due.host, result.code !== null || result.reason === 'forbidden_target', now)
    metrics?.countCall(result.reason ?? 'sent')
    wake?.()
    const outcome = decideOutcome(due, result, { at, ms: Math.round(now - began), delays })
    if (outcome.status !== 'sent') {
      const { status, reason, error, number } = outcome
      log.info(
        { postback_id: due.id, host: due.host, reason, error, attempts: number, status },
        'a partner did not receive a postback',
      )
    }
    await outcomes.write(outcome)
    options.onOutcome?.(due.id, due.partner_id)
  }

  function begin(due: DuePostback): void {
    limits.began(due.host)
    const work = send(due).finally(() => calls.delete(work))
    calls.add(work)
  }

  async function sendDue(): Promise<void> {
    // The clock must be monotonic.
    const now = performance.now()
    try {
      for (const due of await leaseDue(pool, limits.room(now))) begin(due)
      if (now - gaveUpAt < GIVE_UP_MS) return
      gaveUpAt = now
      await giveUpOn(pool, limits.resting(now))
    } catch (error) {
      log.warn({ error }, 'postbacks to send could not be read')
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const woken = new Promise<void>((resolve) => (wake = resolve))
      await sendDue()
      await Promise.race([woken, sleep(options.pollMs ?? POLL_EVERY_MS, undefined, { ref: false })])
    }
  }

  const running = run()
  return {
    wake: () => wake?.(),
    async stop() {
      isStopping = true
      wake?.()
      await running
      await Promise.all(calls)
      await client.close()
    },
  }
}

interface Attempt {
  /** The start of the call in ISO 8601. */
  at: string
  ms: number
  delays: readonly number[]
}

function decideOutcome(due: DuePostback, result: CallResult, { at, ms, delays }: Attempt): Outcome {
  const isFinal = result.reason === 'forbidden_target' || result.reason === 'gone'
  const delay = isFinal ? undefined : delays[due.step]
  const status = result.reason === null ? 'sent' : delay === undefined ? 'failed' : 'pending'
  return {
    id: due.id,
    status,
    reason: result.reason,
    code: result.code,
    response: result.response,
    error: result.error,
    next_in_ms: status === 'pending' && delay !== undefined ? Math.round(jitter(delay)) : null,
    number: due.attempts,
    at,
    method: due.method,
    url: due.url,
    ms,
  }
}

const jitter = (delay: number): number => delay * (1 + (Math.random() * 2 - 1) * JITTER)

/** Stores outcomes in batches: those that arrive during a write form the next batch. */
function createOutcomeWriter(pool: Pool, log: Logger): { write(outcome: Outcome): Promise<void> } {
  let waiting: Outcome[] = []
  let writing: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await saveOutcomes(pool, batch)
      } catch (error) {
        log.warn({ error, postbacks: batch.length }, 'outcomes of postbacks could not be written; they are sent again')
      }
    }
    writing = undefined
  }

  return {
    write(outcome) {
      waiting.push(outcome)
      writing ??= Promise.resolve().then(writeAll)
      return writing
    },
  }
}
