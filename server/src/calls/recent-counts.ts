// Counts of the last five minutes, from counters and histograms that only grow: the difference between now and an earlier sample.

import { readValues, type Value } from '../lib/process-report.ts'
import { createSlot } from '../lib/slot.ts'
import type { Services } from '../services.ts'

/** A sum of all processes, by name and labels. */
export type Counts = ReadonlyMap<string, Value>

const COUNTED = [
  'tributary_clicks_total',
  'tributary_redirect_seconds',
  'tributary_postbacks_received_total',
  'tributary_postback_calls_total',
  'tributary_http_request_seconds',
  'tributary_clickhouse_query_seconds',
]
const SAMPLE_MS = 30_000
const SAMPLES = 10

export interface RecentCounts {
  /** The counts since `seconds` ago. */
  read(): Promise<{ readonly seconds: number; readonly counts: Counts }>
  stop(): void
}

export const recentCounts = createSlot<RecentCounts>('recent counts')

/** Samples twice a minute. `clock` is in milliseconds and never goes back. */
export function startRecentCounts(
  services: Pick<Services, 'metrics' | 'others'>,
  clock: () => number = () => performance.now(),
): RecentCounts {
  const samples: { readonly at: number; readonly counts: Counts }[] = [{ at: clock(), counts: new Map() }]
  const take = async (): Promise<void> => {
    samples.push({ at: clock(), counts: await readCounts(services) })
    if (samples.length > SAMPLES) samples.shift()
  }
  const timer = setInterval(() => void take(), SAMPLE_MS)
  timer.unref()
  return {
    async read() {
      const counts = await readCounts(services)
      const [oldest] = samples
      if (oldest === undefined) throw new Error('the first sample is kept until there are others')
      return { seconds: Math.round((clock() - oldest.at) / 1000), counts: subtractCounts(counts, oldest.counts) }
    },
    stop: () => clearInterval(timer),
  }
}

async function readCounts(services: Pick<Services, 'metrics' | 'others'>): Promise<Counts> {
  const values = await Promise.all(COUNTED.map((name) => readValues(services, name)))
  const counts = new Map<string, Value>()
  for (const { name, labels, value } of values.flat()) {
    const key = JSON.stringify([name, Object.entries(labels).toSorted(([a], [b]) => a.localeCompare(b))])
    counts.set(key, { name, labels, value: value + (counts.get(key)?.value ?? 0) })
  }
  return counts
}

/** A count that is lower than before was reset, because its process was started again. */
export function subtractCounts(now: Counts, before: Counts): Counts {
  const difference = ([key, count]: [string, Value]): [string, Value] => {
    const earlier = before.get(key)?.value ?? 0
    return [key, { ...count, value: count.value >= earlier ? count.value - earlier : count.value }]
  }
  return new Map([...now].map(difference))
}

/** Sums of a metric by a label, without zeros, largest first. */
export function sumBy(
  counts: Counts,
  name: string,
  label: string,
): { readonly name: string; readonly count: number }[] {
  const sums = new Map<string, number>()
  for (const count of counts.values()) {
    if (count.name !== name || count.value === 0) continue
    const value = String(count.labels[label])
    sums.set(value, (sums.get(value) ?? 0) + count.value)
  }
  return [...sums].map(([value, sum]) => ({ name: value, count: sum })).sort((a, b) => b.count - a.count)
}

/** The quantile of a histogram in seconds, as Prometheus estimates it within a bucket; null without observations. */
export function quantile(
  counts: Counts,
  histogram: string,
  share: number,
  isMeant: (labels: Value['labels']) => boolean = () => true,
): number | null {
  const sums = new Map<number, number>()
  for (const { name, labels, value } of counts.values()) {
    if (name !== `${histogram}_bucket` || !isMeant(labels)) continue
    const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)
    sums.set(bound, (sums.get(bound) ?? 0) + value)
  }
  const buckets = [...sums].sort(([a], [b]) => a - b)
  const total = buckets.at(-1)?.[1] ?? 0
  if (total === 0) return null
  const rank = share * total
  let [lower, below] = [0, 0]
  for (const [bound, upTo] of buckets) {
    if (upTo >= rank && upTo > below) {
      if (bound === Number.POSITIVE_INFINITY) return lower
      return lower + ((bound - lower) * (rank - below)) / (upTo - below)
    }
    ;[lower, below] = [bound, upTo]
  }
  return lower
}
