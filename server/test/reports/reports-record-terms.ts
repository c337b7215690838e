// Puts the dated terms of a random network into the record.
import type { Link, World } from './reports-world.ts'
import type { Range } from './reports-world-terms.ts'

export type Put = (table: string, rows: readonly Record<string, unknown>[]) => Promise<void>

export const HISTORIES: readonly (readonly [table: string, of: (link: Link) => Range[]])[] = [
  ['offer_partner_cost_history', ({ dated }) => dated.costs],
  ['offer_partner_rs_share_history', ({ dated }) => dated.shares],
  ['offer_partner_agency_percentage_history', ({ dated }) => dated.agency],
  ['offer_partner_bl_deposit_history', ({ limits }) => limits.baseline],
  ['offer_partner_bl_period_history', ({ limits }) => limits.period],
  ['offer_partner_max_days_history', ({ limits }) => limits.maxDays],
  ['offer_partner_bet_requirement_history', ({ limits }) => limits.bets],
]

export async function writeRanges(put: Put, { links, offers, dated }: World): Promise<void> {
  const days = ({ from, to }: Pick<Range, 'from' | 'to'>) => ({ date_from: from, date_to: to })
  for (const [table, of] of HISTORIES)
    await put(
      table,
      links.flatMap((row) =>
        of(row).map((range) => ({ offer_partner_id: row.id, value: range.value, ...days(range) })),
      ),
    )
  await put(
    'offer_partner_currency_history',
    links.flatMap(({ id, dated: { currencies } }) =>
      currencies.map((range) => ({ offer_partner_id: id, value_id: range.value, ...days(range) })),
    ),
  )
  await put(
    'offer_partner_country_requirement_history',
    links.flatMap(({ id, dated: { countries } }) =>
      countries.map((range) => ({ offer_partner_id: id, value: range.value, ...days(range) })),
    ),
  )
  await put(
    'offer_payment_model_history',
    offers.flatMap(({ id, dated: { models } }) =>
      models.map((range) => ({ offer_id: id, value_id: range.value + 1, ...days(range) })),
    ),
  )
  await put(
    'offer_terms_history',
    offers.flatMap(({ id, dated: { values } }) =>
      values.map(({ value: { share, currency, ...value }, ...range }) => ({
        offer_id: id,
        ...value,
        rs_share: share,
        currency_id: currency,
        ...days(range),
      })),
    ),
  )
  await put(
    'payment_model_share_history',
    dated.models.flatMap(({ ranges }, index) =>
      ranges.map(({ value, ...range }) => ({
        payment_model_id: index + 1,
        value: value.share,
        cpa_price_day: value.priceDay,
        ...days(range),
      })),
    ),
  )
  await put(
    'agency_percentage_history',
    dated.agency.map((range) => ({ value: range.value, ...days(range) })),
  )
}
