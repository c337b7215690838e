// What a partner is told of an event: one call for each of the partner's addresses that asks for it, with the macros filled.

import { fillTemplate, type MacroValues, parseTemplate } from '@tributary/contract/macros'
import type { PostbackDecision } from './postback-decision.ts'
import type { PostbackEvent } from './postback-event.ts'
import type { PlayerState, PostbackRow } from './postback-rows.ts'

/** What a partner is told with. */
export interface PartnerTarget {
  urls: readonly { id: number; url: string; method: string; events: readonly string[] }[]
  link_uuid: string
  stream: string
  landing: string | null
  country: string
  currency: string
}

/** Where a partner's address names no events. */
const TOLD_BY_DEFAULT: readonly string[] = ['reg', 'ftd']

/** One row for each address of the partner that asks for the event, ready to be sent. */
export function tellPartner(
  decision: PostbackDecision,
  event: PostbackEvent,
  target: PartnerTarget,
  ids: readonly number[],
): PostbackRow[] {
  const { player, row } = decision
  if (player === null || player.partner_id === null) return []
  const rows: PostbackRow[] = []
  for (const told of decision.told) {
    for (const url of target.urls) {
      const id = ids[rows.length]
      const asked = url.events.length === 0 ? TOLD_BY_DEFAULT : url.events
      if (id === undefined || !asked.includes(told)) continue
      rows.push({
        ...row,
        id,
        direction: 'out',
        parent_id: row.id,
        status: 'pending',
        event_type: told,
        error: null,
        sender_ip: null,
        uuid: null,
        params: null,
        url: fillTemplate(parseTemplate(url.url), valuesFor(told, player, event, target)),
        partner_postback_url: url.url,
        partner_postback_url_id: url.id,
        method: url.method,
        next_attempt_at: row.created_at,
      })
    }
  }
  return rows
}

function valuesFor(told: string, player: PlayerState, event: PostbackEvent, target: PartnerTarget): MacroValues {
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
    sum: event.amount === null ? null : event.amount.replace(/(\.\d\d)00$/, '$1'),
    currency: event.amount === null ? null : target.currency,
    date: new Date(event.happenedAt).toISOString(),
    uuid: target.link_uuid,
  }
}
