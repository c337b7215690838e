// The query scheduler: which waiting read runs next. Short queries do not wait behind long ones; a long one runs all the same, because newer
// queries begin with no waiting time and because nobody is overtaken for ever. Pure.

export interface QueuedQuery {
  /** For whom it runs; null: the product itself. */
  readonly person: number | null
  /** Estimated milliseconds when it runs alone. */
  readonly cost: number
  /** When it began to wait, in milliseconds. */
  readonly since: number
}

export const READERS = 3
/** One reader always stays free for light queries. */
const HEAVY_AT_ONCE = READERS - 1
/** From here on a person notices the wait. */
const HEAVY_MS = 500
/** A query is not overtaken once it has waited this many times the longest cost of those that wait or run, and at least PATIENCE_MS. */
const PATIENCE = 3
const PATIENCE_MS = 15_000

const isHeavy = ({ cost }: QueuedQuery): boolean => cost >= HEAVY_MS

/** Milliseconds given to each person since they last had no query. */
export type Spent = ReadonlyMap<number | null, number>

/** The next of the waiting reads, which stand in order of arrival; undefined: none may begin yet. */
export function nextQuery<T extends QueuedQuery>(
  waiting: readonly T[],
  running: readonly QueuedQuery[],
  spent: Spent,
  now: number,
): T | undefined {
  const isHeavyFull = running.filter(isHeavy).length >= HEAVY_AT_ONCE
  const patience = Math.max(PATIENCE_MS, ...[...waiting, ...running].map(({ cost }) => PATIENCE * cost))
  const sums = new Map(spent)
  let best: { query: T; own: number; rank: number } | undefined
  for (const query of waiting) {
    const { person, cost, since } = query
    // A person's earlier queries count to their next one: many queries of one person do not push back those of others.
    const own = cost + (person === null ? 0 : (sums.get(person) ?? 0))
    sums.set(person, own)
    if (isHeavyFull && isHeavy(query)) continue
    const waited = now - since
    if (waited > patience) return query
    // Twice the cost may wait four times as long: by the plain ratio everybody waits many times their own cost under load.
    const rank = waited / own ** 2
    if (best === undefined || rank > best.rank || (rank === best.rank && own < best.own)) best = { query, own, rank }
  }
  return best?.query
}
