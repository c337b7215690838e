// One chart with its table behind: the same numbers, for those who read rather than look.
import { SegmentedControl, Skeleton } from '@mantine/core'
import type { Metrics } from '@tributary/contract/reports/general'
import type { ChartPoint } from '@tributary/contract/reports/kinds'
import { type MetricName, metricOf } from '@tributary/contract/reports/traffic'
import { lazy, Suspense, useState } from 'react'
import { useReportWords } from '../../i18n/report-words.ts'
import { loadPart } from '../../lib/lazy-part.ts'
import { formatNumber } from '../../reports/report-columns.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import classes from './chart-card.module.css'

const LineChart = lazy(() =>
  loadPart('chart', () => import('./line-chart.tsx')).then((part) => ({ default: part.LineChart })),
)

export interface ChartLine {
  readonly title: string
  readonly points: readonly ChartPoint[]
  /** Of all points together; null where the total says it. */
  readonly m: Metrics | null
}

interface ChartCardProps {
  title: string
  metric: MetricName
  firstLabel: string
  currency: string
  error: Error | null
  onRetry: () => void
  /** Null: not there yet. */
  lines: readonly ChartLine[] | null
  total: Metrics | undefined
}

export function ChartCard(props: ChartCardProps) {
  const { title, metric, lines, currency } = props
  const words = useReportWords()
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const isMoney = metricOf(metric).unit === 'money' && currency !== ''
  return (
    <section className={classes.card} aria-label={title}>
      <header className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <span className={classes.unit}>
          {isMoney ? `${words.metrics[metric]}, ${currency}` : words.metrics[metric]}
          {props.total ? <b>{formatNumber(metric, props.total[metric]) ?? '–'}</b> : null}
        </span>
        <SegmentedControl
          size="xs"
          aria-label={title}
          data={[
            { value: 'chart', label: words.kinds.chart },
            { value: 'table', label: words.kinds.table },
          ]}
          value={view}
          onChange={(next) => setView(next === 'table' ? 'table' : 'chart')}
        />
      </header>
      {props.error ? (
        <FailedState error={props.error} onRetry={props.onRetry} />
      ) : lines === null ? (
        <Skeleton height={260} />
      ) : lines.every(({ points }) => points.length === 0) ? (
        <p className={classes.none}>{words.empty.title}</p>
      ) : view === 'table' ? (
        <Numbers {...props} lines={lines} />
      ) : (
        <Suspense fallback={<Skeleton height={260} />}>
          <LineChart lines={lines} metric={metric} label={title} />
        </Suspense>
      )}
    </section>
  )
}

/** One line: its points below each other; several: what each came to. */
function Numbers({ lines, metric, firstLabel, title, total }: ChartCardProps & { lines: readonly ChartLine[] }) {
  const words = useReportWords()
  const rows = lines.flatMap((line): { title: string; m: Metrics }[] =>
    line.m === null
      ? line.points.map((point) => ({ title: point.title, m: point.m }))
      : [{ title: line.title, m: line.m }],
  )
  return (
    <div className={classes.table}>
      <TableFrame label={title}>
        <table className={tableClasses.table}>
          <thead>
            <tr>
              <th scope="col">{firstLabel}</th>
              <th scope="col" className={tableClasses.number}>
                {words.metrics[metric]}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.title}>
                <td>{row.title}</td>
                <td className={tableClasses.number}>{formatNumber(metric, row.m[metric]) ?? '–'}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>{words.table.total}</td>
              <td className={tableClasses.number}>{formatNumber(metric, total?.[metric]) ?? '–'}</td>
            </tr>
          </tfoot>
        </table>
      </TableFrame>
    </div>
  )
}
