// The days of a month as weeks that start on Monday. Pure; days are 'YYYY-MM-DD'.

const DAY_MS = 86_400_000

const toTime = (day: string) => Date.parse(`${day}T00:00:00Z`)
const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)

export function shiftDay(day: string, days: number): string {
  return toDay(toTime(day) + days * DAY_MS)
}

/** The first day of the month that lies `months` from this day's month. */
export function shiftMonth(day: string, months: number): string {
  const date = new Date(toTime(day))
  return toDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
}

/** 0 = Monday … 6 = Sunday. */
export function weekdayOf(day: string): number {
  return (new Date(toTime(day)).getUTCDay() + 6) % 7
}

/** Six weeks around the month of a day. */
export function monthGrid(day: string): string[][] {
  const first = `${day.slice(0, 7)}-01`
  const start = shiftDay(first, -weekdayOf(first))
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, index) => shiftDay(start, week * 7 + index)),
  )
}

/** Monday to Sunday in a language, short. */
export function weekdayNames(language: string): string[] {
  const format = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, index) => format.format(Date.UTC(2024, 0, 1 + index)))
}
