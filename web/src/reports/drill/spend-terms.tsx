// The prices and percentages that a spend is computed from: one line per term, or a text beside one record.
import type { GeneralReportRowsAnswer, SpendTerm } from '@tributary/contract/reports/general'
import { useTranslation } from 'react-i18next'
import { formatCount, formatDecimal, formatMoney } from '../../lib/number-format.ts'
import classes from './drill.module.css'

const MOST_DECIMALS = 4
/** A percentage without zeros at its end. */
const percentText = (value: number): string => (formatDecimal(value, MOST_DECIMALS) ?? '').replace(/\.?0+$/, '')

/** Returns the function that puts a term into words: '6 × 50.00 EUR', '25 % of 20.00 EUR', '1 000.00 EUR + 10 %'. */
export function useDescribeTerm(): (term: SpendTerm) => string {
  const { t } = useTranslation('reports')
  return ({ kind, rate, base, currency, quantity }) => {
    if (rate === null || base === null) return t(($) => $.drill.terms.share)
    if (kind === 'cpa') {
      const values = { quantity: formatCount(quantity) ?? '', rate: formatMoney(rate) ?? '', currency }
      return t(($) => $.drill.terms.cpa, values)
    }
    return t(($) => $.drill.terms[kind], { base: formatMoney(base) ?? '', rate: percentText(rate), currency })
  }
}

/** The terms behind a spend, the largest first; those that are not listed are summed in the last line. */
export function SpendTerms({ answer }: { answer: GeneralReportRowsAnswer }) {
  const { t } = useTranslation('reports')
  const describe = useDescribeTerm()
  const { terms, terms_count, total } = answer
  const rest = total - terms.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <dl className={classes.terms}>
      {terms.map((term) => (
        <div key={[term.kind, term.rate, term.currency].join(' ')}>
          <dt>{describe(term)}</dt>
          <dd>{formatMoney(term.amount)}</dd>
        </div>
      ))}
      {terms_count > terms.length ? (
        <div>
          <dt>{t(($) => $.drill.terms.more, { count: terms_count - terms.length })}</dt>
          <dd>{formatMoney(rest)}</dd>
        </div>
      ) : null}
    </dl>
  )
}
