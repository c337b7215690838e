// Estimates how long a statement takes alone: as long as the same statement took before, or one of its kind for each day of its periods. Only
// the order of waiting queries depends on it.

import { hash } from 'node:crypto'

/** What a statement has in common with others. */
export interface QueryKind {
  /** Statements of one kind cost about the same. */
  readonly name: string
  /** What the cost grows with: the days of its periods. */
  readonly size: number
}

export interface CostEstimates {
  /** Milliseconds; undefined: nothing of its kind has run. */
  estimate(sql: string, kind?: QueryKind): number | undefined
  /** `others`: how many ran at the same time. */
  learn(sql: string, kind: QueryKind | undefined, milliseconds: number, others: number): void
}

const KEPT = 2000
/** Weight of the last run against all before it. */
const LAST_WEIGHT = 0.5

export function createCostEstimates(): CostEstimates {
  /** Milliseconds of one unit of size, the last learnt at the end. */
  const rates = new Map<string, number>()
  const textOf = (sql: string): string => hash('sha1', sql)

  function note(key: string, rate: number): void {
    const known = rates.get(key)
    rates.delete(key)
    rates.set(key, known === undefined ? rate : known + LAST_WEIGHT * (rate - known))
    const [oldest] = rates.keys()
    if (rates.size > KEPT && oldest !== undefined) rates.delete(oldest)
  }

  return {
    estimate(sql, kind) {
      const rate = rates.get(textOf(sql)) ?? (kind === undefined ? undefined : rates.get(kind.name))
      return rate === undefined ? undefined : Math.max(1, rate * (kind?.size ?? 1))
    },
    learn(sql, kind, milliseconds, others) {
      const rate = milliseconds / (1 + others) / (kind?.size ?? 1)
      note(textOf(sql), rate)
      if (kind !== undefined) note(kind.name, rate)
    },
  }
}
