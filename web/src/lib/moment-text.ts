// A moment as people type it: DD.MM.YYYY HH:mm, with seconds where there are some, by the clocks of a zone that the caller names.
import { instantOf } from '@tributary/contract/period'
import { formatDateTime, parseDay } from './date-format.ts'

const PARTS = [
  { size: 2, after: '.' },
  { size: 2, after: '.' },
  { size: 4, after: ' ' },
  { size: 2, after: ':' },
  { size: 2, after: ':' },
  { size: 2, after: '' },
] as const

/** Digits in their places: separators come by themselves, and typed ones end a part ('1.' is the first of a month). */
export function maskMoment(text: string): string {
  const parts: string[] = ['']
  for (const sign of text) {
    const last = parts.length - 1
    const part = parts[last] ?? ''
    const { size } = PARTS[last] ?? PARTS[5]
    if (/\d/.test(sign)) {
      if (part.length < size) parts[last] = part + sign
      else if (parts.length < PARTS.length) parts.push(sign)
    } else if (/[.,/: -]/.test(sign) && part !== '' && parts.length < PARTS.length) {
      if (size === 2) parts[last] = part.padStart(2, '0')
      else if (part.length < size) continue
      parts.push('')
    }
  }
  return parts.map((part, index) => (index === 0 ? '' : (PARTS[index - 1]?.after ?? '')) + part).join('')
}

const TEXT = /^(\d{1,2}\.\d{1,2}\.\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** ISO 8601 in UTC; a day alone is its first moment. Null for what the clocks of the zone never show. */
export function parseMoment(text: string, zone: string): string | null {
  const [, dayText = '', hour = '0', minute = '00', second = '00'] = TEXT.exec(text.trim()) ?? []
  const day = parseDay(dayText)
  return day === null ? null : instantOf(day, `${hour.padStart(2, '0')}:${minute}:${second}`, zone)
}

/** Seconds only where there are some. Null for what is no moment. */
export function showMoment(value: unknown, zone: string): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return null
  const text = formatDateTime(value, zone, true)
  return text === null ? null : text.replace(/:00$/, '')
}

const UNITS = ['days', 'months', 'years', 'hours', 'minutes', 'seconds'] as const

/** Which part the caret is in: '31.0|1.2026' is in the month. */
export function partAt(text: string, caret: number): (typeof UNITS)[number] {
  const before = text.slice(0, caret).replace(/[^.: ]/g, '').length
  return UNITS[Math.min(before, UNITS.length - 1)] ?? 'days'
}
