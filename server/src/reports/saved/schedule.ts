// When a report is mailed next: a time of day in the business zone, every day, on a day of the week or of the month. Pure.
import type { SchedulePeriod } from '@tributary/contract/reports/saved'
import { Temporal } from 'temporal-polyfill'

export interface Rhythm {
  readonly every: SchedulePeriod
  readonly weekday: number | null
  readonly monthday: number | null
  readonly at_time: string
}

/** The first moment of the rhythm after `after`. Where clocks change, a time that is left out is told an hour later; one that comes twice, the first time. */
export function nextDue({ every, weekday, monthday, at_time }: Rhythm, zone: string, after: Date): Date {
  const time = Temporal.PlainTime.from(at_time)
  const start = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(zone).toPlainDate()
  // A month and a day hold at least one of each.
  for (let days = 0; days <= 62; days++) {
    const date = start.add({ days })
    if (every === 'week' && date.dayOfWeek !== (weekday ?? 1)) continue
    if (every === 'month' && date.day !== Math.min(monthday ?? 1, date.daysInMonth)) continue
    const due = date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds
    if (due > after.getTime()) return new Date(due)
  }
  throw new Error('a rhythm comes round within two months')
}
