// Sends outbound postbacks: leases those that are due, as far as each host has capacity, calls, and writes outcomes back in batches. Each is sent
// at least once, and retried by the schedule until it succeeds, the schedule ends, or the partner answers 410.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from '../../lib/log.ts'
import { createHostLimits } from './host-limits.ts'
import { type CallResult, openPartnerClient, signingKey } from './partner-client.ts'
import { type DuePostback, giveUpOn, type Outcome, saveOutcomes, takeDue } from './postback-queue.ts'

export interface PostbackSender {
  /** Looks for due postbacks now. */
  wake(): void
  /** Calls in flight are finished first. */
  stop(): Promise<void>
}

export interface SenderOptions {
  pool: Pool
  log: Logger
  allowsInside: boolean
  /** Signing keys are derived from it. */
  secret: string
  /** Milliseconds after each failed attempt; past the last the postback has failed. */
  delays?: readonly number[]
  timeoutMs?: number
  /** The outcome of a call is in the record. */
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
const LOOK_MS = 1000
const GIVE_UP_MS = 10 * MINUTE

/** The same for every attempt and every time it is sent again. */
export const idempotencyKeyOf = (postbackId: number): string => `postback-${postbackId}`

export function startPostbackSender(options: SenderOptions): PostbackSender {
  const { pool, log, delays = RETRY_DELAYS } = options
  const limits = createHostLimits()
  const client = openPartnerClient(options)
  const calls = new Set<Promise<void>>()
  const outcomes = createOutcomeWriter(pool, log)
  let isStopping = false
  let nudge: (() => void) | undefined
  let gaveUpAt = performance.now()

  async function send(due: DuePostback): Promise<void> {
    const at = new Date().toISOString()
    const began = performance.now()
    const result = await client.call({
      url: due.url,
      method: due.method,
      idempotencyKey: idempotencyKeyOf(due.id),
      signingKey: due.signed_by === null ? undefined : signingKey(options.secret, due.signed_by),
    })
    const now = performance.now()
    limits.ended(due.host, result.code !== null || result.reason === 'forbidden_target', now)
    nudge?.()
    const outcome = decideOutcome(due, result, { at, ms: Math.round(now - began), delays })
    if (outcome.status !== 'sent') {
      const { status, reason, error, number } = outcome
      log.info(
        { postback_id: due.id, host: due.host, reason, error, attempts: number, status },
        'a partner was not told',
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

  async function look(): Promise<void> {
    // A monotonic clock, which is never adjusted.
    const now = performance.now()
    try {
      for (const due of await takeDue(pool, limits.room(now))) begin(due)
      if (now - gaveUpAt < GIVE_UP_MS) return
      gaveUpAt = now
      await giveUpOn(pool, limits.resting(now))
    } catch (error) {
      log.warn({ error }, 'postbacks to send could not be read')
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const woken = new Promise<void>((resolve) => (nudge = resolve))
      await look()
      await Promise.race([woken, sleep(LOOK_MS, undefined, { ref: false })])
    }
  }

  const running = run()
  return {
    wake: () => nudge?.(),
    async stop() {
      isStopping = true
      nudge?.()
      await running
      await Promise.all(calls)
      await client.close()
    },
  }
}

interface Attempt {
  /** ISO 8601; when it began. */
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

/** Outcomes that arrive during a write form the next batch. */
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
