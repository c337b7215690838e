// Converts moments between the clock of the business zone and the wire.
import { Temporal } from 'temporal-polyfill'

/** 'YYYY-MM-DDTHH:mm:ss' in a zone. */
export const toWallTime = (milliseconds: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(milliseconds)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })

/** Null for invalid text. An ambiguous time is the earlier moment. */
export function fromWallTime(wall: string, zone: string): string | null {
  try {
    return new Date(Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds).toISOString()
  } catch {
    return null
  }
}

/** Reads a moment of an address; null if it is invalid. */
export function readMoment(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
