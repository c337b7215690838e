// The time from a click to what came of it.
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** How long after its click an event came, in its two largest units; the instant of a click is in its id. Null when it cannot be told. */
export function sinceClick(clickId: unknown, at: unknown, language: string): string | null {
  if (typeof clickId !== 'string' || typeof at !== 'string' || clickId[14] !== '7') return null
  const clicked = Number.parseInt(clickId.replace('-', '').slice(0, 12), 16)
  let left = Math.floor((Date.parse(at) - clicked) / 1000)
  if (!(left >= 0)) return null
  const parts: string[] = []
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(left / seconds)
    left -= count * seconds
    if (count > 0 || (seconds === 1 && parts.length === 0))
      parts.push(new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count))
  }
  return parts.slice(0, 2).join(' ')
}
