// A column of one of the declared numbers, for any row that can tell it.
import type { Metrics, ReportRow } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'
import { isMetric, type MetricName, metricOf } from '@tributary/contract/reports/traffic'
import type { ReportWords } from '../../i18n/shape.ts'
import { describeFormula } from '../columns/formula.ts'
import type { PivotColumn } from './pivot-column.ts'
import { formatNumber, namedColumns } from './report-columns.ts'

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

type Facts = { readonly words: ReportWords; readonly currency: string }

/** Columns by their names for rows with the numbers of the general report; the team's own among them. */
export function plainNumberColumns<R extends Pick<ReportRow, 'm'>>(
  names: readonly string[],
  formulas: readonly ReportFormula[],
  facts: Facts,
): PivotColumn<R>[] {
  return names.flatMap((name): PivotColumn<R>[] =>
    isMetric(name)
      ? [numberColumn<R>(name, facts, ({ m }) => m)]
      : namedColumns([name], formulas, { ...facts, secondPeriod: null, writtenBy: (owner) => owner }),
  )
}
