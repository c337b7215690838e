// How often one may guess. An attempt counts before it is judged, so that many at once get no further than the same number one after another;
// a right one is given back. Kept in the record, so that all API processes count together and a restart forgives nothing.
import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Postgres } from '../postgres/client.ts'
import type { Database } from '../postgres/tables.ts'
import type {} from './tables.ts'

export interface Attempts {
  /** Runs `judge` as one attempt under every key; throws `too_many_requests` with the wait when one of them is locked. */
  guard<T>(keys: readonly AttemptKey[], judge: () => Promise<T>): Promise<T>
  /** Throws `too_many_requests` while the key is locked, without counting. */
  refuseLocked(key: AttemptKey): Promise<void>
  /** Forgets what was counted: the person has shown by other means who they are. */
  forgive(key: AttemptKey): Promise<void>
}

export type AttemptKind = 'address' | 'password' | 'code' | 'restore' | 'restore_address'
export interface AttemptKey {
  readonly kind: AttemptKind
  readonly of: string
}

interface Rule {
  /** So many make a lock. */
  limit: number
  /** One is forgotten after each such time. */
  forgetMs: number
  /** Counts whatever came of it: each one sends a mail. */
  countsAll?: true
}

/** An address is shared by an office, so it has more. */
const RULES: Record<AttemptKind, Rule> = {
  address: { limit: 30, forgetMs: 30_000 },
  password: { limit: 5, forgetMs: 15 * 60_000 },
  code: { limit: 5, forgetMs: 15 * 60_000 },
  restore: { limit: 4, forgetMs: 15 * 60_000, countsAll: true },
  restore_address: { limit: 15, forgetMs: 4 * 60_000, countsAll: true },
}
const FIRST_LOCK_MS = 60_000
/** Each further failure doubles the lock up to this. */
const LONGEST_LOCK_MS = 15 * 60_000

interface Entry {
  failures: number
  lockedUntil: number
  /** Until when forgetting has been reckoned. */
  reckonedAt: number
}

/** Outcomes that are guesses gone wrong; others (a stopped database) are nobody's fault. */
const isWrongGuess = (error: unknown): boolean =>
  error instanceof AppError && ['wrong_credentials', 'wrong_code', 'wrong_token'].includes(error.code)

const nameOf = ({ kind, of }: AttemptKey): Buffer => createHash('sha256').update(`${kind} ${of}`).digest()

export function createAttempts(postgres: Postgres, clock: () => number = Date.now): Attempts {
  const waitFor = (entries: readonly Entry[]): number =>
    Math.max(0, ...entries.map((entry) => entry.lockedUntil - clock()))

  const refuse = (wait: number): void => {
    if (wait > 0) throw new AppError('too_many_requests', { retry_after: Math.ceil(wait / 1000) })
  }

  /** In one order for everybody, so that two who count the same keys do not wait for each other. */
  const change = (keys: readonly AttemptKey[], work: (entry: Entry, key: AttemptKey) => void, isRefusing: boolean) =>
    postgres.withTransaction(async (trx) => {
      const sorted = [...keys].sort((a, b) => nameOf(a).compare(nameOf(b)))
      const entries: Entry[] = []
      for (const key of sorted) entries.push(await lockEntry(trx, key, clock()))
      if (isRefusing) refuse(waitFor(entries))
      for (const [index, key] of sorted.entries()) {
        const entry = entries[index]
        if (entry === undefined) continue
        work(entry, key)
        await keepEntry(trx, key, entry)
      }
    })

  const count = (keys: readonly AttemptKey[]): Promise<void> =>
    change(
      keys,
      (entry, key) => {
        entry.failures += 1
        entry.lockedUntil = lockAfter(entry.failures, RULES[key.kind].limit, clock())
      },
      true,
    )

  const giveBack = (keys: readonly AttemptKey[], isRight: boolean): Promise<void> =>
    change(
      keys.filter(({ kind }) => RULES[kind].countsAll === undefined),
      (entry, key) => {
        // Who was right is trusted anew; an address only gets its own back, because others guess from it, too.
        entry.failures = isRight && key.kind !== 'address' ? 0 : Math.max(0, entry.failures - 1)
        if (entry.failures < RULES[key.kind].limit) entry.lockedUntil = 0
      },
      false,
    )

  return {
    async refuseLocked(key) {
      const { rows } = await postgres.pool.query<EntryRow>(`${SELECT} where of = $1`, [nameOf(key)])
      refuse(waitFor(rows.map(readEntry)))
    },
    async forgive(key) {
      await postgres.pool.query('delete from access_attempt where of = $1', [nameOf(key)])
    },
    async guard(keys, judge) {
      await count(keys)
      try {
        const result = await judge()
        await giveBack(keys, true)
        return result
      } catch (error) {
        if (!isWrongGuess(error)) await giveBack(keys, false)
        throw error
      }
    },
  }
}

interface EntryRow {
  failures: number
  locked_until: Date
  reckoned_at: Date
}

const SELECT = 'select failures, locked_until, reckoned_at from access_attempt'

const readEntry = (row: EntryRow): Entry => ({
  failures: row.failures,
  lockedUntil: row.locked_until.getTime(),
  reckonedAt: row.reckoned_at.getTime(),
})

async function lockEntry(trx: Transaction<Database>, key: AttemptKey, now: number): Promise<Entry> {
  const start = new Date(now)
  // Written even when it is there: so the row is locked, and what is read is what the last one left.
  const { rows } = await sql<EntryRow>`insert into access_attempt as held (of, failures, locked_until, reckoned_at)
    values (${nameOf(key)}, 0, to_timestamp(0), ${start}) on conflict (of) do update set failures = held.failures
    returning failures, locked_until, reckoned_at`.execute(trx)
  const entry = rows[0] === undefined ? { failures: 0, lockedUntil: 0, reckonedAt: now } : readEntry(rows[0])
  const { forgetMs } = RULES[key.kind]
  const forgotten = Math.max(0, Math.floor((now - entry.reckonedAt) / forgetMs))
  entry.failures = Math.max(0, entry.failures - forgotten)
  entry.reckonedAt = entry.failures === 0 ? now : entry.reckonedAt + forgotten * forgetMs
  return entry
}

async function keepEntry(trx: Transaction<Database>, key: AttemptKey, entry: Entry): Promise<void> {
  await sql`update access_attempt set failures = ${entry.failures}, locked_until = ${new Date(entry.lockedUntil)},
    reckoned_at = ${new Date(entry.reckonedAt)} where of = ${nameOf(key)}`.execute(trx)
}

function lockAfter(failures: number, limit: number, now: number): number {
  if (failures < limit) return 0
  return now + Math.min(FIRST_LOCK_MS * 2 ** (failures - limit), LONGEST_LOCK_MS)
}
