// Changes of a demo's record for the bench `money`: a second year of the same size before the first one, and resolutions that arrive late.
import type { Client } from 'pg'

const YEAR = `interval '1 year'`
/** Dimensions that a copied player keeps. */
const KEPT = [
  'actual_country_id',
  'ip_country',
  'geo_country',
  'site_id',
  'sub_id',
  'landing_id',
  'traffic_source_id',
  'stream_id',
  'partner_id',
  'advertiser_id',
  'media_id',
  'offer_id',
  'offer_partner_id',
  'payment_resolution',
  'attribution',
  'active',
].join(', ')

const COPIES = [
  `insert into currency_rate (currency_id, date, rate) select currency_id, date - ${YEAR}, rate from currency_rate where active
    on conflict do nothing`,
  `insert into player (outer_id, registered_at, ${KEPT}) select 'earlier-' || id, registered_at - ${YEAR}, ${KEPT} from player`,
  `insert into player_event (player_id, type, happened_at, amount, currency_id, identity)
    select c.id, e.type, e.happened_at - ${YEAR}, e.amount, e.currency_id, e.identity
    from player_event e join player c on c.outer_id = 'earlier-' || e.player_id`,
  `insert into player_report (player_id, report_date, currency_id, deposits_count, deposits, first_day_amount, bets, income)
    select c.id, r.report_date - ${YEAR}, r.currency_id, r.deposits_count, r.deposits, r.first_day_amount, r.bets, r.income
    from player_report r join player c on c.outer_id = 'earlier-' || r.player_id on conflict do nothing`,
  `insert into partner_spend (stream_id, site_id, country_id, date, sum, currency_id, source, offer_partner_id)
    select stream_id, site_id, country_id, date - ${YEAR}, sum, currency_id, source, offer_partner_id
    from partner_spend where active and sum is not null on conflict do nothing`,
]

/** Copies players with all that they did, spends and rates to the year before. */
export async function copyToEarlierYear(record: Client): Promise<void> {
  for (const copy of COPIES) await record.query(copy)
}

/** One of a hundred paid players, in every month, turns out not to be paid for. Returns their number. */
export async function rejectSome(record: Client, round: number): Promise<number> {
  const { rowCount } = await record.query(
    `update player set payment_resolution = 'not_approved'
      where id % 100 = $1 and qualified_at is not null and payment_resolution is distinct from 'not_approved'`,
    [round],
  )
  return rowCount ?? 0
}
