// What partners have earned and were paid, by month, in the currency of the month. Statements convert each key's running total by
// the rate of the earned month's last day, and so does this: the sums of both are equal to the cent.
import { parseMoney, unitsOf } from '@tributary/contract/money'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import { selectCandidates } from './candidates.ts'
import { type CurrencyHistory, readCarry, type StatedAmount } from './currency-history.ts'
import { addToPurse, type Part, type Purse } from './purse.ts'

export type Movement =
  | 'earned'
  | 'adjustments'
  | 'write_offs'
  | 'tax'
  | 'paid'
  | 'invoiced'
  | 'on_hold'
  | 'not_resolved'

export interface MovementRow {
  readonly partner: number
  readonly month: string
  readonly movement: Movement
  /** In the currency of the month. */
  readonly amount: Purse
  /** Of payments: as they were paid. */
  readonly part?: Part
}

/** SQL of the rate to the report currency on the last day of a month; null if there is none. */
export const rateOf = (currency: RawBuilder<unknown>, month: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce((select rate from ledger_rate r where r.month = ${month} and r.currency_id = ${currency}),
    (select 1 from setting where report_currency_id = ${currency}),
    (select rate from currency_rate r where r.currency_id = ${currency} and r.active
      and r.date < (${month} || '-01')::date + interval '1 month' order by r.date desc limit 1))`

/** A row's amount is the difference of two running totals, `whole` and `before`. */
const selectMoved = (partners: readonly number[], today: string | null): RawBuilder<unknown> => sql`
  select partner_id, 'earned' as movement, month, earned_month as rate_month, currency_id, whole, whole - amount as before
  from (select e.partner_id, e.booked_month as month, e.earned_month, e.currency_id, sum(e.amount) as amount,
      sum(sum(e.amount)) over (partition by e.partner_id, e.offer_partner_id, e.earned_month, e.kind, e.currency_id order by e.booked_month) as whole
    from ledger_entry e where e.partner_id = any(${partners}::int[])
    group by e.partner_id, e.offer_partner_id, e.earned_month, e.kind, e.currency_id, e.booked_month) as k
  union all
  select partner_id, 'adjustments', month, month, currency_id, amount, 0 from adjustment where partner_id = any(${partners}::int[])
  union all
  select s.partner_id, case l.kind when 'tax' then 'tax' else 'write_offs' end, s.month, s.month, s.currency_id, l.total, 0
  from payment_invoice_line l join statement s on s.id = l.statement_id
  where s.partner_id = any(${partners}::int[]) and l.live and l.kind in ('tax', 'write_off') and s.approved_at is not null
  union all
  select partner_id, 'invoiced', month, month, currency_id, total, 0 from statement
  where partner_id = any(${partners}::int[]) and state in ('approved', 'partly_paid', 'paid')
  ${today === null ? sql`` : sql`union all ${selectWaiting(partners, today)}`}`

const selectWaiting = (partners: readonly number[], today: string): RawBuilder<unknown> => sql`
  select c.partner_id, c.verdict as movement, c.booked_month as month, c.earned_month as rate_month, c.currency_id, sum(c.amount) as whole, 0 as before
  from (${selectCandidates({ partners, month: '9999-12', offerPartners: null, today, rewritten: [], provisional: null })}) as c
  where c.verdict <> 'payable' group by 1, 2, 3, 4, 5`

export interface WaitingRow extends Part {
  readonly partner: number
  readonly movement: 'on_hold' | 'not_resolved'
  readonly earned_month: string
}

/** What is on hold or not resolved, in the currencies of its terms, by grain as previews sum it. `today`: the business day on which holds are reckoned. */
export async function readWaiting(db: Db, partners: readonly number[], today: string): Promise<WaitingRow[]> {
  const { rows } = await sql<Omit<WaitingRow, 'amount'> & { amount: string }>`
    select partner_id as partner, verdict as movement, earned_month, currency_id as currency, sum(amount) as amount
    from (${selectCandidates({ partners, month: '9999-12', offerPartners: null, today, rewritten: [], provisional: null })}) as c
    where verdict <> 'payable'
    group by 1, 2, 3, 4, country_id, advertiser_id, traffic_source_id, stream_id order by 1, 3`.execute(db)
  return rows.map((row) => ({ ...row, amount: parseMoney(row.amount) ?? 0n }))
}

/**
 * By partner, month and movement, in the currency of the month. `today`: the business day on which holds are reckoned; null leaves out what
 * waits for its hold or resolution.
 */
export async function readMovements(
  db: Db,
  partners: readonly number[],
  today: string | null,
  currencies: CurrencyHistory,
): Promise<MovementRow[]> {
  if (partners.length === 0) return []
  const { begins } = currencies
  const { rows } = await sql<{
    partner: number
    month: string
    movement: Movement
    amount: string | null
    unrated: { readonly currency: number; readonly amount: string; readonly missing: number[] }[] | null
  }>`
    with moved as materialized (${selectMoved(partners, today)}),
      own as materialized (select distinct on (m.partner_id, m.month) m.partner_id, m.month, b.currency_id
        from (select distinct partner_id, month::text as month from moved) as m
          join unnest(${begins.map(({ partner }) => partner)}::int[], ${begins.map(({ month }) => month)}::text[],
            ${begins.map(({ currency }) => currency)}::int[]) with ordinality as b (partner_id, month, currency_id, position)
            on b.partner_id = m.partner_id and b.month <= m.month
        order by m.partner_id, m.month, b.position desc),
      pair as (select distinct m.rate_month, m.currency_id as from_id, o.currency_id as to_id
        from moved m join own o using (partner_id, month)),
      rate as materialized (select *, case when from_id = to_id then 1 else ${rateOf(sql`from_id`, sql`rate_month`)} end as rate,
        case when from_id = to_id then 1 else ${rateOf(sql`to_id`, sql`rate_month`)} end as into_rate from pair),
      summed as (select m.partner_id as partner, m.month, m.movement, m.currency_id as currency,
        sum(round(m.whole * r.rate / r.into_rate, 2) - round(m.before * r.rate / r.into_rate, 2)) as amount,
        coalesce(sum(m.whole - m.before) filter (where r.rate is null or r.into_rate is null), 0) as unrated,
        array_remove(array_agg(distinct case when r.rate is null then r.from_id when r.into_rate is null then r.to_id end), null) as missing
      from moved m join own o using (partner_id, month)
        join rate r on r.rate_month = m.rate_month and r.from_id = m.currency_id and r.to_id = o.currency_id
      group by 1, 2, 3, 4)
    select partner, month, movement, sum(amount) as amount,
      jsonb_agg(jsonb_build_object('currency', currency, 'amount', unrated::text, 'missing', missing)) filter (where unrated <> 0) as unrated
    from summed group by 1, 2, 3 order by 1, 2`.execute(db)
  const moved = rows.map(({ partner, month, movement, amount, unrated }) => ({
    partner,
    month,
    movement,
    amount: {
      own: parseMoney(amount ?? '0') ?? 0n,
      unrated: new Map((unrated ?? []).map((one) => [one.currency, parseMoney(one.amount) ?? 0n])),
      missingRates: new Set((unrated ?? []).flatMap(({ missing }) => missing)),
    },
  }))
  return [...moved, ...(await readPaid(db, partners, currencies))]
}

/** Payments by the month of their day. Those that the same changes of currency convert are converted as a running total. */
async function readPaid(db: Db, partners: readonly number[], currencies: CurrencyHistory): Promise<MovementRow[]> {
  const { rows } = await sql<Omit<StatedAmount, 'amount'> & { paid_month: string; amount: string }>`
    select p.partner_id as partner, s.month::text as month, p.currency_id as currency, to_char(p.paid_at, 'YYYY-MM') as paid_month,
      sum(p.amount) as amount
    from payment p join statement s on s.id = p.statement_id
    where p.partner_id = any(${partners}::int[]) and p.reversed_at is null group by 1, 2, 3, 4 order by 4, 2`.execute(
    db,
  )
  const carry = await readCarry(db, currencies, rows)
  const running = new Map<string, bigint>()
  return rows.map(({ paid_month, ...stated }) => {
    const { partner, month, currency } = stated
    const way = `${partner} ${currency} ${currencies.at(partner, month)} ${currencies.route(partner, month, paid_month)}`
    const before = running.get(way) ?? 0n
    const amount = unitsOf(stated.amount)
    running.set(way, before + amount)
    const carried = (sum: bigint) => carry({ ...stated, amount: sum }, paid_month)
    return {
      partner,
      month: paid_month,
      movement: 'paid',
      amount: addToPurse(carried(before + amount), carried(before), -1n),
      part: { currency, amount },
    }
  })
}
