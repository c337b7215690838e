// The figures of all partners, for those who pay.
import { unitsOf } from '@tributary/contract/money'
import { daysBetween } from '@tributary/contract/period'
import { sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import { type CurrencyHistory, readCarry, readCurrencyHistory } from './currency-history.ts'
import { type MovementRow, readMovements, readWaiting, type WaitingRow } from './movements.ts'
import { balanceOf } from './partner-ledger.ts'
import { addToPurse, convertAmount, type Part, type Purse, partsOf, purseOf, sumPurses } from './purse.ts'
import { readRates } from './read-drafts.ts'

export const AGES = ['not_due', 'days_30', 'days_60', 'older'] as const
export type Age = (typeof AGES)[number]

/** An amount in the currency of its partner, and the parts that it is made of, each in its own currency. */
export interface Amount {
  readonly own: Purse
  readonly parts: readonly Part[]
}

export interface PartnerFigures {
  readonly partner: number
  /** Id of the currency of the balance. */
  readonly currency: number
  readonly balance: Amount
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
  readonly own: Purse
}

const sumOf = (unpaid: readonly Unpaid[]): Amount => ({
  own: sumPurses(unpaid.map(({ own }) => own)),
  parts: unpaid.map(({ currency, left }) => ({ currency, amount: left })),
})

/** Figures of partners who have any. `weekEnds`: the last day of the week. */
export async function readFigures(
  db: Db,
  partners: readonly number[],
  today: string,
  weekEnds: string,
): Promise<{ figures: PartnerFigures[]; missingRates: ReadonlySet<number> }> {
  const currencies = await readCurrencyHistory(db, partners)
  const rows = await readMovements(db, partners, null, currencies)
  const byPartner = Map.groupBy(rows, ({ partner }) => partner)
  const month = today.slice(0, 7)
  const waiting = await sumWaiting(db, partners, today, (partner) => currencies.at(partner, month))
  const unpaidOf = Map.groupBy(await readUnpaid(db, partners, currencies, month), ({ partner }) => partner)
  let missing = waiting.missingRates
  const figures = partners.flatMap((partner): PartnerFigures[] => {
    const moved = byPartner.get(partner) ?? []
    if (moved.length === 0) return []
    const currency = currencies.at(partner, month)
    const paidNow = moved.filter((row) => row.movement === 'paid' && row.month === month)
    const unpaid = unpaidOf.get(partner) ?? []
    const owed = carryBalance(currencies, partner, moved, month)
    missing = moved.reduce((all, { amount }) => all.union(amount.missingRates), missing.union(owed.missingRates))
    const stated = sumOf(unpaid.filter(({ own }) => own.unrated.size === 0))
    const ageing = (age: Age) =>
      sumOf(unpaid.filter(({ disputed, due_on }) => !disputed && ageOf(due_on, today) === age))
    return [
      {
        partner,
        currency,
        // What is stated is owed in the currency of its statement.
        balance: {
          own: owed,
          parts: [...stated.parts, { currency, amount: owed.own - stated.own.own }, ...partsOf(owed)],
        },
        onHold: waiting.of(partner, 'on_hold'),
        notResolved: waiting.of(partner, 'not_resolved'),
        paidThisMonth: {
          own: sumPurses(paidNow.map(({ amount }) => amount)),
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
  return { figures, missingRates: missing }
}

/** What waits, by partner. Its own amount is converted as a statement would state it: by the rates of the earned month. */
async function sumWaiting(
  db: Db,
  partners: readonly number[],
  today: string,
  currencyOf: (partner: number) => number,
): Promise<{
  of: (partner: number, movement: WaitingRow['movement']) => Amount
  missingRates: ReadonlySet<number>
}> {
  const rows = await readWaiting(db, partners, today)
  const rate = await readRates(
    db,
    rows.flatMap(({ partner, currency, earned_month: month }) =>
      [currency, currencyOf(partner)].map((currency_id) => ({ currency_id, month })),
    ),
  )
  const converted = rows.map(({ earned_month: month, ...row }) => ({
    ...row,
    own: convertAmount({ ...row, into: currencyOf(row.partner), month }, rate),
  }))
  const byKey = Map.groupBy(converted, ({ partner, movement }) => `${partner} ${movement}`)
  return {
    of(partner, movement) {
      const parts = byKey.get(`${partner} ${movement}`) ?? []
      return { own: sumPurses(parts.map(({ own }) => own)), parts }
    },
    missingRates: sumPurses(converted.map(({ own }) => own)).missingRates,
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
    return { ...statement, left: whole - before, own: addToPurse(carried(whole), carried(before), -1n) }
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
      purse: addToPurse(currencies.carry(partner, purse, last, month), balanceOf(own)),
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
