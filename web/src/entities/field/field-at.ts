// Finds the field at a path through references and collections.
import { ENTITIES, type EntityName, isEntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { type Field, isHidden } from '@tributary/contract/field'
import { currentHolder } from '../../state/profile-facts.ts'

export interface FoundField {
  /** The entity that declares the field. */
  readonly entity: EntityName
  readonly name: string
  readonly field: Field
}

const ID: Field = { kind: 'integer', readOnly: true }
const LOG_ID: Field = { kind: 'uuid', readOnly: true }
const ACTIVE: Field = { kind: 'boolean', required: true }
const MOMENT: Field = { kind: 'datetime', readOnly: true }

/** The declaration of an entity, typed as any entity. */
export const entityOf = (name: EntityName): Entity => ENTITIES[name]

/** Throws for a name that is not in the registry: an error of the contract. */
export function entityName(name: string): EntityName {
  if (!isEntityName(name)) throw new Error(`no entity is called ${name}`)
  return name
}

function commonField(entity: Entity, name: string): Field | undefined {
  if (name === 'id') return entity.source === 'clickhouse' ? LOG_ID : ID
  if (name === 'active') return entity.hasActive ? ACTIVE : undefined
  if (name === 'created_at') return MOMENT
  return name === 'updated_at' && !entity.isLog ? MOMENT : undefined
}

export function fieldOf(name: EntityName, field: string): Field | undefined {
  const entity = entityOf(name)
  return entity.fields[field] ?? commonField(entity, field)
}

/** The entity that a reference, a set of references or a collection leads to. */
export function targetOf(field: Field): EntityName | null {
  if (field.kind === 'reference' || field.kind === 'references') return entityName(field.to)
  return field.kind === 'children' ? entityName(field.of) : null
}

/** Null for a path that does not exist, or that passes a field hidden from this role or from the signed-in user. */
export function fieldAt(name: EntityName, path: string, role = currentHolder()?.role): FoundField | null {
  const [head = '', ...rest] = path.split('.')
  const field = fieldOf(name, head)
  if (
    field === undefined ||
    (role !== undefined && isHidden(field, { role, permissions: currentHolder()?.permissions ?? [] }))
  )
    return null
  if (rest.length === 0) return { entity: name, name: head, field }
  const target = targetOf(field)
  return target === null ? null : fieldAt(target, rest.join('.'), role)
}

/** The value at a path of a row; undefined if a step of the path is absent. */
export function valueAt(row: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = row
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}
