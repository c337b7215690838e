// What a partner is told of an event: one call for each of the partner's addresses that asks for it, with the macros filled;
// and a row that says so where nobody is told of what partners expect to hear.

import type { PostbackReason } from '@tributary/contract/entities/postback'
import { fillTemplate, type MacroValues, parseTemplate } from '@tributary/contract/macros'
import type { PlayerState, PostbackRow } from './postback-rows.ts'

/** What a partner is told with. */
export interface PartnerTarget {
  urls: readonly PartnerUrl[]
  link_uuid: string
  stream: string
  landing: string | null
  country: string
  first_deposit_currency: string | null
  /** What the partner's system calls events, by our names in lower case. */
  names: Readonly<Record<string, string>>
}

export interface PartnerUrl {
  id: number
  url: string
  method: string
  events: readonly string[]
  /** When the partner gave it. */
  since: string
}

/** Something that a partner may be told of. */
export interface OutboundEvent {
  name: string
  amount: string | null
  /** Of the amount; that of a first deposit is the player's. */
  currency: string | null
  /** Milliseconds. */
  happenedAt: number
}

export interface OutboundContext {
  player: PlayerState
  events: readonly OutboundEvent[]
  /** What each call's row begins with; its id is given when it is written. */
  row: PostbackRow
  parentId: number | null
}

/** Where a partner's address names no events. */
const DEFAULT_EVENTS: ReadonlySet<string> = new Set(['reg', 'ftd', 'bl'])
/** All others are the advertisers' own: a partner hears of those for which they have a name. */
const STANDARD: ReadonlySet<string> = new Set(['reg', 'ftd', 'dep', 'bet', 'bl'])

/** One row for each address of the partner that asks for the event, ready to be sent; or one that says why nobody is told. */
export function makeOutboundPostbacks(context: OutboundContext, target: PartnerTarget | undefined): PostbackRow[] {
  return context.events.flatMap((event) => {
    if (target === undefined) return isExpected(event.name) ? [makeSkipped(context, event, 'unattributed')] : []
    const requesting = target.urls.filter((url) => isRequested(url, event.name, target.names))
    if (requesting.length > 0) return requesting.map((url) => makeCall(context, event, url, target))
    const reason = target.urls.length === 0 ? 'no_url' : 'event_not_selected'
    return isExpected(event.name) ? [makeSkipped(context, event, reason)] : []
  })
}

/** Deposits and bets are many, and told to few: that nobody asked for them is no news. */
const isExpected = (event: string): boolean => DEFAULT_EVENTS.has(event)

export function isRequested({ events }: PartnerUrl, event: string, names: PartnerTarget['names']): boolean {
  if (!STANDARD.has(event)) return names[event] !== undefined && (events.length === 0 || events.includes('custom'))
  return events.length === 0 ? DEFAULT_EVENTS.has(event) : events.includes(event)
}

/** The row of a call that is not made. `url`: the address that would have been called. */
export function makeSkipped(
  context: OutboundContext,
  event: OutboundEvent,
  reason: PostbackReason,
  url?: PartnerUrl,
): PostbackRow {
  return {
    ...beginRow(context, event),
    status: 'skipped',
    reason,
    url: null,
    method: url?.method ?? 'GET',
    ...(url && { partner_postback_url: url.url, partner_postback_url_id: url.id }),
  }
}

function makeCall(context: OutboundContext, event: OutboundEvent, url: PartnerUrl, target: PartnerTarget): PostbackRow {
  return {
    ...beginRow(context, event),
    status: 'pending',
    url: fillTemplate(parseTemplate(url.url), macroValues(context.player, event, target)),
    partner_postback_url: url.url,
    partner_postback_url_id: url.id,
    method: url.method,
    next_attempt_at: context.row.created_at,
  }
}

function beginRow({ row, parentId, player }: OutboundContext, event: OutboundEvent): PostbackRow {
  return {
    ...row,
    direction: 'out',
    // The player's own, whichever postback told of it.
    click_id: player.click_id ?? row.click_id,
    parent_id: parentId,
    event_type: event.name,
    reason: null,
    error: null,
    sender_ip: null,
    uuid: null,
    params: null,
  }
}

/** What the macros of a partner's address become. */
export function macroValues(
  player: MacroPlayer,
  event: OutboundEvent,
  target: Omit<PartnerTarget, 'urls'>,
): MacroValues {
  return {
    click_id: player.partner_click_id ?? player.click_id,
    partner_click_id: player.partner_click_id,
    sub_id: player.sub_id,
    sub2: player.sub2,
    sub3: player.sub3,
    sub4: player.sub4,
    sub5: player.sub5,
    site_id: player.site_id,
    stream: target.stream,
    promocode: player.promocode,
    landing: target.landing,
    country: target.country,
    geo: player.ip_country,
    media_id: player.media_id,
    player_id: player.outer_id,
    event: target.names[event.name] ?? event.name,
    sum: event.amount === null ? null : event.amount.replace(/(\.\d\d)00$/, '$1'),
    currency: currencyOf(event, target),
    date: new Date(event.happenedAt).toISOString(),
    uuid: target.link_uuid,
  }
}

function currencyOf({ name, amount, currency }: OutboundEvent, target: Omit<PartnerTarget, 'urls'>): string | null {
  if (amount === null) return null
  return name === 'ftd' ? target.first_deposit_currency : currency
}

type MacroPlayer = Pick<
  PlayerState,
  | 'partner_click_id'
  | 'click_id'
  | 'sub_id'
  | 'sub2'
  | 'sub3'
  | 'sub4'
  | 'sub5'
  | 'site_id'
  | 'promocode'
  | 'ip_country'
  | 'media_id'
  | 'outer_id'
>
