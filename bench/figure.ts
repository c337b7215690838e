// One measured number with a name that budget.json may limit.

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The runs whose median is the value. */
  readonly runs?: readonly number[]
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Fraction of the full size: BENCH_SIZE, or `--size 100M` in clicks. It is read when a bench is loaded. */
export function sizeOf(fullClicks: number): number {
  const { BENCH_CLICKS, BENCH_SIZE } = process.env
  return BENCH_CLICKS === undefined ? Number(BENCH_SIZE ?? 1) : Number(BENCH_CLICKS) / fullClicks
}
