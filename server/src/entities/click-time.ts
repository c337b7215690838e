// The millisecond inside a UUIDv7, as ClickHouse writes instants.

export function clickTime(id: string): string {
  const milliseconds = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  // Beyond the year 2100 it was not made by a tracker; any instant that finds nothing will do.
  const instant = new Date(Math.min(milliseconds, Date.UTC(2100, 0)))
  return toClickhouseTime(instant.toISOString())
}

export const toClickhouseTime = (iso: string): string => iso.slice(0, 23).replace('T', ' ').replace('Z', '')
