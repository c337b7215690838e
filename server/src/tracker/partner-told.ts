// What a partner is told of an event: one call for each of the partner's addresses that asks for it, with the macros filled.

import { fillTemplate, type MacroValues, parseTemplate } from '@tributary/contract/macros'
import type { PlayerState, PostbackRow } from './postback-rows.ts'

/** What a partner is told with. */
export interface PartnerTarget {
  urls: readonly PartnerUrl[]
  link_uuid: string
  stream: string
  landing: string | null
  country: string
  /** Of the amount. */
  currency: string | null
}

export interface PartnerUrl {
  id: number
  url: string
  method: string
  events: readonly string[]
  /** When the partner gave it. */
  since: string
}

export interface Telling {
  player: PlayerState
  told: readonly string[]
  amount: string | null
  /** Milliseconds. */
  happenedAt: number
  /** What each call's row begins with. */
  row: PostbackRow
  parentId: number | null
}

/** Where a partner's address names no events. */
const TOLD_BY_DEFAULT: readonly string[] = ['reg', 'ftd', 'bl']

/** One row for each address of the partner that asks for the event, ready to be sent. */
export function tellPartner(telling: Telling, target: PartnerTarget, ids: readonly number[]): PostbackRow[] {
  const { row } = telling
  const rows: PostbackRow[] = []
  for (const told of telling.told) {
    for (const url of target.urls) {
      const id = ids[rows.length]
      const asked = url.events.length === 0 ? TOLD_BY_DEFAULT : url.events
      if (id === undefined || !asked.includes(told)) continue
      rows.push({
        ...row,
        id,
        direction: 'out',
        parent_id: telling.parentId,
        status: 'pending',
        event_type: told,
        error: null,
        sender_ip: null,
        uuid: null,
        params: null,
        url: fillTemplate(parseTemplate(url.url), valuesFor(told, telling, target)),
        partner_postback_url: url.url,
        partner_postback_url_id: url.id,
        method: url.method,
        next_attempt_at: row.created_at,
      })
    }
  }
  return rows
}

function valuesFor(told: string, { player, amount, happenedAt }: Telling, target: PartnerTarget): MacroValues {
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
    event: told,
    sum: amount === null ? null : amount.replace(/(\.\d\d)00$/, '$1'),
    currency: amount === null ? null : target.currency,
    date: new Date(happenedAt).toISOString(),
    uuid: target.link_uuid,
  }
}
