// When a report is mailed next: at a time in the business zone, every day, week or month. Pure.
import type { SchedulePeriod } from '@tributary/contract/reports/saved'
import { Temporal } from 'temporal-polyfill'

export interface Rhythm {
  readonly every: SchedulePeriod
  readonly weekday: number | null
  readonly monthday: number | null
  readonly at_time: string
}

/** The first moment of the rhythm after `after`. Where clocks change, a skipped time moves an hour later; a repeated one means the first. */
export function nextDue({ every, weekday, monthday, at_time }: Rhythm, zone: string, after: Date): Date {
  const time = Temporal.PlainTime.from(at_time)
  const start = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(zone).toPlainDate()
  // Two months hold every rhythm at least once.
  for (let days = 0; days <= 62; days++) {
    const date = start.add({ days })
    if (every === 'week' && date.dayOfWeek !== (weekday ?? 1)) continue
    if (every === 'month' && date.day !== Math.min(monthday ?? 1, date.daysInMonth)) continue
    const due = date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds
    if (due > after.getTime()) return new Date(due)
  }
  throw new Error('a rhythm recurs within two months')
}
