// The query scheduler decides which waiting read runs next. Short queries do not wait behind long ones, one person's many queries do not delay
// those of others, and no query waits forever.

/** A query that waits for a session. */
export interface QueuedQuery {
  /** The person for whom it runs; null means the product itself. */
  readonly person: number | null
  readonly isLong: boolean
  /** The time at which it began to wait, in milliseconds of performance.now(). */
  readonly since: number
}

export const READERS = 3
/** One reader always stays free for short queries. */
const MAX_LONG = READERS - 1
/** A query that has waited longer is not overtaken any more. */
const MAX_OVERTAKEN_MS = 15_000

/** For each person, the number of queries started since the person last had none waiting or running. */
export type ServedCounts = ReadonlyMap<number | null, number>

/** Chooses the next read. `waiting` must be in order of arrival. Undefined means that none may start yet. */
export function nextQuery<T extends QueuedQuery>(
  waiting: readonly T[],
  running: readonly QueuedQuery[],
  served: ServedCounts,
  now: number,
): T | undefined {
  const isLongFull = running.filter(({ isLong }) => isLong).length >= MAX_LONG
  const counts = new Map(served)
  let best: { query: T; count: number } | undefined
  for (const query of waiting) {
    const count = query.person === null ? 0 : (counts.get(query.person) ?? 0)
    counts.set(query.person, count + 1)
    if (isLongFull && query.isLong) continue
    if (now - query.since > MAX_OVERTAKEN_MS) return query
    const isSooner = best === undefined || (query.isLong === best.query.isLong ? count < best.count : best.query.isLong)
    if (isSooner) best = { query, count }
  }
  return best?.query
}
