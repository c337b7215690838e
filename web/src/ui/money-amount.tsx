// Amounts with their currency's code beside them.

import classes from './value.module.css'
import { Dash, FineMoney, Money } from './value.tsx'

/** A currency as entities and calls refer to it; `value` is its ISO 4217 code. */
export interface CurrencyRef {
  readonly id: number
  readonly title: string
  readonly value: string
}

interface MoneyAmountProps {
  readonly value: string | null
  /** The currency's code. */
  readonly currency: string
  /** Shows a dash for zero, where most amounts of a table are zero. */
  readonly isZeroDash?: boolean
  /** Shows four decimals, as the ledger holds amounts. */
  readonly isFine?: boolean
}

/** Never broken between the amount and its currency; a dash alone if there is no amount. */
export function MoneyAmount({ value, currency, isZeroDash = false, isFine = false }: MoneyAmountProps) {
  if (value === null || (isZeroDash && Number(value) === 0)) return <Dash />
  const Amount = isFine ? FineMoney : Money
  return (
    <span className={classes.amount}>
      <Amount value={value} /> <span className={classes.currency}>{currency}</span>
    </span>
  )
}
