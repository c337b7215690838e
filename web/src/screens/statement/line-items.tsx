// What a line of a statement is made of: players, days with base and percentage, an adjustment, or other lines.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { formatMonth } from '@tributary/contract/period'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { PANEL_PARAM } from '../../entities/field/row-link.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { FailedState, LoadingState } from '../../ui/states.tsx'
import { Count, Dash, DayText, MomentText, NameText } from '../../ui/value.tsx'
import { AdjustmentFacts, LineSources } from './line-sources.tsx'
import classes from './statement.module.css'
import type { StatementLine } from './statement-row.ts'

type Answer = AnswerOf<'payment_invoice_line_items'>

export const percentText = (value: string | null): string | null => (value === null ? null : `${Number(value)}\u00a0%`)

/** `statement`: the one on which the line stands. */
export function LineItems({ line, statement }: { line: StatementLine; statement: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['line items', line.id],
    queryFn: ({ signal }) => http.get<Answer>(`payment_invoice_line/${line.id}/items`, { signal }),
  })
  if (error !== null) return <FailedState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <LoadingState lines={3} />
  if (data.adjustment !== null) return <AdjustmentFacts adjustment={data.adjustment} />
  const isPolicy = line.kind === 'carry_over' || line.kind === 'write_off' || line.kind === 'tax'
  if (isPolicy) return <LineSources line={line} statement={statement} {...data} />
  return (
    <>
      <LineEntries entries={data.entries} />
      <ItemsTable line={line} data={data} />
    </>
  )
}

/** The ledger entries of the line; of a correction also what changed, in words for the partner. */
function LineEntries({ entries }: Pick<Answer, 'entries'>) {
  const labels = useLabels()
  return (
    <ul className={classes.entries}>
      {entries.map(({ id, source, booked_month, causes }) => (
        <li key={id}>
          <Link to="/ledger-entries" search={() => ({ [PANEL_PARAM]: id })} className={classes.link ?? ''}>
            {`${labels.one('ledger_entry')} ${recordNumber(id)}`}
          </Link>
          {` · ${labels.choice('ledger_entry', 'source', source)} · ${formatMonth(booked_month, currentLanguage())}`}
          {causes.map(({ cause, text, at }) => (
            <span key={cause}>
              {` · ${text}, `}
              <MomentText value={at} />
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}

/** A table of its own, so that its columns do not move those of the lines. */
function ItemsTable({ line, data }: { line: StatementLine; data: Answer }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const currency = line.currency.value
  // All decimals of the items are shown if their sum is rounded, so that they and the rounding add up to the line.
  const isRounded = Number(data.rounding) !== 0
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
              <MoneyAmount value={item.amount} currency={currency} isFine={isRounded} />
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
      {!isRounded ? null : (
        <tfoot>
          <tr>
            <td>{t(($) => $.finance.entry.rounding)}</td>
            <td className={classes.number}>
              <MoneyAmount value={data.rounding} currency={currency} isFine />
            </td>
            <td colSpan={2} />
          </tr>
        </tfoot>
      )}
    </table>
  )
}
