// Decides a request on a tracking link: a rejection with its status and reason, or a click to record with its redirect target.
// Every input is bounded here; nothing that a visitor sends can break the record or the answer.

import { fillTemplate } from '@tributary/contract/macros'
import type { Uniqueness, Visit } from '../../facts/clicks/uniqueness.ts'
import type { InboxClick } from '../../facts/columns.ts'
import type { Landing, Link, Links } from '../links/link.ts'
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
  /** The browser announces a prefetch. */
  readonly isPrefetch: boolean
  /** Milliseconds. */
  readonly now: number
}

export interface ClickContext {
  readonly links: Links
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
      readonly linkId: number | null
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
  const link = context.links.find(name) ?? (isUuid(name) ? context.links.find(name.toLowerCase()) : undefined)
  if (link === undefined) return reject(404, 'unknown_link')
  const closed = whyClosed(link)
  if (closed !== null) return reject(410, closed, link.id)
  const query = readQuery(mark < 0 ? '' : request.url.slice(mark + 1))
  if (query === null) return reject(400, 'wrong_encoding', link.id)
  return accept(request, query, link, context)
}

const reject = (
  status: 400 | 404 | 410 | 414,
  reason: RejectionReason,
  linkId: number | null = null,
): ClickVerdict => ({
  kind: 'reject',
  status,
  reason,
  linkId,
})

function whyClosed(link: Link): RejectionReason | null {
  if (link.closed !== null) return `link_${link.closed}`
  if (link.offer.closed !== null) return `offer_${link.offer.closed}`
  if (link.partner.closed !== null) return `partner_${link.partner.closed}`
  return link.offer.advertiser.isActive ? null : 'advertiser_inactive'
}

function accept(
  request: ClickRequest,
  query: ReadonlyMap<string, string>,
  link: Link,
  context: ClickContext,
): ClickVerdict {
  const { links, visitors, uniqueness, ids } = context
  const agent = visitors.agent(request.userAgent)
  const address = visitors.address(request.ip)
  const { id, time } = ids.next(request.now)
  const isBot = agent.isBot || request.isPrefetch || request.method === 'HEAD'
  const visit: Visit = { linkId: link.id, address: address.print, agent: agent.print }
  const presence = link.offer.advertiser.presences.get(link.offer.presenceId)
  const landing = chooseLanding(link, cutText(query.get('landing'), TEXT_CAP), presence?.countryId ?? 0, links)
  const click: InboxClick = {
    id,
    created_at: time,
    offer_partner_id: link.id,
    offer_id: link.offer.id,
    partner_id: link.partner.id,
    advertiser_id: link.offer.advertiser.id,
    landing_id: landing?.id ?? null,
    stream_id: link.stream.id,
    traffic_source_id: link.trafficSourceId,
    country_id: presence?.countryId ?? 0,
    bot: isBot,
    canonical_id: isBot ? null : uniqueness.claim(visit, id, time),
    site_id: link.siteId,
    sub_id: cutText(query.get('sub_id') ?? query.get('sub1'), TEXT_CAP) ?? link.subId,
    sub2: cutText(query.get('sub2'), TEXT_CAP),
    sub3: cutText(query.get('sub3'), TEXT_CAP),
    sub4: cutText(query.get('sub4'), TEXT_CAP),
    sub5: cutText(query.get('sub5'), TEXT_CAP),
    partner_click_id: cutText(query.get('click_id') ?? findAlias(query, CLICK_ID_ALIASES), TEXT_CAP),
    promocode: choosePromocode(link, cutText(query.get('promocode'), PROMOCODE_CAP)),
    media_id: presence?.mediaId ?? link.offer.advertiser.mediaId,
    ip: request.ip,
    ip_country: address.country,
    user_agent: agent.text,
    referrer: cleanText(request.referrer, REFERRER_CAP),
    language: firstLanguage(request.language),
    url: request.url,
    target: '',
  }
  click.target = fillTemplate(links.template(link, landing), {
    click_id: id,
    partner_click_id: click.partner_click_id,
    sub_id: click.sub_id,
    sub2: click.sub2,
    sub3: click.sub3,
    sub4: click.sub4,
    sub5: click.sub5,
    site_id: click.site_id,
    stream: link.stream.title,
    promocode: click.promocode,
    landing: landing?.value,
    country: presence?.countryCode,
    geo: click.ip_country,
    media_id: click.media_id,
    uuid: link.uuid,
  })
  return { kind: 'accept', click, visit }
}

/** The requested landing if it is allowed, else the link's first, else the advertiser's default for the country, else for all countries. */
function chooseLanding(link: Link, wish: string | null, countryId: number, links: Links): Landing | null {
  const { allowedLandings, defaultLandings } = link.offer.advertiser
  const active = (id: number | undefined): Landing | null => {
    const landing = id === undefined ? undefined : links.landing(id)
    return landing?.isActive ? landing : null
  }
  if (wish !== null) {
    for (const ids of [link.landings, allowedLandings]) {
      for (const id of ids) {
        const landing = active(id)
        if (landing !== null && (String(id) === wish || landing.value === wish)) return landing
      }
    }
  }
  for (const id of link.landings) {
    const landing = active(id)
    if (landing !== null) return landing
  }
  return active(defaultLandings.get(countryId)) ?? active(defaultLandings.get(0))
}

/** Only promo codes of this link are accepted. */
function choosePromocode(link: Link, wish: string | null): string | null {
  if (link.promocodes.length === 0) return null
  const own = wish === null ? undefined : link.promocodes.find((code) => code.toLowerCase() === wish.toLowerCase())
  return own ?? link.promocodes[0] ?? null
}

const LANGUAGE = /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,3})/

const firstLanguage = (header: string | undefined): string | null =>
  header ? (LANGUAGE.exec(header)?.[1] ?? null) : null
