// Reads players with their events, player reports and terms from the record. Days are those of the business time zone.

import { unitsOf } from '@tributary/contract/money'
import { FIRST_DAY, LAST_DAY, NO_CLICK, NO_DAY } from '../columns.ts'
import { inSlices } from '../loop.ts'
import type { Snapshot } from '../snapshot.ts'
import { type OfferPartnerTerms, type RateTable, valueInForce } from '../terms.ts'
import { readOfferPartnerTerms, readOfferTerms } from '../terms-reader.ts'
import type { PlayerEvent, PlayerRecord, PlayerReport, Terms } from './player-projection.ts'
import type { Qualification } from './qualification.ts'

/** Players as read for projection, with their terms. */
export interface PlayerRecords {
  /** Deleted and inactive players are missing. */
  readonly records: readonly PlayerRecord[]
  readonly terms: Terms
}

interface PlayerRow {
  id: number
  registered_at: string | null
  registered_day: string | null
  qualification: Qualification
  qualified_at: string | null
  payment_resolution: 'approved' | 'not_approved' | null
  offer_partner_id: number
  offer_id: number
  partner_id: number
  advertiser_id: number
  landing_id: number
  stream_id: number
  traffic_source_id: number
  actual_country_id: number
  site_id: string
  sub_id: string
  promocode: string
  media_id: string
  ip_country: string
  geo_country: string
  outer_id: string
  click_id: string | null
  click_day: string | null
}

/** SQL that clamps a day or time to the range of ClickHouse. `case` keeps null, which least and greatest would ignore. */
const within = (expression: string, type: 'date' | 'timestamptz'): string =>
  `case when (${expression}) is not null
    then least(greatest((${expression})::${type}, ${type} '${FIRST_DAY}'), ${type} '${LAST_DAY}') end`
const day = (expression: string): string => within(expression, 'date')
const utc = (expression: string): string =>
  `to_char((${within(expression, 'timestamptz')}) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')`
/** SQL of the time in the first 48 bits of a UUIDv7. */
const CLICK_TIME = `to_timestamp(('x' || lpad(left(replace(p.click_id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)`

const PLAYERS = `select p.id, ${utc('p.registered_at')} as registered_at, ${day('p.registered_at at time zone $2')} as registered_day,
    p.qualification, p.qualified_at, p.payment_resolution,
    coalesce(p.offer_partner_id, 0) as offer_partner_id, coalesce(p.offer_id, 0) as offer_id, coalesce(p.partner_id, 0) as partner_id,
    p.advertiser_id, coalesce(p.landing_id, 0) as landing_id, coalesce(p.stream_id, 0) as stream_id,
    coalesce(p.traffic_source_id, 0) as traffic_source_id, coalesce(p.actual_country_id, 0) as actual_country_id,
    coalesce(p.site_id, '') as site_id, coalesce(p.sub_id, '') as sub_id, coalesce(p.promocode, '') as promocode,
    coalesce(p.media_id, '') as media_id, coalesce(p.ip_country, '') as ip_country, coalesce(p.geo_country, '') as geo_country,
    coalesce(p.outer_id, '') as outer_id, p.click_id,
    case when substr(p.click_id::text, 15, 1) = '7' then ${day(`${CLICK_TIME} at time zone $2`)} end as click_day
  from player p where p.id = any($1) and p.active order by p.id`

interface EventRow {
  player_id: number
  type: 'dep' | 'bet'
  day: string
  at: string
  amount: string
  currency_id: number | null
  default_currency_id: number
}

const EVENTS = `select e.player_id, e.type, ${day('e.happened_at at time zone $2')} as day, ${utc('e.happened_at')} as at,
    coalesce(e.amount, 0) as amount, e.currency_id, a.default_currency_id
  from player_event e
    join player p on p.id = e.player_id
    join advertiser a on a.id = p.advertiser_id
  where e.player_id = any($1) and e.type in ('dep', 'bet')
  order by e.player_id, e.happened_at, e.id`

interface ReportRow {
  player_id: number
  day: string
  currency_id: number
  deposits_count: number
  deposits: string
  first_day_amount: string
  bets: string
  income: string
}

const REPORTS = `select player_id, ${day('report_date')} as day, currency_id, greatest(deposits_count, 0) as deposits_count, deposits, first_day_amount, bets, income
  from player_report where player_id = any($1)`

/** `table` has the rates to convert with. */
export async function readPlayers(
  snapshot: Snapshot,
  ids: readonly number[],
  table: RateTable,
): Promise<PlayerRecords> {
  const { zone, reportCurrencyId } = snapshot.setting
  const players = await snapshot.read<PlayerRow>(PLAYERS, [ids, zone])
  const events = Map.groupBy(await snapshot.read<EventRow>(EVENTS, [ids, zone]), (row) => row.player_id)
  const reports = Map.groupBy(await snapshot.read<ReportRow>(REPORTS, [ids]), (row) => row.player_id)
  const offerPartners = await readOfferPartnerTerms(
    snapshot,
    distinct(players.map((player) => player.offer_partner_id)),
  )
  const offerIds = [
    ...players.map((player) => player.offer_id),
    ...[...offerPartners.values()].map((offerPartner) => offerPartner.offerId),
  ]
  const offers = await readOfferTerms(snapshot, distinct(offerIds))
  return {
    records: await inSlices(players, (row) => {
      const terms = offerPartners.get(row.offer_partner_id)
      return toRecord(row, toEvents(events.get(row.id) ?? [], terms), reports.get(row.id) ?? [])
    }),
    terms: { offerPartners, offers, rates: { reportCurrencyId, table } },
  }
}

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)].filter((id) => id !== 0)

function toRecord(row: PlayerRow, events: readonly PlayerEvent[], reports: readonly ReportRow[]): PlayerRecord {
  const { id, registered_at, registered_day, qualification, qualified_at, payment_resolution, ...dimensions } = row
  return {
    id,
    registeredAt: registered_at,
    registeredDay: registered_day,
    qualification,
    qualifiedAt: qualified_at,
    paymentResolution: payment_resolution,
    dimensions: { ...dimensions, click_id: row.click_id ?? NO_CLICK, click_day: row.click_day ?? NO_DAY },
    events,
    reports: reports.map(toReport),
  }
}

/** An amount without a currency is in the partner offer's currency of that day, else in the advertiser's default currency. */
const toEvents = (rows: readonly EventRow[], terms: OfferPartnerTerms | undefined): PlayerEvent[] =>
  rows.map((row) => ({
    type: row.type,
    day: row.day,
    at: row.at,
    amount: unitsOf(row.amount),
    currencyId:
      row.currency_id ?? (terms === undefined ? row.default_currency_id : valueInForce(terms.currencyId, row.day)),
  }))

const toReport = (row: ReportRow): PlayerReport => ({
  day: row.day,
  currencyId: row.currency_id,
  depositsCount: row.deposits_count,
  deposits: unitsOf(row.deposits),
  firstDayAmount: unitsOf(row.first_day_amount),
  bets: unitsOf(row.bets),
  income: unitsOf(row.income),
})
