// A column of one of the declared numbers, for any row that can tell it.
import type { Metrics } from '@tributary/contract/reports/general'
import { type MetricName, metricOf } from '@tributary/contract/reports/traffic'
import type { ReportWords } from '../i18n/report-words.ts'
import { describeFormula } from './formula.ts'
import type { PivotColumn } from './pivot-column.ts'
import { formatNumber } from './report-columns.ts'

export function numberColumn<R>(
  metric: MetricName,
  { words, currency }: { words: ReportWords; currency: string },
  metricsOf: (row: R) => Metrics,
): PivotColumn<R> {
  const { unit } = metricOf(metric)
  return {
    key: metric,
    label: words.metrics[metric],
    hint: unit === 'money' ? currency : unit === 'percent' ? '%' : '',
    explain: describeFormula(metricOf(metric), words.parts),
    isSecondary: false,
    text: (row) => formatNumber(metric, metricsOf(row)[metric]),
    isFaint: () => false,
    direction: () => null,
    isUpGood: true,
  }
}
