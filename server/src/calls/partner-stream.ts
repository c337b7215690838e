// Whether a stream may carry a link, asked while the form is filled in. The link's own rules decide again when it is saved.
import type { Calls } from '@tributary/contract/calls/registry'
import type { Language } from '@tributary/contract/language'
import { type MessageKey, say } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { entityNamed } from '../entities/model.ts'
import { contextFor, type Db } from '../entities/request-context.ts'
import { readRowId } from '../entities/row-id.ts'
import { readEntity } from '../entities/store.ts'
import { findSourceTaker, findStreamTaker } from '../entities/stream-check.ts'
import { invalidField } from '../lib/app-error.ts'
import type { CallInput, Handler } from './handler.ts'

type Asked = Calls['partner_stream_validate_offer'] | Calls['partner_stream_validate_traffic_source']

const optional = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

/** The stream's id, if the person may see it. */
async function findStream(
  { params, person, requestId }: CallInput<Asked>,
  services: Parameters<Handler<Asked>>[1],
): Promise<number> {
  const stream = readRowId(params.id)
  await readEntity(contextFor(person, requestId, services), entityNamed('partner_stream'), stream, { detailed: false })
  return stream
}

/** What is asked about is there. */
async function demand(db: Db, name: 'offer' | 'traffic_source', text: string): Promise<number> {
  const id = Number(text)
  const { rows } = await sql`select from ${sql.table(name)} where id = ${id}`.execute(db)
  if (rows.length === 0) throw invalidField(name, 'reference_missing')
  return id
}

const verdict = (taker: object | undefined, language: Language, key: MessageKey) => ({
  valid: taker === undefined,
  message: taker === undefined ? null : say(language, key),
})

export const validateOffer: Handler<Calls['partner_stream_validate_offer']> = async (input, services) => {
  const stream = await findStream(input, services)
  const { db } = services.postgres
  const offer = await demand(db, 'offer', input.query.offer)
  const use = { stream, link: optional(input.query.offer_partner), offer }
  return verdict(await findStreamTaker(db, use), input.language, 'stream_exists')
}

export const validateTrafficSource: Handler<Calls['partner_stream_validate_traffic_source']> = async (
  input,
  services,
) => {
  const stream = await findStream(input, services)
  const { traffic_source, offer, offer_partner } = input.query
  const { db } = services.postgres
  const trafficSource = await demand(db, 'traffic_source', traffic_source)
  const use = { stream, link: optional(offer_partner), trafficSource, offer: optional(offer) }
  return verdict(await findSourceTaker(db, use), input.language, 'traffic_source_exists')
}
