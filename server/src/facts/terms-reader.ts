// Reads the terms of partner offers and offers, and the rates, from the record.

import { parseMoney, unitsOf } from '@tributary/contract/money'
import type { Snapshot } from './snapshot.ts'
import type {
  Dated,
  OfferPartnerTerms,
  OfferTerms,
  OfferValues,
  PaymentModelTerms,
  PaymentModelType,
  PriceDay,
  Range,
  RateTable,
} from './terms.ts'

const money = (text: string | null): bigint | null => (text === null ? null : parseMoney(text))

/** A range in the JSON of `rangesSql`; `value` is a text unless another SQL was given. */
export interface StoredRange<V = string | null> {
  readonly from: string
  readonly to: string | null
  readonly value: V
}

/** SQL of the active ranges of a history as one JSON array of StoredRange. `owner` is the SQL condition on their owner. */
export const rangesSql = (table: string, owner = 'true', value = 'value::text'): string =>
  `(select coalesce(json_agg(json_build_object('from', date_from, 'to', date_to, 'value', ${value}) order by date_from), '[]')
    from ${table} where ${owner} and active)`

const toRanges = <V, T>(stored: readonly StoredRange<V>[], read: (value: V) => T): Range<T>[] =>
  stored.map(({ from, to, value }) => ({ from, to, value: read(value) }))

const toDated = <V, T>(stored: readonly StoredRange<V>[], otherwise: V, read: (value: V) => T): Dated<T> => ({
  ranges: toRanges(stored, read),
  otherwise: read(otherwise),
})

const same = <T>(value: T): T => value
interface OfferPartnerRow {
  id: number
  offer_id: number
  currency_id: number
  currencies: readonly StoredRange<number>[]
  costs: readonly StoredRange<string>[]
  shares: readonly StoredRange<string>[]
  baseline: string | null
  baselines: readonly StoredRange[]
  period: number | null
  periods: readonly StoredRange<number | null>[]
  max_days: number | null
  all_max_days: readonly StoredRange<number | null>[]
  bets: string | null
  all_bets: readonly StoredRange[]
  needs_country: boolean
  all_needs_country: readonly StoredRange<boolean>[]
}

const ofOfferPartner = (name: string, value?: string): string =>
  rangesSql(`offer_partner_${name}_history`, 'offer_partner_id = l.id', value)

const OFFER_PARTNERS = `select l.id, l.offer_id, l.currency_id, ${ofOfferPartner('currency', 'value_id')} as currencies,
    ${ofOfferPartner('cost')} as costs, ${ofOfferPartner('rs_share')} as shares,
    l.baseline, ${ofOfferPartner('bl_deposit')} as baselines,
    l.baseline_period_days as period, ${ofOfferPartner('bl_period', 'value')} as periods,
    l.max_days_from_registration as max_days, ${ofOfferPartner('max_days', 'value')} as all_max_days,
    l.bet_requirement as bets, ${ofOfferPartner('bet_requirement')} as all_bets,
    l.country_requirement as needs_country, ${ofOfferPartner('country_requirement', 'value')} as all_needs_country
  from offer_partner l where l.id = any($1)`

/** The dated terms of existing partner offers, by id. */
export async function readOfferPartnerTerms(
  snapshot: Snapshot,
  ids: readonly number[],
): Promise<Map<number, OfferPartnerTerms>> {
  if (ids.length === 0) return new Map()
  const rows = await snapshot.read<OfferPartnerRow>(OFFER_PARTNERS, [ids])
  return new Map(rows.map((row) => [row.id, toOfferPartnerTerms(row)]))
}

const toOfferPartnerTerms = (row: OfferPartnerRow): OfferPartnerTerms => ({
  id: row.id,
  offerId: row.offer_id,
  currencyId: toDated(row.currencies, row.currency_id, same),
  costs: toRanges(row.costs, unitsOf),
  shares: toRanges(row.shares, unitsOf),
  baseline: toDated(row.baselines, row.baseline, money),
  periodDays: toDated(row.periods, row.period, same),
  maxDays: toDated(row.all_max_days, row.max_days, same),
  bets: toDated(row.all_bets, row.bets, money),
  needsCountry: toDated(row.all_needs_country, row.needs_country, same),
})

interface OfferRow extends StoredValues {
  id: number
  country_id: number
  model_id: number
  models: readonly StoredRange<number>[]
  ranges: readonly StoredRange<StoredValues>[]
}

interface StoredValues {
  cost: string | null
  share: string | null
  currency_id: number
  baseline: string | null
  days: number | null
}

const VALUES = `json_build_object('cost', cost::text, 'share', rs_share::text, 'currency_id', currency_id,
    'baseline', baseline::text, 'days', days)`

const OFFERS = `select o.id, c.country_id, o.cost, o.rs_share as share, o.currency_id, o.baseline, o.days,
    ${rangesSql('offer_terms_history', 'offer_id = o.id', VALUES)} as ranges,
    o.payment_model_id as model_id, ${rangesSql('offer_payment_model_history', 'offer_id = o.id', 'value_id')} as models
  from offer o join advertiser_country c on c.id = o.advertiser_country_id
  where o.id = any($1)`

/** The dated terms of existing offers, by id. Throws Error if an offer's payment model is missing. */
export async function readOfferTerms(snapshot: Snapshot, ids: readonly number[]): Promise<Map<number, OfferTerms>> {
  if (ids.length === 0) return new Map()
  const models = await readPaymentModels(snapshot)
  const modelOf = (id: number): PaymentModelTerms => {
    const model = models.get(id)
    if (model === undefined) throw new Error(`no payment model ${id}`)
    return model
  }
  const rows = await snapshot.read<OfferRow>(OFFERS, [ids])
  return new Map(
    rows.map(({ id, country_id, model_id, models: modelRanges, ranges, ...values }) => [
      id,
      {
        id,
        countryId: country_id,
        model: toDated(modelRanges, model_id, modelOf),
        values: toDated<StoredValues, OfferValues>(ranges, values, toOfferValues),
      },
    ]),
  )
}

const toOfferValues = ({ cost, share, currency_id, baseline, days }: StoredValues): OfferValues => ({
  cost: money(cost),
  share: money(share),
  currencyId: currency_id,
  days,
  baseline: money(baseline),
})

interface PaymentModelRow {
  id: number
  type: PaymentModelType
  share: string | null
  shares: readonly StoredRange[]
  price_day: PriceDay
  price_days: readonly StoredRange<PriceDay>[]
}

const PAYMENT_MODELS = `select m.id, m.type, m.cost as share, m.cpa_price_day as price_day,
    ${rangesSql('payment_model_share_history', 'payment_model_id = m.id')} as shares,
    ${rangesSql('payment_model_share_history', 'payment_model_id = m.id', 'cpa_price_day')} as price_days
  from payment_model m`

async function readPaymentModels(snapshot: Snapshot): Promise<Map<number, PaymentModelTerms>> {
  const rows = await snapshot.read<PaymentModelRow>(PAYMENT_MODELS)
  return new Map(
    rows.map(({ id, type, share, shares, price_day, price_days }) => [
      id,
      { type, share: toDated(shares, share, money), priceDay: toDated(price_days, price_day, same) },
    ]),
  )
}

interface RateRow {
  currency_id: number
  date: string
  rate: string
}

/** The active rates of all currencies by day, in hundred-millionths of the report currency. */
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
