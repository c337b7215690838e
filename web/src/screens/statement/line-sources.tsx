// The adjustment behind a line, and the lines of which a carry-over, a write-off or a tax is made.

import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { formatMoney, parseMoney } from '@tributary/contract/money'
import { formatMonth } from '@tributary/contract/period'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PANEL_PARAM } from '../../entities/field/row-link.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { joinTexts } from '../../lib/isolate.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { MomentText } from '../../ui/value.tsx'
import classes from './statement.module.css'
import type { StatementLine } from './statement-row.ts'

type Answer = AnswerOf<'payment_invoice_line_items'>
type Source = Answer['sources'][number]

/** Staff see the reason and the record; its absence tells that the caller is the partner. */
export function AdjustmentFacts({ adjustment }: { adjustment: NonNullable<Answer['adjustment']> }) {
  const labels = useLabels()
  const { id, kind, note, reason, created_at, created_by } = adjustment
  const facts: [name: string, value: ReactNode][] = [
    [labels.field('adjustment', 'kind'), labels.choice('adjustment', 'kind', kind)],
    ...(note === null ? [] : [[labels.field('adjustment', 'note'), note] as [string, ReactNode]]),
    ...(reason === undefined ? [] : [[labels.field('adjustment', 'reason'), reason] as [string, ReactNode]]),
  ]
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {reason === undefined ? null : (
        <p className={classes.quiet}>
          <Link to="/adjustments" search={() => ({ [PANEL_PARAM]: id })} className={classes.link ?? ''}>
            {`${labels.choice('payment_invoice_line', 'kind', 'adjustment')} ${recordNumber(id)}`}
          </Link>
          {' · '}
          {created_by ? `${created_by.title} · ` : null}
          <MomentText value={created_at} />
        </p>
      )}
    </>
  )
}

/** The sum of amounts in one currency; null if there are several. */
function sumOf(sources: readonly Source[]): { amount: string; currency: string } | null {
  const [first] = sources
  if (first === undefined || sources.some(({ currency }) => currency.id !== first.currency.id)) return null
  const amount = sources.reduce((sum, one) => sum + (parseMoney(one.amount) ?? 0n), 0n)
  return { amount: formatMoney(amount), currency: first.currency.value }
}

interface LineSourcesProps extends Pick<Answer, 'carry' | 'sources'> {
  readonly line: StatementLine
  /** The statement on which the line stands. */
  readonly statement: number
}

export function LineSources({ line, statement, carry, sources }: LineSourcesProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const field = (name: string) => labels.field('payment_invoice_line', name)
  // What was written off before is no part of the revenue share of the month.
  const summed = line.kind === 'write_off' ? sources.filter(({ kind }) => kind === 'rs') : sources
  const sum = sumOf(summed)
  const isOfSeveralMonths = new Set(sources.map(({ earned_month }) => earned_month)).size > 1
  const isOfSeveral = new Set(sources.map(({ statement }) => statement.id)).size > 1
  return (
    <>
      {carry === null ? null : <Carry carry={carry} statement={statement} />}
      {line.kind === 'write_off' ? <p className={classes.quiet}>{t(($) => $.billing.sources.writeOff)}</p> : null}
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{field('kind')}</th>
            <th className={classes.number}>{labels.field('statement', 'total')}</th>
            {isOfSeveral ? <th>{field('statement')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <tr key={JSON.stringify(source)}>
              <td>
                <SourceName source={source} isOfSeveralMonths={isOfSeveralMonths} />
              </td>
              <td className={classes.number}>
                <MoneyAmount value={source.amount} currency={source.currency.value} />
              </td>
              {isOfSeveral ? (
                <td>
                  <StatementLink statement={source.statement} />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
        {sum === null ? null : (
          <tfoot>
            <tr className={classes.payable}>
              <td>{t(($) => $.billing.sources[line.kind === 'write_off' ? 'revenueShare' : 'sum'])}</td>
              <td className={classes.number}>
                <MoneyAmount value={sum.amount} currency={sum.currency} />
              </td>
              {isOfSeveral ? <td /> : null}
            </tr>
          </tfoot>
        )}
      </table>
    </>
  )
}

interface CarryProps {
  readonly carry: NonNullable<Answer['carry']>
  /** Not named: the reader is on it. */
  readonly statement: number
}

function Carry({ carry: { reason, from, to }, statement }: CarryProps) {
  const { t } = useTranslation()
  return (
    <p className={classes.quiet}>
      {t(($) => $.billing.sources.carry[reason])}
      {from === null || from.id === statement ? null : (
        <>
          {` ${t(($) => $.billing.sources.from)} `}
          <StatementLink statement={from} />
        </>
      )}
      {to === null || to.id === statement ? null : (
        <>
          {` ${t(($) => $.billing.sources.to)} `}
          <StatementLink statement={to} />
        </>
      )}
    </p>
  )
}

function StatementLink({ statement: { id, month } }: { statement: Source['statement'] }) {
  return (
    <Link to="/statements" search={() => ({ [PANEL_PARAM]: id })} className={classes.link ?? ''}>
      {`${recordNumber(id)}, ${formatMonth(month, currentLanguage()).replaceAll(' ', '\u00a0')}`}
    </Link>
  )
}

interface SourceNameProps {
  readonly source: Source
  readonly isOfSeveralMonths: boolean
}

/** The kind, and the partner offer or why it is carried; below it the earned month, unless all are of the statement's. */
function SourceName({
  source: { kind, explanation, offer_partner, earned_month, statement },
  isOfSeveralMonths,
}: SourceNameProps) {
  const labels = useLabels()
  const about = explanation ?? offer_partner?.title
  const isOther = earned_month !== null && (isOfSeveralMonths || earned_month !== statement.month)
  return (
    <>
      {labels.choice('payment_invoice_line', 'kind', kind)}
      <span className={classes.about}>
        {joinTexts([
          ...(about === undefined ? [] : [about]),
          ...(isOther ? [formatMonth(earned_month, currentLanguage())] : []),
        ])}
      </span>
    </>
  )
}
