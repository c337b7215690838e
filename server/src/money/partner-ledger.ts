// The ledger of one partner by months, and the figures of all partners for those who pay.
import { divideHalfUp, unitsOf } from '@tributary/contract/money'
import { daysBetween, monthBefore } from '@tributary/contract/period'
import { sql } from 'kysely'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Db } from '../entities/engine/model/request-context.ts'
import {
  addToPurse,
  type CurrencyHistory,
  type Purse,
  purseOf,
  readCarry,
  readCurrencyHistory,
} from './currency-history.ts'
import { NO_LINES, totalOf } from './ledger-diff.ts'
import { keyText, type PartnerMonth } from './ledger-key.ts'
import { readBooked } from './ledger-store.ts'
import { type Movement, type MovementRow, type Part, readMovements, readWaiting, type WaitingRow } from './movements.ts'
import { readOwed } from './owed.ts'
import { readRates } from './read-drafts.ts'

export type Sums = Record<Movement, bigint>

const noSums = (): Sums => ({
  earned: 0n,
  adjustments: 0n,
  write_offs: 0n,
  tax: 0n,
  paid: 0n,
  invoiced: 0n,
  on_hold: 0n,
  not_resolved: 0n,
})

const addRow = (sums: Sums, { movement, amount }: MovementRow): Sums => ({
  ...sums,
  [movement]: sums[movement] + amount,
})

/** What a month or a partner adds to the balance. Carry-over is a pair that cancels, so it is no part of it. */
export const balanceOf = ({ earned, adjustments, write_offs, tax, paid }: Sums): bigint =>
  earned + adjustments + write_offs + tax - paid

/** What rows add to the balance. */
const purseOfRows = (rows: readonly MovementRow[]): Purse => {
  const unrated = rows
    .filter(({ movement }) => IN_BALANCE.has(movement))
    .reduce((sum, row) => addToPurse(sum, row.unrated, row.movement === 'paid' ? -1n : 1n), purseOf(0n))
  return { ...unrated, own: balanceOf(rows.reduce(addRow, noSums())) }
}

const IN_BALANCE: ReadonlySet<Movement> = new Set(['earned', 'adjustments', 'write_offs', 'tax', 'paid'])

const partsOf = ({ unrated }: Purse): Part[] => [...unrated].map(([currency, amount]) => ({ currency, amount }))

export interface LedgerMonth {
  readonly month: string
  /** Id of the currency of all amounts of the month. */
  readonly currency: number
  /** The balance before the month. */
  readonly opening: bigint
  readonly sums: Sums
  readonly balance: bigint
  readonly isOpen: boolean
  readonly expected: bigint | null
}

export interface PartnerLedger {
  readonly months: readonly LedgerMonth[]
  /** In the currency of the last month with money. */
  readonly balance: bigint
  /** Id of the currency of the balance. */
  readonly currency: number
  /** What is owed beside the balance, in currencies that lack a rate into its currency. */
  readonly unrated: readonly Part[]
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
    const sums = moved.reduce(addRow, noSums())
    const opening = carryTo(month).own
    purse = addToPurse(purse, purseOfRows(moved))
    const balance = purse.own
    const isOpen = !closed.has(month)
    const currency = currencies.at(scope.partner, month)
    return { month, currency, opening, sums, balance, isOpen, expected: isOpen ? (expected.get(month) ?? 0n) : null }
  })
  const owed = carryTo(scope.today.slice(0, 7))
  const missing = rows.reduce((all, { unrated }) => all.union(unrated.missingRates), owed.missingRates)
  return {
    months: months.filter(({ month }) => month >= scope.from && month <= scope.to),
    balance: owed.own,
    currency: currencies.at(scope.partner, scope.today.slice(0, 7)),
    unrated: partsOf(owed),
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
): Promise<Map<string, bigint>> {
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
  const found = new Map<string, bigint>()
  for (const { key, amount } of differences) {
    const currency = currencies.at(partner, key.month)
    const isOwn = key.currency === currency
    const [top, bottom] = isOwn ? [1n, 1n] : [rate(key.currency, key.month), rate(currency, key.month)]
    if (top === undefined || bottom === undefined || bottom === 0n) continue
    const converted = (divideHalfUp(amount * top, bottom * 100n) ?? 0n) * 100n
    if (converted !== 0n) found.set(key.month, (found.get(key.month) ?? 0n) + converted)
  }
  return found
}

export const AGES = ['not_due', 'days_30', 'days_60', 'older'] as const
export type Age = (typeof AGES)[number]

/** An amount in the currency of its partner, and the parts that it is made of, each in its own currency. */
export interface Amount {
  readonly own: bigint
  readonly parts: readonly Part[]
}

export interface PartnerFigures {
  readonly partner: number
  /** Id of the currency of the balance. */
  readonly currency: number
  readonly balance: Amount
  /** What is owed beside `balance.own`, in currencies that lack a rate into its currency. */
  readonly unrated: readonly Part[]
  readonly onHold: Amount
  readonly notResolved: Amount
  readonly paidThisMonth: Amount
  /** Without what is disputed. */
  readonly dueThisWeek: Amount
  readonly inDispute: Amount
  readonly ageing: Readonly<Record<Age, Amount>>
  readonly disputed: number
}

interface OpenStatement {
  readonly partner: number
  readonly month: string
  readonly currency: number
  readonly total: string
  readonly paid: string
  readonly due_on: string
  readonly disputed: boolean
}

/** What is left to pay of an approved statement. */
interface Unpaid extends Omit<OpenStatement, 'total' | 'paid'> {
  /** In the currency of the statement. */
  readonly left: bigint
  /** In the currency of the partner's balance. */
  readonly own: bigint
  /** No rate converts it. */
  readonly isUnrated: boolean
}

const sumOf = (unpaid: readonly Unpaid[]): Amount => ({
  own: unpaid.reduce((sum, { own }) => sum + own, 0n),
  parts: unpaid.map(({ currency, left }) => ({ currency, amount: left })),
})

/** Figures of partners who have any. `weekEnds`: the last day of the week. */
export async function readFigures(
  db: Db,
  partners: readonly number[],
  today: string,
  weekEnds: string,
): Promise<{ figures: PartnerFigures[]; missingRates: readonly number[] }> {
  const currencies = await readCurrencyHistory(db, partners)
  const rows = await readMovements(db, partners, null, currencies)
  const byPartner = Map.groupBy(rows, ({ partner }) => partner)
  const month = today.slice(0, 7)
  const waiting = await sumWaiting(db, partners, today, (partner) => currencies.at(partner, month))
  const unpaidOf = Map.groupBy(await readUnpaid(db, partners, currencies, month), ({ partner }) => partner)
  let missing: ReadonlySet<number> = new Set(waiting.missingRates)
  const figures = partners.flatMap((partner): PartnerFigures[] => {
    const moved = byPartner.get(partner) ?? []
    if (moved.length === 0) return []
    const currency = currencies.at(partner, month)
    const paidNow = moved.filter((row) => row.movement === 'paid' && row.month === month)
    const unpaid = unpaidOf.get(partner) ?? []
    const owed = carryBalance(currencies, partner, moved, month)
    missing = moved.reduce((all, { unrated }) => all.union(unrated.missingRates), missing.union(owed.missingRates))
    const unrated = partsOf(owed)
    const stated = sumOf(unpaid.filter(({ isUnrated }) => !isUnrated))
    const ageing = (age: Age) =>
      sumOf(unpaid.filter(({ disputed, due_on }) => !disputed && ageOf(due_on, today) === age))
    return [
      {
        partner,
        currency,
        // What is stated is owed in the currency of its statement.
        balance: { own: owed.own, parts: [...stated.parts, { currency, amount: owed.own - stated.own }, ...unrated] },
        unrated,
        onHold: waiting.of(partner, 'on_hold'),
        notResolved: waiting.of(partner, 'not_resolved'),
        paidThisMonth: {
          own: paidNow.reduce((sum, { amount }) => sum + amount, 0n),
          parts: paidNow.flatMap(({ part }) => part ?? []),
        },
        dueThisWeek: sumOf(unpaid.filter(({ disputed, due_on }) => !disputed && due_on <= weekEnds)),
        inDispute: sumOf(unpaid.filter(({ disputed }) => disputed)),
        ageing: {
          not_due: ageing('not_due'),
          days_30: ageing('days_30'),
          days_60: ageing('days_60'),
          older: ageing('older'),
        },
        disputed: unpaid.filter(({ disputed }) => disputed).length,
      },
    ]
  })
  return { figures, missingRates: [...missing] }
}

/** What waits, by partner. Its own amount is converted as a statement would state it: by the rates of the earned month. */
async function sumWaiting(
  db: Db,
  partners: readonly number[],
  today: string,
  currencyOf: (partner: number) => number,
): Promise<{
  of: (partner: number, movement: WaitingRow['movement']) => Amount
  missingRates: readonly number[]
}> {
  const rows = await readWaiting(db, partners, today)
  const rate = await readRates(
    db,
    rows.flatMap(({ partner, currency, earned_month: month }) =>
      [currency, currencyOf(partner)].map((currency_id) => ({ currency_id, month })),
    ),
  )
  const missing = new Set<number>()
  const convert = ({ partner, currency, earned_month, amount }: WaitingRow): bigint => {
    const into = currencyOf(partner)
    if (currency === into) return amount
    const [top, bottom] = [rate(currency, earned_month), rate(into, earned_month)]
    if (top === undefined) missing.add(currency)
    if (bottom === undefined) missing.add(into)
    return top === undefined || bottom === undefined ? 0n : (divideHalfUp(amount * top, bottom * 100n) ?? 0n) * 100n
  }
  const converted = rows.map((row) => ({ ...row, own: convert(row) }))
  const byKey = Map.groupBy(converted, ({ partner, movement }) => `${partner} ${movement}`)
  return {
    of(partner, movement) {
      const parts = byKey.get(`${partner} ${movement}`) ?? []
      return { own: parts.reduce((sum, { own }) => sum + own, 0n), parts }
    },
    missingRates: [...missing],
  }
}

async function readUnpaid(
  db: Db,
  partners: readonly number[],
  currencies: CurrencyHistory,
  today: string,
): Promise<Unpaid[]> {
  const { rows } = await sql<OpenStatement>`
    select partner_id as partner, month::text as month, currency_id as currency, total, paid,
      coalesce(due_on, approved_at::date)::text as due_on, disputed_at is not null as disputed
    from statement where partner_id = any(${partners}::int[]) and state in ('approved', 'partly_paid') and total > paid`.execute(
    db,
  )
  const carry = await readCarry(db, currencies, rows)
  return rows.map(({ total, paid, ...statement }) => {
    const carried = (amount: bigint) => carry({ ...statement, amount }, today)
    const [whole, before] = [unitsOf(total), unitsOf(paid)]
    // As the balance: what is stated, less what was paid, each converted.
    const left = addToPurse(carried(whole), carried(before), -1n)
    return { ...statement, left: whole - before, own: left.own, isUnrated: left.unrated.size > 0 }
  })
}

/** The balance as the ledger carries it from month to month. */
function carryBalance(
  currencies: CurrencyHistory,
  partner: number,
  rows: readonly MovementRow[],
  today: string,
): Purse {
  const months = [...Map.groupBy(rows, ({ month }) => month)].sort(([one], [other]) => (one < other ? -1 : 1))
  const carried = months.reduce(
    ({ purse, last }, [month, own]) => ({
      purse: addToPurse(currencies.carry(partner, purse, last, month), purseOfRows(own)),
      last: month,
    }),
    { purse: purseOf(0n), last: '' },
  )
  return currencies.carry(partner, carried.purse, carried.last, today)
}

function ageOf(due: string, today: string): Age {
  const days = daysBetween(due, today)
  return days <= 0 ? 'not_due' : days <= 30 ? 'days_30' : days <= 60 ? 'days_60' : 'older'
}
