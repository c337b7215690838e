// Decides an inbound postback from the data that was looked up: the answer and every row to write. It has no side effects and reads no clock.

import type { RecordedClick } from '../clicks/recorded-clicks.ts'
import { addOurNames, toOurEvent } from '../param-aliases.ts'
import { cleanText } from '../query-text.ts'
import { type AttributedFields, attribute, type CandidateOfferPartner, explainClick } from './attribution.ts'
import type { OutboundEvent } from './outbound-postbacks.ts'
import { type Params, type PostbackEvent, quote, type Rejection, rejection } from './postback-event.ts'
import { blankRow, type PlayerEventRow, type PlayerState, type PostbackRow } from './postback-rows.ts'

export interface PostbackRequest {
  method: string
  /** Path and query as received. */
  url: string
  /** The UUID as sent in the path. */
  uuid: string
  senderIp: string
  params: Params
  /** Milliseconds since 1970. */
  receivedAt: number
}

/** The called postback address and its partner offer. */
export interface PostbackAddress {
  is_active: boolean
  offer_partner_id: number
  offer_id: number
  partner_id: number
  advertiser_id: number
  traffic_source_id: number
  site_id: string
  /** The partner offer's currency, which applies if the postback has none. */
  currency_id: number
  currency: string
  zone: string
}

/** The rows that the event's currency and country refer to. */
export interface PostbackMeaning {
  /** Undefined: the postback has no currency; null: its currency is unknown. */
  currency: { id: number; value: string } | null | undefined
  country: { id: number; title: string } | null
}

export interface KnownPlayer {
  player: PlayerState | undefined
  /** The id to use if the player is new. */
  newPlayerId: number
  /** The same event has been counted before. */
  isRepeated: boolean
  /** A postback has reported a deposit before. */
  hasDeposited: boolean
}

export interface PostbackFacts {
  postbackId: number
  address: PostbackAddress
  event: PostbackEvent
  meaning: PostbackMeaning
  known: KnownPlayer
  click: RecordedClick | undefined
  candidates: readonly CandidateOfferPartner[]
}

export interface PostbackAnswer {
  status: number
  body: { status: 'ok' | 'duplicate' | 'refused'; code?: string; message?: string }
}

export interface PostbackDecision {
  answer: PostbackAnswer
  row: PostbackRow
  /** The player after the event; null if the event did not count. */
  player: PlayerState | null
  /** False if the player's row needs no update. */
  isPlayerChanged: boolean
  event: PlayerEventRow | null
  /** Events to send to the partner. */
  outbound: readonly OutboundEvent[]
}

const VALUE_CAP = 255
/** The changes of a postback that does not count. */
const NOT_COUNTED = { player: null, isPlayerChanged: false, event: null, outbound: [] } as const

export function rejectPostback(
  request: PostbackRequest,
  postbackId: number,
  why: Rejection,
  address?: PostbackAddress,
): PostbackDecision {
  const row = makeRow(request, postbackId, address)
  return {
    answer: { status: why.status, body: { status: 'refused', code: why.code, message: why.message } },
    row: { ...row, status: 'refused', reason: why.code, error: `${why.code}: ${why.message}` },
    ...NOT_COUNTED,
  }
}

export function decidePostback(request: PostbackRequest, facts: PostbackFacts): PostbackDecision {
  const { address, event, known, meaning, postbackId } = facts
  if (meaning.currency === null) {
    const why = rejection(422, 'unknown_currency', `The currency ${quote(event.currency)} is not known here.`)
    return rejectPostback(request, postbackId, why, address)
  }
  const base = { ...makeRow(request, postbackId, address), deposit_sum: event.type === 'dep' ? event.amount : null }
  if (known.isRepeated) {
    const row: PostbackRow = { ...base, ...playerColumns(known.player), status: 'duplicate', reason: 'repeated' }
    return { answer: { status: 200, body: { status: 'duplicate' } }, row, ...NOT_COUNTED }
  }
  const before = known.player
  const owner = before === undefined || before.attribution === 'none' ? attributeEvent(facts) : before
  const isFirstDeposit = event.type === 'dep' && !known.hasDeposited
  const player = updatePlayer(facts, owner)
  const note =
    owner.attribution === 'click' || before !== undefined
      ? null
      : explainClick(event, facts.click, address.advertiser_id)
  const reason = note === null ? null : facts.click === undefined ? 'unknown_click' : 'foreign_click'
  const row: PostbackRow = {
    ...base,
    ...playerColumns(player),
    status: 'accepted',
    reason,
    actual_country: meaning.country?.title ?? null,
  }
  const notice = note === null ? null : `${note} The event is kept; ${describe(owner)}.`
  return {
    answer: {
      status: 200,
      body: notice === null ? { status: 'ok' } : { status: 'ok', code: reason ?? '', message: notice },
    },
    row: notice === null ? row : { ...row, error: `${reason}: ${notice}` },
    player,
    isPlayerChanged: before === undefined || !isSame(before, player),
    event: {
      player_id: player.id,
      type: event.type,
      happened_at: toIso(event.happenedAt),
      received_at: toIso(request.receivedAt),
      amount: event.amount,
      currency_id: event.amount === null ? null : (meaning.currency?.id ?? address.currency_id),
      transaction_id: event.transactionId,
      identity: event.identity,
      postback_id: postbackId,
    },
    outbound: [
      ...missedEvents(before, player),
      ...outboundEvents(facts, isFirstDeposit ? ['ftd', 'dep'] : [event.type]),
    ],
  }
}

function outboundEvents({ event, meaning, address }: PostbackFacts, names: readonly string[]): OutboundEvent[] {
  const { amount, happenedAt } = event
  const currency = amount === null ? null : (meaning.currency?.value ?? address.currency)
  return names.map((name) => ({ name, amount, currency, happenedAt }))
}

/** Earlier events of a player that is attributed only now. The partner has not received them. */
function missedEvents(before: PlayerState | undefined, after: PlayerState): OutboundEvent[] {
  if (before === undefined || before.attribution !== 'none' || after.attribution === 'none') return []
  const outbound: OutboundEvent[] = []
  if (before.registered_at !== null) {
    outbound.push({ name: 'reg', amount: null, currency: null, happenedAt: Date.parse(before.registered_at) })
  }
  if (before.first_deposit_at !== null) {
    const { first_deposit_amount: amount, first_deposit_at: at } = before
    outbound.push({ name: 'ftd', amount, currency: null, happenedAt: Date.parse(at) })
  }
  return outbound
}

function attributeEvent({ event, click, candidates, address }: PostbackFacts): AttributedFields {
  return attribute(event, {
    click,
    candidates,
    calledOfferPartnerId: address.offer_partner_id,
    advertiserId: address.advertiser_id,
  })
}

function describe({ attribution }: AttributedFields): string {
  if (attribution === 'site_id') return 'the player is attributed by site ID'
  return attribution === 'promocode' ? 'the player is attributed by promocode' : 'the player belongs to no link yet'
}

/** The player after the event. */
function updatePlayer({ event, meaning, known, address }: PostbackFacts, owner: AttributedFields): PlayerState {
  const before = known.player
  const happenedAt = toIso(event.happenedAt)
  const isFirst =
    event.type === 'dep' && (before?.first_deposit_at == null || Date.parse(before.first_deposit_at) > event.happenedAt)
  return {
    ...owner,
    id: before?.id ?? known.newPlayerId,
    outer_id: event.playerOuterId,
    advertiser_id: address.advertiser_id,
    registered_at: before?.registered_at ?? (event.type === 'reg' ? happenedAt : null),
    first_deposit_at: isFirst ? happenedAt : (before?.first_deposit_at ?? null),
    first_deposit_amount: isFirst ? event.amount : (before?.first_deposit_amount ?? null),
    first_deposit_currency_id: isFirst
      ? (meaning.currency?.id ?? address.currency_id)
      : (before?.first_deposit_currency_id ?? null),
    actual_country_id: before?.actual_country_id ?? meaning.country?.id ?? null,
    geo_country: before?.geo_country ?? event.country,
  }
}

function makeRow(request: PostbackRequest, id: number, address: PostbackAddress | undefined): PostbackRow {
  const params = addOurNames(request.params)
  const short = (name: string): string | null => cleanText(params[name], VALUE_CAP)
  const event = short('event')
  return {
    ...blankRow(id, toIso(request.receivedAt), request.method),
    event_type: event === null ? null : toOurEvent(event),
    event_value: short('sum') ?? short('event_value'),
    click_id: short('click_id'),
    player_outer_id: short('player_id'),
    currency: short('currency'),
    offer_partner_id: address?.offer_partner_id ?? null,
    offer_id: address?.offer_id ?? null,
    partner_id: address?.partner_id ?? null,
    advertiser_id: address?.advertiser_id ?? null,
    traffic_source_id: address?.traffic_source_id ?? null,
    site_id: short('site_id') ?? address?.site_id ?? null,
    country: short('country'),
    sender_ip: request.senderIp,
    uuid: address === undefined ? null : request.uuid,
    url: request.url,
    params: request.params,
  }
}

/** The columns that a row copies from its player. The row of an unattributed player keeps the called partner offer. */
export function playerColumns(player: PlayerState | undefined): Partial<PostbackRow> {
  if (player === undefined) return {}
  if (player.offer_partner_id === null) return { player_id: player.id }
  const { id, offer_partner_id, offer_id, partner_id, traffic_source_id, landing_id, site_id } = player
  return { player_id: id, offer_partner_id, offer_id, partner_id, traffic_source_id, landing_id, site_id }
}

function isSame(before: PlayerState, after: PlayerState): boolean {
  return (Object.keys(after) as (keyof PlayerState)[]).every((name) => before[name] === after[name])
}

const toIso = (milliseconds: number): string => new Date(milliseconds).toISOString()
