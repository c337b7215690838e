// Checks of the partner-offer form while it is filled in. The rules of the partner offer check again on save.
import type { Calls } from '@tributary/contract/calls/registry'
import type { Language } from '@tributary/contract/language'
import { type MessageKey, say } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { and } from '../entities/engine/list/condition.ts'
import { entityNamed, tableOf, typed } from '../entities/engine/model/model.ts'
import { contextFor, type RequestContext } from '../entities/engine/model/request-context.ts'
import { readRowId } from '../entities/engine/model/row-id.ts'
import { readEntity } from '../entities/engine/store.ts'
import { findSourceTaker, findStreamTaker } from '../entities/rules/stream-check.ts'
import { invalidField } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

const optional = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

/** The stream's id, if the caller may see it. */
async function findStream(context: RequestContext, id: string): Promise<number> {
  const stream = readRowId(id)
  await readEntity(context, entityNamed('partner_stream'), stream, { detailed: false })
  return stream
}

/** The id of a row that the caller sees. */
async function demand(context: RequestContext, name: 'offer' | 'traffic_source', text: string): Promise<number> {
  const id = Number(text)
  const where = and([sql`t.id = ${typed(id, 'bigint')}`, context.scopeOf(entityNamed(name), 't')])
  const { rows } = await sql`select from ${tableOf(entityNamed(name))} as t where ${where}`.execute(
    context.engines.postgres.db,
  )
  if (rows.length === 0) throw invalidField(name, 'reference_missing')
  return id
}

const verdict = (taker: object | undefined, language: Language, key: MessageKey) => ({
  valid: taker === undefined,
  message: taker === undefined ? null : say(language, key),
})

export const validateOffer: Handler<Calls['partner_stream_validate_offer']> = async (input, services) => {
  const context = contextFor(input.person, input.requestId, services)
  const stream = await findStream(context, input.params.id)
  const { db } = services.postgres
  const offer = await demand(context, 'offer', input.query.offer)
  const use = { stream, offerPartner: optional(input.query.offer_partner), offer }
  return verdict(await findStreamTaker(db, use), input.language, 'stream_exists')
}

export const validateTrafficSource: Handler<Calls['partner_stream_validate_traffic_source']> = async (
  input,
  services,
) => {
  const context = contextFor(input.person, input.requestId, services)
  const stream = await findStream(context, input.params.id)
  const { traffic_source, offer, offer_partner } = input.query
  const { db } = services.postgres
  const trafficSource = await demand(context, 'traffic_source', traffic_source)
  const use = { stream, offerPartner: optional(offer_partner), trafficSource, offer: optional(offer) }
  return verdict(await findSourceTaker(db, use), input.language, 'traffic_source_exists')
}
