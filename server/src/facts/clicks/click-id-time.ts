// The time in a click's id: the first 48 bits of a UUIDv7 are milliseconds.

export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Lower than every id of that millisecond. */
export function lowestId(time: number): string {
  const text = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0')
  return `${text.slice(0, 8)}-${text.slice(8)}-0000-0000-000000000000`
}
