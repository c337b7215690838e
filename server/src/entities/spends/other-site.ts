// Spends of one partner offer and day count once: one with the site and one without it would count the same money twice.

import type { Issue } from '@tributary/contract/validate'
import type { Ground } from './judge-cell.ts'
import type { SpendCell } from './spend-cell.ts'
import { type PlaceCurrencies, showSum } from './spend-month.ts'
import type { StoredSpend } from './spend-rows.ts'

const keyOf = ({ stream, country, day }: SpendCell, offerPartner: number): string =>
  `${stream} ${country} ${offerPartner} ${day}`

/** Accepted spends by partner offer and day. */
export class SpendsByOffer<T extends SpendCell> {
  readonly #first = new Map<string, T>()
  readonly #others = new Map<string, T>()

  add(spend: T, offerPartner: number): void {
    const key = keyOf(spend, offerPartner)
    const first = this.#first.get(key)
    if (first === undefined) this.#first.set(key, spend)
    else if (first.site !== spend.site) this.#others.set(key, spend)
  }

  /** The spend of the same partner offer and day that is entered with another site, or without one. */
  other(place: SpendCell, offerPartner: number): T | undefined {
    const key = keyOf(place, offerPartner)
    const first = this.#first.get(key)
    return first === undefined || first.site !== place.site ? first : this.#others.get(key)
  }
}

export function indexByOffer(
  spends: readonly StoredSpend[],
  { offerPartners }: Pick<Ground, 'offerPartners'>,
): SpendsByOffer<StoredSpend> {
  const index = new SpendsByOffer<StoredSpend>()
  for (const spend of spends) {
    if (!spend.active || spend.sum === null) continue
    const offerPartner = offerPartners.find(spend, spend.offerPartner)
    if (offerPartner !== undefined) index.add(spend, offerPartner.id)
  }
  return index
}

/** Says that the day already has a spend, and where it stands. */
export function otherSiteIssue(
  { site, sum, currency }: Pick<StoredSpend, 'site' | 'sum' | 'currency'>,
  currencies: Pick<PlaceCurrencies, 'valueOf'>,
): Issue {
  const told = showSum(sum, currencies.valueOf(currency))
  return site === null
    ? { key: 'spend_entered_whole', values: { sum: told } }
    : { key: 'spend_entered_by_site', values: { sum: told, site } }
}
