// The terms of a day in the naive recount: the range that contains it, else what holds outside of ranges.
import { type Units, units } from './reports-oracle-money.ts'
import { type Link, MODELS, type Offer, type World } from './reports-world.ts'
import { inForce, type ModelTerms, type OfferValues } from './reports-world-terms.ts'

export const valuesOn = (offer: Offer, day: string): OfferValues => inForce(offer.dated.values, day)?.value ?? offer

/** Index of the payment model. */
export const modelOn = (offer: Offer, day: string): number => inForce(offer.dated.models, day)?.value ?? offer.model

export const currencyOn = (link: Link | undefined, day: string): number =>
  link === undefined ? 1 : (inForce(link.dated.currencies, day)?.value ?? link.currency)

export const isCountryNeeded = (link: Link, day: string): boolean =>
  inForce(link.dated.countries, day)?.value ?? link.needsCountry

export const percentageOf = (world: World, link: Link | undefined, day: string): number =>
  inForce(link?.dated.agency ?? [], day)?.value ?? inForce(world.dated.agency, day)?.value ?? world.agencyPercentage

function modelTermsOn(world: World, model: number, day: string): ModelTerms {
  const terms = world.dated.models[model]
  if (terms === undefined) throw new Error(`no payment model ${model}`)
  return inForce(terms.ranges, day)?.value ?? terms.now
}

export interface Pay {
  price: { amount: Units; currency: number } | null
  percent: number
}

/** What one day of a player is paid by: a price if the player is paid for on it, and a percentage of its income. */
export function payFor(
  world: World,
  offer: Offer | undefined,
  link: Link | undefined,
  { day, registered, isPaid }: { day: string; registered: string; isPaid: boolean },
): Pay {
  if (offer === undefined || link === undefined) return { price: null, percent: 0 }
  const model = modelOn(offer, day)
  const sharesIncome = MODELS[model] === 'RS' || MODELS[model] === 'CPA_RS'
  const share =
    inForce(link.dated.shares, day)?.value ?? valuesOn(offer, day).share ?? modelTermsOn(world, model, day).share ?? 0
  return { price: isPaid ? priceOf(world, offer, link, day, registered) : null, percent: sharesIncome ? share : 0 }
}

const paysPlayers = (model: number): boolean => MODELS[model] === 'CPA' || MODELS[model] === 'CPA_RS'

function priceOf(world: World, offer: Offer, link: Link, qualified: string, registered: string): Pay['price'] {
  const atRegistration = modelOn(offer, registered)
  const isEarly =
    paysPlayers(atRegistration) && modelTermsOn(world, atRegistration, registered).priceDay === 'registration'
  const day = isEarly ? registered : qualified
  if (!paysPlayers(modelOn(offer, day))) return null
  const own = inForce(link.dated.costs, day)
  if (own !== undefined) return { amount: units(own.value), currency: currencyOn(link, day) }
  const { cost, currency } = valuesOn(offer, day)
  return { amount: units(cost ?? 0), currency }
}
