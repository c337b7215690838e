// Calculates with business days and instants. A business day is a calendar day in the business time zone and has 23 to 25 hours.
import { Temporal } from 'temporal-polyfill'

export const DEFAULT_ZONE = 'Europe/Kyiv'

/** Matches years from 1 on, because the databases have no year 0. */
const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}$/

/** True for a day of the calendar as 'YYYY-MM-DD'. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' })
    return true
  } catch {
    return false
  }
}

/** The business day ('YYYY-MM-DD') of an instant in milliseconds. */
export function dayOf(epochMs: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone).toPlainDate().toString()
}

/** First millisecond of a business day, since the epoch. */
export function startOfDay(day: string, zone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds
}

/** First millisecond after a business day, since the epoch. */
export function endOfDay(day: string, zone: string): number {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
}

/** The instant, ISO 8601 in UTC, of a local time; the first one if it occurs twice (DST), null if it is skipped. */
export function instantOf(day: string, time: string, zone: string): string | null {
  try {
    const local = Temporal.PlainDateTime.from(`${day}T${time}`, { overflow: 'reject' })
    const moment = local.toZonedDateTime(zone)
    return moment.toPlainDateTime().equals(local) ? new Date(moment.epochMilliseconds).toISOString() : null
  } catch {
    return null
  }
}

/** Units by which an instant moves on a clock. */
export type ClockUnit = 'years' | 'months' | 'days' | 'hours' | 'minutes' | 'seconds'

/** Adds calendar units to an instant (ISO 8601) by the clocks of a zone. */
export function shiftInstant(instant: string, unit: ClockUnit, by: number, zone: string): string {
  const moment = Temporal.Instant.from(instant).toZonedDateTimeISO(zone)
  return new Date(moment.add({ [unit]: by }).epochMilliseconds).toISOString()
}

/** The day `days` later, or earlier if negative. Throws RangeError if `day` is no day. */
export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** Days from a to b; negative if b is earlier. */
export function daysBetween(a: string, b: string): number {
  return Temporal.PlainDate.from(a).until(Temporal.PlainDate.from(b), { largestUnit: 'day' }).days
}

/** '2026-11-20' → '20.11.2026'. */
export const formatDay = (day: string): string => day.split('-').reverse().join('.')

/** The first and the last month that have facts, with a month before and after them. */
const [FIRST_MONTH, LAST_MONTH] = ['1970-02', '2149-04']

/** True for a month as 'YYYY-MM' of which reports can know. */
export const isMonth = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(value) && value >= FIRST_MONTH && value <= LAST_MONTH

/** The first day of a month; any other text as it is. */
export const firstDayOf = (text: string): string => (isMonth(text) ? `${text}-01` : text)

/** 'Jan 2026' / 'янв. 2026 г.' for a month, or a day of it. */
export function formatMonth(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${day.slice(0, 7)}-01T00:00:00Z`),
  )
}

/** The earlier of two days. */
export const earlierDay = (a: string, b: string): string => (a < b ? a : b)
/** The later of two days. */
export const laterDay = (a: string, b: string): string => (a < b ? b : a)

/** The month ('YYYY-MM') before a month. */
export const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)

/** The month after a month. */
export const monthAfter = (month: string): string => addDays(`${month}-01`, 31).slice(0, 7)

/** The last day of a month. */
export const lastDayOf = (month: string): string => addDays(`${monthAfter(month)}-01`, -1)

/** Monday of the week of a day. */
export function weekOf(day: string): string {
  const date = Temporal.PlainDate.from(day)
  return date.subtract({ days: date.dayOfWeek - 1 }).toString()
}

/** The calendar day in an IANA time zone at `now` (milliseconds). */
export function today(zone: string, now = Date.now()): string {
  return dayOf(now, zone)
}

/** Days 'YYYY-MM-DD'; both ends belong to the period. */
export interface Period {
  readonly from: string
  readonly to: string
}

export const PRESETS = [
  'today',
  'yesterday',
  'today_and_yesterday',
  'current_week',
  'previous_week',
  'current_month',
  'previous_month',
  'current_year',
  'previous_year',
] as const
export type Preset = (typeof PRESETS)[number]

/** The period of a preset if `day` is today. Current periods end today; weeks start on Monday. */
export function presetPeriod(preset: Preset, day: string): Period {
  const date = Temporal.PlainDate.from(day)
  const month = date.with({ day: 1 })
  const year = date.with({ month: 1, day: 1 })
  const week = Temporal.PlainDate.from(weekOf(day))
  const span = (from: Temporal.PlainDate, to: Temporal.PlainDate) => ({ from: from.toString(), to: to.toString() })
  switch (preset) {
    case 'today':
      return span(date, date)
    case 'yesterday':
      return span(date.subtract({ days: 1 }), date.subtract({ days: 1 }))
    case 'today_and_yesterday':
      return span(date.subtract({ days: 1 }), date)
    case 'current_week':
      return span(week, date)
    case 'previous_week':
      return span(week.subtract({ days: 7 }), week.subtract({ days: 1 }))
    case 'current_month':
      return span(month, date)
    case 'previous_month':
      return span(month.subtract({ months: 1 }), month.subtract({ days: 1 }))
    case 'current_year':
      return span(year, date)
    case 'previous_year':
      return span(year.subtract({ years: 1 }), year.subtract({ days: 1 }))
  }
}

/** Comparison periods that follow from the compared one: the days right before it, or its days a month or a year earlier. */
export const SECOND_PERIODS = ['previous', 'last_month', 'last_year'] as const
export type SecondPeriodName = (typeof SECOND_PERIODS)[number]

/** A day that the earlier month lacks becomes its last day. Whole months are compared with whole months. */
export function secondPeriod(name: SecondPeriodName, { from, to }: Period): Period {
  if (name === 'previous') return { from: addDays(from, -1 - daysBetween(from, to)), to: addDays(from, -1) }
  const back = name === 'last_month' ? { months: 1 } : { years: 1 }
  const [start, end] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const isWhole = start.day === 1 && end.day === end.daysInMonth
  const last = end.subtract(back)
  return { from: start.subtract(back).toString(), to: (isWhole ? last.with({ day: 31 }) : last).toString() }
}
