// Names of the records of audit entries whose title alone does not tell them apart: a spend by its partner, stream, country and date. The
// entity declares what names it (`namedBy`). A deleted record keeps its last name. Entries that lack the title of their record get it, too.

import type { Entity } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import { formatMonth, isMonth } from '@tributary/contract/period'
import { sql } from 'kysely'
import { column, columnOf, entityNamed, fieldsOf, type Row, tableOf, typed } from '../model/model.ts'
import { type Db, isVisible, type RequestContext } from '../model/request-context.ts'
import { readReferences } from '../read/references.ts'
import { dayText } from './day-text.ts'

/** An audit entry, or as much of it as its record's name needs. */
export interface NamedEntry {
  readonly id: number
  readonly entity: string
  readonly entity_id: number | null
  readonly before: Row | null
  readonly after: Row | null
}

/** By the entry's id; entries that have the title of their record, and need no more, are left out. */
export async function readRecordNames(
  db: Db,
  context: RequestContext,
  entries: readonly NamedEntry[],
): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>()
  for (const [name, all] of Map.groupBy(entries, ({ entity }) => entity)) {
    const entity = entityNamed(name)
    const own = entity.namedBy === undefined ? all.filter((entry) => !hasTitle(entity, entry)) : all
    const paths = (entity.namedBy ?? titlePaths(entity)).filter((path) => isShown(context, entity, headOf(path)))
    if (paths.length === 0 || own.length === 0) continue
    const values = await readValues(db, entity, paths.map(headOf), own)
    const parts = await Promise.all(paths.map((path) => readPart(db, context, entity, path, [...values.values()])))
    for (const [id, row] of values) {
      const known = parts.flatMap((textOf) => textOf(row) ?? [])
      if (known.length > 0) names.set(id, known.join(' · '))
    }
  }
  return names
}

const hasTitle = ({ title }: Entity, { before, after }: NamedEntry): boolean => title in { ...before, ...after }

const titlePaths = (entity: Entity): readonly string[] =>
  fieldNamed(entity, entity.title).kind === 'text' ? [entity.title] : []

const headOf = (path: string): string => path.split('.')[0] ?? ''

const fieldNamed = (entity: Entity, name: string): Field => {
  const field = fieldsOf(entity).get(name)
  if (field === undefined) throw new Error(`${entity.name} has no field ${name}`)
  return field
}

const isShown = (context: RequestContext, entity: Entity, name: string): boolean =>
  isVisible(context, fieldNamed(entity, name))

/** Fields of each entry's record, by the entry's id: as the entry has them, else as the record has them now, else as the log knew it last. */
export async function readValues(
  db: Db,
  entity: Entity,
  names: readonly string[],
  entries: readonly NamedEntry[],
): Promise<Map<number, Row>> {
  const fields = [...new Set(names)].filter((name) => name !== 'id')
  const isWhole = ({ before, after }: NamedEntry) => fields.every((field) => field in { ...before, ...after })
  const ids = [...new Set(entries.filter((entry) => !isWhole(entry)).map(({ entity_id }) => entity_id ?? 0))]
  const known = new Map([
    ...(await readLastKnown(db, entity, fields, ids)),
    ...(await readNow(db, entity, fields, ids)),
  ])
  return new Map(
    entries.map(({ id, entity_id, before, after }) => [
      id,
      { ...known.get(entity_id ?? 0), ...before, ...after, id: entity_id },
    ]),
  )
}

async function readNow(
  db: Db,
  entity: Entity,
  fields: readonly string[],
  ids: readonly number[],
): Promise<Map<number, Row>> {
  if (ids.length === 0) return new Map()
  const columns = fields.map((name) => sql`${column('t', columnOf(name, fieldNamed(entity, name)))} as ${sql.id(name)}`)
  const statement = sql<{ id: number }>`select t.id, ${sql.join(columns)} from ${tableOf(entity)} as t
    where t.id = any(${typed(ids, 'bigint[]')})`
  return new Map((await statement.execute(db)).rows.map(({ id, ...row }) => [id, row]))
}

async function readLastKnown(
  db: Db,
  entity: Entity,
  fields: readonly string[],
  ids: readonly number[],
): Promise<Map<number, Row>> {
  if (ids.length === 0) return new Map()
  const statement = sql<{
    id: number
    row: Row
  }>`select distinct on (entity_id) entity_id as id, coalesce(after, before) as row
    from audit_log where entity = ${entity.name} and entity_id = any(${typed(ids, 'bigint[]')})
      and coalesce(after, before) ?& ${typed(fields, 'text[]')}
    order by entity_id, id desc`
  return new Map((await statement.execute(db)).rows.map(({ id, row }) => [id, row]))
}

/** The name of a record that has no other one. */
export const numberedName = ({ language = 'en' }: RequestContext, id: number): string =>
  language === 'ru' ? `№ ${id}` : `#${id}`

/** Returns what a path adds to the name of a row. */
async function readPart(
  db: Db,
  context: RequestContext,
  entity: Entity,
  path: string,
  rows: readonly Row[],
): Promise<(row: Row) => string | null> {
  const [name = '', ...rest] = path.split('.')
  const field = fieldNamed(entity, name)
  if (name === 'id') return (row) => numberedName(context, Number(row.id))
  if (field.kind !== 'reference') return (row) => textOf(context, field, row[name])
  const ids = [...new Set(rows.flatMap((row) => (typeof row[name] === 'number' ? [row[name]] : [])))]
  const target = entityNamed(field.to)
  if (rest.length > 0) {
    const values = await readNow(db, target, [headOf(rest.join('.'))], ids)
    const further = await readPart(db, context, target, rest.join('.'), [...values.values()])
    return (row) => further(values.get(Number(row[name])) ?? {})
  }
  const titles = await readTitles(db, context, target, ids)
  return (row) => textOf(context, field, titles.get(Number(row[name])))
}

function textOf({ language = 'en' }: RequestContext, field: Field, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (field.kind === 'text' && field.format === 'month') return isMonth(text) ? formatMonth(text, language) : text
  if (field.kind !== 'date') return text
  return field.isMonth === true ? formatMonth(text, language) : dayText(text, language)
}

/** Titles by id, of deleted rows the last ones. */
async function readTitles(
  db: Db,
  context: RequestContext,
  entity: Entity,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const found = await readReferences(db, context, entity, ids)
  const titles = new Map<number, string>()
  for (const [id, reference] of found) titles.set(Number(id), String((reference as { title: unknown }).title))
  const gone = ids.filter((id) => !titles.has(id))
  for (const [id, title] of await readLastTitles(db, entity, gone)) titles.set(id, title)
  return titles
}

/** Last titles of deleted rows. */
export async function readLastTitles(db: Db, entity: Entity, ids: readonly number[]): Promise<[number, string][]> {
  if (ids.length === 0) return []
  const statement = sql<{
    id: number
    title: string | null
  }>`select distinct on (entity_id) entity_id as id, before ->> ${entity.title} as title
    from audit_log where entity = ${entity.name} and entity_id = any(${typed(ids, 'bigint[]')}) and action = 'delete'
    order by entity_id, id desc`
  const found = new Map((await statement.execute(db)).rows.map(({ id, title }) => [id, title]))
  return ids.map((id) => [id, found.get(id) ?? `#${id}`])
}
