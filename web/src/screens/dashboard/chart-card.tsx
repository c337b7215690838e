// One chart with its table behind: the same numbers, for those who read rather than look.
import { SegmentedControl, Skeleton } from '@mantine/core'
import type { Metrics } from '@tributary/contract/reports/general'
import type { ChartPoint } from '@tributary/contract/reports/kinds'
import { type DimensionName, type MetricName, metricOf } from '@tributary/contract/reports/traffic'
import { useState } from 'react'
import { useReportWords } from '../../i18n/labels.ts'
import { formatDay } from '../../lib/date-format.ts'
import classes from '../../reports/table/chart.module.css'
import { formatNumber } from '../../reports/table/report-columns.ts'
import { type Series, SeriesChart } from '../../reports/table/series-chart.tsx'
import { isRunning } from '../../reports/table/time-level.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'

export interface ChartLine {
  /** Of its group; null = everything. */
  readonly id: number | string | null
  readonly title: string
  readonly points: readonly ChartPoint[]
  /** Of all points together; null where the total says it. */
  readonly m: Metrics | null
}

/** A number of the chart that someone wants to look behind. */
export interface ChartPlace {
  readonly path: readonly (number | string)[]
  readonly titles: readonly string[]
  readonly metric: MetricName
  readonly value: number
}

interface ChartCardProps {
  title: string
  metric: MetricName
  firstLabel: string
  currency: string
  /** Of a point. */
  period: DimensionName
  /** Null: not there yet. */
  lines: readonly ChartLine[] | null
  total: Metrics | undefined
  onOpen: (place: ChartPlace) => void
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
          {props.total ? (
            <b>
              <OpenNumber metric={metric} m={props.total} titles={[]} path={[]} onOpen={props.onOpen} />
            </b>
          ) : null}
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
      {lines === null ? (
        <Skeleton height={260} />
      ) : lines.every(({ points }) => points.length === 0) ? (
        <p className={classes.none}>{words.empty.title}</p>
      ) : view === 'table' ? (
        <Numbers {...props} lines={lines} />
      ) : (
        <SeriesChart
          label={title}
          kind="lines"
          series={seriesOf(lines, metric, props.period)}
          shortTitle={({ at }) => (formatDay(at) ?? '').slice(0, 5)}
          format={(value) => formatNumber(metric, value) ?? '–'}
        />
      )}
    </section>
  )
}

/** A period without anything is a zero, not a gap that the line passes over. */
function seriesOf(lines: readonly ChartLine[], metric: MetricName, period: DimensionName): Series[] {
  const today = businessToday()
  const titles = new Map(lines.flatMap(({ points }) => points.map(({ date, title }) => [date, title] as const)))
  const dates = [...titles.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  return lines.map(({ title, points }) => {
    const known = new Map(points.map(({ date, m }) => [date, m[metric] ?? 0]))
    const dots = dates.map((at) => ({
      at,
      title: titles.get(at) ?? at,
      value: known.get(at) ?? 0,
      isRunning: isRunning(period, at, today),
    }))
    return { title, dots }
  })
}

interface OpenNumberProps extends Omit<ChartPlace, 'value'> {
  m: Metrics
  onOpen: (place: ChartPlace) => void
}

/** A number with what it is made of behind it. */
function OpenNumber({ m, metric, path, titles, onOpen }: OpenNumberProps) {
  const value = m[metric]
  const text = formatNumber(metric, value)
  if (typeof value !== 'number' || text === null) return '–'
  return (
    <button type="button" className={classes.number} onClick={() => onOpen({ path, titles, metric, value })}>
      {text}
    </button>
  )
}

/** One line: its points below each other; several: what each came to. */
function Numbers({
  lines,
  metric,
  firstLabel,
  title,
  total,
  onOpen,
}: ChartCardProps & { lines: readonly ChartLine[] }) {
  const words = useReportWords()
  const rows = lines.flatMap((line): { title: string; path: (number | string)[]; m: Metrics }[] =>
    line.m === null || line.id === null
      ? line.points.map((point) => ({ title: point.title, path: [point.date], m: point.m }))
      : [{ title: line.title, path: [line.id], m: line.m }],
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
              <tr key={row.path.join(' ')}>
                <td>{row.title}</td>
                <td className={tableClasses.number}>
                  <OpenNumber metric={metric} m={row.m} path={row.path} titles={[row.title]} onOpen={onOpen} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>{words.table.total}</td>
              <td className={tableClasses.number}>
                <OpenNumber metric={metric} m={total ?? {}} path={[]} titles={[]} onOpen={onOpen} />
              </td>
            </tr>
          </tfoot>
        </table>
      </TableFrame>
    </div>
  )
}
