// The chart above the report: first-level rows in table order, or along time if they are dates; the second period beside the first.
import { CloseButton } from '@mantine/core'
import type { GeneralReportAnswer, ReportRow } from '@tributary/contract/reports/general'
import { type DimensionName, isDateDimension, isMetric, metricOf } from '@tributary/contract/reports/traffic'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatDay } from '../../lib/date-format.ts'
import { formatCount, formatMoney } from '../../lib/number-format.ts'
import classes from '../../reports/table/chart.module.css'
import { ChoiceMenu } from '../../reports/table/choice-menu.tsx'
import type { PivotColumn } from '../../reports/table/pivot-column.ts'
import type { Dot, Series } from '../../reports/table/series.ts'
import { SeriesChart } from '../../reports/table/series-chart.tsx'
import { businessToday } from '../../state/profile-facts.ts'
import { barDots, isGrouped, overlayDots, timeDots } from './chart-rows.ts'

/** '31.12', or '12.2026' for a month. */
const shortDay = (day: string, level: DimensionName) => {
  const text = formatDay(day) ?? ''
  return level === 'month' ? text.slice(3) : text.slice(0, 5)
}

/** True for a metric whose groups add up to its total. */
const isSum = (key: string): boolean => isMetric(key) && metricOf(key).over === undefined

interface ReportChartProps {
  rows: readonly ReportRow[]
  level: DimensionName | undefined
  columns: readonly PivotColumn<ReportRow>[]
  /** The key of the drawn column, or of its twin. */
  chosen: string
  /** The total of the report, from which the sum of the rows that have no bar follows. */
  total: ReportRow
  /** The period of the answer. */
  period: GeneralReportAnswer['period']
  secondPeriod: string | null
  onChoose: (key: string) => void
  onClose: () => void
}

export function ReportChart({
  rows,
  level,
  columns,
  chosen,
  total,
  period,
  secondPeriod,
  onChoose,
  onClose,
}: ReportChartProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const today = businessToday()
  const options = columns.filter(({ number, isSecondary, isText }) => number && !isSecondary && !isText)
  const column = options.find(({ key }) => key === chosen.replace(/_2$/, '')) ?? options[0]
  const timeLevel = level !== undefined && isDateDimension(level) ? level : null
  const series = useMemo((): Series[] => {
    if (column === undefined) return []
    const dotsOf = (number: PivotColumn<ReportRow>['number'], from: string | null, to: string | null): Dot[] => {
      const numberOf = (row: ReportRow) => number?.(row) ?? null
      return timeLevel === null
        ? barDots(rows, numberOf, isSum(column.key) ? { title: words.chart.others, total: numberOf(total) } : null)
        : timeDots(rows, timeLevel, { from: from ?? '', to: to ?? '' }, today, numberOf)
    }
    const first = dotsOf(column.number, period.dateFrom, period.dateTo)
    if (column.former === undefined) return [{ title: column.label, dots: first }]
    const other = overlayDots(first, dotsOf(column.former, period.secondDateFrom, period.secondDateTo))
    return [
      { title: column.label, dots: first },
      { title: secondPeriod ?? words.chart.second, dots: other },
    ]
  }, [rows, total, column, timeLevel, period, secondPeriod, today, words])
  if (column === undefined) return null
  const isTime = timeLevel !== null
  const [count, groups] = [series[0]?.dots.length ?? 0, rows.filter(isGrouped).length]
  const dimension = level === undefined ? words.table.total : words.dimensions[level]
  const format = (value: number | null) => (column.hint === '' ? formatCount(value) : formatMoney(value)) ?? '–'
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
          {[
            column.hint,
            !isTime && !isSum(column.key) && count < groups ? t(($) => $.chart.first, { count, total: groups }) : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <CloseButton size="sm" aria-label={words.chart.hide} onClick={onClose} />
      </header>
      {count === 0 ? (
        <p className={classes.none}>{words.chart.none}</p>
      ) : (
        <SeriesChart
          label={t(($) => $.chart.label, { metric: column.label, dimension })}
          kind={isTime ? 'lines' : 'bars'}
          series={series}
          shortTitle={({ at, title }) => (isTime ? shortDay(at, timeLevel) : title)}
          format={format}
        />
      )}
    </section>
  )
}
