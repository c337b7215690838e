// A balance that opens the sum it is made of.

import { Popover } from '@mantine/core'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { formatMonth } from '@tributary/contract/period'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n/language.ts'
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
            <SumRow name={t(($) => $.finance.ledger.before)} amount={month.opening} currency={currency} />
            {ADDED.map((figure) => (
              <SumRow
                key={figure}
                name={`+ ${t(($) => $.finance.ledger[figure])}`}
                amount={month[figure]}
                currency={currency}
              />
            ))}
            <SumRow name={`− ${t(($) => $.finance.ledger.paid)}`} amount={month.paid} currency={currency} />
          </tbody>
          <tfoot>
            <SumRow name={`= ${name}`} amount={month.balance} currency={currency} />
          </tfoot>
        </table>
      </Popover.Dropdown>
    </Popover>
  )
}

function SumRow({ name, amount, currency }: { name: string; amount: string; currency: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Money value={amount} /> <span className={classes.unit}>{currency}</span>
      </td>
    </tr>
  )
}
