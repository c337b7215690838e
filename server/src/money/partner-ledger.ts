// The ledger of one partner by months.
import { monthBefore } from '@tributary/contract/period'
import { sql } from 'kysely'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Db } from '../entities/engine/model/request-context.ts'
import { type CurrencyHistory, readCurrencyHistory } from './currency-history.ts'
import { NO_LINES, totalOf } from './ledger-diff.ts'
import { keyText, type PartnerMonth } from './ledger-key.ts'
import { readBooked } from './ledger-store.ts'
import { type Movement, type MovementRow, readMovements } from './movements.ts'
import { readOwed } from './owed.ts'
import { addToPurse, convertAmount, isEmptyPurse, type Purse, purseOf } from './purse.ts'
import { readRates } from './read-drafts.ts'

export type Sums = Readonly<Record<Movement, Purse>>

const noSums = (): Record<Movement, Purse> => ({
  earned: purseOf(0n),
  adjustments: purseOf(0n),
  write_offs: purseOf(0n),
  tax: purseOf(0n),
  paid: purseOf(0n),
  invoiced: purseOf(0n),
  on_hold: purseOf(0n),
  not_resolved: purseOf(0n),
})

const sumRows = (rows: readonly MovementRow[]): Sums => {
  const sums = noSums()
  for (const { movement, amount } of rows) sums[movement] = addToPurse(sums[movement], amount)
  return sums
}

/** What a month or a partner adds to the balance. Carry-over is a pair that cancels, so it is no part of it. */
export const balanceOf = (rows: readonly MovementRow[]): Purse =>
  rows
    .filter(({ movement }) => IN_BALANCE.has(movement))
    .reduce((sum, { movement, amount }) => addToPurse(sum, amount, movement === 'paid' ? -1n : 1n), purseOf(0n))

const IN_BALANCE: ReadonlySet<Movement> = new Set(['earned', 'adjustments', 'write_offs', 'tax', 'paid'])

export interface LedgerMonth {
  readonly month: string
  /** Id of the currency of all amounts of the month. */
  readonly currency: number
  /** The balance before the month. */
  readonly opening: Purse
  readonly sums: Sums
  readonly balance: Purse
  readonly isOpen: boolean
  readonly expected: Purse | null
}

export interface PartnerLedger {
  readonly months: readonly LedgerMonth[]
  /** In the currency of the last month with money. */
  readonly balance: Purse
  /** Id of the currency of the balance. */
  readonly currency: number
  readonly missingRates: readonly number[]
}

const OPEN_MONTHS = 24

interface LedgerScope {
  readonly partner: number
  /** Months; the balance counts all earlier ones, too. */
  readonly from: string
  readonly to: string
  /** The business day. */
  readonly today: string
}

/** Months with a figure, the earliest first. Months that are not over or not closed say what a close would add. */
export async function readPartnerLedger(db: Db, clickhouse: Clickhouse, scope: LedgerScope): Promise<PartnerLedger> {
  const closed = await readStandingMonths(db, scope.partner)
  const currencies = await readCurrencyHistory(db, [scope.partner])
  const [rows, expected] = await Promise.all([
    readMovements(db, [scope.partner], scope.today, currencies),
    readExpected(db, clickhouse, scope, { closed, currencies }),
  ])
  const byMonth = Map.groupBy(rows, ({ month }) => month)
  const names = [...new Set([...byMonth.keys(), ...expected.keys()])].sort()
  let [purse, last] = [purseOf(0n), names[0] ?? scope.today.slice(0, 7)]
  const carryTo = (month: string): Purse => {
    purse = currencies.carry(scope.partner, purse, last, month)
    last = month
    return purse
  }
  const months = names.map((month): LedgerMonth => {
    const moved = byMonth.get(month) ?? []
    const opening = carryTo(month)
    purse = addToPurse(opening, balanceOf(moved))
    const isOpen = !closed.has(month)
    return {
      month,
      currency: currencies.at(scope.partner, month),
      opening,
      sums: sumRows(moved),
      balance: purse,
      isOpen,
      expected: isOpen ? (expected.get(month) ?? purseOf(0n)) : null,
    }
  })
  const owed = carryTo(scope.today.slice(0, 7))
  const missing = [...rows.map(({ amount }) => amount), ...expected.values()].reduce(
    (all, { missingRates }) => all.union(missingRates),
    owed.missingRates,
  )
  return {
    months: months.filter(({ month }) => month >= scope.from && month <= scope.to),
    balance: owed,
    currency: currencies.at(scope.partner, scope.today.slice(0, 7)),
    missingRates: [...missing],
  }
}

async function readStandingMonths(db: Db, partner: number): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    month: string
  }>`select month from period_close_partner where partner_id = ${partner} and reopened_at is null`.execute(db)
  return new Set(rows.map(({ month }) => month))
}

/** By month: what is owed for open months as known now, less what is booked for them. */
async function readExpected(
  db: Db,
  clickhouse: Clickhouse,
  { partner, from, to, today }: LedgerScope,
  { closed, currencies }: { readonly closed: ReadonlySet<string>; readonly currencies: CurrencyHistory },
): Promise<Map<string, Purse>> {
  const open: PartnerMonth[] = []
  for (let month = today.slice(0, 7), count = 0; count < OPEN_MONTHS; count++) {
    if (!closed.has(month) && month >= from && month <= to) open.push({ partner, month })
    month = monthBefore(month)
  }
  const [present, booked] = await Promise.all([readOwed(clickhouse, open, null), readBooked(db, open)])
  const owed = new Map(present.map((one) => [keyText(one.key), one]))
  const differences = [...new Set([...owed.keys(), ...booked.keys()])].flatMap((text) => {
    const [is, was] = [owed.get(text), booked.get(text)]
    const key = is?.key ?? was?.key
    return key === undefined ? [] : [{ key, amount: totalOf(key, is?.lines ?? NO_LINES) - (was?.total ?? 0n) }]
  })
  const pairs = differences.flatMap(({ key: { month, currency: from_id } }) => [
    { currency_id: from_id, month },
    { currency_id: currencies.at(partner, month), month },
  ])
  const rate = await readRates(db, pairs)
  const found = new Map<string, Purse>()
  for (const { key, amount } of differences) {
    const into = currencies.at(partner, key.month)
    const converted = convertAmount({ currency: key.currency, amount, into, month: key.month }, rate)
    if (!isEmptyPurse(converted)) found.set(key.month, addToPurse(found.get(key.month) ?? purseOf(0n), converted))
  }
  return found
}
