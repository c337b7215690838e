// The figures of a line in the columns of a statement, which a preview names beside each other.
import { divideHalfUp, formatMoney, parseMoney } from '@tributary/contract/money'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { formatExact } from '../../lib/number-format.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { Count, Dash } from '../../ui/value.tsx'
import { percentText } from './line-items.tsx'
import classes from './statement.module.css'
import type { StatementLine } from './statement-row.ts'

/** In the order of the columns. */
export const LINE_FIGURES = ['quantity', 'rate', 'base', 'amount'] as const

interface LineFigureProps {
  readonly line: Pick<StatementLine, 'kind' | 'quantity' | 'rate' | 'base' | 'amount' | 'currency'> & {
    /** Null: there is none. */
    readonly fx_rate: string | null
  }
  readonly figure: (typeof LINE_FIGURES)[number]
  /** The code of the statement's currency. */
  readonly currency: string
}

export function LineFigure({ line, figure, currency }: LineFigureProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const own = line.currency.value
  const fee = feeOf(line)
  switch (figure) {
    case 'quantity':
      return <Count value={line.quantity} />
    case 'rate':
      if (line.kind === 'cpa') return <MoneyAmount value={line.rate} currency={own} />
      return percentText(line.rate) ?? <Dash />
    case 'base':
      return (
        <>
          <MoneyAmount value={line.base} currency={own} />
          {fee === null ? null : (
            <div className={classes.quiet}>
              {t(($) => $.billing.fee)} <MoneyAmount value={fee} currency={own} />
            </div>
          )}
        </>
      )
    case 'amount':
      return (
        <>
          <MoneyAmount value={line.amount} currency={own} />
          {own === currency ? null : (
            <div className={classes.quiet}>
              {line.fx_rate === null
                ? t(($) => $.finance.noRate)
                : `${labels.field('payment_invoice_line', 'fx_rate')} ${formatExact(line.fx_rate)}`}
            </div>
          )}
        </>
      )
  }
}

/** What the agency percentage adds to the entered spend, both rounded; null for other lines. */
export function feeOf({ kind, amount, base }: Pick<StatementLine, 'kind' | 'amount' | 'base'>): string | null {
  const [whole, part] = [parseMoney(amount), base === null ? null : parseMoney(base)]
  if (kind !== 'agency' || whole === null || part === null) return null
  return formatMoney(whole - (divideHalfUp(part, 100n) ?? 0n) * 100n)
}
