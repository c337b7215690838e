// Plans one day of the demo: visits, their clicks, and the players that follow. Pure: ids and rows are made elsewhere.

import { MARKETS } from './geography.ts'
import { LANDINGS } from './names.ts'
import { CPA, type Network, type PlannedOfferPartner, REVENUE_SHARE } from './network.ts'
import { type Random, weightedPicker } from './random.ts'
import { momentOfDay } from './rhythm.ts'
import type { Crowd, Visitor } from './visitors.ts'

export interface Visit {
  readonly offerPartner: number
  readonly visitor: Visitor
  /** Milliseconds from the start of the day; the first is the visit, the others repeat it. */
  readonly moments: readonly number[]
  readonly params: Readonly<Record<string, string>>
  readonly player: PlannedPlayer | null
}

/** A deposit or bet, in milliseconds after the click. */
export interface PlannedAct {
  readonly type: 'reg' | 'dep' | 'bet'
  readonly after: number
  readonly amount: number
  /** True if the advertiser's server sends it twice. */
  readonly repeated: boolean
}

export interface PlannedPlayer {
  readonly market: number
  /** As advertisers write it: a title, a code or an alternative title. */
  readonly country: string
  readonly currency: string
  readonly acts: readonly PlannedAct[]
  /** Part of what is deposited that becomes the advertiser's income. */
  readonly margin: number
}

const MINUTE = 60_000
const DAY = 86_400_000
const LONGEST = 90

export interface Traffic {
  /** The visits of a day whose expected number is given, in no order. */
  visits(random: Random, dayNumber: number, expected: number): Visit[]
}

export function planTraffic(network: Network, crowd: Crowd): Traffic {
  const live = network.offerPartners.flatMap((offerPartner, index) =>
    offerPartner.state === 'approved' ? [{ offerPartner, index }] : [],
  )
  const pickOfferPartner = weightedPicker(
    live,
    ({ offerPartner }) => offerPartner.weight * (network.partners[offerPartner.partner]?.weight ?? 0),
  )
  return {
    visits(random, dayNumber, expected) {
      const visits: Visit[] = []
      for (let left = random.poisson(expected); left > 0; left--) {
        const { offerPartner, index } = pickOfferPartner(random)
        const partner = network.partners[offerPartner.partner]
        if (partner && partner.startsOn <= dayNumber && (offerPartner.endsOn ?? dayNumber) >= dayNumber)
          visits.push(planVisit(random, network, crowd, offerPartner, index))
      }
      return visits
    },
  }
}

function planVisit(
  random: Random,
  network: Network,
  crowd: Crowd,
  offerPartner: PlannedOfferPartner,
  index: number,
): Visit {
  const partner = network.partners[offerPartner.partner]
  const offer = network.offers[offerPartner.offer]
  if (!partner || !offer) throw new RangeError('a link without a partner or an offer')
  const start = momentOfDay(random.next(), random.next())
  const params = planParams(random, index)
  if (random.chance(partner.botShare)) {
    return { offerPartner: index, visitor: crowd.bot(random), moments: [start], params, player: null }
  }
  const visitor =
    partner.fraudulent && random.chance(0.7) ? crowd.farm(random, offer.market) : crowd.person(random, offer.market)
  const moments = [start]
  while (random.chance(partner.duplicateShare) && moments.length < 6) {
    moments.push(Math.min(DAY - 1, (moments.at(-1) ?? start) + random.between(2, 600) * 1000))
  }
  const converts = random.chance(0.034 * partner.quality * (partner.fraudulent ? 6 : 1))
  const player = converts
    ? planPlayer(random, offer.market, partner.quality, partner.fraudulent, offer.paymentModel)
    : null
  return { offerPartner: index, visitor, moments, params, player }
}

function planParams(random: Random, offerPartner: number): Record<string, string> {
  const params: Record<string, string> = {}
  if (random.chance(0.6)) params.click_id = `p${offerPartner}x${Math.floor(random.next() * 2 ** 40).toString(36)}`
  if (random.chance(0.45)) params.sub_id = `c${random.between(1, 60)}`
  if (random.chance(0.2)) params.sub2 = random.pick(['banner', 'text', 'video', 'popup', 'story'])
  if (random.chance(0.08)) params.landing = random.pick(LANDINGS).value
  return params
}

function planPlayer(
  random: Random,
  market: number,
  quality: number,
  fraudulent: boolean,
  model: number,
): PlannedPlayer {
  const place = MARKETS[random.chance(0.95) ? market : random.below(MARKETS.length)] ?? MARKETS[0]
  if (!place) throw new RangeError('no markets')
  const registered = random.between(2, 90) * MINUTE
  const acts: PlannedAct[] = [{ type: 'reg', after: registered, amount: 0, repeated: random.chance(0.01) }]
  const deposits = fraudulent ? random.chance(0.05) : random.chance(Math.min(0.75, 0.36 * (0.6 + 0.5 * quality)))
  if (deposits) addDeposits(random, acts, registered, place.currency, fraudulent, model)
  return {
    market: MARKETS.indexOf(place),
    country: random.pick([place.title, place.code, ...place.names]),
    currency: place.currency,
    acts,
    margin: 0.24 + 0.36 * random.next(),
  }
}

/** Amounts in a currency that are comparable to ten euro. */
const TEN_EURO: Readonly<Record<string, number>> = { BRL: 60, INR: 1000, KZT: 5500, PLN: 45, NOK: 120 }

function addDeposits(
  random: Random,
  acts: PlannedAct[],
  registered: number,
  currency: string,
  fraudulent: boolean,
  model: number,
): void {
  const unit = TEN_EURO[currency] ?? 10
  const loyal = !fraudulent && random.chance(model === REVENUE_SHARE ? 0.3 : model === CPA ? 0.2 : 0.25)
  // Most first deposits come within the hour; some come weeks later, as late postbacks do.
  let after =
    registered + (random.chance(0.7) ? random.between(3, 70) * MINUTE : random.between(2, 24 * 20) * 60 * MINUTE)
  const count = fraudulent ? 1 : 1 + random.poisson(loyal ? 9 : 1.1)
  for (let i = 0; i < count && after < LONGEST * DAY; i++) {
    const amount = Math.max(1, Math.round(unit * (fraudulent ? 1 : Math.exp(random.normal(1.5, 0.75)))))
    acts.push({ type: 'dep', after, amount, repeated: random.chance(0.02) })
    if (random.chance(0.8)) {
      acts.push({
        type: 'bet',
        after: after + random.between(4, 240) * MINUTE,
        amount: Math.round(amount * (0.6 + 3 * random.next())),
        repeated: false,
      })
    }
    after += Math.round((loyal ? 3 : 6) * DAY * (0.2 + 1.8 * random.next()))
  }
}
