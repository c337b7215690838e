// A value of a row as text, whatever it is: what was read is only known to be JSON.
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : `${value as number | boolean | undefined}`
}
