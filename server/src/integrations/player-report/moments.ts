// Reads days and times of an advertiser's file. Times are in the advertisers' server zone and become business days; a day without a time is
// that business day.

import { startOfDay } from '@tributary/contract/period'
import { Temporal } from 'temporal-polyfill'
import { remember } from '../../lib/remember.ts'

export interface Zones {
  /** Zone of the file's times. */
  readonly server: string
  /** Business time zone. */
  readonly business: string
}

export interface Moments {
  /** 'YYYY-MM-DD'; undefined when the text is no day. */
  readonly day: (text: string, isNumber: boolean) => string | undefined
  /** ISO 8601 in UTC. */
  readonly instant: (text: string, isNumber: boolean) => string | undefined
  /** The last day that a file may contain: tomorrow, because an advertiser's clock may be ahead. */
  readonly latest: string
}

interface DateParts {
  year: number
  month: number
  day: number
  /** Undefined for a day without a time. */
  time: { hour: number; minute: number; second: number } | undefined
  /** Offset to UTC in the text, in milliseconds; undefined for the zone of the file. */
  offset: number | undefined
}

const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s]+(.+))?$/
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[T\s,]+(.+))?$/
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i
const DAY_MS = 86_400_000
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** Range of day numbers for the years 1990 to 2200; other numbers are not dates. */
const SERIALS = { 1900: [32_874, 109_575], 1904: [31_412, 108_113] } as const

/** `is1904`: dates that are stored as numbers count from 1904. */
export function createMoments(zones: Zones, is1904: boolean, now = Date.now()): Moments {
  const starts = new Map<string, number>()
  const hours = new Map<string, number | undefined>()
  const days = new Map<number, string | undefined>()
  const daysOfTexts = new Map<string, string | undefined>()

  const startOf = (day: string): number => remember(starts, day, () => startOfDay(day, zones.business))
  /** Caches the offset of each hour, except hours within which the offset changes. */
  const epochOf = (parts: DateParts): number => {
    const { time = { hour: 0, minute: 0, second: 0 }, offset } = parts
    const within = time.minute * 60_000 + time.second * 1000
    if (offset !== undefined) return Date.UTC(parts.year, parts.month - 1, parts.day, time.hour) + within - offset
    const key = `${parts.year}-${parts.month}-${parts.day} ${time.hour}`
    const plainEpoch = (minute: number, second: number): number =>
      new Temporal.PlainDateTime(parts.year, parts.month, parts.day, time.hour, minute, second).toZonedDateTime(
        zones.server,
      ).epochMilliseconds
    const start = remember(hours, key, () => {
      const first = plainEpoch(0, 0)
      return plainEpoch(59, 59) - first === 3_599_000 ? first : undefined
    })
    return start === undefined ? plainEpoch(time.minute, time.second) : start + within
  }
  const businessDay = (epoch: number): string => {
    const dayAt = (at: number): string =>
      Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zones.business).toPlainDate().toString()
    const hour = Math.floor(epoch / 3_600_000)
    const known = remember(days, hour, () => {
      const first = dayAt(hour * 3_600_000)
      return dayAt(hour * 3_600_000 + 3_599_999) === first ? first : undefined
    })
    return known ?? dayAt(epoch)
  }
  const read = (text: string, isNumber: boolean): DateParts | undefined =>
    isNumber ? readSerial(text, is1904) : (readText(text.trim()) ?? undefined)

  const dayOf = (text: string, isNumber: boolean): string | undefined => {
    const parts = read(text, isNumber)
    if (parts === undefined) return undefined
    return parts.time === undefined ? dateOf(parts) : businessDay(epochOf(parts))
  }

  return {
    latest: businessDay(now + DAY_MS),
    day: (text, isNumber) => (isNumber ? dayOf(text, true) : remember(daysOfTexts, text, () => dayOf(text, false))),
    instant(text, isNumber) {
      const parts = read(text, isNumber)
      if (parts === undefined) return undefined
      return new Date(parts.time === undefined ? startOf(dateOf(parts)) : epochOf(parts)).toISOString()
    },
  }
}

const two = (value: number): string => String(value).padStart(2, '0')
const dateOf = ({ year, month, day }: DateParts): string => `${year}-${two(month)}-${two(day)}`

/** Days since the epoch of the workbook, with the time as the fraction. */
function readSerial(text: string, is1904: boolean): DateParts | undefined {
  const serial = Number(text)
  const [from, to] = SERIALS[is1904 ? 1904 : 1900]
  if (text === '' || !(serial >= from && serial <= to)) return undefined
  // To the second: fractions of days are not exact.
  const seconds = Math.round((serial - Math.floor(serial)) * 86_400)
  const at = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + Math.floor(serial) * DAY_MS + seconds * 1000)
  const date = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate(), offset: undefined }
  if (seconds === 0) return { ...date, time: undefined }
  return { ...date, time: { hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() } }
}

function readText(text: string): DateParts | undefined {
  const iso = ISO.exec(text)
  const dotted = iso === null ? DOTTED.exec(text) : null
  const [year, month, day] = (iso === null ? [dotted?.[3], dotted?.[2], dotted?.[1]] : iso.slice(1, 4)).map(Number)
  if (year === undefined || month === undefined || day === undefined || Number.isNaN(year)) return undefined
  const isReal = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12
  if (!isReal || year < 1990 || year > 2200) return undefined
  const rest = (iso ?? dotted)?.[4]
  if (rest === undefined) return { year, month, day, time: undefined, offset: undefined }
  const found = TIME.exec(rest.trim())
  if (found === null) return undefined
  const [hour, minute, second] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)]
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return { year, month, day, time: { hour, minute, second }, offset: offsetOf(found[4]) }
}

function offsetOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^(z|utc)$/i.test(text)) return 0
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2))
  return (text.startsWith('-') ? -minutes : minutes) * 60_000
}

const ANY_DAY = /\b(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}\.\d{1,2}\.\d{4})\b/g

/** All days that occur in a text. */
export function daysIn(text: string): string[] {
  return [...text.matchAll(ANY_DAY)].flatMap(([, found = '']) => {
    const parts = readText(found)
    return parts === undefined ? [] : [dateOf(parts)]
  })
}
