// How often one may guess. An attempt counts before it is judged, so that many at once get no further than the same number one after another;
// a right one is given back. Kept in memory: each API process counts for itself, and a restart forgives.
import { AppError } from '../lib/app-error.ts'

export interface Attempts {
  /** Runs `judge` as one attempt under every key; throws `too_many_requests` with the wait when one of them is locked. */
  guard<T>(keys: readonly AttemptKey[], judge: () => Promise<T>): Promise<T>
  /** Throws `too_many_requests` while the key is locked, without counting. */
  refuseLocked(key: AttemptKey): void
}

export type AttemptKind = 'address' | 'password' | 'code'
export interface AttemptKey {
  readonly kind: AttemptKind
  readonly of: string
}

/** `limit` wrong ones make a lock; one is forgotten every `forgetMs`. An address is shared by an office, so it has more. */
const RULES: Record<AttemptKind, { limit: number; forgetMs: number }> = {
  address: { limit: 30, forgetMs: 30_000 },
  password: { limit: 5, forgetMs: 15 * 60_000 },
  code: { limit: 5, forgetMs: 15 * 60_000 },
}
const FIRST_LOCK_MS = 60_000
/** Each further failure doubles the lock up to this. */
const LONGEST_LOCK_MS = 15 * 60_000
/** A flood of invented names must not fill the memory: the oldest go first. */
const ENTRIES_MAX = 100_000

interface Entry {
  failures: number
  lockedUntil: number
  /** Until when forgetting has been reckoned. */
  reckonedAt: number
}

/** Outcomes that are guesses gone wrong; others (a stopped database) are nobody's fault. */
const isWrongGuess = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'wrong_credentials' || error.code === 'wrong_code')

export function createAttempts(clock: () => number = Date.now): Attempts {
  const entries = new Map<string, Entry>()
  const nameOf = ({ kind, of }: AttemptKey): string => `${kind} ${of}`

  function find(key: AttemptKey): Entry | undefined {
    const entry = entries.get(nameOf(key))
    if (entry === undefined) return undefined
    const { forgetMs } = RULES[key.kind]
    const forgotten = Math.floor((clock() - entry.reckonedAt) / forgetMs)
    entry.failures -= forgotten
    entry.reckonedAt += forgotten * forgetMs
    if (entry.failures > 0 || entry.lockedUntil > clock()) return entry
    entries.delete(nameOf(key))
    return undefined
  }

  function refuseLocked(...keys: readonly AttemptKey[]): void {
    const wait = Math.max(...keys.map((key) => (find(key)?.lockedUntil ?? 0) - clock()))
    if (wait > 0) throw new AppError('too_many_requests', { retry_after: Math.ceil(wait / 1000) })
  }

  function count(key: AttemptKey): void {
    const name = nameOf(key)
    const entry = find(key) ?? { failures: 0, lockedUntil: 0, reckonedAt: clock() }
    entry.failures += 1
    entry.lockedUntil = lockAfter(entry.failures, RULES[key.kind].limit, clock())
    // Put last, so that the oldest stand first.
    entries.delete(name)
    entries.set(name, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= ENTRIES_MAX) break
      entries.delete(oldest)
    }
  }

  function giveBack(key: AttemptKey): void {
    const entry = find(key)
    if (entry === undefined) return
    entry.failures -= 1
    if (entry.failures < RULES[key.kind].limit) entry.lockedUntil = 0
    if (entry.failures <= 0) entries.delete(nameOf(key))
  }

  return {
    refuseLocked,
    async guard(keys, judge) {
      refuseLocked(...keys)
      for (const key of keys) count(key)
      try {
        const result = await judge()
        for (const key of keys) {
          if (key.kind === 'address') giveBack(key)
          else entries.delete(nameOf(key))
        }
        return result
      } catch (error) {
        if (!isWrongGuess(error)) for (const key of keys) giveBack(key)
        throw error
      }
    },
  }
}

function lockAfter(failures: number, limit: number, now: number): number {
  if (failures < limit) return 0
  return now + Math.min(FIRST_LOCK_MS * 2 ** (failures - limit), LONGEST_LOCK_MS)
}
