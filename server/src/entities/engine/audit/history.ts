// Reads the history of a record: changes field by field, with references by title. It omits fields and rows that the caller may not see.

import { isAllowed } from '@tributary/contract/access'
import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import type { Entity } from '@tributary/contract/entity'
import { type Field, isRepeated, type ReferenceField, type ReferencesField } from '@tributary/contract/field'
import { isEmpty, isWritable } from '@tributary/contract/validate'
import { sql } from 'kysely'
import { allEntities, entityNamed, type Fragment, fieldsOf, type Row, tableOf, typed } from '../model/model.ts'
import { type Db, isVisible, mayView, type RequestContext, scopeOfNamed } from '../model/request-context.ts'
import { isSameValue } from '../model/same-value.ts'
import { readReferences } from '../read/references.ts'
import { readUnits, type Units } from './amount-units.ts'
import { readLastTitles, readRecordNames } from './record-name.ts'

/** An audit entry as stored, with the name of who made the change. */
export interface AuditRow {
  id: number
  at: Date
  user: { id: number; title: string } | null
  action: HistoryEntry['action']
  cause: string | null
  request_id: string | null
  entity: string
  entity_id: number | null
  before: Row | null
  after: Row | null
  of_entity: string | null
  of_id: number | null
}

const COLUMNS = sql`a.id, a.at, a.action, a.cause, a.request_id, a.entity, a.entity_id, a.before, a.after, a.of_entity, a.of_id,
  (select json_build_object('id', u.id, 'title', u.full_name) from "user" as u where u.id = a.user_id) as user`

/** A page of history, newest first. */
export interface HistoryPage {
  readonly limit: number
  /** Id of an entry: older ones follow. Undefined starts with the newest. */
  readonly before: number | undefined
}

/** Entries of the record and of its collections, newest first. Returns one more than `limit` if there are more. */
export async function readHistory(
  db: Db,
  entity: Entity,
  id: number,
  { limit, before }: HistoryPage,
): Promise<AuditRow[]> {
  const older = before === undefined ? sql`true` : sql`a.id < ${typed(before, 'bigint')}`
  const part = (where: Fragment): Fragment =>
    sql`(select ${COLUMNS} from audit_log as a where ${where} and ${older} order by a.id desc limit ${limit + 1})`
  const own = part(sql`a.entity = ${entity.name} and a.entity_id = ${typed(id, 'bigint')}`)
  const collections = part(sql`a.of_entity = ${entity.name} and a.of_id = ${typed(id, 'bigint')}`)
  return (await sql<AuditRow>`${own} union all ${collections} order by id desc limit ${limit + 1}`.execute(db)).rows
}

interface RecordRef {
  readonly entity: string
  readonly id: number
}

/** What a cause of a fact's change points at: who, until when, and the records of the fact. */
export interface ActOf {
  readonly cause: string
  readonly userId: number | null
  readonly until: string
  /** Changes of the records themselves in this time, the end included, belong to the act, whichever request made them. */
  readonly within: { readonly since: Date | null; readonly until: Date }
  readonly records: readonly RecordRef[]
  /** The causes of all acts on the fact. A change that none of them names belongs to the act right after it. */
  readonly named: readonly { readonly cause: string; readonly userId: number | null }[]
  /** Ids of the requests that changed these records; none for jobs. */
  readonly requests: readonly string[]
  /** Records whose changes come before those of others. */
  readonly concerns: readonly RecordRef[]
  /** Entities whose changes matter to the fact only if they are among the records. */
  readonly omitted: readonly string[]
}

const ACT_HOURS = 24
/** A fact may know only the last of several changes of its record within this time. */
const AT_ONCE_SECONDS = 10

/**
 * The latest entries of one act, also those that the caller may not view: of the fact's own records, and of others, such as terms, that the same
 * request changed. Without requests, the same user's changes of others in the hours before count.
 */
export async function readActs(db: Db, act: ActOf, limit: number): Promise<AuditRow[]> {
  const { cause, userId, until, requests, within } = act
  const isSameAct = sql`a.cause = ${cause} and a.user_id is not distinct from ${userId}::int`
  const isWithin = sql`a.at > ${within.since ?? new Date(0)} and a.at <= ${within.until}`
  if (requests.length > 0) {
    const isOfRecord = sql`${isSameAct} and ${isOwn(act)} and ${isWithin}`
    const found = await readActsWhere(db, act, sql`(a.request_id = any(${requests}::text[]) or (${isOfRecord}))`, limit)
    if (found.length < limit) found.push(...(await readUnnamed(db, act, found, limit - found.length)))
    if (found.length > 0) return found
  }
  const isRecent = sql`${isSameAct}
    and a.at <= ${until}::timestamptz and a.at > ${until}::timestamptz - make_interval(hours => ${ACT_HOURS})`
  const recent = await readActsWhere(db, act, isRecent, limit)
  if (recent.length > 0) return recent
  // Of changes that follow each other at once, facts name the last one: then the same user's other changes of these records explain them.
  const isConcern = sql`a.user_id is not distinct from ${userId}::int and ${ofConcerns(act)} and ${isWithin}`
  return readActsWhere(db, act, isConcern, limit)
}

/** Changes that people made to the records shortly before, and that no cause names. Only kinds of records that are in `found` count. */
async function readUnnamed(db: Db, act: ActOf, found: readonly AuditRow[], limit: number): Promise<AuditRow[]> {
  const { records, named, until, within } = act
  const kinds = found.flatMap(({ entity }) => (records.some((record) => record.entity === entity) ? entity : []))
  if (kinds.length === 0) return []
  const isNamed = sql`(coalesce(a.cause, ''), coalesce(a.user_id, 0)) in (select cause, coalesce("userId", 0)
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as n (cause text, "userId" int))`
  const isAtOnce = sql`a.at <= ${until}::timestamptz and a.at > ${until}::timestamptz - make_interval(secs => ${AT_ONCE_SECONDS})
    and a.at > ${within.since ?? new Date(0)}`
  return readActsWhere(
    db,
    act,
    sql`a.user_id is not null and a.entity = any(${kinds}::text[]) and ${isOwn(act)} and not ${isNamed} and ${isAtOnce}`,
    limit,
  )
}

const isAmong = (columns: Fragment, list: readonly RecordRef[]): Fragment =>
  sql`${columns} in (select entity, id from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as r (entity text, id bigint))`

const isOwn = ({ records }: Pick<ActOf, 'records'>): Fragment => isAmong(sql`(a.entity, a.entity_id)`, records)

const ofConcerns = ({ concerns }: Pick<ActOf, 'concerns'>): Fragment =>
  sql`(${isAmong(sql`(a.entity, a.entity_id)`, concerns)} or coalesce(${isAmong(sql`(a.of_entity, a.of_id)`, concerns)}, false))`

async function readActsWhere(
  db: Db,
  { userId, records, concerns, omitted }: ActOf,
  where: Fragment,
  limit: number,
): Promise<AuditRow[]> {
  const own = isOwn({ records })
  // An import is named by its cause, and its counters change no fact.
  const others = sql`(${userId}::int is not null and a.entity <> 'report' and a.entity <> all(${omitted}::text[]))`
  const first = ofConcerns({ concerns })
  const { rows } = await sql<AuditRow>`select ${COLUMNS} from audit_log as a
    where ${where} and (${own} or ${others}) order by ${own} desc, ${first} desc, a.id desc limit ${limit}`.execute(db)
  return rows
}

/** The entry with this id, whoever may view it; undefined if there is none. */
export async function readAuditRow(db: Db, id: number): Promise<AuditRow | undefined> {
  return (await sql<AuditRow>`select ${COLUMNS} from audit_log as a where a.id = ${typed(id, 'bigint')}`.execute(db))
    .rows[0]
}

/** The entries that the caller may view, as the API answers them. */
export async function describeHistory(
  db: Db,
  context: RequestContext,
  rows: readonly AuditRow[],
): Promise<HistoryEntry[]> {
  const known = rows.filter((row) => {
    const entity = findEntity(row.entity)
    return entity !== undefined && mayView(context, entity)
  })
  const visible = await dropHidden(db, context, known)
  const titles = await readTitles(db, context, visible)
  const names = await readRecordNames(db, context, visible)
  const units = await readUnits(db, context, visible)
  return visible.map((row) =>
    describeEntry(context, row, titles, { name: names.get(row.id), units: units.get(row.id) }),
  )
}

/** Drops entries of rows out of scope, and ids out of scope in lists of references. */
async function dropHidden(db: Db, context: RequestContext, rows: readonly AuditRow[]): Promise<AuditRow[]> {
  const foreign = new Set<AuditRow>()
  for (const [name, entries] of Map.groupBy(rows, ({ entity }) => entity)) {
    const ids = entries.map(({ entity_id }) => entity_id ?? 0)
    const hidden = await findHidden(db, context, entityNamed(name), ids)
    for (const entry of entries) if (hidden.has(entry.entity_id ?? 0)) foreign.add(entry)
  }
  const visible = rows.filter((row) => !foreign.has(row))
  const hidden = new Map<string, ReadonlySet<number>>()
  for (const [name, ids] of gatherIds(visible, isList))
    hidden.set(name, await findHidden(db, context, entityNamed(name), [...ids]))
  const withoutHidden = (entity: string, side: Row | null): Row | null =>
    side &&
    Object.fromEntries(
      Object.entries(side).map(([name, value]) => {
        const field = fieldsOf(entityNamed(entity)).get(name)
        const out = field !== undefined && isList(field) ? hidden.get(field.to) : undefined
        return [name, out === undefined ? value : idsIn(value).filter((id) => !out.has(id))]
      }),
    )
  return visible.map((row) => ({
    ...row,
    before: withoutHidden(row.entity, row.before),
    after: withoutHidden(row.entity, row.after),
  }))
}

/** Ids of existing rows that are out of scope. Deleted rows count as visible: they belonged to a visible record. */
async function findHidden(
  db: Db,
  context: RequestContext,
  entity: Entity,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const scope = scopeOfNamed(context, entity, 't')
  if (scope === undefined || ids.length === 0) return new Set()
  const statement = sql<{ id: number }>`select t.id from ${tableOf(entity)} as t
    where t.id = any(${typed(ids, 'bigint[]')}) and (${scope}) is not true`
  return new Set((await statement.execute(db)).rows.map(({ id }) => id))
}

/** Undefined if the log names an entity that no longer exists. */
export const findEntity = (name: string): Entity | undefined =>
  [...allEntities()].find((entity) => entity.name === name)

function describeEntry(
  context: RequestContext,
  row: AuditRow,
  titles: Titles,
  known: { readonly name: string | undefined; readonly units: Units | undefined },
): HistoryEntry {
  const entity = entityNamed(row.entity)
  const changed = changesOf(context, entity, row)
  const changes = changed.map(({ name, field }) => ({
    field: name,
    before: describeValue(field, row.before?.[name], titles),
    after: describeValue(field, row.after?.[name], titles),
  }))
  const { id, at, user, action, cause, request_id, entity_id } = row
  const { access } = entity
  // A change of read-only fields alone cannot be restored.
  const hasRestorableChange =
    action === 'create' || action === 'delete' || changed.some(({ field }) => isWritable(field, false))
  return {
    id,
    at: at.toISOString(),
    user,
    action,
    cause,
    request_id,
    entity: row.entity,
    entity_id,
    title: known.name ?? titleOfRow(entity, row, titles),
    changes,
    units: known.units ?? { before: {}, after: {} },
    restorable:
      hasRestorableChange &&
      entity_id !== null &&
      isAllowed(action === 'delete' ? access.create : access.edit, context.holder),
  }
}

const COMMON = new Set(['id', 'created_at', 'updated_at', 'version'])

function changesOf(
  context: RequestContext,
  entity: Entity,
  { before, after }: AuditRow,
): { name: string; field: Field }[] {
  return [...fieldsOf(entity)].flatMap(([name, field]) => {
    const [was, is] = [before?.[name], after?.[name]]
    const isShown =
      !COMMON.has(name) &&
      isVisible(context, field) &&
      field.kind !== 'children' &&
      field.kind !== 'derived' &&
      !isRepeated(field) &&
      !(isEmpty(was) && isEmpty(is)) &&
      !isSameValue(field, was, is)
    return isShown ? [{ name, field }] : []
  })
}

type Titles = ReadonlyMap<string, ReadonlyMap<unknown, unknown>>

const idsIn = (value: unknown): number[] =>
  typeof value === 'number' ? [value] : Array.isArray(value) ? value.filter((item) => typeof item === 'number') : []

type ReferringField = ReferenceField | ReferencesField
const isReferring = (field: Field): field is ReferringField => field.kind === 'reference' || field.kind === 'references'
const isList = (field: Field): field is ReferencesField => field.kind === 'references'

/** Ids that the rows refer to, by the name of the referenced entity. */
function gatherIds(
  rows: readonly AuditRow[],
  isIncluded: (field: Field) => field is ReferringField = isReferring,
): Map<string, Set<number>> {
  const ids = new Map<string, Set<number>>()
  for (const row of rows) {
    for (const [name, field] of fieldsOf(entityNamed(row.entity))) {
      if (!isIncluded(field)) continue
      const found = ids.get(field.to) ?? new Set<number>()
      for (const side of [row.before, row.after]) for (const id of idsIn(side?.[name])) found.add(id)
      ids.set(field.to, found)
    }
  }
  return ids
}

async function readTitles(db: Db, context: RequestContext, rows: readonly AuditRow[]): Promise<Titles> {
  const titles = new Map<string, Map<unknown, unknown>>()
  for (const [name, ids] of gatherIds(rows)) {
    if (ids.size === 0) continue
    const known = await readReferences(db, context, entityNamed(name), [...ids])
    const gone = [...ids].filter((id) => !known.has(id))
    for (const [id, title] of await readLastTitles(db, entityNamed(name), gone)) known.set(id, { id, title })
    titles.set(name, known)
  }
  return titles
}

function describeValue(field: Field, value: unknown, titles: Titles): unknown {
  if (value === undefined || value === null) return null
  if (field.kind !== 'reference' && field.kind !== 'references') return value
  const titlesById = titles.get(field.to)
  const referenceTo = (id: number): unknown => titlesById?.get(id) ?? { id, title: `#${id}` }
  const ids = idsIn(value)
  return field.kind === 'references' ? ids.map(referenceTo) : ids[0] === undefined ? null : referenceTo(ids[0])
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function titleOfRow(entity: Entity, { before, after, entity_id }: AuditRow, titles: Titles): string {
  const field = fieldsOf(entity).get(entity.title)
  const value = (after ?? before)?.[entity.title]
  const shown = field === undefined ? value : describeValue(field, value, titles)
  if (typeof shown === 'object' && shown !== null && 'title' in shown) return textOf(shown.title)
  return shown === null || shown === undefined || shown === '' ? `#${entity_id}` : textOf(shown)
}
