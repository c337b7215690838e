// Handlers of calls on streams, contacts and groups of event names. They check a partner offer's form early; its rules check again on save.
import type { Calls } from '@tributary/contract/calls/registry'
import type { Language } from '@tributary/contract/language'
import { say } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { and } from '../entities/engine/list/condition.ts'
import { entityNamed, readRowId, tableOf, typed } from '../entities/engine/model/model.ts'
import type { RequestContext } from '../entities/engine/model/request-context.ts'
import { lockSnapshot } from '../entities/engine/read/snapshot.ts'
import { saveRow } from '../entities/engine/save/save.ts'
import { changeRecord, readEntity } from '../entities/engine/store.ts'
import {
  type ConflictWords,
  findSourceConflict,
  findStreamConflict,
  sourceConflictWords,
  streamConflictWords,
} from '../entities/rules/stream-check.ts'
import { AppError, invalidField } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

const optional = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

/** Returns the stream's id. Throws `not_found` if the caller does not see it. */
async function findStream(context: RequestContext, id: string): Promise<number> {
  const stream = readRowId(id)
  await readEntity(context, entityNamed('partner_stream'), stream, { detailed: false })
  return stream
}

/** Returns the id of a row. Throws `invalid` if the caller does not see the row. */
async function requireVisible(
  context: RequestContext,
  name: 'offer' | 'traffic_source',
  text: string,
): Promise<number> {
  const id = Number(text)
  const where = and([sql`t.id = ${typed(id, 'bigint')}`, context.scopeOf(entityNamed(name), 't')])
  const { rows } = await sql`select from ${tableOf(entityNamed(name))} as t where ${where}`.execute(
    context.engines.postgres.db,
  )
  if (rows.length === 0) throw invalidField(name, 'reference_missing')
  return id
}

const toAnswer = (conflict: ConflictWords | undefined, language: Language) => ({
  valid: conflict === undefined,
  message: conflict === undefined ? null : say(language, conflict.key, conflict.values),
})

export const validateOffer: Handler<Calls['partner_stream_validate_offer']> = async (
  { params, query, language, context },
  services,
) => {
  const stream = await findStream(context, params.id)
  const { db } = services.postgres
  const offer = await requireVisible(context, 'offer', query.offer)
  const use = { stream, offerPartner: optional(query.offer_partner), offer }
  const conflict = await findStreamConflict(db, use)
  return toAnswer(conflict && streamConflictWords(conflict), language)
}

export const validateTrafficSource: Handler<Calls['partner_stream_validate_traffic_source']> = async (
  { params, query, language, context },
  services,
) => {
  const stream = await findStream(context, params.id)
  const { traffic_source, offer, offer_partner } = query
  const { db } = services.postgres
  const trafficSource = await requireVisible(context, 'traffic_source', traffic_source)
  const use = { stream, offerPartner: optional(offer_partner), trafficSource, offer: optional(offer) }
  const conflict = await findSourceConflict(db, use)
  return toAnswer(conflict && sourceConflictWords(conflict), language)
}

interface DuplicateRow {
  id: number
  title: string
  is_seen: boolean
}

export const checkDuplicate: Handler<Calls['partner_info_check_duplicate']> = async ({ params, context }, services) => {
  const id = readRowId(params.id)
  await readEntity(context, entityNamed('partner_info'), id, { detailed: false })
  const isSeen = context.scopeOf(entityNamed('partner'), 'p') ?? sql`true`
  const statement = sql<DuplicateRow>`select p.id, p.title, (${isSeen}) as is_seen from partner as p
    where exists (select from partner_info as own join partner_info as other
      on other.type = own.type and lower(other.value) = lower(own.value) and other.partner_id <> own.partner_id
      where own.id = ${id} and other.partner_id = p.id)
    order by p.id`
  const { rows } = await statement.execute(services.postgres.db)
  const seen = rows.filter((row) => row.is_seen)
  return {
    duplicates: seen.map(({ id: partner, title }) => ({ partner: { id: partner, title } })),
    others: rows.length - seen.length,
  }
}

const group = entityNamed('partner_event_group')

export const addPartner: Handler<Calls['partner_event_group_add_partner']> = async ({ params, body, context }) => {
  const id = readRowId(params.id)
  await changeRecord(context, 'add partner', async (db) => {
    const before = await lockSnapshot(db, context, group, id)
    if (before === undefined) throw new AppError('not_found')
    const partners = Array.isArray(before.partners) ? before.partners.map(Number) : []
    await saveRow(db, context, group, id, { partners: [...partners, body.partner] })
  })
  return readEntity(context, group, id, { detailed: true })
}
