// The currencies of a partner's statements by month. A new currency begins with a month; what is open then is carried over by the rates of the
// last day before it.
import { divideHalfUp } from '@tributary/contract/money'
import { monthBefore } from '@tributary/contract/period'
import { sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import { readRates } from './read-drafts.ts'

export interface CurrencyHistory {
  /** Id of the currency of the partner's statement of a month. */
  readonly at: (partner: number, month: string) => number
  /** An amount of one month in the currency of a later one. */
  readonly carry: (partner: number, amount: bigint, from: string, to: string) => bigint
  /** Ids of currencies without a rate at a change: what is carried by it counts as zero. */
  readonly missingRates: readonly number[]
}

interface Begin {
  readonly partner: number
  readonly month: string
  readonly currency: number
}

export async function readCurrencyHistory(db: Db, partners: readonly number[]): Promise<CurrencyHistory> {
  const { rows } = await sql<Begin>`
    select p.id as partner, h.month,
      coalesce(h.currency_id, (select report_currency_id from setting),
        (select id from currency where value = 'EUR' or title = 'EUR' order by id limit 1)) as currency
    from partner p cross join lateral (
      select month::text as month, currency_id from partner_billing_currency where partner_id = p.id union all
      select '0000-00', null where not exists (select from partner_billing_currency where partner_id = p.id and month = '0001-01')
    ) as h
    where p.id = any(${partners}::int[]) order by p.id, h.month`.execute(db)
  const begins = Map.groupBy(rows, ({ partner }) => partner)
  const changes = (partner: number) =>
    (begins.get(partner) ?? []).flatMap(({ month, currency }, index, all) => {
      const before = all[index - 1]?.currency
      return before === undefined || before === currency ? [] : [{ month, from: before, to: currency }]
    })
  const changesOf = new Map(partners.map((partner) => [partner, changes(partner)]))
  const pairs = [...changesOf.values()]
    .flat()
    .flatMap(({ month, from, to }) => [from, to].map((currency_id) => ({ currency_id, month: monthBefore(month) })))
  const rate = await readRates(db, pairs)
  const convert = (amount: bigint, { month, from, to }: { month: string; from: number; to: number }): bigint => {
    const [top, bottom] = [rate(from, monthBefore(month)), rate(to, monthBefore(month))]
    return top === undefined || bottom === undefined ? 0n : (divideHalfUp(amount * top, bottom * 100n) ?? 0n) * 100n
  }
  return {
    at: (partner, month) => (begins.get(partner) ?? []).findLast((begin) => begin.month <= month)?.currency ?? 0,
    carry: (partner, amount, from, to) =>
      (changesOf.get(partner) ?? [])
        .filter(({ month }) => from < month && month <= to)
        .reduce((sum, change) => convert(sum, change), amount),
    missingRates: pairs.flatMap(({ currency_id, month }) =>
      rate(currency_id, month) === undefined ? [currency_id] : [],
    ),
  }
}
