// Makes the players of the demo's past with their events and postbacks, which the tracker's own code parses and attributes.
import { attribute } from '../server/src/tracker/postbacks/attribution.ts'
import { isRejection, readEvent } from '../server/src/tracker/postbacks/postback-event.ts'
import { createRowText } from './copy-rows.ts'
import type { Convert } from './history-clicks.ts'
import {
  addOutgoing,
  inRow,
  iso,
  type Pending,
  type PlayerHistory,
  type PlayerRows,
  playerRow,
} from './history-rows.ts'
import { at } from './rows.ts'
import type { PlannedAct } from './visits.ts'

export function makePlayerRows(history: PlayerHistory) {
  const rows: PlayerRows = {
    players: createRowText(),
    events: createRowText(),
    postbacks: createRowText(),
    acts: [],
    pending: [],
  }
  let playerId = 0
  let postbackId = 0
  const nextPostback = () => ++postbackId

  return {
    rows,
    /** Ids in use: sequences go on behind them. */
    last: () => ({ playerId, postbackId }),
    add(convert: Convert): void {
      const registration = convert.player.acts[0]
      if (!registration || convert.click.created_at + registration.after > history.now) {
        rows.pending.push(
          ...pendingActs(
            history,
            convert,
            String(10_000_000 + Math.floor(history.random.next() * 8e7)),
            convert.player.acts,
          ),
        )
        return
      }
      playerId += 1
      addPlayer(history, rows, convert, playerId, nextPostback)
    },
  }
}

function addPlayer(
  history: PlayerHistory,
  rows: PlayerRows,
  convert: Convert,
  id: number,
  nextPostback: () => number,
): void {
  const { ids, network, random } = history
  const { click, player, offerPartner } = convert
  const outerId = String(100_000_000 + id)
  const uuid = at(history.postbackUuids, offerPartner)
  const plan = at(network.offerPartners, offerPartner)
  const currencyId = ids.currencies.get(player.currency) ?? null
  // Some advertisers lose the click id and know the site or the promo code alone; a few know nothing.
  const luck = random.next()
  const lost = luck < 0.012 ? 'all' : luck < 0.06 ? 'click' : 'none'
  const base: Record<string, string> = { player_id: outerId, country: player.country, currency: player.currency }
  if (lost === 'none') base.click_id = click.id
  if (lost === 'click' && plan.promoCode && random.chance(0.5)) base.promocode = plan.promoCode
  else if (lost === 'click') base.site_id = plan.siteId
  const due = player.acts.filter(({ after }) => click.created_at + after <= history.now)
  rows.pending.push(...pendingActs(history, convert, outerId, player.acts.slice(due.length)))
  const reported = due.flatMap((act) => {
    const event = report(history, uuid, base, act, click.created_at, outerId)
    return event ? [{ act, ...event }] : []
  })
  const first = reported[0]
  if (!first) return
  const attributed = attribute(first.event, {
    click: lost === 'none' ? { ...click } : undefined,
    candidates: lost === 'click' ? [candidateOf(convert, plan.promoCode)] : [],
    calledOfferPartnerId: click.offer_partner_id,
    advertiserId: click.advertiser_id,
  })
  const deposit = reported.find(({ act }) => act.type === 'dep')
  rows.players.add(
    playerRow(
      id,
      outerId,
      convert,
      attributed,
      first.event,
      deposit?.event ?? null,
      currencyId,
      at(ids.countries, player.market),
    ),
  )
  for (const { act, event, params } of reported) {
    const postback = nextPostback()
    rows.postbacks.add(inRow(history, postback, 'accepted', event, params, attributed, id, uuid, click.advertiser_id))
    rows.events.add([
      id,
      act.type,
      iso(event.happenedAt),
      iso(event.happenedAt + 1500),
      event.amount,
      event.amount === null ? null : currencyId,
      event.transactionId,
      event.identity,
      postback,
    ])
    if (act.repeated)
      rows.postbacks.add(
        inRow(history, nextPostback(), 'duplicate', event, params, attributed, id, uuid, click.advertiser_id),
      )
    if (act.type !== 'reg')
      rows.acts.push({
        playerId: id,
        at: event.happenedAt,
        type: act.type,
        amount: act.amount,
        currencyId: currencyId ?? 0,
        margin: player.margin,
      })
    const name = act.type === 'reg' ? 'reg' : event === deposit?.event ? 'ftd' : null
    if (name)
      addOutgoing(history, rows, {
        id: nextPostback(),
        parent: postback,
        name,
        event,
        attributed,
        playerId: id,
        advertiserId: click.advertiser_id,
      })
  }
}

function candidateOf({ click }: Convert, promoCode: string | null) {
  return {
    offer_partner_id: click.offer_partner_id,
    offer_id: click.offer_id,
    partner_id: click.partner_id,
    stream_id: click.stream_id,
    traffic_source_id: click.traffic_source_id,
    site_id: click.site_id,
    sub_id: null,
    promo_codes: promoCode ? [promoCode] : [],
    media_id: click.media_id,
  }
}

function paramsOf(
  base: Readonly<Record<string, string>>,
  act: PlannedAct,
  happenedAt: number,
  outerId: string,
): Record<string, string> {
  const params: Record<string, string> = { ...base, event: act.type, date: iso(happenedAt) }
  if (act.type !== 'reg') {
    params.sum = String(act.amount)
    params.transaction_id = `${act.type}-${outerId}-${Math.floor(act.after / 1000)}`
  }
  return params
}

function report(
  history: PlayerHistory,
  uuid: string,
  base: Readonly<Record<string, string>>,
  act: PlannedAct,
  clicked: number,
  outerId: string,
) {
  const happenedAt = clicked + act.after
  const params = paramsOf(base, act, happenedAt, outerId)
  const event = readEvent(params, { uuid, receivedAt: happenedAt + 1500, zone: history.zone })
  return isRejection(event) ? null : { event, params }
}

function pendingActs(
  history: PlayerHistory,
  { click, player, offerPartner }: Convert,
  outerId: string,
  acts: readonly PlannedAct[],
): Pending[] {
  const base = { player_id: outerId, country: player.country, currency: player.currency, click_id: click.id }
  return acts.map((act) => {
    const happenedAt = click.created_at + act.after
    const { date: _, ...params } = paramsOf(base, act, happenedAt, outerId)
    return { at: happenedAt, uuid: at(history.postbackUuids, offerPartner), params }
  })
}
