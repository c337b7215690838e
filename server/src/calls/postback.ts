// Handlers that return a postback's details, export postbacks, and resend outbound ones.
import type { Calls } from '@tributary/contract/calls/registry'
import { type ListQuery, ListQueryError, parseListQuery } from '@tributary/contract/list-query'
import { type RawBuilder, sql } from 'kysely'
import type { Person } from '../access/person.ts'
import { exportEntity } from '../entities/engine/list/export.ts'
import { compileWhere } from '../entities/engine/list/where.ts'
import { entityNamed, type Row, readRowId } from '../entities/engine/model/model.ts'
import type { RequestContext } from '../entities/engine/model/request-context.ts'
import { listEntity, readEntity } from '../entities/engine/store.ts'
import { AppError } from '../lib/app-error.ts'
import { WORDS } from '../lib/words.ts'
import type { Services } from '../services.ts'
import { type Resent, resend } from '../tracker/postbacks/postback-resend.ts'
import { toIdempotencyKey } from '../tracker/postbacks/postback-sender.ts'
import { postbackSenders } from '../tracker/tracker.ts'
import type { Answer, Handler } from './handler.ts'

const postback = entityNamed('postback')
const BRIEF = { detailed: false }
const LINKED_CAP = 50

export const readPostbackStory: Handler<Calls['postback_story']> = async ({ params, person, context }, services) => {
  const id = readRowId(params.id)
  const row = await readEntity(context, postback, id, BRIEF)
  const isOut = row.direction === 'out'
  return {
    attempts: isOut ? await readAttempts(services, id) : [],
    parent: await readParent(context, row),
    children: await readLinked(context, 'parent', id),
    params: isOut || person.role === 'PARTNER' ? null : await readParams(services, id),
    idempotency_key: isOut ? toIdempotencyKey(id) : null,
  }
}

type Story = Answer<Calls['postback_story']>

async function readAttempts({ postgres }: Services, id: number): Promise<Story['attempts']> {
  const { rows } = await sql<Story['attempts'][number]>`select number, method, url, code, response, error, duration_ms,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from postback_attempt where postback_id = ${id} order by number`.execute(postgres.db)
  return rows
}

/** Null if there is none or it is outside the caller's scope. */
async function readParent(context: RequestContext, { parent }: Row): Promise<Row | null> {
  if (typeof parent !== 'object' || parent === null || !('id' in parent)) return null
  return (await readLinked(context, 'id', Number(parent.id)))[0] ?? null
}

async function readLinked(context: RequestContext, path: 'id' | 'parent', id: number): Promise<Row[]> {
  const conditions = [{ path, operator: 'eq', values: [String(id)] }] as const
  const query: ListQuery = { page: 1, limit: LINKED_CAP, query: '', conditions, order: [{ path: 'id', desc: false }] }
  return (await listEntity(context, postback, query, BRIEF)).items
}

async function readParams({ postgres }: Services, id: number): Promise<Story['params']> {
  const { rows } = await sql<{ params: Story['params'] }>`select params from postback where id = ${id}`.execute(
    postgres.db,
  )
  return rows[0]?.params ?? null
}

/** UTC+6: POSIX names invert the sign. */
const SERVER_ZONE = 'Etc/GMT-6'

export const exportPostbacks: Handler<Calls['postback_export_xlsx']> = async ({ query, language, signal, context }) => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  const params = new URLSearchParams(pairs)
  const columns = params.getAll('columns[]')
  params.delete('columns[]')
  const words = WORDS[language]
  const options = { columns, words, signal, zone: SERVER_ZONE }
  return { sheet: await exportEntity(context, postback, readFilter(params), options), format: 'xlsx' }
}

const BATCH_SIZE = 1000
const SENDABLE = sql`t.direction = 'out' and t.status in ('sent', 'failed', 'pending', 'skipped')`

export const resendPostbacks: Handler<Calls['postback_export_resent_postbacks']> = async (
  { body, person, requestId, signal, context },
  services,
) => {
  const where = await compileSelection(context, body)
  const { db } = services.postgres
  if (body.dry_run === true) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from postback t where ${where}`.execute(db)
    return { count: rows[0]?.count ?? 0, untold: 0 }
  }
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from postback`.execute(db)
  const resent: Resent = { count: 0, untold: 0 }
  // Portions keep transactions short. Rows of an earlier portion do not match again.
  for (let after = 0, last = rows[0]?.last ?? 0; !signal.aborted; ) {
    const next = await resendNext(services, where, { after, last })
    resent.count += next.count
    resent.untold += next.untold
    if (next.after === null) break
    after = next.after
    postbackSenders.find(services)?.wake()
  }
  await auditResend(services, person, requestId, body, resent)
  return resent
}

async function compileSelection(
  context: RequestContext,
  body: Parameters<typeof resendPostbacks>[0]['body'],
): Promise<RawBuilder<unknown>> {
  const query: ListQuery = readFilter(new URLSearchParams(body.filter ?? ''))
  const where = await compileWhere(context.engines.postgres.db, context, postback, query)
  const chosen = body.ids === undefined ? sql`true` : sql`t.id = any(${body.ids}::bigint[])`
  return sql`${SENDABLE} and ${where} and ${chosen} and t.id <> all(${body.excluded ?? []}::bigint[])`
}

function readFilter(params: URLSearchParams): ListQuery {
  try {
    return parseListQuery(params, [])
  } catch (error) {
    if (!(error instanceof ListQueryError)) throw error
    throw new AppError('invalid', { issues: { [error.key]: [{ key: error.issue }] } }, { cause: error })
  }
}

interface IdRange {
  after: number
  last: number
}

function resendNext(
  { postgres }: Services,
  where: RawBuilder<unknown>,
  { after, last }: IdRange,
): Promise<Resent & { after: number | null }> {
  return postgres.withTransaction(async (trx) => {
    const { rows } = await sql<{ id: number }>`select t.id from postback t
      where ${where} and t.id > ${after} and t.id <= ${last} order by t.id limit ${BATCH_SIZE}`.execute(trx)
    const ids = rows.map((row) => row.id)
    const resent = ids.length === 0 ? { count: 0, untold: 0 } : await resend(trx, ids)
    return { ...resent, after: ids.length < BATCH_SIZE ? null : (ids.at(-1) ?? null) }
  })
}

/** Writes an audit entry with the user who resent postbacks and their selection. */
async function auditResend(
  { postgres }: Services,
  person: Person,
  requestId: string,
  {
    ids,
    filter,
    excluded,
  }: { ids?: number[] | undefined; filter?: string | undefined; excluded?: number[] | undefined },
  resent: Resent,
): Promise<void> {
  const [only] = ids?.length === 1 ? ids : []
  const after = JSON.stringify({ ...resent, ids: ids?.slice(0, 100), filter, excluded: excluded?.slice(0, 100) })
  await sql`insert into audit_log (user_id, action, entity, entity_id, after, request_id)
    values (${person.id}, 'resend', 'postback', ${only ?? null}, ${after}::jsonb, ${requestId})`.execute(postgres.db)
}
