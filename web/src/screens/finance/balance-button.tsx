// A balance that opens the sum it is made of.

import { Popover } from '@mantine/core'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { formatMonth } from '@tributary/contract/period'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n/language.ts'
import { Unrated, type UnratedParts } from '../../ui/unrated.tsx'
import { Money } from '../../ui/value.tsx'
import classes from './finance.module.css'

interface BalanceButtonProps {
  readonly month: AnswerOf<'partner_ledger'>['months'][number]
}

const ADDED = ['earned', 'adjustments', 'write_offs', 'tax'] as const

export function BalanceButton({ month }: BalanceButtonProps) {
  const currency = month.currency.value
  const { t } = useTranslation()
  const name = t(($) => $.finance.ledger.balance)
  const shownMonth = formatMonth(month.month, currentLanguage())
  return (
    <Popover position="bottom-end" shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <button
          type="button"
          className={classes.sumButton}
          title={t(($) => $.finance.ledger.open, { name, month: shownMonth })}
        >
          <Money value={month.balance} />
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <table className={classes.sum} aria-label={`${name}, ${shownMonth}`}>
          <tbody>
            <SumRow
              name={t(($) => $.finance.ledger.before)}
              amount={month.opening}
              unrated={month.opening_unrated}
              currency={currency}
            />
            {ADDED.map((figure) => (
              <SumRow
                key={figure}
                name={`+ ${t(($) => $.finance.ledger[figure])}`}
                amount={month[figure]}
                unrated={month[`${figure}_unrated`]}
                currency={currency}
              />
            ))}
            <SumRow
              name={`− ${t(($) => $.finance.ledger.paid)}`}
              amount={month.paid}
              unrated={month.paid_unrated}
              currency={currency}
            />
          </tbody>
          <tfoot>
            <SumRow name={`= ${name}`} amount={month.balance} unrated={month.balance_unrated} currency={currency} />
          </tfoot>
        </table>
      </Popover.Dropdown>
    </Popover>
  )
}

interface SumRowProps {
  readonly name: string
  readonly amount: string
  readonly unrated: UnratedParts
  readonly currency: string
}

function SumRow({ name, amount, unrated, currency }: SumRowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Money value={amount} /> <span className={classes.unit}>{currency}</span>
        <Unrated parts={unrated} />
      </td>
    </tr>
  )
}
