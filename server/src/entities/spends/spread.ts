// Spreads a month's total over days. Pure.

import { formatMoney } from '@tributary/contract/money'
import type { Activity } from './spend-activity.ts'

/** Whole cents, unless the total itself is finer. */
const CENT = 100n

/**
 * By clicks, without any by registrations, else equally. Shares are rounded down; the last one takes the remainder, so that they sum up to `total`
 * (in ten-thousandths).
 */
export function spread(total: bigint, days: readonly Activity[]): string[] {
  const clicks = days.map((day) => day.clicks)
  const registrations = days.map((day) => day.registrations)
  const weights = hasAny(clicks) ? clicks : hasAny(registrations) ? registrations : days.map(() => 1)
  const sum = BigInt(weights.reduce((all, weight) => all + weight, 0))
  const unit = total % CENT === 0n ? CENT : 1n
  const shares = weights.map((weight) => ((total * BigInt(weight)) / sum / unit) * unit)
  const rest = total - shares.reduce((all, share) => all + share, 0n)
  return shares.map((share, index) => formatMoney(index === shares.length - 1 ? share + rest : share))
}

const hasAny = (weights: readonly number[]): boolean => weights.some((weight) => weight > 0)
