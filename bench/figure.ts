// What a bench tells: one number with a name that budget.json may limit.

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The single runs behind a median. */
  readonly runs?: readonly number[]
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}
