// A chart and a table of the same numbers, for screen readers and close reading.
import { SegmentedControl } from '@mantine/core'
import type { Metrics, PartlyReported, ReportTotal } from '@tributary/contract/reports/general'
import type { ChartPoint } from '@tributary/contract/reports/kinds'
import { type DimensionName, type MetricName, metricOf, restsOnIncome } from '@tributary/contract/reports/traffic'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatDay } from '../../lib/date-format.ts'
import classes from '../../reports/table/chart.module.css'
import { NotReported, PartialMark } from '../../reports/table/income-mark.tsx'
import { formatNumber, incomeState } from '../../reports/table/report-columns.ts'
import type { Series } from '../../reports/table/series.ts'
import { ChartSkeleton, SeriesChart } from '../../reports/table/series-chart.tsx'
import { isRunning } from '../../reports/table/time-level.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'

export interface ChartLine extends PartlyReported {
  /** The id of its group; null = everything. */
  readonly id: number | string | null
  readonly title: string
  readonly points: readonly ChartPoint[]
  /** Metrics of all points together; null if the total already has them. */
  readonly m: Metrics | null
}

/** A number of the chart to drill down into. */
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
  /** The time span of a point. */
  period: DimensionName
  /** Null until loaded. */
  lines: readonly ChartLine[] | null
  total: ReportTotal | undefined
  /** The name of the total in the table. */
  totalLabel: string
  onOpen: (place: ChartPlace) => void
  /** Called when the mouse comes to a number, and with null when it leaves it. */
  onPoint: (place: ChartPlace | null, element?: Element) => void
}

export function ChartCard(props: ChartCardProps) {
  const { title, metric, lines, currency } = props
  const { t } = useTranslation()
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
              <OpenNumber
                metric={metric}
                m={props.total}
                partial={props.total.partial}
                titles={[]}
                path={[]}
                onOpen={props.onOpen}
                onPoint={props.onPoint}
              />
            </b>
          ) : null}
        </span>
        <SegmentedControl
          size="xs"
          aria-label={title}
          data={[
            { value: 'chart', label: t(($) => $.dashboard.chart) },
            { value: 'table', label: t(($) => $.dashboard.table) },
          ]}
          value={view}
          onChange={(next) => setView(next === 'table' ? 'table' : 'chart')}
        />
      </header>
      {lines === null ? (
        <ChartSkeleton />
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

/** A period without facts is zero; one whose income is not reported yet is a gap in the line. */
function seriesOf(lines: readonly ChartLine[], metric: MetricName, period: DimensionName): Series[] {
  const today = businessToday()
  const titles = new Map(lines.flatMap(({ points }) => points.map(({ date, title }) => [date, title] as const)))
  const dates = [...titles.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  return lines.map(({ title, points }) => {
    const known = new Map(points.map(({ date, m }) => [date, m[metric] ?? null]))
    const dots = dates.map((at) => ({
      at,
      title: titles.get(at) ?? at,
      value: known.has(at) ? (known.get(at) ?? null) : 0,
      isRunning: isRunning(period, at, today),
    }))
    return { title, dots }
  })
}

interface OpenNumberProps extends Omit<ChartPlace, 'value'>, Pick<ChartCardProps, 'onOpen' | 'onPoint'> {
  m: Metrics
  partial: PartlyReported['partial'] | undefined
}

/** A number that opens its drill-down. */
function OpenNumber({ m, partial, onOpen, onPoint, ...place }: OpenNumberProps) {
  const { metric } = place
  const value = m[metric]
  const text = formatNumber(metric, value)
  const income = restsOnIncome(metric) ? incomeState({ m, ...(partial && { partial }) }) : null
  if (income === 'unknown') return <NotReported />
  if (typeof value !== 'number' || text === null) return '–'
  return (
    <button
      type="button"
      className={classes.number}
      onClick={() => onOpen({ ...place, value })}
      onPointerEnter={({ pointerType, currentTarget }) => {
        if (pointerType === 'mouse') onPoint({ ...place, value }, currentTarget)
      }}
      onPointerLeave={() => onPoint(null)}
    >
      {income === 'partial' ? <PartialMark /> : null}
      {text}
    </button>
  )
}

/** Shows the points of a single line, or the sums of several lines. */
function Numbers({
  lines,
  metric,
  firstLabel,
  title,
  total,
  totalLabel,
  onOpen,
  onPoint,
}: ChartCardProps & { lines: readonly ChartLine[] }) {
  const words = useReportWords()
  const rows = lines.flatMap((line): ({ title: string; path: (number | string)[]; m: Metrics } & PartlyReported)[] =>
    line.m === null || line.id === null
      ? line.points.map(({ date, ...point }) => ({ ...point, path: [date] }))
      : [{ title: line.title, path: [line.id], m: line.m, ...(line.partial && { partial: line.partial }) }],
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
                  <OpenNumber
                    metric={metric}
                    m={row.m}
                    partial={row.partial}
                    path={row.path}
                    titles={[row.title]}
                    onOpen={onOpen}
                    onPoint={onPoint}
                  />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>{totalLabel}</td>
              <td className={tableClasses.number}>
                <OpenNumber
                  metric={metric}
                  m={total ?? {}}
                  partial={total?.partial}
                  path={[]}
                  titles={[]}
                  onOpen={onOpen}
                  onPoint={onPoint}
                />
              </td>
            </tr>
          </tfoot>
        </table>
      </TableFrame>
    </div>
  )
}
