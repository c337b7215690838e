// Parses filter values by kind of field. A day means the whole business day; a timestamp covers its last written unit.

import type { Field } from '@tributary/contract/field'
import { endOfDay, firstDayOf, isDay, startOfDay } from '@tributary/contract/period'
import { Temporal } from 'temporal-polyfill'

/** Start and exclusive end, as ISO text of the years 1 to 9999. */
export interface Span {
  from: string
  until: string
}

const WHOLE = /^-?\d{1,18}$/
const DECIMAL = /^-?\d{1,18}(\.\d{1,10})?$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TRUE = new Set(['1', 'true'])
const FALSE = new Set(['0', 'false'])
const INSTANT = /^(?!0000)\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?$/

/** The value as a PostgreSQL parameter; undefined if it does not fit the field's type. */
export function readFilterValue(field: Field, text: string): string | boolean | undefined {
  switch (field.kind) {
    case 'integer':
    case 'reference':
    case 'references':
    case 'children':
      return WHOLE.test(text) ? text : undefined
    case 'decimal':
      return DECIMAL.test(text) ? text : undefined
    case 'boolean':
      return TRUE.has(text) ? true : FALSE.has(text) ? false : undefined
    case 'date': {
      const day = field.isMonth === true ? firstDayOf(text) : text
      return isDay(day) ? day : undefined
    }
    case 'uuid':
      return UUID.test(text) ? text.toLowerCase() : undefined
    case 'choice':
    case 'choices':
      return field.options.includes(text) ? text : undefined
    case 'text':
    case 'texts':
    case 'datetime':
    case 'json':
    case 'derived':
      return text
  }
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
