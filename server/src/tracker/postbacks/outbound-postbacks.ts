// Makes the outbound postbacks of an event: one call with filled macros for each URL of the partner that selects the event, or a skipped row
// with the reason if no URL is called.

import type { PostbackReason } from '@tributary/contract/entities/postback'
import { fillTemplate, type MacroValues, parseTemplate } from '@tributary/contract/macros'
import type { PlayerState, PostbackRow } from './postback-rows.ts'

/** The URLs of a partner and values of their macros. */
export interface PartnerTarget {
  urls: readonly PartnerUrl[]
  link_uuid: string
  stream: string
  landing: string | null
  country: string
  first_deposit_currency: string | null
  /** The partner's names of events, by the product's names in lower case. */
  names: Readonly<Record<string, string>>
}

export interface PartnerUrl {
  id: number
  url: string
  method: string
  events: readonly string[]
  /** The time at which the URL was added, in ISO 8601. */
  since: string
}

/** An event that partners may receive. */
export interface OutboundEvent {
  name: string
  amount: string | null
  /** The currency of the amount. For a first deposit, the player's first deposit currency is used instead. */
  currency: string | null
  /** Milliseconds since 1970. */
  happenedAt: number
}

export interface OutboundContext {
  player: PlayerState
  events: readonly OutboundEvent[]
  /** The common columns of each call's row. The id is assigned when the row is written. */
  row: PostbackRow
  parentId: number | null
}

/** A URL that selects no events receives these. */
const DEFAULT_EVENTS: ReadonlySet<string> = new Set(['reg', 'ftd', 'bl'])
/** All other events are custom events of advertisers. A partner receives those that it has a name for. */
const STANDARD_EVENTS: ReadonlySet<string> = new Set(['reg', 'ftd', 'dep', 'bet', 'bl'])

/** Returns one pending row for each URL that selects the event, or one skipped row with the reason. */
export function makeOutboundPostbacks(context: OutboundContext, target: PartnerTarget | undefined): PostbackRow[] {
  return context.events.flatMap((event) => {
    if (target === undefined) return isExpected(event.name) ? [makeSkipped(context, event, 'unattributed')] : []
    const requesting = target.urls.filter((url) => isRequested(url, event.name, target.names))
    if (requesting.length > 0) return requesting.map((url) => makeCall(context, event, url, target))
    const reason = target.urls.length === 0 ? 'no_url' : 'event_not_selected'
    return isExpected(event.name) ? [makeSkipped(context, event, reason)] : []
  })
}

/** Deposits and bets leave no skipped row, because they are many and few URLs select them. */
const isExpected = (event: string): boolean => DEFAULT_EVENTS.has(event)

export function isRequested({ events }: PartnerUrl, event: string, names: PartnerTarget['names']): boolean {
  if (!STANDARD_EVENTS.has(event))
    return names[event] !== undefined && (events.length === 0 || events.includes('custom'))
  return events.length === 0 ? DEFAULT_EVENTS.has(event) : events.includes(event)
}

/** The row of a call that is not made. `url` is the URL that would have been called. */
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
    // The player's click takes precedence over that of the reporting postback.
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

/** The values of the macros in a partner's URL. */
function macroValues(player: MacroPlayer, event: OutboundEvent, target: Omit<PartnerTarget, 'urls'>): MacroValues {
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
    currency: chooseCurrency(event, target),
    date: new Date(event.happenedAt).toISOString(),
    uuid: target.link_uuid,
  }
}

function chooseCurrency({ name, amount, currency }: OutboundEvent, target: Omit<PartnerTarget, 'urls'>): string | null {
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
