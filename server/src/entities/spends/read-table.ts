// Reads the spend table: a partner's month with a row for each stream, country and entered site, and a cell for each day.

import type { SpendTable, SpendTableCell, SpendTableRow } from '@tributary/contract/calls/spend-table'
import { divideHalfUp, formatMoney, parseMoney, toCents } from '@tributary/contract/money'
import { earlierDay } from '@tributary/contract/period'
import { sql } from 'kysely'
import { readSetting } from '../../facts/setting.ts'
import { HUNDRED_PERCENT, valueInForce, valueOn } from '../../facts/terms.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import { readClose } from '../rules/closed-period.ts'
import { CellMap, type ReadonlyCellMap } from './cell-map.ts'
import { describeLock, type Ground, judgeCell, needsActivity, readGround } from './judge-cell.ts'
import type { SpendCell } from './spend-cell.ts'
import {
  acceptedCurrency,
  daysOf,
  type PlaceCurrencies,
  periodOfMonth,
  readCurrencies,
  readStreams,
} from './spend-month.ts'
import { keyOfPlace, modelOn, type SpendOfferPartner, type SpendPlace } from './spend-offer-partners.ts'
import { readSpends, type StoredSpend } from './spend-rows.ts'

type DayPercentages = ReadonlyMap<string, bigint>

interface Sight {
  readonly days: readonly string[]
  /** The agency percentage of each day, in ten-thousandths of a percent. */
  readonly percentages: DayPercentages
  readonly ground: Ground
  readonly spends: ReadonlyCellMap<StoredSpend>
  /** What accepted spends cost with the agency percentage, in ten-thousandths of their currencies. */
  readonly costs: ReadonlyMap<StoredSpend, bigint>
  readonly currencies: PlaceCurrencies
  /** Rates of each day in hundred-millionths, by currency; null without one. */
  readonly rates: ReadonlyMap<number, readonly (bigint | null)[]>
}

/** `partner` is visible to the caller. */
export async function readTable(
  context: RequestContext,
  partner: { readonly id: number; readonly title: string },
  month: string,
): Promise<SpendTable> {
  const { db, pool } = context.engines.postgres
  const period = periodOfMonth(month)
  const days = daysOf(period)
  const titles = await readStreams(db, partner.id)
  const streams = [...titles.keys()]
  const [spends, currencies, ground, setting, closed] = await Promise.all([
    readSpends(db, streams, period),
    readCurrencies(db, streams, period),
    readGround(db, context.engines, streams, period),
    readSetting(pool),
    readClose(db, partner.id, month),
  ])
  const places = findPlaces(ground, streams, currencies.recent, spends, days)
  const used = new Set([
    ...spends.map(({ currency }) => currency),
    ...places.map((place) => currencies.of(place)),
    ...currencies.active.map(({ id }) => id),
  ])
  const percentages = new Map(days.map((day) => [day, valueInForce(setting.agencyPercentages, day)]))
  const sight: Sight = {
    days,
    percentages,
    ground,
    spends: CellMap.of(spends),
    costs: costsOf(spends, ground, percentages),
    currencies,
    rates: await readRates(db, [...used], days, currencies.standard),
  }
  const countries = await readCountries(db, places)
  const rows = places.map((place) => toRow(place, sight, titles, countries))
  rows.sort(compareRows)
  return {
    partner: { id: partner.id, title: partner.title },
    month,
    today: ground.today,
    days,
    rows,
    totals: addUp(sight),
    currency: currencies.valueOf(currencies.standard),
    percentages: [...percentages.values()].map(formatMoney),
    rates: Object.fromEntries(
      [...sight.rates].map(([id, rates]) => [
        currencies.valueOf(id),
        rates.map((rate) => (rate === null ? null : formatRate(rate))),
      ]),
    ),
    currencies: [...currencies.active],
    closed,
  }
}

/** Places of active AGENCY partner offers: by site where spend was entered by site lately, else as a whole; and of all spends of the month. */
function findPlaces(
  { offerPartners }: Ground,
  streams: readonly number[],
  recent: readonly SpendPlace[],
  spends: readonly SpendPlace[],
  days: readonly string[],
): SpendPlace[] {
  const own = new Set(streams)
  const isOpen = (offerPartner: SpendOfferPartner | undefined): boolean =>
    offerPartner?.active === true &&
    own.has(offerPartner.stream) &&
    days.some((day) => modelOn(offerPartner, day).isAgency)
  const bySite = recent.filter(
    ({ site, ...place }) => site !== null && isOpen(offerPartners.find({ ...place, site, day: days[0] ?? '' }, null)),
  )
  const places = [...bySite, ...spends].map(({ stream, country, site }) => ({ stream, country, site }))
  const known = new Set(places.map(({ stream, country }) => `${stream} ${country}`))
  const whole = offerPartners.all.filter(
    (offerPartner) => isOpen(offerPartner) && !known.has(`${offerPartner.stream} ${offerPartner.country}`),
  )
  places.push(...whole.map(({ stream, country }) => ({ stream, country, site: null })))
  return [...new Map(places.map((place) => [keyOfPlace(place), place])).values()]
}

async function readCountries(db: Db, places: readonly SpendPlace[]): Promise<Map<number, string>> {
  const ids = [...new Set(places.map(({ country }) => country))]
  const { rows } = await sql<{ id: number; title: string }>`
    select id, title from country where id = any(${ids}::int[])`.execute(db)
  return new Map(rows.map(({ id, title }) => [id, title]))
}

function toRow(
  place: SpendPlace,
  sight: Sight,
  streams: ReadonlyMap<number, string>,
  countries: ReadonlyMap<number, string>,
): SpendTableRow {
  const { offerPartners, today } = sight.ground
  const day = earlierDay(sight.days.at(-1) ?? today, today)
  const offerPartner = offerPartners.find({ ...place, day }, null)
  const model = offerPartner === undefined ? null : modelOn(offerPartner, day)
  return {
    stream: { id: place.stream, title: streams.get(place.stream) ?? '' },
    country: { id: place.country, title: countries.get(place.country) ?? '' },
    site_id: place.site,
    payment_model: model === null ? null : { id: model.id, title: model.title },
    link: offerPartner === undefined ? null : { id: offerPartner.id, title: offerPartner.offerTitle },
    percentages:
      offerPartner === undefined || offerPartner.percentages.length === 0
        ? null
        : sight.days.map((day) => formatMoney(percentageOf(offerPartner, day, sight.percentages))),
    cells: sight.days.map((day) => toCell({ ...place, day }, sight)),
  }
}

function toCell(place: SpendCell, { ground, spends, costs, currencies }: Sight): SpendTableCell {
  const spend = spends.get(place)
  const cost = spend && costs.get(spend)
  const base = spend?.active === true ? spend.sum : null
  const claim = spend?.active === true ? spend.claim : null
  const { offerPartner, lock } = judgeCell(ground, place, spend?.offerPartner ?? null, needsActivity(spend, null))
  return {
    date: place.day,
    base,
    sum: cost === undefined ? null : formatMoney(cost),
    currency: currencies.valueOf(acceptedCurrency(spend) ?? currencies.of(place)),
    has_data: ground.activity.has(place),
    source: base === null ? null : (spend?.source ?? null),
    claimed: claim,
    claim_currency: claim === null ? null : currencies.valueOf(spend?.claimCurrency ?? 0),
    locked: lock !== null,
    reason: lock,
    values: lock === null ? null : (describeLock(lock, offerPartner, place, ground).values ?? null),
    version: spend?.version ?? null,
    id: spend?.id ?? null,
  }
}

function costsOf(
  spends: readonly StoredSpend[],
  { offerPartners }: Ground,
  percentages: DayPercentages,
): Map<StoredSpend, bigint> {
  const costs = new Map<StoredSpend, bigint>()
  for (const spend of spends) {
    if (!spend.active || spend.sum === null) continue
    const base = parseMoney(spend.sum) ?? 0n
    const offerPartner = offerPartners.find(spend, spend.offerPartner)
    const isAgency = spend.keepsPercentage || (offerPartner !== undefined && modelOn(offerPartner, spend.day).isAgency)
    const percentage = isAgency ? percentageOf(offerPartner, spend.day, percentages) : 0n
    costs.set(spend, divideHalfUp(base * (HUNDRED_PERCENT + percentage), HUNDRED_PERCENT) ?? 0n)
  }
  return costs
}

/** That of the partner offer on the day, else that of the settings. */
const percentageOf = (offerPartner: SpendOfferPartner | undefined, day: string, percentages: DayPercentages): bigint =>
  valueOn(offerPartner?.percentages ?? [], day) ?? percentages.get(day) ?? 0n

const RATE_SCALE = 100_000_000n

function addUp({ days, costs, rates }: Sight): SpendTable['totals'] {
  const indexOf = new Map(days.map((day, at) => [day, at]))
  const sums = days.map(() => 0n)
  let isRateMissing = false
  for (const [{ day, currency, sum }, cost] of costs) {
    const at = indexOf.get(day)
    if (at === undefined) continue
    const rate = rates.get(currency)?.[at] ?? null
    if (rate === null) isRateMissing ||= parseMoney(sum ?? '') !== 0n
    else sums[at] = (sums[at] ?? 0n) + (divideHalfUp(cost * rate, RATE_SCALE) ?? 0n)
  }
  const text = (units: bigint): string => formatMoney(toCents(units) * 100n).slice(0, -2)
  return {
    days: sums.map(text),
    sum: text(sums.reduce((all, sum) => all + sum, 0n)),
    is_rate_missing: isRateMissing,
  }
}

/** The latest rate on or before each day. */
async function readRates(
  db: Db,
  currencies: readonly number[],
  days: readonly string[],
  standard: number,
): Promise<Map<number, (bigint | null)[]>> {
  const { rows } = await sql<{ currency: number; rate: string | null }>`
    select c.id as currency, (select round(rate * 100000000) from currency_rate r
        where r.currency_id = c.id and r.active and r.date <= d.day order by r.date desc limit 1) as rate
    from unnest(${currencies}::int[]) as c (id), unnest(${days}::date[]) as d (day) order by c.id, d.day`.execute(db)
  const rates = new Map<number, (bigint | null)[]>()
  for (const { currency, rate } of rows) {
    const own = rates.get(currency) ?? []
    rates.set(currency, own)
    own.push(currency === standard ? RATE_SCALE : rate === null ? null : BigInt(rate))
  }
  return rates
}

function formatRate(rate: bigint): string {
  const digits = rate.toString().padStart(9, '0')
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`
}

const compareRows = (a: SpendTableRow, b: SpendTableRow): number =>
  a.stream.title.localeCompare(b.stream.title) ||
  a.stream.id - b.stream.id ||
  a.country.title.localeCompare(b.country.title) ||
  (a.site_id ?? '').localeCompare(b.site_id ?? '')
