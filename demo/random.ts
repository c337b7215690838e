// A seeded random source: the same seed gives the same network on every machine.

export interface Random {
  /** [0, 1) */
  next(): number
  /** Whole number from 0 to max - 1. */
  below(max: number): number
  between(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** How often something with this mean happens. */
  poisson(mean: number): number
  /** Bell curve. */
  normal(mean: number, deviation: number): number
  /** An independent stream, so that one part's draws do not move another's. */
  fork(name: string): Random
}

function hash(text: string): number {
  let value = 2166136261
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619)
  return value >>> 0
}

/** Mulberry32: 32 bits of state are plenty for a demo and fast. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const normal = (mean: number, deviation: number) =>
    mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const poisson = (mean: number) => {
    if (mean > 30) return Math.max(0, Math.round(normal(mean, Math.sqrt(mean))))
    const limit = Math.exp(-mean)
    let count = 0
    for (let product = next(); product > limit; product *= next()) count++
    return count
  }
  return {
    next,
    below: (max) => Math.floor(next() * max),
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
    poisson,
    normal,
    fork: (name) => makeRandom(hash(`${seed}/${name}`)),
  }
}

/** Weighted choice in O(log n): sums are prepared once. */
export function weightedPicker<T>(items: readonly T[], weight: (item: T) => number): (random: Random) => T {
  const sums: number[] = []
  let total = 0
  for (const item of items) {
    total += weight(item)
    sums.push(total)
  }
  return (random) => {
    const point = random.next() * total
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > point) high = middle
      else low = middle + 1
    }
    const item = items[low]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }
}
