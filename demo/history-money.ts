// Makes the money of the demo's past: figures that advertisers report for each player's day, and daily spend of media buyers.
import type { Calendar } from './calendar.ts'
import type { CopyValue } from './copy-rows.ts'
import type { PlayerDay } from './history-rows.ts'
import { AGENCY, type Network } from './network.ts'
import type { Random } from './random.ts'
import { at } from './rows.ts'
import type { NetworkIds } from './setting.ts'

export const REPORT_COLUMNS = [
  'player_id',
  'report_date',
  'first_day_amount',
  'deposits_count',
  'deposits',
  'bets',
  'bonus',
  'commission',
  'total_commission',
  'income',
  'currency_id',
] as const
export const SPEND_COLUMNS = [
  'stream_id',
  'site_id',
  'country_id',
  'date',
  'sum',
  'currency_id',
  'source',
  'claim_sum',
  'claim_currency_id',
  'claim_at',
  'offer_partner_id',
] as const

interface Sums {
  readonly playerId: number
  readonly day: number
  readonly currencyId: number
  readonly margin: number
  count: number
  deposits: number
  bets: number
}

/** One line per player and day, up to yesterday: today's report has not come yet. In one of a hundred the advertiser saw a deposit more. */
export function makeReportRows(acts: readonly PlayerDay[], calendar: Calendar, random: Random): CopyValue[][] {
  const sums = new Map<string, Sums>()
  for (const act of acts) {
    const day = calendar.find(act.at)
    if (day >= calendar.days - 1) continue
    const key = `${act.playerId}/${day}`
    const line: Sums = sums.get(key) ?? {
      playerId: act.playerId,
      day,
      currencyId: act.currencyId,
      margin: act.margin,
      count: 0,
      deposits: 0,
      bets: 0,
    }
    if (act.type === 'dep') {
      line.count += 1
      line.deposits += act.amount
    } else line.bets += act.amount
    sums.set(key, line)
  }
  const seen = new Set<number>()
  return [...sums.values()].map((line) => {
    const isFirst = line.count > 0 && !seen.has(line.playerId)
    if (isFirst) seen.add(line.playerId)
    const extra = line.count > 0 && random.chance(0.01) ? Math.ceil(line.deposits / 2) : 0
    const deposits = line.deposits + extra
    const bonus = line.bets > 0 && random.chance(0.2) ? deposits * 0.1 : 0
    // Players win, too: some days cost the advertiser money.
    const income = (deposits > 0 ? deposits : line.bets * 0.08) * line.margin * random.normal(1.1, 0.9) - bonus
    return [
      line.playerId,
      calendar.day(line.day),
      isFirst ? deposits : 0,
      line.count + (extra > 0 ? 1 : 0),
      deposits,
      line.bets,
      bonus.toFixed(2),
      (income * 0.05).toFixed(2),
      (income * 0.05).toFixed(2),
      income.toFixed(2),
      line.currencyId,
    ]
  })
}

const UNPARSED_DAYS = 4

/** Clicks of each day and partner offer whose partner is paid for its spending. */
export interface AgencyClicks {
  readonly day: number
  readonly offerPartner: number
  readonly clicks: number
}

export function makeSpendRows(
  network: Network,
  ids: NetworkIds,
  agency: readonly AgencyClicks[],
  calendar: Calendar,
  random: Random,
): CopyValue[][] {
  const euro = ids.currencies.get('EUR') ?? null
  const rows = agency.map(({ day, offerPartner, clicks }) => {
    const { stream, siteId, offer } = at(network.offerPartners, offerPartner)
    const sum = clicks * (0.5 + 1.3 * random.next())
    const country = at(ids.countries, at(network.offers, offer).market)
    return [
      at(ids.streams, stream),
      siteId,
      country,
      calendar.day(day),
      sum.toFixed(2),
      euro,
      random.chance(0.6) ? 'sheet' : 'manual',
      at(ids.offerPartners, offerPartner),
    ] as CopyValue[]
  })
  // Some money went where no partner offer brought anybody.
  for (let i = 0; i < 60; i++) {
    const day = calendar.days - 1 - random.below(Math.min(80, calendar.days - 1)) - 1
    const country = at(ids.countries, random.below(ids.countries.length))
    rows.push([
      random.pick(ids.streams),
      null,
      country,
      calendar.day(Math.max(0, day)),
      random.between(20, 400),
      euro,
      'manual',
      null,
    ])
  }
  // What partners wrote into their sheets last is still to be parsed.
  const parsed = rows.filter(
    (row) => row[6] !== 'sheet' || String(row[3]) < calendar.day(calendar.days - UNPARSED_DAYS),
  )
  const unique = new Map(parsed.map((row) => [row.slice(0, 4).join('|'), row]))
  const kept = [...unique.values()]
  const claims = kept.filter((row) => canBeClaim(row, calendar)).filter((_, index) => index % 3 === 0)
  return kept.map((row, index) => {
    const [, , , , sum, currency, source, offerPartner] = row
    const claim = claims.indexOf(row)
    if (claim !== -1) return toClaim(row, claim % 2 === 0, calendar)
    const came = source === 'manual' && index % 4 === 1 ? 'import' : (source ?? null)
    return [...row.slice(0, 4), sum ?? null, currency ?? null, came, null, null, null, offerPartner ?? null]
  })
}

const CLAIM_DAYS = 7

/** Spends by hand of the last days. Nobody can claim where no partner offer is: only those rows have no site. */
function canBeClaim([, site, , day, , , source]: readonly CopyValue[], calendar: Calendar): boolean {
  // Claims of a month that is over would keep it from being closed.
  const month = calendar.day(calendar.days - 1).slice(0, 7)
  const isLate = String(day) >= calendar.day(Math.max(0, calendar.days - CLAIM_DAYS)) && String(day).startsWith(month)
  return isLate && source === 'manual' && site !== null
}

/** A claim nobody has accepted, or one above the sum that was accepted. */
function toClaim(row: readonly CopyValue[], isOpen: boolean, calendar: Calendar): CopyValue[] {
  const [, , , day, sum, currency, , offerPartner] = row
  const accepted = isOpen ? null : (sum ?? null)
  const claimed = isOpen ? (sum ?? null) : (Number(sum) * 1.1).toFixed(2)
  // Partners claim in the evening; they have claimed some of today already.
  const claimedAt = Math.min(Date.parse(`${String(day)}T18:00:00Z`), calendar.now)
  const moment = new Date(claimedAt).toISOString()
  const claim = [claimed, currency ?? null, moment]
  return [...row.slice(0, 4), accepted, currency ?? null, 'manual', ...claim, offerPartner ?? null]
}

export function isAgency(network: Network, offerPartner: number): boolean {
  const plan = network.offerPartners[offerPartner]
  return plan !== undefined && network.offers[plan.offer]?.paymentModel === AGENCY
}
