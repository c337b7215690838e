// Plans the demo's directory: who works with whom, under which terms. Pure: the same seed gives the same plan. Ids are positions in the lists.

import { MARKETS } from './geography.ts'
import { ADVERTISERS, LANDINGS, PARTNERS, PRODUCTS, TRAFFIC_SOURCES } from './names.ts'
import { makeRandom, type Random } from './random.ts'

export interface PlannedOffer {
  readonly title: string
  readonly advertiser: number
  readonly market: number
  readonly paymentModel: number
  readonly currency: string
  /** Cost of a qualified player, or percent of income for revenue share. */
  readonly cost: number
  readonly baseline: number
  readonly days: number
  readonly product: number
  readonly approved: boolean
}

export interface PlannedStream {
  readonly partner: number
  readonly title: string
  readonly trafficSource: number
}

/** How a partner's traffic behaves; the fraudulent one has many clicks and no lasting players. */
export interface PlannedPartner {
  readonly title: string
  readonly group: number
  readonly manager: number
  readonly weight: number
  readonly quality: number
  readonly botShare: number
  readonly duplicateShare: number
  readonly fraudulent: boolean
  readonly postbacks: 'healthy' | 'failing' | 'none'
  readonly approved: boolean
  /** Day of history, from 0, on which their traffic starts. */
  readonly startsOn: number
}

export interface PlannedOfferPartner {
  readonly offer: number
  readonly partner: number
  readonly stream: number
  readonly siteId: string
  readonly subId: string | null
  readonly promoCode: string | null
  readonly landing: number
  readonly weight: number
  readonly betRequirement: number | null
  readonly maxDays: number | null
  readonly countryRequirement: boolean
  readonly costRise: { readonly day: number; readonly cost: number } | null
  /** Partner offers that must not redirect, as examples of 410 and its reason. */
  readonly state: 'approved' | 'unapproved' | 'inactive'
  /** Day of history, from 0, after which no visitor comes any more, as if the partner had removed the link. */
  readonly endsOn: number | null
}

export interface Network {
  readonly offers: readonly PlannedOffer[]
  readonly partners: readonly PlannedPartner[]
  readonly streams: readonly PlannedStream[]
  readonly offerPartners: readonly PlannedOfferPartner[]
}

export interface NetworkSize {
  readonly offers: number
  readonly partners: number
  readonly offerPartnersPerPartner: number
}

export const FULL_SIZE: NetworkSize = { offers: 300, partners: PARTNERS.length, offerPartnersPerPartner: 30 }
export const SMALL_SIZE: NetworkSize = { offers: 40, partners: 12, offerPartnersPerPartner: 6 }

const CPA = 0
const REVENUE_SHARE = 1
const CPA_AND_SHARE = 2
const AGENCY = 3
const MODEL_WORDS = ['CPA', 'RS', 'CPA+RS', 'Agency']

export function planNetwork(seed: number, size: NetworkSize, days: number): Network {
  const random = makeRandom(seed)
  const offers = planOffers(random.fork('offers'), size)
  const partners = planPartners(random.fork('partners'), size, days)
  const streams = planStreams(random.fork('streams'), partners)
  const planned = planOfferPartners(random.fork('links'), size, offers, partners, streams, days)
  const silent = new Set(SILENT_PARTNERS.map((partner) => heaviestOf(partner, planned)))
  const offerPartners = planned.map((one) => (silent.has(one) ? { ...one, endsOn: days - SILENT_DAYS } : one))
  return { offers, partners, streams, offerPartners }
}

/** Partners whose busiest partner offer has no visitors any more: positions in the list. */
const SILENT_PARTNERS = [2, 5]
/** The last day with clicks is the day before yesterday. */
const SILENT_DAYS = 3

const heaviestOf = (partner: number, all: readonly PlannedOfferPartner[]): PlannedOfferPartner | undefined =>
  all.filter((one) => one.partner === partner && one.state === 'approved').sort((a, b) => b.weight - a.weight)[0]

function planOffers(random: Random, size: NetworkSize): PlannedOffer[] {
  const offers: PlannedOffer[] = []
  const used = new Map<string, number>()
  for (let i = 0; i < size.offers; i++) {
    const advertiser = i % ADVERTISERS.length
    const market = Math.min(MARKETS.length - 1, Math.floor(Math.abs(random.normal(0, 0.36)) * MARKETS.length))
    const paymentModel = pickModel(random)
    const brand = ADVERTISERS[advertiser] ?? ADVERTISERS[0]
    const place = MARKETS[market] ?? MARKETS[0]
    if (!place) throw new RangeError('no markets')
    const product = PRODUCTS.indexOf(random.pick(brand.products))
    const base = `${brand.title} ${place.code} ${MODEL_WORDS[paymentModel] ?? ''}`
    const count = (used.get(base) ?? 0) + 1
    used.set(base, count)
    const rich =
      place.currency === 'USD' || place.currency === 'BRL' || place.currency === 'INR' || place.currency === 'KZT'
        ? 0.5
        : 1
    offers.push({
      title: count === 1 ? base : `${base} ${count}`,
      advertiser,
      market,
      paymentModel,
      currency: 'EUR',
      cost: paymentModel === REVENUE_SHARE ? random.between(20, 45) : Math.round(random.between(12, 36) * rich) * 5,
      baseline: Math.round(random.between(2, 6) * rich) * 5,
      days: random.pick([7, 14, 30]),
      product,
      approved: i % 29 !== 28,
    })
  }
  return offers
}

function pickModel(random: Random): number {
  const point = random.next()
  if (point < 0.52) return CPA
  if (point < 0.74) return REVENUE_SHARE
  return point < 0.9 ? CPA_AND_SHARE : AGENCY
}

function planPartners(random: Random, size: NetworkSize, days: number): PlannedPartner[] {
  return PARTNERS.slice(0, size.partners).map((title, i) => {
    const fraudulent = i === 10
    return {
      title,
      group: i % 4,
      manager: i % 6,
      // A few partners bring most of the traffic, as in life.
      weight: (fraudulent ? 2.2 : 10 / (i + 1) ** 0.85) * (0.7 + 0.6 * random.next()),
      quality: fraudulent ? 0.12 : 0.55 + 0.9 * random.next(),
      botShare: fraudulent ? 0.22 : 0.01 + 0.03 * random.next(),
      duplicateShare: fraudulent ? 0.45 : 0.08 + 0.12 * random.next(),
      fraudulent,
      postbacks: i === 6 ? 'failing' : i % 5 === 4 ? 'none' : 'healthy',
      approved: i % 19 !== 18,
      startsOn: i < size.partners * 0.6 ? 0 : random.below(Math.max(1, Math.floor(days * 0.7))),
    }
  })
}

function planStreams(random: Random, partners: readonly PlannedPartner[]): PlannedStream[] {
  return partners.flatMap((_, partner) => {
    const first = random.below(TRAFFIC_SOURCES.length)
    return Array.from({ length: random.between(2, 5) }, (__, i) => {
      const trafficSource = (first + i * 7) % TRAFFIC_SOURCES.length
      return { partner, title: `${TRAFFIC_SOURCES[trafficSource] ?? 'Mixed'} ${i + 1}`, trafficSource }
    })
  })
}

function planOfferPartners(
  random: Random,
  size: NetworkSize,
  offers: readonly PlannedOffer[],
  partners: readonly PlannedPartner[],
  streams: readonly PlannedStream[],
  days: number,
): PlannedOfferPartner[] {
  const offerPartners: PlannedOfferPartner[] = []
  for (const [partner, plan] of partners.entries()) {
    const own = streams.flatMap((stream, index) => (stream.partner === partner ? [index] : []))
    const taken = new Set<string>()
    const wanted = Math.max(
      2,
      Math.round(size.offerPartnersPerPartner * (0.4 + 1.2 * random.next()) * (plan.fraudulent ? 0.5 : 1)),
    )
    for (let i = 0; i < wanted; i++) {
      const offer = random.below(offers.length)
      const stream = random.pick(own)
      // A stream serves one offer of a country only.
      const place = `${stream}/${offers[offer]?.market}`
      const terms = offers[offer]
      if (!terms?.approved || !plan.approved || taken.has(place)) continue
      taken.add(place)
      offerPartners.push(planOfferPartner(random, { offer, partner, stream, number: i, terms, days }))
    }
  }
  return offerPartners
}

function planOfferPartner(
  random: Random,
  {
    offer,
    partner,
    stream,
    number,
    terms,
    days,
  }: { offer: number; partner: number; stream: number; number: number; terms: PlannedOffer; days: number },
): PlannedOfferPartner {
  const point = random.next()
  return {
    offer,
    partner,
    stream,
    siteId: `${partner + 101}-${String(number + 1).padStart(3, '0')}`,
    subId: random.chance(0.3) ? `s${random.between(1, 40)}` : null,
    promoCode: random.chance(0.35)
      ? `${random.pick(['WIN', 'PLAY', 'BONUS', 'SPIN', 'GOAL'])}${partner + 1}X${number + 1}`
      : null,
    landing: random.below(LANDINGS.length),
    weight: (MARKETS[terms.market]?.weight ?? 1) * (0.2 + random.next() ** 3 * 4),
    betRequirement: random.chance(0.25) ? random.between(2, 12) * 10 : null,
    maxDays: random.chance(0.3) ? random.pick([30, 45, 60]) : null,
    countryRequirement: random.chance(0.2),
    costRise:
      terms.paymentModel !== REVENUE_SHARE && random.chance(0.3)
        ? { day: Math.floor(days * (0.3 + 0.5 * random.next())), cost: terms.cost + random.between(1, 4) * 5 }
        : null,
    state: point < 0.94 ? 'approved' : point < 0.97 ? 'unapproved' : 'inactive',
    endsOn: null,
  }
}

export { AGENCY, CPA, CPA_AND_SHARE, REVENUE_SHARE }
