// Sums of the spend grid with what is entered and not saved yet: with the agency percentage, in the report currency. Pure.

import type { SpendTable, SpendTableCell } from '@tributary/contract/calls/spend-table'
import { divideHalfUp, formatMoney, parseMoney } from '@tributary/contract/money'
import { type Edits, rowKey } from './grid-model.ts'

const HUNDRED_PERCENT = 1_000_000n
const RATE_SCALE = 100_000_000n

const parseRate = (rate: string): bigint => BigInt(rate.replace('.', ''))

type Rated = Pick<SpendTable, 'percentages' | 'rates'>
type Rates = ReadonlyMap<string, readonly (bigint | null)[]>

/** Rates of each day by currency; null without one. */
const readRates = ({ rates }: Rated): Rates =>
  new Map(
    Object.entries(rates).map(([currency, days]) => [
      currency,
      days.map((rate) => (rate === null ? null : parseRate(rate))),
    ]),
  )

const readPercentages = (percentages: readonly string[]): bigint[] =>
  percentages.map((percentage) => parseMoney(percentage) ?? 0n)

/** An amount with the agency percentage, in ten-thousandths of its currency. */
const withPercentage = (base: string, percentage: bigint): bigint =>
  divideHalfUp((parseMoney(base) ?? 0n) * (HUNDRED_PERCENT + percentage), HUNDRED_PERCENT) ?? 0n

/** In ten-thousandths of the report currency; null without a rate. */
function worthOf(cell: SpendTableCell, base: string, isEdited: boolean, percentage: bigint, rate: bigint | null) {
  if (rate === null) return null
  const own = isEdited ? withPercentage(base, percentage) : parseMoney(cell.sum ?? base)
  return rate === RATE_SCALE ? (own ?? 0n) : divideHalfUp((own ?? 0n) * rate, RATE_SCALE)
}

export interface GridTotals {
  /** Null without an entry. */
  readonly days: readonly (string | null)[]
  readonly rows: ReadonlyMap<string, string>
  readonly sum: string
  readonly isRateMissing: boolean
}

export function addUp(table: Pick<SpendTable, 'rows' | 'days' | 'percentages' | 'rates'>, edits: Edits): GridTotals {
  const days = table.days.map((): bigint | null => null)
  const rows = new Map<string, string>()
  let isRateMissing = false
  const rates = readRates(table)
  const percentages = readPercentages(table.percentages)
  for (const row of table.rows) {
    const own = edits.get(rowKey(row))
    const ofRow = row.percentages === null ? percentages : readPercentages(row.percentages)
    let sum = 0n
    for (const [day, cell] of row.cells.entries()) {
      const edit = own?.get(day)
      const isEdited = edit !== undefined && edit.problem === null
      const base = isEdited ? edit.base : cell.base
      if (base === null) continue
      const worth = worthOf(cell, base, isEdited, ofRow[day] ?? 0n, rates.get(cell.currency)?.[day] ?? null)
      if (worth === null) isRateMissing = true
      else {
        sum += worth
        days[day] = (days[day] ?? 0n) + worth
      }
    }
    rows.set(rowKey(row), formatMoney(sum))
  }
  return {
    days: days.map((day) => (day === null ? null : formatMoney(day))),
    rows,
    sum: formatMoney(days.reduce((all: bigint, day) => all + (day ?? 0n), 0n)),
    isRateMissing,
  }
}

/** The table as it is after all edits without a problem were saved. Versions, claims and locks are those of before: only the server knows them. */
export function withSaved(table: SpendTable, edits: Edits): SpendTable {
  const percentages = readPercentages(table.percentages)
  const rows = table.rows.map((row) => {
    const own = edits.get(rowKey(row))
    if (own === undefined) return row
    const ofRow = row.percentages === null ? percentages : readPercentages(row.percentages)
    const cells = row.cells.map((cell, day): SpendTableCell => {
      const edit = own.get(day)
      if (edit === undefined || (edit.problem !== null && edit.problem.kind !== 'rejected')) return cell
      const { base } = edit
      if (base === null) return { ...cell, base, sum: null, source: null }
      return { ...cell, base, sum: formatMoney(withPercentage(base, ofRow[day] ?? 0n)), source: 'manual' }
    })
    return { ...row, cells }
  })
  return { ...table, rows }
}
