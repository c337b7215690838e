// The ledger of one partner by months, and the figures of all partners for those who pay.
import { divideHalfUp, parseMoney } from '@tributary/contract/money'
import { daysBetween, monthBefore } from '@tributary/contract/period'
import { sql } from 'kysely'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Db } from '../entities/engine/model/request-context.ts'
import { type CurrencyHistory, readCurrencyHistory } from './currency-history.ts'
import { NO_LINES, totalOf } from './ledger-diff.ts'
import { keyText, type PartnerMonth } from './ledger-key.ts'
import { readBooked } from './ledger-store.ts'
import { type Movement, type MovementRow, readMovements } from './movements.ts'
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
  /** In the currency of this month. */
  readonly balance: bigint
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
  const [{ rows, missingRates }, expected] = await Promise.all([
    readMovements(db, [scope.partner], scope.today),
    readExpected(db, clickhouse, scope, { closed, currencies }),
  ])
  const byMonth = Map.groupBy(rows, ({ month }) => month)
  const names = [...new Set([...byMonth.keys(), ...expected.keys()])].sort()
  let [balance, last] = [0n, names[0] ?? scope.today.slice(0, 7)]
  const carryTo = (month: string): bigint => {
    balance = currencies.carry(scope.partner, balance, last, month)
    last = month
    return balance
  }
  const months = names.map((month): LedgerMonth => {
    const sums = (byMonth.get(month) ?? []).reduce(addRow, noSums())
    const opening = carryTo(month)
    balance += balanceOf(sums)
    const isOpen = !closed.has(month)
    const currency = currencies.at(scope.partner, month)
    return { month, currency, opening, sums, balance, isOpen, expected: isOpen ? (expected.get(month) ?? 0n) : null }
  })
  return {
    months: months.filter(({ month }) => month >= scope.from && month <= scope.to),
    balance: carryTo(scope.today.slice(0, 7)),
    missingRates: [...new Set([...missingRates, ...currencies.missingRates])],
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

export interface PartnerFigures {
  readonly partner: number
  readonly currency: number
  readonly balance: bigint
  readonly sums: Sums
  readonly paidThisMonth: bigint
  /** Without what is disputed. */
  readonly dueThisWeek: bigint
  readonly inDispute: bigint
  readonly ageing: Readonly<Record<Age, bigint>>
  readonly disputed: number
}

interface OpenStatement {
  readonly partner: number
  readonly currency: number
  readonly left: string
  readonly due_on: string
  readonly disputed: boolean
}

/** Figures of partners who have any. `weekEnds`: the last day of the week. */
export async function readFigures(
  db: Db,
  partners: readonly { id: number; currency: number }[],
  today: string,
  weekEnds: string,
): Promise<{ figures: PartnerFigures[]; missingRates: readonly number[] }> {
  const ids = partners.map(({ id }) => id)
  const { rows, missingRates } = await readMovements(db, ids, today)
  const currencies = await readCurrencyHistory(db, ids)
  const byPartner = Map.groupBy(rows, ({ partner }) => partner)
  const { rows: statements } = await sql<OpenStatement>`
    select partner_id as partner, currency_id as currency, (total - paid)::text as left, coalesce(due_on, approved_at::date)::text as due_on,
      disputed_at is not null as disputed
    from statement where partner_id = any(${ids}::int[]) and state in ('approved', 'partly_paid') and total > paid`.execute(
    db,
  )
  const open = Map.groupBy(statements, ({ partner }) => partner)
  const month = today.slice(0, 7)
  const rate = await readRates(db, [
    ...statements.map(({ currency }) => ({ currency_id: currency, month })),
    ...partners.map(({ currency }) => ({ currency_id: currency, month })),
  ])
  const figures = partners.flatMap(({ id, currency }): PartnerFigures[] => {
    const ofMonths = byPartner.get(id) ?? []
    if (ofMonths.length === 0) return []
    const own = ofMonths.map((row) => ({ ...row, amount: currencies.carry(id, row.amount, row.month, month) }))
    const ageing: Record<Age, bigint> = { not_due: 0n, days_30: 0n, days_60: 0n, older: 0n }
    let dueThisWeek = 0n
    let inDispute = 0n
    const unpaid = open.get(id) ?? []
    for (const statement of unpaid) {
      const [top, bottom] =
        statement.currency === currency ? [1n, 1n] : [rate(statement.currency, month), rate(currency, month)]
      const left = (parseMoney(statement.left) ?? 0n) * (top ?? 0n)
      const converted = bottom === undefined || bottom === 0n ? 0n : left / bottom
      ageing[ageOf(statement.due_on, today)] += converted
      if (statement.disputed) inDispute += converted
      else if (statement.due_on <= weekEnds) dueThisWeek += converted
    }
    return [
      {
        partner: id,
        currency,
        balance: carryBalance(currencies, id, ofMonths, month),
        sums: own.reduce(addRow, noSums()),
        paidThisMonth: own.reduce(
          (sum, row) => sum + (row.movement === 'paid' && row.month === month ? row.amount : 0n),
          0n,
        ),
        dueThisWeek,
        inDispute,
        ageing,
        disputed: unpaid.filter(({ disputed }) => disputed).length,
      },
    ]
  })
  return { figures, missingRates: [...new Set([...missingRates, ...currencies.missingRates])] }
}

/** The balance as the ledger carries it from month to month. */
function carryBalance(
  currencies: CurrencyHistory,
  partner: number,
  rows: readonly MovementRow[],
  today: string,
): bigint {
  const months = [...Map.groupBy(rows, ({ month }) => month)].sort(([one], [other]) => (one < other ? -1 : 1))
  const carried = months.reduce(
    ({ balance, last }, [month, own]) => ({
      balance: currencies.carry(partner, balance, last, month) + balanceOf(own.reduce(addRow, noSums())),
      last: month,
    }),
    { balance: 0n, last: '' },
  )
  return currencies.carry(partner, carried.balance, carried.last, today)
}

function ageOf(due: string, today: string): Age {
  const days = daysBetween(due, today)
  return days <= 0 ? 'not_due' : days <= 30 ? 'days_30' : days <= 60 ? 'days_60' : 'older'
}
