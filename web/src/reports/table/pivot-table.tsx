// The table of a report; on a narrow screen it shows one metric at a time.
import type { ReactNode } from 'react'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import { isNow, PHONE, useIsPhone } from '../../ui/narrow.ts'
import type { OneMetricProps } from './one-metric-table.tsx'
import { PivotGrid, type PivotGridProps } from './pivot-grid.tsx'

const LazyOneMetric = lazyComponent<OneMetricProps<never>>(
  'one-metric',
  async () => (await import('./one-metric-table.tsx')).OneMetric,
)
// `lazyComponent` drops the type parameter, hence the cast.
const OneMetric = LazyOneMetric as unknown as <R>(props: OneMetricProps<R>) => ReactNode
// It loads together with the numbers, which would otherwise wait for it on an empty page.
if (isNow(PHONE)) void LazyOneMetric.preload()

export function PivotTable<R>(props: PivotGridProps<R>) {
  return useIsPhone() ? <OneMetric {...props} Grid={PivotGrid} /> : <PivotGrid {...props} />
}
