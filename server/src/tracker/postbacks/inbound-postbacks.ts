// Applies a batch of inbound postbacks in one transaction: parse, look up, decide one after another, write. Every postback is logged completely,
// and the same event counts once, even if it arrives twice at the same moment.

import type { Transaction } from 'kysely'
import type { Database } from '../../postgres/client.ts'
import type { FindClicks, RecordedClick } from '../clicks/recorded-clicks.ts'
import type { CandidateOfferPartner } from './attribution.ts'
import { makeOutboundPostbacks } from './outbound-postbacks.ts'
import {
  decidePostback,
  type PostbackAddress,
  type PostbackAnswer,
  type PostbackDecision,
  type PostbackMeaning,
  type PostbackRequest,
  rejectPostback,
} from './postback-decision.ts'
import { isRejection, type PostbackEvent, type Rejection, readEvent, rejection } from './postback-event.ts'
import {
  eventMapKey,
  findAddresses,
  findCandidates,
  findCounted,
  findDeposited,
  findMeanings,
  hintKey,
  lockPlayers,
  playerMapKey,
} from './postback-lookup.ts'
import type { PlayerState, PostbackRow } from './postback-rows.ts'
import { beginArrivals, findTargetsOf, numberCalls, reservePlayers, writeDecided } from './postback-store.ts'

export interface Arrival {
  readonly request: PostbackRequest
  /** Why the request cannot be parsed. Such a request is logged, too. */
  readonly flaw?: Rejection | undefined
}

export interface AppliedPostback {
  answer: PostbackAnswer
  /** The number of pending outbound postbacks that it caused. */
  waiting: number
  postbackId: number
  partnerId: number | null
}

type Trx = Transaction<Database>

/** An arrival with a known postback address and valid parameters. */
interface Readable {
  readonly request: PostbackRequest
  readonly postbackId: number
  readonly address: PostbackAddress
  readonly event: PostbackEvent
}

/** Applies the arrivals and returns the results in the same order. */
export async function applyPostbacks(
  trx: Trx,
  arrivals: readonly Arrival[],
  findClicks: FindClicks,
): Promise<AppliedPostback[]> {
  const ids = await beginArrivals(trx, arrivals.length)
  const addresses = await findAddresses(
    trx,
    arrivals.map(({ request }) => request.uuid),
  )
  const read = arrivals.map((arrival, index) => readArrival(arrival, ids[index] ?? 0, addresses))
  const lookedUp = await lookUp(
    trx,
    read.filter((one): one is Readable => !('answer' in one)),
    findClicks,
  )
  const decisions = read.map((one) => ('answer' in one ? one : decideNext(one, lookedUp)))
  const calls = await callPartners(trx, decisions, lookedUp)
  await writeDecided(trx, {
    players: [...lookedUp.changed.values()],
    events: decisions.flatMap(({ event }) => event ?? []),
    postbacks: [...decisions.map(({ row }) => row), ...calls],
  })
  const waiting = countWaiting(calls)
  return decisions.map(({ answer, row }) => ({
    answer,
    waiting: waiting.get(row.id) ?? 0,
    postbackId: row.id,
    partnerId: row.partner_id,
  }))
}

function readArrival(
  { request, flaw }: Arrival,
  postbackId: number,
  addresses: ReadonlyMap<string, PostbackAddress>,
): PostbackDecision | Readable {
  const address = addresses.get(request.uuid.toLowerCase())
  const event = flaw ?? readAddressed(request, address)
  if (isRejection(event)) return rejectPostback(request, postbackId, event, address)
  return address === undefined
    ? rejectPostback(request, postbackId, unknownUuid())
    : { request, postbackId, address, event }
}

const unknownUuid = (): Rejection => rejection(404, 'unknown_uuid', 'There is no postback address with this UUID.')

function readAddressed(request: PostbackRequest, address: PostbackAddress | undefined): PostbackEvent | Rejection {
  if (address === undefined) return unknownUuid()
  if (!address.is_active) return rejection(410, 'inactive', 'This postback address is switched off.')
  return readEvent(request.params, {
    uuid: request.uuid.toLowerCase(),
    receivedAt: request.receivedAt,
    zone: address.zone,
  })
}

/** The data from PostgreSQL that decisions need. Each decision updates players and counted events in it. */
interface LookedUp {
  readonly meaningOf: (event: PostbackEvent) => PostbackMeaning
  readonly players: Map<string, PlayerState>
  /** Reserved ids of new players, by `playerMapKey`. */
  readonly newIds: Map<string, number>
  readonly counted: Set<string>
  /** Ids of players with a deposit that a postback reported. */
  readonly deposited: Set<number>
  readonly clicks: ReadonlyMap<string, RecordedClick>
  readonly candidates: ReadonlyMap<string, readonly CandidateOfferPartner[]>
  readonly changed: Map<number, PlayerState>
}

const playerKey = ({ address, event }: Readable): string =>
  playerMapKey({ advertiserId: address.advertiser_id, outerId: event.playerOuterId })

async function lookUp(trx: Trx, read: readonly Readable[], findClicks: FindClicks): Promise<LookedUp> {
  const changed = new Map<number, PlayerState>()
  if (read.length === 0) {
    const meaningOf = (): PostbackMeaning => ({ currency: undefined, country: null })
    const [players, newIds] = [new Map<string, PlayerState>(), new Map<string, number>()]
    const [counted, deposited] = [new Set<string>(), new Set<number>()]
    return { meaningOf, players, newIds, counted, deposited, clicks: new Map(), candidates: new Map(), changed }
  }
  const meaningOf = await findMeanings(
    trx,
    read.map(({ event }) => event),
  )
  const players = await lockPlayers(
    trx,
    read.map(({ address, event }) => ({ advertiserId: address.advertiser_id, outerId: event.playerOuterId })),
  )
  const newKeys = [...new Set(read.map(playerKey))].filter((key) => !players.has(key))
  const ids = await reservePlayers(trx, newKeys.length)
  const newIds = new Map(newKeys.map((key, index) => [key, ids[index] ?? 0]))
  const counted = await findCounted(
    trx,
    read.flatMap((one) => {
      const playerId = players.get(playerKey(one))?.id
      return playerId === undefined ? [] : [{ playerId, type: one.event.type, identity: one.event.identity }]
    }),
  )
  const deposited = await findDeposited(
    trx,
    read.flatMap((one) => (one.event.type === 'dep' ? (players.get(playerKey(one))?.id ?? []) : [])),
  )
  const open = read.filter((one) => (players.get(playerKey(one))?.attribution ?? 'none') === 'none')
  const clicks = await findClicks(
    trx,
    open.flatMap(({ event }) => event.clickId ?? []),
  )
  const candidates = await findCandidates(
    trx,
    open.map(({ address, event }) => ({ advertiserId: address.advertiser_id, ...event })),
  )
  return { meaningOf, players, newIds, counted, deposited, clicks, candidates, changed }
}

function decideNext(one: Readable, lookedUp: LookedUp): PostbackDecision {
  const { request, postbackId, address, event } = one
  const key = playerKey(one)
  const player = lookedUp.players.get(key)
  const newPlayerId = player?.id ?? lookedUp.newIds.get(key) ?? 0
  const identity = eventMapKey({ playerId: newPlayerId, type: event.type, identity: event.identity })
  const decision = decidePostback(request, {
    postbackId,
    address,
    event,
    meaning: lookedUp.meaningOf(event),
    known: {
      player,
      newPlayerId,
      isRepeated: lookedUp.counted.has(identity),
      hasDeposited: lookedUp.deposited.has(newPlayerId),
    },
    click: event.clickId === null ? undefined : lookedUp.clicks.get(event.clickId.toLowerCase()),
    candidates: lookedUp.candidates.get(hintKey({ advertiserId: address.advertiser_id, ...event })) ?? [],
  })
  if (decision.player !== null) {
    lookedUp.players.set(key, decision.player)
    lookedUp.counted.add(identity)
    if (event.type === 'dep') lookedUp.deposited.add(decision.player.id)
    if (decision.isPlayerChanged) lookedUp.changed.set(decision.player.id, decision.player)
  }
  return decision
}

/** Makes outbound postbacks from the final state of the players. */
async function callPartners(
  trx: Trx,
  decisions: readonly PostbackDecision[],
  { players }: LookedUp,
): Promise<PostbackRow[]> {
  const contexts = decisions.flatMap(({ player, outbound, row }) =>
    player === null || outbound.length === 0 ? [] : [{ player, events: outbound, row, parentId: row.id }],
  )
  const playerIds = new Set(contexts.map(({ player }) => player.id))
  const targetOf = await findTargetsOf(
    trx,
    [...players.values()].filter(({ id }) => playerIds.has(id)),
  )
  return numberCalls(
    trx,
    contexts.flatMap((one) => makeOutboundPostbacks(one, targetOf.get(one.player.id))),
  )
}

/** Counts the pending calls by the id of the inbound postback. */
function countWaiting(calls: readonly PostbackRow[]): Map<number, number> {
  const waiting = new Map<number, number>()
  for (const { parent_id, status } of calls) {
    if (parent_id !== null && status === 'pending') waiting.set(parent_id, (waiting.get(parent_id) ?? 0) + 1)
  }
  return waiting
}
