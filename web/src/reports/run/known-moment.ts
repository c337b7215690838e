// A moment as a person writes it, by the clock of the business zone, and as the wire has it.
import { Temporal } from 'temporal-polyfill'

/** 'YYYY-MM-DDTHH:mm:ss' on the clock of a zone. */
export const wallOf = (milliseconds: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(milliseconds)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })

/** Null when it is no moment. Of two with the same clock, the first. */
export function momentOf(wall: string, zone: string): string | null {
  try {
    return new Date(Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds).toISOString()
  } catch {
    return null
  }
}

/** A moment of an address; null when it is none. */
export function readMoment(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
