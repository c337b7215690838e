// When people click: more in evenings and at weekends, growing over the year, with a few campaigns.

const DAY_MS = 86_400_000

/** Share of a day's traffic in each hour of local time. */
const HOURS = [30, 22, 16, 12, 10, 11, 15, 22, 30, 36, 40, 43, 46, 47, 48, 50, 54, 60, 68, 76, 82, 80, 66, 46]
const HOUR_SUMS = HOURS.reduce<number[]>((sums, hour) => {
  sums.push((sums.at(-1) ?? 0) + hour)
  return sums
}, [])
const HOUR_TOTAL = HOUR_SUMS.at(-1) ?? 1

/** Sunday first. */
const WEEKDAYS = [1.22, 0.88, 0.86, 0.9, 0.97, 1.08, 1.26]

/** Weight of a day of the history: `n` of `days`, on a calendar day. */
export function dayWeight(n: number, days: number, day: string): number {
  const date = new Date(`${day}T00:00:00Z`)
  const growth = 0.62 + 0.76 * (n / Math.max(1, days - 1))
  const season = 1 + 0.12 * Math.cos(((date.getUTCMonth() - 0) / 12) * 2 * Math.PI)
  const campaign = n % 61 > 54 ? 1.35 : 1
  return growth * season * campaign * (WEEKDAYS[date.getUTCDay()] ?? 1)
}

/** A moment of the day in milliseconds from its start, drawn from [0, 1) twice. */
export function momentOfDay(first: number, second: number): number {
  const point = first * HOUR_TOTAL
  const hour = HOUR_SUMS.findIndex((sum) => point < sum)
  return Math.min(DAY_MS - 1, Math.floor((Math.max(0, hour) + second) * 3_600_000))
}
