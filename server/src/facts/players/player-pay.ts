// What a player is paid for by the terms in force: the price under CPA, and the percentage of a day's income under RS. It has no side effects.

import { type OfferPartnerTerms, type OfferTerms, type PriceDay, valueInForce, valueOn } from '../terms.ts'
import type { Amount } from './qualification.ts'

/** The day on which payment model and price of a qualified player are read; both arguments are business days. */
export function priceDayOf(offer: OfferTerms, registered: string, qualified: string): string {
  const model = valueInForce(offer.model, registered)
  const priceDay: PriceDay = paysPerPlayer(model.type) ? valueInForce(model.priceDay, registered) : 'qualification'
  return priceDay === 'registration' ? registered : qualified
}

/** The price of a player on a day: the partner offer's, else the offer's. Null if the payment model of that day does not pay per player. */
export function priceOn(offerPartner: OfferPartnerTerms, offer: OfferTerms, day: string): Amount | null {
  if (!paysPerPlayer(valueInForce(offer.model, day).type)) return null
  const own = valueOn(offerPartner.costs, day)
  if (own !== null) return { amount: own, currencyId: valueInForce(offerPartner.currencyId, day) }
  const { cost, currencyId } = valueInForce(offer.values, day)
  return { amount: cost ?? 0n, currencyId }
}

/** The percentage of income on a day: the partner offer's, else the offer's, else the payment model's. Null if the model shares no income. */
export function shareOn(offerPartner: OfferPartnerTerms, offer: OfferTerms, day: string): bigint | null {
  const model = valueInForce(offer.model, day)
  if (model.type !== 'RS' && model.type !== 'CPA_RS') return null
  return valueOn(offerPartner.shares, day) ?? valueInForce(offer.values, day).share ?? valueInForce(model.share, day)
}

const paysPerPlayer = (type: string): boolean => type === 'CPA' || type === 'CPA_RS'
