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
export interface ToldEvent {
  event: string
  amount: string | null
  /** Of the amount; that of a first deposit is the player's. */
  currency: string | null
  /** Milliseconds. */
  happenedAt: number
}

export interface Telling {
  player: PlayerState
  told: readonly ToldEvent[]
  /** What each call's row begins with; its id is given when it is written. */
  row: PostbackRow
  parentId: number | null
}

/** Where a partner's address names no events. */
const TOLD_BY_DEFAULT: ReadonlySet<string> = new Set(['reg', 'ftd', 'bl'])
/** All others are the advertisers' own: a partner hears of those for which they have a name. */
const STANDARD: ReadonlySet<string> = new Set(['reg', 'ftd', 'dep', 'bet', 'bl'])

/** One row for each address of the partner that asks for the event, ready to be sent; or one that says why nobody is told. */
export function tellPartner(telling: Telling, target: PartnerTarget | undefined): PostbackRow[] {
  return telling.told.flatMap((told) => {
    if (target === undefined) return isExpected(told.event) ? [skip(telling, told, 'unattributed')] : []
    const asking = target.urls.filter((url) => isAsked(url, told.event, target.names))
    if (asking.length > 0) return asking.map((url) => makeCall(telling, told, url, target))
    const reason = target.urls.length === 0 ? 'no_url' : 'event_not_selected'
    return isExpected(told.event) ? [skip(telling, told, reason)] : []
  })
}

/** Deposits and bets are many, and told to few: that nobody asked for them is no news. */
const isExpected = (event: string): boolean => TOLD_BY_DEFAULT.has(event)

export function isAsked({ events }: PartnerUrl, event: string, names: PartnerTarget['names']): boolean {
  if (!STANDARD.has(event)) return names[event] !== undefined && (events.length === 0 || events.includes('custom'))
  return events.length === 0 ? TOLD_BY_DEFAULT.has(event) : events.includes(event)
}

/** The row of a call that is not made. `url`: the address that would have been called. */
export function skip(telling: Telling, told: ToldEvent, reason: PostbackReason, url?: PartnerUrl): PostbackRow {
  return {
    ...beginRow(telling, told),
    status: 'skipped',
    reason,
    url: null,
    method: url?.method ?? 'GET',
    ...(url && { partner_postback_url: url.url, partner_postback_url_id: url.id }),
  }
}

function makeCall(telling: Telling, told: ToldEvent, url: PartnerUrl, target: PartnerTarget): PostbackRow {
  return {
    ...beginRow(telling, told),
    status: 'pending',
    url: fillTemplate(parseTemplate(url.url), valuesFor(telling.player, told, target)),
    partner_postback_url: url.url,
    partner_postback_url_id: url.id,
    method: url.method,
    next_attempt_at: telling.row.created_at,
  }
}

function beginRow({ row, parentId, player }: Telling, told: ToldEvent): PostbackRow {
  return {
    ...row,
    direction: 'out',
    // The player's own, whichever postback told of it.
    click_id: player.click_id ?? row.click_id,
    parent_id: parentId,
    event_type: told.event,
    reason: null,
    error: null,
    sender_ip: null,
    uuid: null,
    params: null,
  }
}

/** What the macros of a partner's address become. */
export function valuesFor(player: MacroPlayer, told: ToldEvent, target: Omit<PartnerTarget, 'urls'>): MacroValues {
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
    event: target.names[told.event] ?? told.event,
    sum: told.amount === null ? null : told.amount.replace(/(\.\d\d)00$/, '$1'),
    currency: currencyOf(told, target),
    date: new Date(told.happenedAt).toISOString(),
    uuid: target.link_uuid,
  }
}

function currencyOf({ event, amount, currency }: ToldEvent, target: Omit<PartnerTarget, 'urls'>): string | null {
  if (amount === null) return null
  return event === 'ftd' ? target.first_deposit_currency : currency
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
