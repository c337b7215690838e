// Reads the moment of which a report knows, as the address names it.

/** Reads a moment of an address; null if it is invalid. */
export function readMoment(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
