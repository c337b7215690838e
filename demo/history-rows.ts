// The rows that the demo's past leaves in the record: columns, and how a player, its events and postbacks become values of them.
import type { AttributedFields } from '../server/src/tracker/postbacks/attribution.ts'
import type { PostbackEvent } from '../server/src/tracker/postbacks/postback-event.ts'
import type { CopyValue, RowText } from './copy-rows.ts'
import type { Convert } from './history-clicks.ts'
import type { Network } from './network.ts'
import type { Random } from './random.ts'
import { at } from './rows.ts'
import type { NetworkIds } from './setting.ts'
import type { PlannedAct } from './visits.ts'

export const PLAYER_COLUMNS = [
  'id',
  'outer_id',
  'click_id',
  'registered_at',
  'first_deposit_at',
  'first_deposit_amount',
  'first_deposit_currency_id',
  'actual_country_id',
  'geo_country',
  'ip_country',
  'site_id',
  'sub_id',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'partner_click_id',
  'promocode',
  'landing_id',
  'traffic_source_id',
  'stream_id',
  'partner_id',
  'advertiser_id',
  'media_id',
  'offer_id',
  'offer_partner_id',
  'attribution',
  'created_at',
] as const
export const EVENT_COLUMNS = [
  'player_id',
  'type',
  'happened_at',
  'received_at',
  'amount',
  'currency_id',
  'transaction_id',
  'identity',
  'postback_id',
] as const
export const POSTBACK_COLUMNS = [
  'id',
  'created_at',
  'direction',
  'parent_id',
  'status',
  'event_type',
  'event_value',
  'error',
  'click_id',
  'player_id',
  'player_outer_id',
  'deposit_sum',
  'currency',
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'advertiser_id',
  'traffic_source_id',
  'landing_id',
  'site_id',
  'country',
  'actual_country',
  'sender_ip',
  'uuid',
  'url',
  'params',
  'partner_postback_url',
  'partner_postback_url_id',
  'method',
  'response_code',
  'response',
  'attempts',
  'reason',
] as const

export interface PartnerAddress {
  readonly id: number
  readonly url: string
  readonly method: string
}

export interface PlayerHistory {
  readonly network: Network
  readonly ids: NetworkIds
  /** UUID of each partner offer's main postback address, in the order of the plan. */
  readonly postbackUuids: readonly string[]
  /** Address for postbacks by partner id. */
  readonly addresses: ReadonlyMap<number, PartnerAddress>
  readonly trackerUrl: string
  readonly zone: string
  readonly now: number
  readonly random: Random
}

/** An act that lies after the end of the history: the live part sends it when its time comes. */
export interface Pending {
  readonly at: number
  readonly uuid: string
  readonly params: Readonly<Record<string, string>>
}

export interface PlayerDay {
  readonly playerId: number
  readonly at: number
  readonly type: PlannedAct['type']
  readonly amount: number
  readonly currencyId: number
  readonly margin: number
}

export interface PlayerRows {
  readonly players: RowText
  readonly events: RowText
  readonly postbacks: RowText
  /** Deposits and bets, for the advertisers' daily reports. */
  readonly acts: PlayerDay[]
  readonly pending: Pending[]
}

export const iso = (at: number) => new Date(at).toISOString()

export function playerRow(
  id: number,
  outerId: string,
  { click, player }: Convert,
  to: AttributedFields,
  registration: PostbackEvent,
  deposit: PostbackEvent | null,
  currencyId: number | null,
  countryId: number,
): CopyValue[] {
  return [
    id,
    outerId,
    to.click_id,
    iso(registration.happenedAt),
    deposit ? iso(deposit.happenedAt) : null,
    deposit?.amount ?? null,
    deposit ? currencyId : null,
    countryId,
    player.country,
    to.ip_country,
    to.site_id,
    to.sub_id,
    to.sub2,
    to.sub3,
    to.sub4,
    to.sub5,
    to.partner_click_id,
    to.promocode,
    to.landing_id,
    to.traffic_source_id,
    to.stream_id,
    to.partner_id,
    click.advertiser_id,
    to.media_id,
    to.offer_id,
    to.offer_partner_id,
    to.attribution,
    iso(registration.happenedAt + 1500),
  ]
}

const SENDERS = ['198.51.100.20', '198.51.100.21', '203.0.113.40']

export function inRow(
  history: PlayerHistory,
  id: number,
  status: 'accepted' | 'duplicate',
  event: PostbackEvent,
  params: Readonly<Record<string, string>>,
  to: AttributedFields,
  playerId: number,
  uuid: string,
  advertiserId: number,
): CopyValue[] {
  const query = new URLSearchParams(params).toString()
  return [
    id,
    iso(event.happenedAt + (status === 'accepted' ? 1500 : 9000)),
    'in',
    null,
    status,
    event.type,
    event.amount,
    null,
    event.clickId,
    playerId,
    event.playerOuterId,
    event.amount,
    event.currency,
    to.offer_partner_id,
    to.offer_id,
    to.partner_id,
    advertiserId,
    to.traffic_source_id,
    to.landing_id,
    to.site_id,
    event.country,
    event.country,
    at(SENDERS, advertiserId % SENDERS.length),
    uuid,
    `${history.trackerUrl}/postback/${uuid}?${query}`,
    JSON.stringify(params),
    null,
    null,
    'GET',
    200,
    `{"status":"${status === 'accepted' ? 'ok' : 'duplicate'}"}`,
    0,
    status === 'accepted' ? null : 'repeated',
  ]
}

export interface Outgoing {
  readonly id: number
  readonly parent: number
  readonly name: 'reg' | 'ftd'
  readonly event: PostbackEvent
  readonly attributed: AttributedFields
  readonly playerId: number
  readonly advertiserId: number
}

export function addOutgoing(
  history: PlayerHistory,
  rows: PlayerRows,
  { id, parent, name, event, attributed: to, playerId, advertiserId }: Outgoing,
): void {
  const address = to.partner_id === null ? undefined : history.addresses.get(to.partner_id)
  if (!address) return
  const isFailing = address.url.includes('/failing/')
  const attempts = isFailing ? history.random.between(1, 9) : 1
  const isSent = !isFailing || attempts < 7
  const values: Readonly<Record<string, string>> = {
    click_id: to.partner_click_id ?? to.click_id ?? '',
    event: name,
    sub_id: to.sub_id ?? '',
    player_id: event.playerOuterId,
  }
  const url = address.url.replace(/\{(\w+)\}/g, (_, macro: string) => encodeURIComponent(values[macro] ?? ''))
  rows.postbacks.add([
    id,
    iso(event.happenedAt + 2200),
    'out',
    parent,
    isSent ? 'sent' : 'failed',
    name,
    event.amount,
    isSent ? null : 'The partner answered 500',
    to.click_id,
    playerId,
    event.playerOuterId,
    event.amount,
    event.currency,
    to.offer_partner_id,
    to.offer_id,
    to.partner_id,
    advertiserId,
    to.traffic_source_id,
    to.landing_id,
    to.site_id,
    event.country,
    event.country,
    null,
    null,
    url,
    null,
    address.url,
    address.id,
    address.method,
    isSent ? 200 : 500,
    isSent ? 'OK' : 'Database error: too many connections',
    isFailing && !isSent ? 9 : attempts,
    isSent ? null : 'server_error',
  ])
}
