// What a process reports of itself to the one that answers `/metrics` and the status.

import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Problem } from './log.ts'

/** Values of the metrics of a process, as `Registry.getMetricsAsJSON` returns them. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export interface ProcessReport {
  readonly metrics: MetricValues
  readonly problems: readonly Problem[]
}

/** By the name of the process. */
export type ProcessReports = ReadonlyMap<string, ProcessReport>

/** A value of a metric in one process. A part of a histogram has a name of its own: `<metric>_bucket`, `_sum` or `_count`. */
export interface Value {
  readonly name: string
  readonly labels: Readonly<Record<string, string | number | undefined>>
  readonly value: number
}

/** The values of a metric in this process and in the others. */
export async function readValues(
  { metrics, others }: { readonly metrics: Registry; readonly others: ProcessReports },
  name: string,
): Promise<readonly Value[]> {
  const own = await metrics.getSingleMetric(name)?.get()
  const reported = [...others.values()].flatMap((report) => report.metrics.filter((metric) => metric.name === name))
  return [...(own === undefined ? [] : [own]), ...reported].flatMap(({ values }) =>
    values.map((value) => ({
      name: 'metricName' in value && typeof value.metricName === 'string' ? value.metricName : name,
      labels: value.labels,
      value: value.value,
    })),
  )
}

/** The metrics of this process and of the others: sums, or what each metric declares as its aggregator. */
export async function mergeMetrics(own: Registry, others: ProcessReports): Promise<Pick<Registry, 'metrics'>> {
  if (others.size === 0) return own
  const all = [await own.getMetricsAsJSON(), ...[...others.values()].map(({ metrics }) => metrics)]
  return AggregatorRegistry.aggregate(all)
}
