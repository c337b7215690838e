// Chooses the columns of an exported report: metrics and formulas in the requested order.
import type { Language } from '@tributary/contract/language'
import { formatDay } from '@tributary/contract/period'
import { isFormulaKey, readFormulaKey } from '@tributary/contract/reports/column-name'
import { metricsIn } from '@tributary/contract/reports/formula'
import { METRIC_KEYS, type MetricKey, type Metrics } from '@tributary/contract/reports/general'
import { type MetricName, metricOf, splitKey } from '@tributary/contract/reports/traffic'
import { reportColumnsEn } from '@tributary/contract/words/en/report-columns'
import { reportColumnsRu } from '@tributary/contract/words/ru/report-columns'
import { invalidField } from '../../lib/app-error.ts'
import { checkKey } from '../engine/parse.ts'
import type { ReportQuery } from '../engine/query.ts'

export const COLUMN_WORDS = { en: reportColumnsEn, ru: reportColumnsRu } satisfies Record<Language, unknown>

export interface NumberColumn {
  readonly header: string
  /** The metrics that it is derived from. */
  readonly needs: readonly MetricName[]
  readonly read: (m: Metrics) => number | null
}

/** Empty `names` means every metric of the query. Throws AppError: `forbidden` for a hidden metric, `invalid` for an unknown column. */
export function chooseColumns(
  names: readonly string[],
  query: Pick<ReportQuery, 'metrics' | 'second'> & { readonly formulas?: ReportQuery['formulas'] },
  { currency, language }: { currency: string; language: Language },
): NumberColumn[] {
  const allNames: readonly string[] = query.metrics.flatMap((name) =>
    query.second === null ? [name] : [name, `${name}_2`],
  )
  const words = COLUMN_WORDS[language]
  const unitOf = (unit: string): string => (unit === 'money' ? `, ${currency}` : unit === 'percent' ? ', %' : '')
  return (names.length === 0 ? allNames : names).map((key): NumberColumn => {
    if (isFormulaKey(key)) {
      const own = readFormulaKey(key)
      const formula = query.formulas?.find(({ id }) => id === own?.id)
      if (formula === undefined || (own?.isSecond === true && query.second === null))
        throw invalidField('columns', 'unknown_field')
      return {
        header: `${formula.title}${unitOf(formula.unit)}${own?.isSecond === true ? periodOf(query) : ''}`,
        needs: metricsIn(formula.node),
        read: (m) => m[key] ?? null,
      }
    }
    if (!isMetricKey(key) && !isOtherMetric(key, query)) throw invalidField('columns', 'unknown_field')
    checkKey(key, query.metrics, query)
    const { metric, isSecond } = splitKey(key)
    return {
      header: `${words.metrics[metric]}${unitOf(metricOf(metric).unit)}${isSecond ? periodOf(query) : ''}`,
      needs: [metric],
      read: (m) => m[key] ?? null,
    }
  })
}

export const periodOf = ({ second }: Pick<ReportQuery, 'second'>): string =>
  second === null ? '' : ` (${formatDay(second.from)} – ${formatDay(second.to)})`

const isMetricKey = (key: string): key is MetricKey => (METRIC_KEYS as readonly string[]).includes(key)
/** True for metrics that the general report lacks. */
const isOtherMetric = (key: string, { metrics }: Pick<ReportQuery, 'metrics'>): key is MetricName =>
  (metrics as readonly string[]).includes(key)
