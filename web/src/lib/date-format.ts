// Formats and parses days and moments. Moments are UTC and are shown in a given time zone; days have no zone.
import { formatMask } from '@mantine/hooks'
import { type ClockUnit, instantOf } from '@tributary/contract/period'

const PARTS: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
}

interface Moment {
  year: string
  month: string
  day: string
  hour: string
  minute: string
  second: string
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', { ...PARTS, timeZone: zone })
  formats.set(zone, made)
  return made
}

function readMoment(value: string | number, zone: string): Moment | null {
  const time = typeof value === 'number' ? value : Date.parse(value)
  if (Number.isNaN(time)) return null
  const moment: Moment = { year: '', month: '', day: '', hour: '', minute: '', second: '' }
  for (const { type, value: text } of formatOf(zone).formatToParts(time))
    if (type in moment) moment[type as keyof Moment] = text
  return moment
}

/** '2026-01-31' → '31.01.2026'. */
export function formatDay(day: string | null | undefined): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(day ?? '')
  return match ? `${match[3]}.${match[2]}.${match[1]}` : null
}

/** An edit of terms without a date keeps the old value from this day on, which means 'from the beginning'. */
export const BEGINNING = '1970-01-02'
export const isBeginning = (day: string): boolean => day <= BEGINNING

/** '31.01.2026' or '2026-01-31' → '2026-01-31'; null for any other text. */
export function parseDay(text: string): string | null {
  const given = text.trim()
  const match = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(given)
  if (!match && !/^\d{4}-\d{2}-\d{2}$/.test(given)) return null
  const day = match ? `${match[3]}-${match[2]?.padStart(2, '0')}-${match[1]?.padStart(2, '0')}` : given
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? null : day
}

/** '31.01.2026 14:05', with seconds if requested. */
export function formatDateTime(
  value: string | number | null | undefined,
  zone: string,
  seconds = false,
): string | null {
  const at = value === null || value === undefined ? null : readMoment(value, zone)
  if (!at) return null
  return `${at.day}.${at.month}.${at.year} ${at.hour}:${at.minute}${seconds ? `:${at.second}` : ''}`
}

/** '14:05:09'. */
export function formatClock(value: string | number | null | undefined, zone: string): string | null {
  const at = value === null || value === undefined ? null : readMoment(value, zone)
  return at ? `${at.hour}:${at.minute}:${at.second}` : null
}

const MOMENT = /^(\d{1,2}\.\d{1,2}\.\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** '31.01.2026 14:05' in a zone → ISO 8601 in UTC; a day alone is its first moment. Null for times that the zone skips. */
export function parseMoment(text: string, zone: string): string | null {
  const [, dayText = '', hour = '0', minute = '00', second = '00'] = MOMENT.exec(text.trim()) ?? []
  const day = parseDay(dayText)
  return day === null ? null : instantOf(day, `${hour.padStart(2, '0')}:${minute}:${second}`, zone)
}

/** The text that `parseMoment` reads; seconds only if they are not zero. Null for text that is no moment. */
export function formatMoment(value: string | null, zone: string): string | null {
  if (value === null || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return null
  return formatDateTime(value, zone, true)?.replace(/:00$/, '') ?? null
}

/** Adds the separators of 'DD.MM.YYYY HH:mm:ss' to digits; '1.' is the first day of a month. */
export function maskMoment(text: string): string {
  const digits = text.replace(/\b\d(?=[^\d\s])/g, '0$&').replace(/\D/g, '')
  return formatMask(digits, { mask: '99.99.9999 99:99:99' }).replace(/\D$/, '')
}

const UNITS: readonly ClockUnit[] = ['days', 'months', 'years', 'hours', 'minutes', 'seconds']

/** The unit at a position of the text: '31.0|1.2026' is in the months. */
export function unitAt(text: string, position: number): ClockUnit {
  return UNITS[text.slice(0, position).replace(/\d/g, '').length] ?? 'days'
}
