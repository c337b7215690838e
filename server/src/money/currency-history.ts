// The currencies of a partner's ledger by month. A new billing currency begins with the first of its months that has money: until then, what is
// owed stays in the currency of its statements. What is open then is carried over by the rates of the last day before the new currency.
import { monthBefore } from '@tributary/contract/period'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import { addToPurse, convertAmount, type Purse, purseOf } from './purse.ts'
import { readRates } from './read-drafts.ts'

export interface CurrencyHistory {
  /** In the order of their months. */
  readonly begins: readonly Begin[]
  /** Id of the currency of the partner's amounts of a month. */
  readonly at: (partner: number, month: string) => number
  /** What is owed in one month in the currency of a later one. */
  readonly carry: (partner: number, purse: Purse, from: string, to: string) => Purse
  /** Equal for months between which the same changes convert. */
  readonly route: (partner: number, from: string, to: string) => string
}

interface Begin {
  readonly partner: number
  /** The first month with money in the currency. */
  readonly month: string
  /** The first month whose statement is in the currency. */
  readonly since: string
  readonly currency: number
}

/** SQL of the first month with money of `begin.partner` in months that meet the condition; null if there is none. */
const firstMonth = (condition: (month: string) => RawBuilder<unknown>) => sql`least(
  (select min(e.booked_month::text) from ledger_entry e where e.partner_id = begin.partner and ${condition('e.booked_month')}),
  (select min(a.month::text) from adjustment a where a.partner_id = begin.partner and ${condition('a.month')}),
  (select min(s.month::text) from statement s where s.partner_id = begin.partner and s.state not in ('draft', 'void') and ${condition('s.month')}))`

async function readBegins(db: Db, partners: readonly number[]): Promise<Begin[]> {
  const from = firstMonth((month) => sql`${sql.ref(month)} >= begin.since`)
  const before = firstMonth((month) => sql`${sql.ref(month)} < begin.since`)
  const { rows } = await sql<Omit<Begin, 'month'> & { month: string | null }>`
    with begin as (
      select p.id as partner, h.month as since, coalesce(h.currency_id, (select report_currency_id from setting),
          (select id from currency where value = 'EUR' or title = 'EUR' order by id limit 1)) as currency
      from partner p cross join lateral (
        select month::text as month, currency_id from partner_billing_currency where partner_id = p.id union all
        select '0000-00', null where not exists (select from partner_billing_currency where partner_id = p.id and month = '0001-01')
      ) as h
      where p.id = any(${partners}::int[])
    )
    select partner, since, currency, case when since <= '0001-01' or ${before} is null then since else ${from} end as month
    from begin order by partner, since`.execute(db)
  return rows.flatMap(({ month, ...begin }) => (month === null ? [] : [{ ...begin, month }]))
}

export async function readCurrencyHistory(db: Db, partners: readonly number[]): Promise<CurrencyHistory> {
  const begins = await readBegins(db, partners)
  const beginsOf = Map.groupBy(begins, ({ partner }) => partner)
  const findChanges = (partner: number) =>
    (beginsOf.get(partner) ?? []).flatMap(({ month, since, currency }, index, all) => {
      const before = all[index - 1]?.currency
      return before === undefined || before === currency
        ? []
        : [{ month, rateMonth: monthBefore(since), from: before, to: currency }]
    })
  const changesOf = new Map(partners.map((partner) => [partner, findChanges(partner)]))
  const pairs = [...changesOf.values()]
    .flat()
    .flatMap(({ rateMonth, from, to }) => [from, to].map((currency_id) => ({ currency_id, month: rateMonth })))
  const rate = await readRates(db, pairs)
  const convert = (purse: Purse, { rateMonth, from, to }: { rateMonth: string; from: number; to: number }): Purse =>
    [[from, purse.own] as const, ...purse.unrated].reduce<Purse>(
      (sum, [currency, amount]) =>
        addToPurse(sum, convertAmount({ currency, amount, into: to, month: rateMonth }, rate)),
      { ...purseOf(0n), missingRates: purse.missingRates },
    )
  const changesBetween = (partner: number, from: string, to: string) =>
    (changesOf.get(partner) ?? []).filter(({ month }) => from < month && month <= to)
  return {
    begins,
    at: (partner, month) => (beginsOf.get(partner) ?? []).findLast((begin) => begin.month <= month)?.currency ?? 0,
    carry: (partner, purse, from, to) => changesBetween(partner, from, to).reduce(convert, purse),
    route: (partner, from, to) =>
      changesBetween(partner, from, to)
        .map(({ month }) => month)
        .join(' '),
  }
}

/** An amount of a statement, of the statement's month. */
export interface StatedAmount {
  readonly partner: number
  readonly month: string
  readonly currency: number
  readonly amount: bigint
}

/**
 * Returns how amounts of these statements count in a later month. A statement of a month that was reopened before its currency changed is
 * converted by the rates of its month.
 */
export async function readCarry(
  db: Db,
  currencies: CurrencyHistory,
  statements: readonly Omit<StatedAmount, 'amount'>[],
): Promise<(stated: StatedAmount, to: string) => Purse> {
  const strange = statements.filter(({ partner, month, currency }) => currency !== currencies.at(partner, month))
  const rate = await readRates(
    db,
    strange.flatMap(({ partner, month, currency }) =>
      [currency, currencies.at(partner, month)].map((currency_id) => ({ currency_id, month })),
    ),
  )
  return ({ partner, month, currency, amount }, to) => {
    const own = currencies.at(partner, month)
    return currencies.carry(partner, convertAmount({ currency, amount, into: own, month }, rate), month, to)
  }
}
