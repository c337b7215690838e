// What must be in place before a link can be made, and what of it is known. Pure: the facts come in, the list comes out.

export interface OfferFacts {
  readonly id: number
  readonly active: boolean
  readonly state: string
  readonly advertiserId: number | null
  readonly mediaId: string | null
}
export interface AdvertiserFacts {
  readonly mediaId: string | null
  readonly hasDomain: boolean
}
export interface PartnerFacts {
  readonly id: number
  readonly active: boolean
  readonly state: string
}
export interface Verdict {
  readonly valid: boolean
  readonly message: string | null
}

export interface LinkFacts {
  readonly offer: OfferFacts | null
  /** Null also for those who may not look at advertisers. */
  readonly advertiser: AdvertiserFacts | null
  readonly partner: PartnerFacts | null
  readonly stream: Verdict | null
  readonly trafficSource: Verdict | null
}

export type CheckName = 'offerApproved' | 'partnerApproved' | 'mediaId' | 'domain' | 'stream' | 'trafficSource'

export interface Check {
  readonly name: CheckName
  /** Null: not known yet, or only to the server. */
  readonly isMet: boolean | null
  /** Where it is mended. */
  readonly mend: { readonly path: string; readonly word: 'mendOffer' | 'mendPartner' | 'mendAdvertiser' } | null
  readonly message: string | null
}

const isOn = ({ active, state }: { active: boolean; state: string }) => active && state === 'approved'

/** A reason for which the server has refused to make the link. */
export interface Reason {
  readonly field: string
  readonly code: string
  readonly message: string
  readonly mend?: { readonly entity: string; readonly id: number } | undefined
}

const CHECK_OF: Readonly<Record<string, CheckName>> = {
  offer_not_approved: 'offerApproved',
  offer_inactive: 'offerApproved',
  partner_not_approved: 'partnerApproved',
  partner_inactive: 'partnerApproved',
  media_id_missing: 'mediaId',
  domain_missing: 'domain',
  stream_exists_in: 'stream',
  stream_of_other_partner: 'stream',
  traffic_source_exists: 'trafficSource',
  traffic_source_exists_in: 'trafficSource',
}

const MEND: Readonly<Record<string, (id: number) => NonNullable<Check['mend']>>> = {
  offer: (id) => ({ path: `/offers/${id}/edit`, word: 'mendOffer' }),
  partner: (id) => ({ path: `/partners/${id}/edit`, word: 'mendPartner' }),
  advertiser: (id) => ({ path: `/advertisers/${id}/edit?tab=countries`, word: 'mendAdvertiser' }),
}

/** What the server has said of the same values goes before what the screen could see for itself. */
export function judgeLink(checks: readonly Check[], reasons: readonly Reason[]): Check[] {
  return checks.map((check) => {
    const said = reasons.filter(({ code }) => CHECK_OF[code] === check.name)
    const [first] = said
    if (first === undefined) return check
    const mend = first.mend === undefined ? check.mend : (MEND[first.mend.entity]?.(first.mend.id) ?? check.mend)
    return { ...check, isMet: false, mend, message: said.map(({ message }) => message).join('. ') }
  })
}

export function checkLink({ offer, advertiser, partner, stream, trafficSource }: LinkFacts): Check[] {
  const countries =
    offer?.advertiserId == null
      ? null
      : ({ path: `/advertisers/${offer.advertiserId}/edit?tab=countries`, word: 'mendAdvertiser' } as const)
  return [
    {
      name: 'offerApproved',
      isMet: offer === null ? null : isOn(offer),
      mend: offer === null ? null : { path: `/offers/${offer.id}/edit`, word: 'mendOffer' },
      message: null,
    },
    {
      name: 'partnerApproved',
      isMet: partner === null ? null : isOn(partner),
      mend: partner === null ? null : { path: `/partners/${partner.id}/edit`, word: 'mendPartner' },
      message: null,
    },
    { name: 'mediaId', isMet: hasMedia(offer, advertiser), mend: countries, message: null },
    { name: 'domain', isMet: advertiser === null ? null : advertiser.hasDomain, mend: countries, message: null },
    { name: 'stream', isMet: stream?.valid ?? null, mend: null, message: stream?.message ?? null },
    { name: 'trafficSource', isMet: trafficSource?.valid ?? null, mend: null, message: trafficSource?.message ?? null },
  ]
}

/** The country's own media ID, or else the advertiser's; who cannot see the latter only knows of the former. */
function hasMedia(offer: OfferFacts | null, advertiser: AdvertiserFacts | null): boolean | null {
  if (offer === null) return null
  if (offer.mediaId) return true
  return advertiser === null ? null : Boolean(advertiser.mediaId)
}
