// Attributes a player: by the click's partner offer, else by the advertiser's partner offer with the site ID (and sub ID), else by promo code.
// If two partner offers fit equally, the player stays unattributed.

import type { RecordedClick } from '../clicks/recorded-clicks.ts'
import type { PostbackEvent } from './postback-event.ts'

/** A partner offer of the advertiser that a site ID or promo code may refer to. */
export interface CandidateOfferPartner {
  offer_partner_id: number
  offer_id: number
  partner_id: number
  stream_id: number
  traffic_source_id: number
  site_id: string
  sub_id: string | null
  promo_codes: string[]
  media_id: string | null
}

/** What a player takes over from its partner offer and its click. */
export interface Attributed {
  attribution: 'click' | 'site_id' | 'promocode' | 'none'
  click_id: string | null
  offer_partner_id: number | null
  offer_id: number | null
  partner_id: number | null
  stream_id: number | null
  traffic_source_id: number | null
  landing_id: number | null
  site_id: string | null
  sub_id: string | null
  sub2: string | null
  sub3: string | null
  sub4: string | null
  sub5: string | null
  partner_click_id: string | null
  promocode: string | null
  media_id: string | null
  ip_country: string | null
}

export interface Evidence {
  click: RecordedClick | undefined
  candidates: readonly CandidateOfferPartner[]
  /** The partner offer whose postback URL was called: it decides between candidates. */
  calledOfferPartnerId: number
  advertiserId: number
}

export function attribute(event: PostbackEvent, evidence: Evidence): Attributed {
  const { click } = evidence
  if (click !== undefined && click.advertiser_id === evidence.advertiserId) return byClick(click)
  const site = chooseBySite(event, evidence)
  if (site !== undefined) return byOfferPartner('site_id', site, event)
  const promo = chooseByPromocode(event, evidence)
  if (promo !== undefined) return byOfferPartner('promocode', promo, event)
  return unattributed(event)
}

/** Why a sent click ID did not count; null if it counted or none was sent. */
export function explainClick(
  event: PostbackEvent,
  click: RecordedClick | undefined,
  advertiserId: number,
): string | null {
  if (event.clickId === null) return null
  if (click === undefined) return 'The click_id is not known.'
  return click.advertiser_id === advertiserId ? null : 'The click_id belongs to another advertiser.'
}

function chooseBySite(
  event: PostbackEvent,
  { candidates, calledOfferPartnerId }: Evidence,
): CandidateOfferPartner | undefined {
  if (event.siteId === null) return undefined
  const ofSite = candidates.filter((offerPartner) => offerPartner.site_id === event.siteId)
  const ofSub = event.subId === null ? [] : ofSite.filter((offerPartner) => offerPartner.sub_id === event.subId)
  return chooseOne(ofSub.length > 0 ? ofSub : ofSite, calledOfferPartnerId)
}

function chooseByPromocode(
  event: PostbackEvent,
  { candidates, calledOfferPartnerId }: Evidence,
): CandidateOfferPartner | undefined {
  const code = event.promocode?.toLowerCase()
  if (code === undefined) return undefined
  const fitting = candidates.filter((offerPartner) =>
    offerPartner.promo_codes.some((own) => own.toLowerCase() === code),
  )
  return chooseOne(fitting, calledOfferPartnerId)
}

const chooseOne = (
  offerPartners: readonly CandidateOfferPartner[],
  calledOfferPartnerId: number,
): CandidateOfferPartner | undefined =>
  offerPartners.length === 1
    ? offerPartners[0]
    : offerPartners.find((offerPartner) => offerPartner.offer_partner_id === calledOfferPartnerId)

function byClick(click: RecordedClick): Attributed {
  return {
    attribution: 'click',
    click_id: click.id,
    offer_partner_id: click.offer_partner_id,
    offer_id: click.offer_id,
    partner_id: click.partner_id,
    stream_id: click.stream_id,
    traffic_source_id: click.traffic_source_id,
    landing_id: click.landing_id,
    site_id: click.site_id,
    sub_id: click.sub_id,
    sub2: click.sub2,
    sub3: click.sub3,
    sub4: click.sub4,
    sub5: click.sub5,
    partner_click_id: click.partner_click_id,
    promocode: click.promocode,
    media_id: click.media_id,
    ip_country: click.ip_country,
  }
}

function byOfferPartner(
  attribution: 'site_id' | 'promocode',
  offerPartner: CandidateOfferPartner,
  event: PostbackEvent,
): Attributed {
  return {
    ...unattributed(event),
    attribution,
    offer_partner_id: offerPartner.offer_partner_id,
    offer_id: offerPartner.offer_id,
    partner_id: offerPartner.partner_id,
    stream_id: offerPartner.stream_id,
    traffic_source_id: offerPartner.traffic_source_id,
    site_id: offerPartner.site_id,
    sub_id: event.subId ?? offerPartner.sub_id,
    media_id: offerPartner.media_id,
  }
}

function unattributed(event: PostbackEvent): Attributed {
  return {
    attribution: 'none',
    click_id: null,
    offer_partner_id: null,
    offer_id: null,
    partner_id: null,
    stream_id: null,
    traffic_source_id: null,
    landing_id: null,
    site_id: event.siteId,
    sub_id: event.subId,
    sub2: null,
    sub3: null,
    sub4: null,
    sub5: null,
    partner_click_id: null,
    promocode: event.promocode,
    media_id: null,
    ip_country: null,
  }
}
