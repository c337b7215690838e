// Limits guesses of passwords and codes. An attempt counts before it is checked, so that parallel requests get no extra guesses. PostgreSQL
// stores the counts, so that all processes share them and a restart does not reset them.
import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Database, Postgres } from '../postgres/client.ts'
import type {} from './tables.ts'

export interface Attempts {
  /** Runs `check` as one attempt under every key. Throws `too_many_requests` with `retry_after` in seconds if a key is locked. */
  guard<T>(keys: readonly AttemptKey[], check: () => Promise<T>): Promise<T>
  /** Throws `too_many_requests` while the key is locked; counts nothing. */
  rejectLocked(key: AttemptKey): Promise<void>
  /** Clears the count, after the user has proved who they are by other means. */
  reset(key: AttemptKey): Promise<void>
}

export type AttemptKind = 'address' | 'password' | 'code' | 'restore' | 'restore_address'
export interface AttemptKey {
  readonly kind: AttemptKind
  readonly of: string
}

interface Rule {
  /** Failures that lock the key. */
  limit: number
  /** After each interval of this length one failure is forgotten. */
  forgetMs: number
  /** Successful attempts count, too: each one sends a mail. */
  countsAll?: true
}

/** Limits per address are higher, because an office shares one. */
const RULES: Record<AttemptKind, Rule> = {
  address: { limit: 30, forgetMs: 30_000 },
  password: { limit: 5, forgetMs: 15 * 60_000 },
  code: { limit: 5, forgetMs: 15 * 60_000 },
  restore: { limit: 4, forgetMs: 15 * 60_000, countsAll: true },
  restore_address: { limit: 15, forgetMs: 4 * 60_000, countsAll: true },
}
const FIRST_LOCK_MS = 60_000
/** Longest lock; each further failure doubles the lock up to it. */
const LONGEST_LOCK_MS = 15 * 60_000

interface Entry {
  failures: number
  lockedUntil: number
  /** Time up to which failures have been dropped. */
  reckonedAt: number
}

/** True for wrong guesses, false for other failures such as a stopped database. */
const isWrongGuess = (error: unknown): boolean =>
  error instanceof AppError && ['wrong_credentials', 'wrong_code', 'wrong_token'].includes(error.code)

const nameOf = ({ kind, of }: AttemptKey): Buffer => createHash('sha256').update(`${kind} ${of}`).digest()

export function createAttempts(postgres: Postgres, clock: () => number = () => Date.now()): Attempts {
  const waitFor = (entries: readonly Entry[]): number =>
    Math.max(0, ...entries.map((entry) => entry.lockedUntil - clock()))

  const reject = (wait: number): void => {
    if (wait > 0) throw new AppError('too_many_requests', { retry_after: Math.ceil(wait / 1000) })
  }

  /** Locks keys in one global order, so that two requests with the same keys cannot deadlock. */
  const change = (keys: readonly AttemptKey[], work: (entry: Entry, key: AttemptKey) => void, isRejecting: boolean) =>
    postgres.withTransaction(async (trx) => {
      const sorted = [...keys].sort((a, b) => nameOf(a).compare(nameOf(b)))
      const entries: Entry[] = []
      for (const key of sorted) entries.push(await lockEntry(trx, key, clock()))
      if (isRejecting) reject(waitFor(entries))
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
        // Success clears the account's failures. An address only gets this attempt back: others may guess from it.
        entry.failures = isRight && key.kind !== 'address' ? 0 : Math.max(0, entry.failures - 1)
        if (entry.failures < RULES[key.kind].limit) entry.lockedUntil = 0
      },
      false,
    )

  return {
    async rejectLocked(key) {
      const { rows } = await postgres.pool.query<EntryRow>(`${SELECT} where of = $1`, [nameOf(key)])
      reject(waitFor(rows.map(readEntry)))
    },
    async reset(key) {
      await postgres.pool.query('delete from access_attempt where of = $1', [nameOf(key)])
    },
    async guard(keys, check) {
      await count(keys)
      try {
        const result = await check()
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
  // Writes the row even if it exists, which locks it; the values returned are the latest.
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
