// The lines of a statement or an invoice. The total follows the name; each line opens what it is made of.

import { formatMonth } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { joinTexts } from '../../lib/isolate.ts'
import { formatCount, formatExact, formatMoney as moneyText } from '../../lib/number-format.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { feeOf, LINE_FIGURES, LineFigure } from './line-figure.tsx'
import { LineItems, percentText } from './line-items.tsx'
import classes from './statement.module.css'
import type { StatementLine } from './statement-row.ts'

const LINE = 'payment_invoice_line'
const COLUMNS = 6

interface StatementLinesProps {
  readonly lines: readonly StatementLine[]
  /** The code of the statement's currency. */
  readonly currency: string
  /** Id of the statement. */
  readonly statement: number
}

export function StatementLines({ lines, currency, statement }: StatementLinesProps) {
  const labels = useLabels()
  const [opened, setOpened] = useState<number | null>(null)
  const field = (name: string) => labels.field(LINE, name)
  const number = `${classes.number} ${classes.roomy}`
  return (
    <table className={`${classes.table} ${classes.lines}`} aria-label={labels.field('statement', 'lines')}>
      <thead>
        <tr>
          <th>{field('offer_partner')}</th>
          <th className={classes.number}>{field('total')}</th>
          {LINE_FIGURES.map((figure) => (
            <th key={figure} className={number}>
              {field(figure)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line
            key={line.id}
            line={line}
            currency={currency}
            statement={statement}
            isOpen={opened === line.id}
            onOpen={() => setOpened(opened === line.id ? null : line.id)}
          />
        ))}
      </tbody>
    </table>
  )
}

interface LineProps extends Omit<StatementLinesProps, 'lines'> {
  readonly line: StatementLine
  readonly isOpen: boolean
  readonly onOpen: () => void
}

function Line({ line, currency, statement, isOpen, onOpen }: LineProps) {
  const number = `${classes.number} ${classes.roomy}`
  return (
    <>
      <tr>
        <td>
          <button type="button" className={classes.opener} aria-expanded={isOpen} onClick={onOpen}>
            <LineName line={line} currency={currency} />
          </button>
        </td>
        <td className={`${classes.number} ${classes.payable}`}>
          <MoneyAmount value={line.total} currency={currency} />
        </td>
        {LINE_FIGURES.map((figure) => (
          <td key={figure} className={number}>
            <LineFigure line={line} figure={figure} currency={currency} />
          </td>
        ))}
      </tr>
      {isOpen ? (
        <tr>
          <td colSpan={COLUMNS} className={classes.opened}>
            <div className={classes.items}>
              <LineItems line={line} statement={statement} />
            </div>
          </td>
        </tr>
      ) : null}
    </>
  )
}

/** The note of an adjustment, else the partner offer, else the kind; and below it what the name leaves out. */
export function nameOf(
  {
    kind,
    note,
    explanation,
    offer_partner: link,
  }: Pick<StatementLine, 'kind' | 'note' | 'explanation' | 'offer_partner'>,
  kindText: string,
): { readonly name: string; readonly about: readonly string[] } {
  const offer = link === null ? null : joinTexts([link.offer?.title, link.title].flatMap((title) => title || []))
  const name = note ?? offer ?? kindText
  const parts = kind === 'adjustment' ? [kindText, explanation, offer] : [offer, kindText, explanation]
  return { name, about: parts.filter((part) => part !== null && part !== name) as string[] }
}

/** The name of a line; below it the rest and the month, and on a narrow screen the figures without a column. */
function LineName({ line, currency: stated }: Pick<LineProps, 'line' | 'currency'>) {
  const { t } = useTranslation()
  const labels = useLabels()
  const { kind, earned_month, quantity, rate, base, currency } = line
  const { name, about } = nameOf(line, labels.choice('payment_invoice_line', 'kind', kind))
  const month =
    // The explanation of a carry-over names it.
    earned_month === null || kind === 'carry_over'
      ? []
      : [formatMonth(`${earned_month}-01`, currentLanguage()).replaceAll(' ', '\u00a0')]
  const fee = feeOf(line)
  const money = (value: string) => `${moneyText(value) ?? value}\u00a0${currency.value}`
  const terms = [
    ...(kind === 'cpa' && rate !== null ? [`${formatCount(quantity ?? 1)} × ${money(rate)}`] : []),
    ...(base === null ? [] : [money(base)]),
    ...(kind !== 'cpa' && rate !== null ? [percentText(rate) ?? ''] : []),
    ...(fee === null ? [] : [`${t(($) => $.billing.fee)} ${money(fee)}`]),
    ...(currency.value === stated ? [] : [`${money(line.amount)} × ${formatExact(line.fx_rate)}`]),
  ]
  return (
    <>
      <span className={classes.partner}>{name}</span>
      <span className={classes.about}>
        {joinTexts([...about, ...month])}
        {terms.length === 0 ? null : <span className={classes.narrow}>{` · ${terms.join(' · ')}`}</span>}
      </span>
    </>
  )
}
