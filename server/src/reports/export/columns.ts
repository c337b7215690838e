// The columns of an exported report: the chosen numbers and formulas in their order, those that the role may not see refused.
import type { Language } from '@tributary/contract/language'
import { isFormulaKey, readFormulaKey } from '@tributary/contract/reports/column-name'
import { metricsIn } from '@tributary/contract/reports/formula'
import { METRIC_KEYS, type MetricKey, type Metrics } from '@tributary/contract/reports/general'
import { type MetricName, metricOf, splitKey } from '@tributary/contract/reports/traffic'
import { reportColumnsEn } from '@tributary/contract/words/en/report-columns'
import { reportColumnsRu } from '@tributary/contract/words/ru/report-columns'
import { invalidField } from '../../lib/app-error.ts'
import { checkKey } from '../engine/parse.ts'
import type { Question } from '../engine/query.ts'
import { formatDay } from '../engine/titles.ts'

export const COLUMN_WORDS = { en: reportColumnsEn, ru: reportColumnsRu } satisfies Record<Language, unknown>

export interface NumberColumn {
  readonly header: string
  /** Metrics that it is made of. */
  readonly needs: readonly MetricName[]
  readonly read: (m: Metrics) => number | null
}

export function chooseColumns(
  asked: readonly string[],
  question: Pick<Question, 'metrics' | 'second'> & { readonly formulas?: Question['formulas'] },
  { currency, language }: { currency: string; language: Language },
): NumberColumn[] {
  const all: readonly string[] = question.metrics.flatMap((name) =>
    question.second === null ? [name] : [name, `${name}_2`],
  )
  const words = COLUMN_WORDS[language]
  const unitOf = (unit: string): string => (unit === 'money' ? `, ${currency}` : unit === 'percent' ? ', %' : '')
  return (asked.length === 0 ? all : asked).map((key): NumberColumn => {
    if (isFormulaKey(key)) {
      const own = readFormulaKey(key)
      const formula = question.formulas?.find(({ id }) => id === own?.id)
      if (formula === undefined || (own?.isSecond === true && question.second === null))
        throw invalidField('columns', 'unknown_field')
      return {
        header: `${formula.title}${unitOf(formula.unit)}${own?.isSecond === true ? periodOf(question) : ''}`,
        needs: metricsIn(formula.node),
        read: (m) => m[key] ?? null,
      }
    }
    if (!isMetricKey(key) && !isOwn(key, question)) throw invalidField('columns', 'unknown_field')
    checkKey(key, question.metrics, question)
    const { metric, isSecond } = splitKey(key)
    return {
      header: `${words.metrics[metric]}${unitOf(metricOf(metric).unit)}${isSecond ? periodOf(question) : ''}`,
      needs: [metric],
      read: (m) => m[key] ?? null,
    }
  })
}

const periodOf = ({ second }: Pick<Question, 'second'>): string =>
  second === null ? '' : ` (${formatDay(second.from)} – ${formatDay(second.to)})`

const isMetricKey = (key: string): key is MetricKey => (METRIC_KEYS as readonly string[]).includes(key)
/** Numbers that other reports than the general one have. */
const isOwn = (key: string, { metrics }: Pick<Question, 'metrics'>): key is MetricName =>
  (metrics as readonly string[]).includes(key)
