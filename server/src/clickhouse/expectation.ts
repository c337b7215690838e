// How long a statement is expected to take alone: as long as the same statement took the last times, or one like it, for each day that it is asked for.
// Only the order of those that wait depends on it.

import { hash } from 'node:crypto'

/** What is known of a statement beside its text. */
export interface Likeness {
  /** Statements of one kind cost about the same. */
  readonly kind: string
  /** What the cost grows with: the days of its periods. */
  readonly size: number
}

export interface Expectations {
  /** Milliseconds; undefined: nothing like it has been seen. */
  expect(sql: string, like?: Likeness): number | undefined
  /** `others`: how many ran beside it. */
  learn(sql: string, like: Likeness | undefined, milliseconds: number, others: number): void
}

const KEPT = 2000
/** What the last run counts against all before it. */
const NEWS = 0.5

export function createExpectations(): Expectations {
  /** Milliseconds of one unit of size, those learnt last at the end. */
  const rates = new Map<string, number>()
  const textOf = (sql: string): string => hash('sha1', sql)

  function note(key: string, rate: number): void {
    const known = rates.get(key)
    rates.delete(key)
    rates.set(key, known === undefined ? rate : known + NEWS * (rate - known))
    const [oldest] = rates.keys()
    if (rates.size > KEPT && oldest !== undefined) rates.delete(oldest)
  }

  return {
    expect(sql, like) {
      const rate = rates.get(textOf(sql)) ?? (like === undefined ? undefined : rates.get(like.kind))
      return rate === undefined ? undefined : Math.max(1, rate * (like?.size ?? 1))
    },
    learn(sql, like, milliseconds, others) {
      const rate = milliseconds / (1 + others) / (like?.size ?? 1)
      note(textOf(sql), rate)
      if (like !== undefined) note(like.kind, rate)
    },
  }
}
