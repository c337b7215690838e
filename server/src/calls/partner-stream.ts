// Whether a stream may carry a link, asked while the form is filled in. The link's own rules decide again when it is saved.
import type { Calls } from '@tributary/contract/calls/registry'
import type { Language } from '@tributary/contract/language'
import { type MessageKey, say } from '@tributary/contract/words/messages'
import { actAs } from '../entities/acting.ts'
import { entityNamed } from '../entities/model.ts'
import { readRowId } from '../entities/row-id.ts'
import { readEntity } from '../entities/store.ts'
import { findSourceTaker, findStreamTaker } from '../entities/stream-check.ts'
import type { CallInput, Handler } from './handler.ts'

type Asked = Calls['partner_stream_validate_offer'] | Calls['partner_stream_validate_traffic_source']

const optional = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

/** The stream's id, if the person may see it. */
async function findStream(
  { params, person, requestId }: CallInput<Asked>,
  services: Parameters<Handler<Asked>>[1],
): Promise<number> {
  const stream = readRowId(params.id)
  await readEntity(actAs(person, requestId, services), entityNamed('partner_stream'), stream, { detailed: false })
  return stream
}

const verdict = (taker: object | undefined, language: Language, key: MessageKey) => ({
  valid: taker === undefined,
  message: taker === undefined ? null : say(language, key),
})

export const validateOffer: Handler<Calls['partner_stream_validate_offer']> = async (input, services) => {
  const stream = await findStream(input, services)
  const use = { stream, link: optional(input.query.offer_partner), offer: Number(input.query.offer) }
  return verdict(await findStreamTaker(services.postgres.db, use), input.language, 'stream_exists')
}

export const validateTrafficSource: Handler<Calls['partner_stream_validate_traffic_source']> = async (
  input,
  services,
) => {
  const stream = await findStream(input, services)
  const { traffic_source, offer, offer_partner } = input.query
  const use = { stream, link: optional(offer_partner), trafficSource: Number(traffic_source), offer: optional(offer) }
  return verdict(await findSourceTaker(services.postgres.db, use), input.language, 'traffic_source_exists')
}
