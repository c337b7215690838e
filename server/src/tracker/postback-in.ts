// One arrival from an advertiser, in one transaction: read, look up, decide, write. It is logged whole whatever becomes of it; the same event
// counts once, also when two arrive at the same moment.

import type { Transaction } from 'kysely'
import type { Database } from '../postgres/tables.ts'
import { tellPartner } from './partner-told.ts'
import {
  decidePostback,
  type PostbackAddress,
  type PostbackAnswer,
  type PostbackDecision,
  type PostbackRequest,
  refusePostback,
} from './postback-decision.ts'
import { isRefusal, type PostbackEvent, type Refusal, readEvent, refusal } from './postback-event.ts'
import type { PlayerState, PostbackRow } from './postback-rows.ts'
import {
  beginPostbacks,
  findAddress,
  findCandidates,
  findMeaning,
  findTarget,
  lockPlayer,
  reservePostbacks,
  writeDecided,
} from './postback-store.ts'
import type { FindClick } from './recorded-clicks.ts'

export interface AppliedPostback {
  answer: PostbackAnswer
  /** Postbacks to the partner that wait to be sent. */
  waiting: number
}

/** `flaw`: why the request cannot even be read; it is logged all the same. */
export async function applyPostback(
  trx: Transaction<Database>,
  request: PostbackRequest,
  findClick: FindClick,
  flaw?: Refusal,
): Promise<AppliedPostback> {
  const [postbackId = 0] = await beginPostbacks(trx, 1)
  const address = await findAddress(trx, request.uuid)
  const event = flaw ?? readAddressed(request, address)
  if (address === undefined || isRefusal(event)) {
    const why = isRefusal(event) ? event : unknownUuid()
    return write(trx, refusePostback(request, postbackId, why, address))
  }
  const decision = await lookUpAndDecide(trx, { request, postbackId, address, event }, findClick)
  return write(trx, decision, event)
}

const unknownUuid = (): Refusal => refusal(404, 'unknown_uuid', 'There is no postback address with this UUID.')

function readAddressed(request: PostbackRequest, address: PostbackAddress | undefined): PostbackEvent | Refusal {
  if (address === undefined) return unknownUuid()
  if (!address.is_active) return refusal(410, 'inactive', 'This postback address is switched off.')
  return readEvent(request.params, {
    uuid: request.uuid.toLowerCase(),
    receivedAt: request.receivedAt,
    zone: address.zone,
  })
}

interface Arrival {
  request: PostbackRequest
  postbackId: number
  address: PostbackAddress
  event: PostbackEvent
}

async function lookUpAndDecide(
  trx: Transaction<Database>,
  arrival: Arrival,
  findClick: FindClick,
): Promise<PostbackDecision> {
  const { request, postbackId, address, event } = arrival
  const meaning = await findMeaning(trx, event)
  const known = await lockPlayer(trx, address.advertiser_id, event)
  const isSettled = known.isRepeated || (known.player !== undefined && known.player.attribution !== 'none')
  const click = isSettled || event.clickId === null ? undefined : await findClick(trx, event.clickId)
  const candidates = isSettled ? [] : await findCandidates(trx, address.advertiser_id, event)
  return decidePostback(request, { postbackId, address, event, meaning, known, click, candidates })
}

/** The player first: what a partner is told is read from the player's row. */
async function write(
  trx: Transaction<Database>,
  decision: PostbackDecision,
  event?: PostbackEvent,
): Promise<AppliedPostback> {
  await writeDecided(trx, {
    players: decision.player !== null && decision.isPlayerChanged ? [decision.player] : [],
    events: decision.event === null ? [] : [decision.event],
    postbacks: [decision.row],
  })
  if (event === undefined || decision.player === null) return { answer: decision.answer, waiting: 0 }
  const calls = await makeCalls(trx, decision, decision.player, event)
  await writeDecided(trx, { players: [], events: [], postbacks: calls })
  return { answer: decision.answer, waiting: calls.length }
}

async function makeCalls(
  trx: Transaction<Database>,
  decision: PostbackDecision,
  player: PlayerState,
  event: PostbackEvent,
): Promise<PostbackRow[]> {
  const target = await findTarget(trx, player.id, decision.event?.currency_id ?? null)
  if (target === undefined || target.urls.length === 0) return []
  const { told, row } = decision
  const ids = await reservePostbacks(trx, target.urls.length * told.length)
  const { amount, happenedAt } = event
  return tellPartner({ player, told, amount, happenedAt, row, parentId: row.id }, target, ids)
}
