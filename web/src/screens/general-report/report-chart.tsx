// The chart over the table of a report: its first-level rows in the order of the table, or along time where they are dates; the second period beside the first.
import { CloseButton, Skeleton } from '@mantine/core'
import type { ReportRow } from '@tributary/contract/reports/general'
import { type DimensionName, isDateDimension } from '@tributary/contract/reports/traffic'
import { lazy, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/report-words.ts'
import { loadPart } from '../../lib/lazy-part.ts'
import { formatCount, formatMoney } from '../../lib/number-format.ts'
import classes from '../../reports/chart.module.css'
import { ChoiceMenu } from '../../reports/choice-menu.tsx'
import type { PivotColumn } from '../../reports/pivot-column.ts'
import type { Dot, Series } from '../../reports/series-chart.tsx'
import { groupOf, titleOf } from './report-rows.ts'

const SeriesChart = lazy(() =>
  loadPart('chart', () => import('../../reports/series-chart.tsx')).then((part) => ({ default: part.SeriesChart })),
)

/** Bars beside each other that can still be told apart. */
const BARS = 12
const LABEL = 11

interface ReportChartProps {
  rows: readonly ReportRow[]
  level: DimensionName | undefined
  columns: readonly PivotColumn<ReportRow>[]
  /** The key of the column that is drawn. */
  chosen: string
  secondPeriod: string | null
  onChoose: (key: string) => void
  onClose: () => void
}

/** Rows with a group, as far as they can be shown. */
function chartRows(rows: readonly ReportRow[], isTime: boolean): readonly ReportRow[] {
  const grouped = rows.filter((row) => groupOf(row) !== undefined)
  if (!isTime) return grouped.slice(0, BARS)
  const dayOf = (row: ReportRow) => String(groupOf(row)?.id ?? '')
  return grouped.toSorted((a, b) => (dayOf(a) < dayOf(b) ? -1 : 1))
}

export function ReportChart({ rows, level, columns, chosen, secondPeriod, onChoose, onClose }: ReportChartProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const options = columns.filter(({ number, isSecondary, isText }) => number && !isSecondary && !isText)
  const column = options.find(({ key }) => key === chosen) ?? options[0]
  const isTime = level !== undefined && isDateDimension(level)
  const series = useMemo((): Series[] => {
    if (column === undefined) return []
    const shown = chartRows(rows, isTime)
    const second = columns.find(({ key, isSecondary }) => isSecondary && key === `${column.key}_2`)
    const dotsOf = ({ number }: PivotColumn<ReportRow>): Dot[] =>
      shown.map((row) => ({ at: String(groupOf(row)?.id), title: titleOf(row), value: number?.(row) ?? 0 }))
    return [
      { title: column.label, dots: dotsOf(column) },
      ...(second === undefined || isTime ? [] : [{ title: secondPeriod ?? words.chart.second, dots: dotsOf(second) }]),
    ]
  }, [rows, columns, column, isTime, secondPeriod, words])
  if (column === undefined) return null
  const [count, total] = [series[0]?.dots.length ?? 0, rows.filter((row) => groupOf(row) !== undefined).length]
  const dimension = level === undefined ? words.table.total : words.dimensions[level]
  const format = (value: number) => (column.hint === '' ? formatCount(value) : formatMoney(value)) ?? '–'
  return (
    <section className={classes.card} aria-label={words.chart.title}>
      <header className={classes.head}>
        <ChoiceMenu
          label={words.chart.metric}
          value={column.key}
          sections={[{ title: null, options: options.map(({ key, label }) => ({ name: key, label })) }]}
          onChoose={onChoose}
        />
        <span className={classes.unit}>
          {[column.hint, count < total ? t(($) => $.chart.first, { count, total }) : ''].filter(Boolean).join(' · ')}
        </span>
        <CloseButton size="sm" aria-label={words.chart.hide} onClick={onClose} />
      </header>
      {count === 0 ? (
        <p className={classes.none}>{words.chart.none}</p>
      ) : (
        <Suspense fallback={<Skeleton height={260} />}>
          <SeriesChart
            label={t(($) => $.chart.label, { metric: column.label, dimension })}
            kind={isTime ? 'lines' : 'bars'}
            series={series}
            shortTitle={({ title }) => (title.length > LABEL ? `${title.slice(0, LABEL - 1)}…` : title)}
            format={format}
          />
        </Suspense>
      )}
    </section>
  )
}
