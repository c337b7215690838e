// What a line of a statement is made of: players, or days with base and percentage.
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useLabels } from '../../i18n/labels.ts'
import { formatDecimal } from '../../lib/number-format.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { FailedState } from '../../ui/states.tsx'
import { Count, Dash, DayText, NameText } from '../../ui/value.tsx'
import classes from './statement.module.css'
import type { StatementLine } from './statement-row.ts'

export const percentText = (value: string | null): string | null => (value === null ? null : `${Number(value)}\u00a0%`)

/** A table of its own, so that its columns do not move those of the lines. */
export function LineItems({ line }: { line: StatementLine }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const { data, error, refetch } = useQuery({
    queryKey: ['line items', line.id],
    queryFn: ({ signal }) =>
      http.get<AnswerOf<'payment_invoice_line_items'>>(`payment_invoice_line/${line.id}/items`, { signal }),
  })
  if (error !== null) return <FailedState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return t(($) => $.list.loading)
  const currency = line.currency.value
  const isCpa = line.kind === 'cpa'
  const field = (name: string) => labels.field('ledger_item', name)
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {isCpa ? <th>{field('player')}</th> : null}
          <th>{field('day')}</th>
          <th className={classes.number}>{field('amount')}</th>
          {isCpa ? (
            <th className={classes.number}>{field('quantity')}</th>
          ) : (
            <>
              <th className={classes.number}>{labels.field('payment_invoice_line', 'base')}</th>
              <th className={classes.number}>{labels.field('payment_invoice_line', 'rate')}</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {data.items.map((item) => (
          <tr key={`${item.player ?? ''} ${item.day ?? ''} ${item.rate ?? ''} ${item.amount}`}>
            {isCpa ? (
              <td>
                <NameText value={item.player} />
              </td>
            ) : null}
            <td>
              <DayText value={item.day} />
            </td>
            <td className={classes.number}>
              <MoneyAmount value={item.amount} currency={currency} />
            </td>
            {isCpa ? (
              <td className={classes.number}>
                <Count value={item.quantity} />
              </td>
            ) : (
              <>
                <td className={classes.number}>
                  <MoneyAmount value={item.base} currency={currency} />
                </td>
                <td className={classes.number}>{percentText(item.rate) ?? <Dash />}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
      {Number(data.rounding) === 0 ? null : (
        <tfoot>
          <tr>
            <td>{t(($) => $.finance.entry.rounding)}</td>
            <td className={classes.number}>{formatDecimal(data.rounding, 4)}</td>
            <td colSpan={2} />
          </tr>
        </tfoot>
      )}
    </table>
  )
}
