// How single values look in cells and cards. Absent is a faint dash, never 0; a minus is red; long text is cut with the whole in a tooltip.

import { Tooltip } from '@mantine/core'
import { TRUNCATE_AT } from '@tributary/contract/limits'
import type { ReactNode } from 'react'
import { cutText } from '../lib/cut-text.ts'
import { formatDateTime, formatDay } from '../lib/date-format.ts'
import { formatDecimal } from '../lib/number-format.ts'
import { businessZone } from '../state/business-zone.ts'
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
  /** Greyed: a ratio on too few events to mean much. */
  faint?: boolean | undefined
}

function NumberText({ value, digits, faint = false }: NumberProps & { digits: number }) {
  const text = formatDecimal(value, digits)
  if (text === null) return <Dash />
  const tone = text.startsWith('\u2212') ? classes.negative : faint ? classes.faint : ''
  return <span className={`${classes.money} ${tone}`}>{text}</span>
}

/** Two decimals, thin spaces; the currency belongs in the header. */
export function Money(props: NumberProps) {
  return <NumberText {...props} digits={2} />
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

/**
 * Text of which at most `at` characters are seen. It is cut in its middle, because names of one kind begin alike and differ in their last words.
 * What is not seen stays in the page: it is read out, found and copied, and reports show it where one points.
 */
export function CutText({ value, at = TRUNCATE_AT }: { value: string; at?: number | undefined }): ReactNode {
  const parts = cutText(value, at)
  if (parts === null) return value
  const [head, rest, tail] = parts
  return (
    <>
      {head}
      <span className={classes.rest} data-rest>
        {rest}
      </span>
      {tail}
    </>
  )
}

/** Text of which `at` characters are seen; the whole in a tooltip. */
export function ShortText({
  value,
  at = TRUNCATE_AT,
  code = false,
}: {
  value: string | null | undefined
  at?: number | undefined
  code?: boolean | undefined
}): ReactNode {
  if (value === null || value === undefined || value === '') return <Dash />
  const className = code ? classes.code : undefined
  const text = (
    <span className={className}>
      <CutText value={value} at={at} />
    </span>
  )
  return Array.from(value).length <= at ? text : <Tooltip label={value}>{text}</Tooltip>
}
