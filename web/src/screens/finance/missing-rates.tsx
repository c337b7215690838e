// Says which currencies lack a rate, and shows what is not converted in its own currency, so that sums without it are not taken for whole.
import { useTranslation } from 'react-i18next'
import { Money } from '../../ui/value.tsx'
import classes from './finance.module.css'

export function MissingRates({ currencies }: { currencies: readonly { value: string }[] }) {
  const { t } = useTranslation()
  if (currencies.length === 0) return null
  const names = currencies.map(({ value }) => value).join(', ')
  return (
    <p className={classes.warning} role="status">
      {t(($) => $.finance.ledger.missingRates, { currencies: names })}
    </p>
  )
}

interface UnratedProps {
  readonly parts: readonly {
    readonly amount: string
    readonly currency: { readonly id: number; readonly value: string }
  }[]
}

/** Amounts beside a sum, each in its own currency. */
export function Unrated({ parts }: UnratedProps) {
  return parts.map(({ amount, currency }) => (
    <div key={currency.id}>
      <Money value={amount} /> <span className={classes.unit}>{currency.value}</span>
    </div>
  ))
}
