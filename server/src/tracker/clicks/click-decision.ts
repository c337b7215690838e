// Decides a request on a tracking link: a rejection with its status and reason, or a click to record with its redirect target.
// It must limit every input, so that nothing a visitor sends can break the database or the answer.

import { fillTemplate } from '@tributary/contract/macros'
import type { Uniqueness, Visit } from '../../facts/clicks/uniqueness.ts'
import type { InboxClick } from '../../facts/columns.ts'
import type { Landing, OfferPartner, OfferPartners } from '../links/offer-partner.ts'
import { CLICK_ID_ALIASES, findAlias } from '../param-aliases.ts'
import { cleanText, cutText, readQuery } from '../query-text.ts'
import { type ClickIds, isUuid } from './click-id.ts'
import type { Visitors } from './visitor.ts'

export interface ClickRequest {
  readonly method: string
  /** Path and query as received; the path starts with /c/. */
  readonly url: string
  readonly ip: string
  readonly userAgent?: string | undefined
  readonly referrer?: string | undefined
  readonly language?: string | undefined
  /** The request's headers announce a prefetch. */
  readonly isPrefetch: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface ClickContext {
  readonly offerPartners: OfferPartners
  readonly visitors: Visitors
  readonly uniqueness: Uniqueness
  readonly ids: ClickIds
}

export type RejectionReason =
  | 'too_long'
  | 'wrong_encoding'
  | 'unknown_link'
  | 'link_inactive'
  | 'link_unapproved'
  | 'offer_inactive'
  | 'offer_unapproved'
  | 'partner_inactive'
  | 'partner_unapproved'
  | 'advertiser_inactive'

export type ClickVerdict =
  | {
      readonly kind: 'reject'
      readonly status: 400 | 404 | 410 | 414
      readonly reason: RejectionReason
      readonly offerPartnerId: number | null
    }
  | { readonly kind: 'accept'; readonly click: InboxClick; readonly visit: Visit }

const URL_CAP = 4096
const TEXT_CAP = 255
const PROMOCODE_CAP = 64
const REFERRER_CAP = 2048
const PATH = '/c/'

export function decideClick(request: ClickRequest, context: ClickContext): ClickVerdict {
  if (request.url.length > URL_CAP) return reject(414, 'too_long')
  const mark = request.url.indexOf('?')
  const path = mark < 0 ? request.url : request.url.slice(0, mark)
  const name = path.endsWith('/') ? path.slice(PATH.length, -1) : path.slice(PATH.length)
  const offerPartner =
    context.offerPartners.find(name) ?? (isUuid(name) ? context.offerPartners.find(name.toLowerCase()) : undefined)
  if (offerPartner === undefined) return reject(404, 'unknown_link')
  const closed = whyClosed(offerPartner)
  if (closed !== null) return reject(410, closed, offerPartner.id)
  const query = readQuery(mark < 0 ? '' : request.url.slice(mark + 1))
  if (query === null) return reject(400, 'wrong_encoding', offerPartner.id)
  return accept(request, query, offerPartner, context)
}

const reject = (
  status: 400 | 404 | 410 | 414,
  reason: RejectionReason,
  offerPartnerId: number | null = null,
): ClickVerdict => ({
  kind: 'reject',
  status,
  reason,
  offerPartnerId,
})

function whyClosed(offerPartner: OfferPartner): RejectionReason | null {
  if (offerPartner.closed !== null) return `link_${offerPartner.closed}`
  if (offerPartner.offer.closed !== null) return `offer_${offerPartner.offer.closed}`
  if (offerPartner.partner.closed !== null) return `partner_${offerPartner.partner.closed}`
  return offerPartner.offer.advertiser.isActive ? null : 'advertiser_inactive'
}

function accept(
  request: ClickRequest,
  query: ReadonlyMap<string, string>,
  offerPartner: OfferPartner,
  context: ClickContext,
): ClickVerdict {
  const { offerPartners, visitors, uniqueness, ids } = context
  const agent = visitors.agent(request.userAgent)
  const address = visitors.address(request.ip)
  const { id, time } = ids.next(request.now)
  const isBot = agent.isBot || request.isPrefetch || request.method === 'HEAD'
  const visit: Visit = { offerPartnerId: offerPartner.id, address: address.print, agent: agent.print }
  const presence = offerPartner.offer.advertiser.presences.get(offerPartner.offer.presenceId)
  const landing = chooseLanding(
    offerPartner,
    cutText(query.get('landing'), TEXT_CAP),
    presence?.countryId ?? 0,
    offerPartners,
  )
  const click: InboxClick = {
    id,
    created_at: time,
    offer_partner_id: offerPartner.id,
    offer_id: offerPartner.offer.id,
    partner_id: offerPartner.partner.id,
    advertiser_id: offerPartner.offer.advertiser.id,
    landing_id: landing?.id ?? null,
    stream_id: offerPartner.stream.id,
    traffic_source_id: offerPartner.trafficSourceId,
    country_id: presence?.countryId ?? 0,
    bot: isBot,
    canonical_id: isBot ? null : uniqueness.claim(visit, id, time),
    site_id: offerPartner.siteId,
    sub_id: cutText(query.get('sub_id') ?? query.get('sub1'), TEXT_CAP) ?? offerPartner.subId,
    sub2: cutText(query.get('sub2'), TEXT_CAP),
    sub3: cutText(query.get('sub3'), TEXT_CAP),
    sub4: cutText(query.get('sub4'), TEXT_CAP),
    sub5: cutText(query.get('sub5'), TEXT_CAP),
    partner_click_id: cutText(query.get('click_id') ?? findAlias(query, CLICK_ID_ALIASES), TEXT_CAP),
    promocode: choosePromocode(offerPartner, cutText(query.get('promocode'), PROMOCODE_CAP)),
    media_id: presence?.mediaId ?? offerPartner.offer.advertiser.mediaId,
    ip: request.ip,
    ip_country: address.country,
    user_agent: agent.text,
    referrer: cleanText(request.referrer, REFERRER_CAP),
    language: firstLanguage(request.language),
    url: request.url,
    target: '',
  }
  click.target = fillTemplate(offerPartners.template(offerPartner, landing), {
    click_id: id,
    partner_click_id: click.partner_click_id,
    sub_id: click.sub_id,
    sub2: click.sub2,
    sub3: click.sub3,
    sub4: click.sub4,
    sub5: click.sub5,
    site_id: click.site_id,
    stream: offerPartner.stream.title,
    promocode: click.promocode,
    landing: landing?.value,
    country: presence?.countryCode,
    geo: click.ip_country,
    media_id: click.media_id,
    uuid: offerPartner.uuid,
  })
  return { kind: 'accept', click, visit }
}

/** The requested landing if allowed, else the partner offer's first active one, else the advertiser's default for the country, else for all. */
function chooseLanding(
  offerPartner: OfferPartner,
  wish: string | null,
  countryId: number,
  offerPartners: OfferPartners,
): Landing | null {
  const { allowedLandings, defaultLandings } = offerPartner.offer.advertiser
  const active = (id: number | undefined): Landing | null => {
    const landing = id === undefined ? undefined : offerPartners.landing(id)
    return landing?.isActive ? landing : null
  }
  if (wish !== null) {
    for (const ids of [offerPartner.landings, allowedLandings]) {
      for (const id of ids) {
        const landing = active(id)
        if (landing !== null && (String(id) === wish || landing.value === wish)) return landing
      }
    }
  }
  for (const id of offerPartner.landings) {
    const landing = active(id)
    if (landing !== null) return landing
  }
  return active(defaultLandings.get(countryId)) ?? active(defaultLandings.get(0))
}

/** The requested promo code if the partner offer has it, else the partner offer's first. */
function choosePromocode(offerPartner: OfferPartner, wish: string | null): string | null {
  if (offerPartner.promocodes.length === 0) return null
  const requested =
    wish === null ? undefined : offerPartner.promocodes.find((code) => code.toLowerCase() === wish.toLowerCase())
  return requested ?? offerPartner.promocodes[0] ?? null
}

const LANGUAGE = /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,3})/

const firstLanguage = (header: string | undefined): string | null =>
  header ? (LANGUAGE.exec(header)?.[1] ?? null) : null
