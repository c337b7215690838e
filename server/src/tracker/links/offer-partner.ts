// A partner offer as the tracker holds it: everything a click needs, by reference, so that one changed offer changes for all that refer to it.

import type { Template } from '@tributary/contract/macros'

export interface Landing {
  id: number
  value: string
  isActive: boolean
}

/** The advertiser in one country. */
export interface Presence {
  id: number
  countryId: number
  countryCode: string
  domain: string | null
  mediaId: string | null
}

export interface Advertiser {
  id: number
  isActive: boolean
  domain: string
  mediaId: string | null
  presences: ReadonlyMap<number, Presence>
  allowedLandings: ReadonlySet<number>
  /** By country; 0 = for all countries. */
  defaultLandings: ReadonlyMap<number, number>
}

/** Why something takes no traffic; null when it does. */
export type Closed = 'inactive' | 'unapproved' | null

export interface Offer {
  id: number
  closed: Closed
  advertiser: Advertiser
  presenceId: number
}

export interface Partner {
  id: number
  closed: Closed
}

export interface Stream {
  id: number
  title: string
}

export interface OfferPartner {
  id: number
  uuid: string
  closed: Closed
  offer: Offer
  partner: Partner
  stream: Stream
  trafficSourceId: number
  siteId: string
  subId: string | null
  promocodes: readonly string[]
  landings: readonly number[]
  /** The partner offer's own advertiser template, which replaces the built one. */
  override: Template | null
}

/** What click decisions read; the index keeps it current. */
export interface OfferPartners {
  find(uuid: string): OfferPartner | undefined
  landing(id: number): Landing | undefined
  /** The advertiser template for a partner offer and the landing chosen, null = none. */
  template(offerPartner: OfferPartner, landing: Landing | null): Template
}
