// Shows single values in cells and cards: a missing value as a faint dash, never 0; negative numbers in red.

import { formatDateTime, formatDay } from '../lib/date-format.ts'
import { formatDecimal } from '../lib/number-format.ts'
import { businessZone } from '../state/profile-facts.ts'
import classes from './value.module.css'

type Amount = string | number | null | undefined

export function Dash() {
  return (
    <span className={classes.dash} aria-hidden>
      –
    </span>
  )
}

interface NumberProps {
  value: Amount
  /** Greyed: a ratio on too few events to be meaningful. */
  faint?: boolean | undefined
}

function NumberText({ value, digits, faint = false }: NumberProps & { digits: number }) {
  const text = formatDecimal(value, digits)
  if (text === null) return <Dash />
  const tone = text.startsWith('\u2212') ? classes.negative : faint ? classes.faint : ''
  return <span className={`${classes.money} ${tone}`}>{text}</span>
}

/** Two decimals, thin spaces. The currency belongs in the header. */
export function Money(props: NumberProps) {
  return <NumberText {...props} digits={2} />
}

/** Four decimals, as the ledger holds amounts: for items whose sum is rounded. */
export function FineMoney(props: NumberProps) {
  return <NumberText {...props} digits={4} />
}

export function Count(props: NumberProps) {
  return <NumberText {...props} digits={0} />
}

/** '2026-01-31' → 31.01.2026 */
export function DayText({ value }: { value: string | null | undefined }) {
  return formatDay(value) ?? <Dash />
}

/** A moment in the business zone, or in `zone`. */
export function MomentText({
  value,
  seconds = false,
  zone = businessZone(),
}: {
  value: string | number | null | undefined
  seconds?: boolean | undefined
  zone?: string | undefined
}) {
  const text = formatDateTime(value, zone, seconds)
  return text === null ? <Dash /> : <time dateTime={typeof value === 'string' ? value : undefined}>{text}</time>
}

/** A name or a code: it breaks into two lines if there is no room, and a tooltip shows the whole. */
export function NameText({ value }: { value: string | null | undefined }) {
  if (value === null || value === undefined || value === '') return <Dash />
  return (
    <span className={classes.name} title={value}>
      {value}
    </span>
  )
}
