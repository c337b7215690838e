// Says which currencies lack a rate, so that sums without what needs it are not taken for whole.
import { useTranslation } from 'react-i18next'
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
