// Tells partners. The row of the record is the queue: a pending row whose time has come is taken on a lease, called, and written back; a process
// that dies in between leaves the lease to run out, so every postback is sent at least once. No host gets more than its share of the senders.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from '../lib/log.ts'
import { type CallResult, callPartner } from './postback-call.ts'

export interface PostbackSender {
  /** There is something to send: do not wait for the next look. */
  wake(): void
  /** Calls in flight are finished first. */
  stop(): Promise<void>
}

export interface SenderOptions {
  pool: Pool
  log: Logger
  allowsInside: boolean
  /** Milliseconds after each failed attempt; past the last the postback has failed. */
  delays?: readonly number[]
  timeoutMs?: number
}

interface DuePostback {
  id: number
  url: string
  method: string
  attempts: number
  host: string
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
const SENDERS = 32
const SENDERS_A_HOST = 4
/** Longer than any call can take. */
const LEASE_SECONDS = 60
const GONE = 410

const HOST = `split_part(split_part(url, '://', 2), '/', 1)`
const TAKE = `update postback set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})
  where id in (
    select id from postback where status = 'pending' and next_attempt_at <= now() and id in (
      select id from (
        select id, next_attempt_at, row_number() over (partition by ${HOST} order by next_attempt_at) + coalesce(($2::jsonb ->> ${HOST})::int, 0) as place
        from postback where status = 'pending' and next_attempt_at <= now()
      ) due where place <= ${SENDERS_A_HOST} order by next_attempt_at limit $1
    ) for update skip locked
  ) returning id, url, method, attempts, ${HOST} as host`

const SAVE = `update postback set status = $2, response_code = $3, response = $4, error = $5, next_attempt_at = $6 where id = $1 and status = 'pending'`

export function startPostbackSender(options: SenderOptions): PostbackSender {
  const { pool, log, delays = RETRY_DELAYS } = options
  const busy = new Map<string, number>()
  const calls = new Set<Promise<void>>()
  let isStopping = false
  let nudge: (() => void) | undefined

  async function send(due: DuePostback): Promise<void> {
    try {
      const timeout = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }
      const result = await callPartner({
        url: due.url,
        method: due.method,
        allowsInside: options.allowsInside,
        ...timeout,
      })
      await save(due, result)
    } catch (error) {
      log.warn({ error, postback_id: due.id }, 'the outcome of a postback could not be written; it will be sent again')
    }
  }

  async function save(due: DuePostback, result: CallResult): Promise<void> {
    const isSent = result.error === null
    const delay = result.isForbidden || result.code === GONE ? undefined : delays[due.attempts - 1]
    const status = isSent ? 'sent' : delay === undefined ? 'failed' : 'pending'
    const next = status === 'pending' && delay !== undefined ? new Date(Date.now() + jitter(delay)) : null
    await pool.query(SAVE, [due.id, status, result.code, result.response, result.error, next])
    if (!isSent)
      log.info(
        { postback_id: due.id, host: due.host, error: result.error, attempts: due.attempts, status },
        'a partner was not told',
      )
  }

  function begin(due: DuePostback): void {
    busy.set(due.host, (busy.get(due.host) ?? 0) + 1)
    const work = send(due).finally(() => {
      calls.delete(work)
      const left = (busy.get(due.host) ?? 1) - 1
      if (left === 0) busy.delete(due.host)
      else busy.set(due.host, left)
      nudge?.()
    })
    calls.add(work)
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const woken = new Promise<void>((resolve) => (nudge = resolve))
      const free = SENDERS - calls.size
      if (free > 0) {
        const taken = await take(free)
        for (const due of taken) begin(due)
      }
      await Promise.race([woken, sleep(LOOK_MS, undefined, { ref: false })])
    }
  }

  async function take(free: number): Promise<DuePostback[]> {
    try {
      return (await pool.query<DuePostback>(TAKE, [free, JSON.stringify(Object.fromEntries(busy))])).rows
    } catch (error) {
      log.warn({ error }, 'postbacks to send could not be read')
      return []
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
    },
  }
}

const jitter = (delay: number): number => delay * (1 + (Math.random() * 2 - 1) * JITTER)
