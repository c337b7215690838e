// Maps entities and fields to tables, columns and types of PostgreSQL. Every identifier of a statement comes from here.

import { ENTITIES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { ChildrenField, Field, ReferenceField, ReferencesField } from '@tributary/contract/field'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../lib/app-error.ts'

/** A row by field names. */
export type Row = Record<string, unknown>
/** A piece of SQL with its parameters. */
export type Fragment = RawBuilder<unknown>

const MODEL: ReadonlyMap<string, Entity> = new Map(Object.entries(ENTITIES))

const ID: Field = { kind: 'integer', required: true, readOnly: true }
const UUID_ID: Field = { kind: 'uuid', required: true, readOnly: true }
const INSTANT: Field = { kind: 'datetime', required: true, readOnly: true }

/** Throws for an unknown name, which is a programming error. */
export function entityNamed(name: string): Entity {
  const entity = MODEL.get(name)
  if (entity === undefined) throw new Error(`no entity is called ${name}`)
  return entity
}

/** Every entity of the registry. */
export const allEntities = (): Iterable<Entity> => MODEL.values()

function gatherFields(entity: Entity): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>([['id', entity.source === 'clickhouse' ? UUID_ID : ID]])
  if (entity.hasActive) fields.set('active', { kind: 'boolean', required: true })
  for (const [name, field] of Object.entries(entity.fields)) fields.set(name, field)
  fields.set('created_at', INSTANT)
  if (!entity.isLog) fields.set('updated_at', INSTANT).set('version', ID)
  return fields
}

const FIELDS: ReadonlyMap<string, ReadonlyMap<string, Field>> = new Map(
  [...MODEL].map(([name, entity]) => [name, gatherFields(entity)]),
)

/** All fields: declared ones and those that every row has. */
export const fieldsOf = (entity: Entity): ReadonlyMap<string, Field> => FIELDS.get(entity.name) ?? gatherFields(entity)

/** True if only the entity's rules read the field; it has no column and is never returned. */
export const isWriteOnly = (field: Field): boolean => field.kind === 'text' && field.writeOnly === true

/** A field that may be a column of the entity's table. */
export type StoredField = Exclude<Field, ChildrenField | ReferencesField | { kind: 'derived' }>

/** True if the field is a column of the entity's own table. */
export const isStored = (field: Field): field is StoredField =>
  field.kind !== 'children' && field.kind !== 'references' && field.kind !== 'derived' && !isWriteOnly(field)

/** The column that stores a field: of a reference `<name>_id`. */
export const columnOf = (name: string, field: Field): string => (field.kind === 'reference' ? `${name}_id` : name)

/** SQL type of the field's parameters. */
export function typeOf(field: StoredField): string {
  switch (field.kind) {
    case 'integer':
    case 'reference':
      return 'bigint'
    case 'decimal':
      return 'numeric'
    case 'boolean':
      return 'boolean'
    case 'date':
      return 'date'
    case 'datetime':
      return 'timestamptz'
    case 'uuid':
      return 'uuid'
    case 'json':
      return 'jsonb'
    case 'choices':
    case 'texts':
      return 'text[]'
    case 'choice':
      return 'text'
    case 'text':
      return field.format === 'email' ? 'citext' : 'text'
  }
}

/** The table of an entity, quoted. */
export const tableOf = (entity: Entity): Fragment => sql.id(entity.name)
/** A column of an alias, quoted. */
export const column = (alias: string, name: string): Fragment => sql.id(alias, name)
/** A parameter cast to an SQL type. `type` is written into the statement, so it never comes from a request. */
export const typed = (value: unknown, type: string): Fragment => sql`${value}::${sql.raw(type)}`

/** The field that names a row. Throws Error if the declaration names an unknown one. */
export const titleField = (entity: Entity): Field => {
  const field = fieldsOf(entity).get(entity.title)
  if (field === undefined) throw new Error(`${entity.name} has no field ${entity.title}`)
  return field
}

/** True if the referenced row owns rows of this entity as a collection, and deletes them with itself. */
export function isOwned(entity: Entity, fieldName: string, field: ReferenceField): boolean {
  return Object.values(entityNamed(field.to).fields).some(
    (other) => other.kind === 'children' && other.owned === true && other.of === entity.name && other.by === fieldName,
  )
}

/** Parses the id of a row in a URL. Throws `not_found` if it is not a positive integer. */
export function readRowId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
  if (id === 0 || !Number.isSafeInteger(id)) throw new AppError('not_found')
  return id
}
