// Whose turn it is when a session is free. A short question is not kept behind long ones; and a long one comes to its turn all the same, because what
// is asked later begins to wait at nothing, and because nobody is passed for ever. Pure.

export interface Turn {
  /** Who asks; null: the product itself. */
  readonly asker: number | null
  /** Milliseconds that it is expected to take alone. */
  readonly cost: number
  /** When it was asked for, in milliseconds. */
  readonly since: number
}

export const READERS = 3
/** One reader is always left for the light ones. */
const HEAVY_AT_ONCE = READERS - 1
/** Longer than somebody sits and waits without noticing. */
const HEAVY_MS = 500
/** Nobody is passed by others who has waited for so many times the longest of those that wait or run, and for so long at least: where everybody
 * waits longer than that it is the order in which they came, which serves people worst. */
const PATIENCE = 3
const PATIENCE_MS = 15_000

const isHeavy = ({ cost }: Turn): boolean => cost >= HEAVY_MS

/** Milliseconds that were given to each asker since they last waited for nothing. */
export type Spent = ReadonlyMap<number | null, number>

/** The next of the reads that wait, in the order in which they were asked; undefined: none may begin yet. */
export function nextTurn<T extends Turn>(
  waiting: readonly T[],
  running: readonly Turn[],
  spent: Spent,
  now: number,
): T | undefined {
  const isHeavyFull = running.filter(isHeavy).length >= HEAVY_AT_ONCE
  const patience = Math.max(PATIENCE_MS, ...[...waiting, ...running].map(({ cost }) => PATIENCE * cost))
  const sums = new Map(spent)
  let best: { turn: T; own: number; rank: number } | undefined
  for (const turn of waiting) {
    const { asker, cost, since } = turn
    // What somebody has asked before counts to what they ask now: many questions of one do not push back those of others.
    const own = cost + (asker === null ? 0 : (sums.get(asker) ?? 0))
    sums.set(asker, own)
    if (isHeavyFull && isHeavy(turn)) continue
    const waited = now - since
    if (waited > patience) return turn
    // What costs twice as much may wait four times as long: by the ratio alone everybody would wait many times their own cost when there is much to do.
    const rank = waited / own ** 2
    if (best === undefined || rank > best.rank || (rank === best.rank && own < best.own)) best = { turn, own, rank }
  }
  return best?.turn
}
