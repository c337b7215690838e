// Parses the times of a filter. A day means the whole business day; a timestamp covers its last written unit.

import { INSTANT } from '@tributary/contract/filter'
import { endOfDay, isDay, startOfDay } from '@tributary/contract/period'
import { Temporal } from 'temporal-polyfill'

/** Start and exclusive end, as ISO text of the years 1 to 9999. */
export interface Span {
  from: string
  until: string
}

/** The instants that a filter text covers: a business day, or an ISO 8601 time to its written precision. Undefined for any other text. */
export function readSpan(text: string, zone: string): Span | undefined {
  if (isDay(text)) return span(startOfDay(text, zone), endOfDay(text, zone))
  const match = INSTANT.exec(text)
  if (match === null) return undefined
  try {
    const iso = text.replace(' ', 'T')
    const from =
      match[3] === undefined
        ? Temporal.PlainDateTime.from(iso).toZonedDateTime(zone).epochMilliseconds
        : Temporal.Instant.from(iso).epochMilliseconds
    return span(from, from + (match[1] === undefined ? 60_000 : match[2] === undefined ? 1000 : 1))
  } catch {
    return undefined
  }
}

/** Clamps to years that PostgreSQL can parse: in the business zone the first and last days of the calendar reach beyond them. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
const writeInstant = (ms: number): string => new Date(Math.min(Math.max(ms, FIRST), LAST)).toISOString()

const span = (from: number, until: number): Span => ({ from: writeInstant(from), until: writeInstant(until) })
