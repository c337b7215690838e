// Reads the terms of partner offers and offers, and the rates, from the record.

import { parseMoney } from '@tributary/contract/money'
import type { Snapshot } from './snapshot.ts'
import type { Dated, Histories, OfferPartnerTerms, OfferTerms, PaymentModelType, Range, RateTable } from './terms.ts'

interface OfferPartnerRow {
  id: number
  offer_id: number
  currency_id: number
  baseline: string | null
  baseline_period_days: number | null
  max_days_from_registration: number | null
  bet_requirement: string | null
  country_requirement: boolean
}

interface RangeRow {
  kind: keyof Histories
  offer_partner_id: number
  value: string
  date_from: string
  date_to: string | null
}

const HISTORY_TABLES: Record<keyof Histories, string> = {
  cost: 'offer_partner_cost_history',
  baseline: 'offer_partner_bl_deposit_history',
  period: 'offer_partner_bl_period_history',
  bets: 'offer_partner_bet_requirement_history',
  maxDays: 'offer_partner_max_days_history',
}
/** Histories whose values are plain numbers of days. The others are money or percentages, in ten-thousandths. */
const DAY_COUNTS = new Set<keyof Histories>(['period', 'maxDays'])

const RANGES = Object.entries(HISTORY_TABLES)
  .map(
    ([kind, table]) => `select '${kind}' as kind, offer_partner_id, value::text as value, date_from, date_to
      from ${table} where offer_partner_id = any($1) and active`,
  )
  .join(' union all ')

const money = (text: string | null): bigint | null => (text === null ? null : parseMoney(text))

export async function readOfferPartnerTerms(
  snapshot: Snapshot,
  ids: readonly number[],
): Promise<Map<number, OfferPartnerTerms>> {
  if (ids.length === 0) return new Map()
  const rows = await snapshot.read<OfferPartnerRow>(
    `select id, offer_id, currency_id, baseline, baseline_period_days, max_days_from_registration, bet_requirement, country_requirement
      from offer_partner where id = any($1)`,
    [ids],
  )
  const ranges = Map.groupBy(await snapshot.read<RangeRow>(RANGES, [ids]), (row) => row.offer_partner_id)
  return new Map(rows.map((row) => [row.id, toOfferPartnerTerms(row, ranges.get(row.id) ?? [])]))
}

function toOfferPartnerTerms(row: OfferPartnerRow, ranges: readonly RangeRow[]): OfferPartnerTerms {
  const rangesOfKind = (kind: keyof Histories): Range[] => ranges.filter((range) => range.kind === kind).map(toRange)
  return {
    id: row.id,
    offerId: row.offer_id,
    currencyId: row.currency_id,
    baseline: money(row.baseline),
    periodDays: row.baseline_period_days,
    maxDays: row.max_days_from_registration,
    bets: money(row.bet_requirement),
    needsCountry: row.country_requirement,
    histories: {
      cost: rangesOfKind('cost'),
      baseline: rangesOfKind('baseline'),
      period: rangesOfKind('period'),
      bets: rangesOfKind('bets'),
      maxDays: rangesOfKind('maxDays'),
    },
  }
}

const toRange = (row: RangeRow): Range => ({
  from: row.date_from,
  to: row.date_to,
  value: DAY_COUNTS.has(row.kind) ? BigInt(row.value) : (parseMoney(row.value) ?? 0n),
})

/** One range in the JSON of `rangesSql`. */
export interface StoredRange {
  readonly from: string
  readonly to: string | null
  readonly value: string | null
}

/** SQL of the active ranges of a history as one JSON array of StoredRange. `owner` is the SQL condition on their owner. */
export const rangesSql = (table: string, owner = 'true'): string =>
  `(select coalesce(json_agg(json_build_object('from', date_from, 'to', date_to, 'value', value::text) order by date_from), '[]')
    from ${table} where ${owner} and active)`

const toDated = (ranges: readonly StoredRange[], otherwise: string | null): Dated<bigint | null> => ({
  ranges: ranges.map(({ from, to, value }) => ({ from, to, value: money(value) })),
  otherwise: money(otherwise),
})

interface OfferRow {
  id: number
  country_id: number
  type: PaymentModelType
  cost: string
  currency_id: number
  days: number | null
  baseline: string | null
  model_cost: string | null
  model_shares: readonly StoredRange[]
}

export async function readOfferTerms(snapshot: Snapshot, ids: readonly number[]): Promise<Map<number, OfferTerms>> {
  if (ids.length === 0) return new Map()
  const rows = await snapshot.read<OfferRow>(
    `select o.id, c.country_id, m.type, o.cost, o.currency_id, o.days, o.baseline, m.cost as model_cost,
        ${rangesSql('payment_model_share_history', 'payment_model_id = m.id')} as model_shares
      from offer o join advertiser_country c on c.id = o.advertiser_country_id join payment_model m on m.id = o.payment_model_id
      where o.id = any($1)`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, toOfferTerms(row)]))
}

const toOfferTerms = (row: OfferRow): OfferTerms => ({
  id: row.id,
  countryId: row.country_id,
  type: row.type,
  cost: parseMoney(row.cost) ?? 0n,
  currencyId: row.currency_id,
  days: row.days,
  baseline: money(row.baseline),
  modelShare: toDated(row.model_shares, row.model_cost),
})

interface RateRow {
  currency_id: number
  date: string
  rate: string
}

export async function readRates(snapshot: Snapshot): Promise<RateTable> {
  const rows = await snapshot.read<RateRow>(
    'select currency_id, date, (rate * 100000000)::numeric(40, 0) as rate from currency_rate where active order by currency_id, date',
  )
  const table = new Map<number, { days: string[]; rates: bigint[] }>()
  for (const row of rows) {
    const currency = table.get(row.currency_id) ?? { days: [], rates: [] }
    table.set(row.currency_id, currency)
    currency.days.push(row.date)
    currency.rates.push(BigInt(row.rate))
  }
  return table
}
