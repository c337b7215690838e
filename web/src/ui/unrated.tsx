// What no rate converts, beside the figure that it is missing from.
import { useTranslation } from 'react-i18next'
import { type CurrencyRef, MoneyAmount } from './money-amount.tsx'
import classes from './value.module.css'

export type UnratedParts = readonly { readonly amount: string; readonly currency: CurrencyRef }[]

/** Amounts, each in its own currency. */
export function Unrated({ parts }: { parts: UnratedParts }) {
  const { t } = useTranslation()
  return parts.map(({ amount, currency }) => (
    <div key={currency.id}>
      <MoneyAmount value={amount} currency={currency.value} />{' '}
      <span className={classes.currency}>{t(($) => $.finance.noRate)}</span>
    </div>
  ))
}
