// The query scheduler: which waiting read runs next. Short queries do not wait behind long ones, one person's many queries do not push back those of
// others, and no query waits for ever. Pure.

export interface QueuedQuery {
  /** For whom it runs; null: the product itself. */
  readonly person: number | null
  readonly isLong: boolean
  /** When it began to wait, in milliseconds. */
  readonly since: number
}

export const READERS = 3
/** One reader always stays free for short queries. */
const LONG_AT_ONCE = READERS - 1
/** A query that has waited this long is no longer overtaken. */
const PATIENCE_MS = 15_000

/** How many queries of each person have begun since that person last had none. */
export type ServedCounts = ReadonlyMap<number | null, number>

/** The next of the waiting reads, which stand in order of arrival; undefined: none may begin yet. */
export function nextQuery<T extends QueuedQuery>(
  waiting: readonly T[],
  running: readonly QueuedQuery[],
  served: ServedCounts,
  now: number,
): T | undefined {
  const isLongFull = running.filter(({ isLong }) => isLong).length >= LONG_AT_ONCE
  const counts = new Map(served)
  let best: { query: T; count: number } | undefined
  for (const query of waiting) {
    const count = query.person === null ? 0 : (counts.get(query.person) ?? 0)
    counts.set(query.person, count + 1)
    if (isLongFull && query.isLong) continue
    if (now - query.since > PATIENCE_MS) return query
    const isSooner = best === undefined || (query.isLong === best.query.isLong ? count < best.count : best.query.isLong)
    if (isSooner) best = { query, count }
  }
  return best?.query
}
