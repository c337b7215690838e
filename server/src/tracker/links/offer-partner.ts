// The types of partner offers in the tracker's memory. Partner offers refer to shared objects, so that a changed offer changes for all of them.

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
  /** Landing ids by country id; country 0 means all countries. */
  defaultLandings: ReadonlyMap<number, number>
}

/** The reason why a row accepts no traffic; null if it accepts traffic. */
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

/** The data that click decisions read. The index keeps it up to date. */
export interface OfferPartners {
  find(uuid: string): OfferPartner | undefined
  landing(id: number): Landing | undefined
  /** The advertiser template for a partner offer and the chosen landing; `landing` may be null. */
  template(offerPartner: OfferPartner, landing: Landing | null): Template
}
