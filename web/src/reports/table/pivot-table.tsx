// The table of a report; on a narrow screen it shows one metric at a time.
import type { ReactNode } from 'react'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import { useIsPhone } from '../../ui/narrow.ts'
import type { OneMetricProps } from './one-metric-table.tsx'
import { PivotGrid, type PivotGridProps } from './pivot-grid.tsx'

// `lazyComponent` drops the type parameter, hence the cast.
const OneMetric = lazyComponent<OneMetricProps<never>>(
  'one-metric',
  async () => (await import('./one-metric-table.tsx')).OneMetric,
) as unknown as <R>(props: OneMetricProps<R>) => ReactNode

export function PivotTable<R>(props: PivotGridProps<R>) {
  return useIsPhone() ? <OneMetric {...props} Grid={PivotGrid} /> : <PivotGrid {...props} />
}
