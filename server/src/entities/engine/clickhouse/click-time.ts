// Timestamps in ClickHouse's text form, and the timestamp inside a UUIDv7.

export function clickTimeOf(id: string): string {
  const milliseconds = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  // No tracker made an id from after 2100: any timestamp that matches nothing will do.
  const instant = new Date(Math.min(milliseconds, Date.UTC(2100, 0)))
  return toClickhouseTime(instant.toISOString())
}

/** The range of DateTime64. */
const FIRST = '1900-01-01 00:00:00.000'
const LAST = '2299-12-31 23:59:59.999'

/** Converts ISO text of the years 1 to 9999; clamps it to the range of DateTime64. */
export function toClickhouseTime(iso: string): string {
  const text = iso.slice(0, 23).replace('T', ' ').replace('Z', '')
  return text < FIRST ? FIRST : text > LAST ? LAST : text
}
