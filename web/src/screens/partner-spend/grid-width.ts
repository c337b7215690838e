// How wide the day columns of the spend grid are: as narrow as the longest amount allows, so that many days fit. Pure.

import type { SpendTable } from '@tributary/contract/calls/spend-table'
import { formatDecimal } from '../../lib/number-format.ts'
import { type Edits, plainAmount } from './grid-model.ts'
import type { GridTotals } from './grid-totals.ts'

const MIN_CHARS = 4.5
const MAX_CHARS = 11

const digitsOf = (amount: string): number => Math.max(2, plainAmount(amount).split('.')[1]?.length ?? 0)

/** As a cell shows it: with two decimals, or with as many as were entered. */
export const showAmount = (amount: string): string => formatDecimal(amount, digitsOf(amount)) ?? amount

/** The width of a text in widths of a digit: signs between digits are half as wide. */
const charsOf = (text: string): number => text.split('').reduce((sum, sign) => sum + (/[\d-]/.test(sign) ? 1 : 0.5), 0)

/** Amounts of one length are equally wide: digits before the sign, and decimals up to the last one that is not 0. */
function lengthOf(amount: string): number {
  let start = 0
  while (amount[start] === '0') start += 1
  const dot = amount.indexOf('.')
  if (dot === -1) return (amount.length - start) * LENGTHS
  let end = amount.length
  while (amount[end - 1] === '0') end -= 1
  return (dot - start) * LENGTHS + end - dot
}

const LENGTHS = 100

/** Totals are never cut: the longest one decides. */
export const sumWidth = (totals: readonly string[]): number =>
  Math.max(MIN_CHARS, ...totals.map((total) => charsOf(formatDecimal(total, 2) ?? '')))

/** In widths of a digit; grows with what is entered. */
export function dayWidth({ rows }: Pick<SpendTable, 'rows'>, edits: Edits, dayTotals: GridTotals['days']): number {
  let widest = MIN_CHARS
  const lengths = new Set<number>()
  // A table has thousands of amounts of few lengths: one of each length tells the width.
  const take = (amount: string | null): void => {
    if (amount === null) return
    const length = lengthOf(amount)
    if (lengths.has(length)) return
    lengths.add(length)
    widest = Math.max(widest, charsOf(showAmount(amount)))
  }
  for (const { cells } of rows) for (const { base } of cells) take(base)
  for (const own of edits.values()) for (const { base } of own.values()) take(base)
  for (const total of dayTotals) take(formatDecimal(total, 2))
  return Math.min(widest, MAX_CHARS)
}
