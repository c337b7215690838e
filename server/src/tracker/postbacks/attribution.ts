// Attributes a player by the click, else by the advertiser's partner offer with the site ID (and sub ID), else by promo code. If several partner
// offers match equally and none of them was called, the player stays unattributed.

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

type ClickFields = Omit<RecordedClick, 'id' | 'advertiser_id'>

/** The fields that a player inherits from its partner offer and its click. */
export type AttributedFields = { [K in keyof ClickFields]: ClickFields[K] | null } & {
  attribution: 'click' | 'site_id' | 'promocode' | 'none'
  click_id: string | null
}

export interface Evidence {
  click: RecordedClick | undefined
  candidates: readonly CandidateOfferPartner[]
  /** The partner offer whose postback URL was called. It decides between several candidates. */
  calledOfferPartnerId: number
  advertiserId: number
}

export function attribute(event: PostbackEvent, evidence: Evidence): AttributedFields {
  const { click } = evidence
  if (click !== undefined && click.advertiser_id === evidence.advertiserId) return byClick(click)
  const site = chooseBySite(event, evidence)
  if (site !== undefined) return byOfferPartner('site_id', site, event)
  const promo = chooseByPromocode(event, evidence)
  if (promo !== undefined) return byOfferPartner('promocode', promo, event)
  return unattributed(event)
}

/** Explains why a sent click ID did not count; null if it counted or none was sent. */
export function explainClick(
  event: PostbackEvent,
  click: RecordedClick | undefined,
  advertiserId: number,
): string | null {
  if (event.clickId === null) return null
  if (click === undefined) return 'The click_id is not known.'
  return click.advertiser_id === advertiserId ? null : 'The click_id belongs to another advertiser.'
}

function chooseBySite(event: PostbackEvent, evidence: Evidence): CandidateOfferPartner | undefined {
  if (event.siteId === null) return undefined
  const ofSite = evidence.candidates.filter(({ site_id }) => site_id === event.siteId)
  const ofSub = event.subId === null ? [] : ofSite.filter(({ sub_id }) => sub_id === event.subId)
  return chooseOne(ofSub.length > 0 ? ofSub : ofSite, evidence)
}

function chooseByPromocode(event: PostbackEvent, evidence: Evidence): CandidateOfferPartner | undefined {
  const code = event.promocode?.toLowerCase()
  if (code === undefined) return undefined
  const isSame = (other: string): boolean => other.toLowerCase() === code
  return chooseOne(
    evidence.candidates.filter(({ promo_codes }) => promo_codes.some(isSame)),
    evidence,
  )
}

const chooseOne = (
  matching: readonly CandidateOfferPartner[],
  { calledOfferPartnerId }: Evidence,
): CandidateOfferPartner | undefined =>
  matching.length === 1 ? matching[0] : matching.find((one) => one.offer_partner_id === calledOfferPartnerId)

function byClick({ id, advertiser_id: _advertiser, ...fields }: RecordedClick): AttributedFields {
  return { attribution: 'click', click_id: id, ...fields }
}

function byOfferPartner(
  attribution: 'site_id' | 'promocode',
  { promo_codes: _codes, ...offerPartner }: CandidateOfferPartner,
  event: PostbackEvent,
): AttributedFields {
  return { ...unattributed(event), ...offerPartner, attribution, sub_id: event.subId ?? offerPartner.sub_id }
}

function unattributed(event: PostbackEvent): AttributedFields {
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
