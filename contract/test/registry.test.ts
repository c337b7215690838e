// The registry is consistent: every field path of a list, form or reference exists.
import { expect, test } from 'vitest'
import { ENTITIES, ENTITY_NAMES, type EntityName } from '../entities/registry.ts'
import { type Entity, isKept } from '../entity.ts'
import type { Field } from '../field.ts'

const COMMON = new Set(['id', 'active', 'created_at', 'updated_at', 'version'])
const entityOf = (name: string): Entity | undefined => ENTITIES[name as EntityName]

function leadsTo(entity: Entity, path: string): boolean {
  const [head = '', ...rest] = path.split('.')
  if (COMMON.has(head)) return rest.length === 0
  const field: Field | undefined = entity.fields[head]
  if (!field) return false
  if (rest.length === 0) return true
  const next =
    field.kind === 'reference' || field.kind === 'references' ? field.to : field.kind === 'children' ? field.of : ''
  const target = entityOf(next)
  return target !== undefined && leadsTo(target, rest.join('.'))
}

test.each(ENTITY_NAMES)('%s names only what exists [API-01]', (name) => {
  const entity: Entity = ENTITIES[name]
  expect(entity.name).toBe(name)
  expect(entity.title === 'id' || entity.title in entity.fields).toBe(true)
  const wrong = [
    ...entity.list.columns,
    ...entity.list.filters,
    ...(entity.label ?? []),
    ...entity.unique.flat(),
    ...entity.form.flatMap(({ fields }) => fields),
    ...(entity.list.sort ? [entity.list.sort.by] : []),
  ].filter((path) => !leadsTo(entity, path))
  expect(wrong).toEqual([])
  for (const field of Object.values(entity.fields)) {
    if (field.kind === 'reference' || field.kind === 'references') expect(entityOf(field.to)?.name).toBe(field.to)
    if (field.kind === 'children') expect(entityOf(field.of)?.fields[field.by]?.kind).toBe('reference')
  }
})

test('every required writable field is on the form of an entity that users can create', () => {
  for (const name of ENTITY_NAMES) {
    const entity: Entity = ENTITIES[name]
    const creatable = entity.access.create === 'everyone' || (entity.access.create.roles?.length ?? 0) > 0
    // Entities without a route and without a form are created elsewhere, as views are in the head of a list.
    const isMadeElsewhere = entity.route === null && entity.form.length === 0
    if (!creatable || isMadeElsewhere) continue
    const shown = new Set(entity.form.flatMap(({ fields }) => fields))
    const missing = Object.entries(entity.fields).filter(
      ([key, field]) => field.required && !field.readOnly && !shown.has(key),
    )
    expect(missing.map(([key]) => `${name}.${key}`)).toEqual([])
  }
})

test('an approved budget and a built-in role are never deleted [MON-10] [PERM-01]', () => {
  const isRowKept = (name: EntityName, row: Record<string, unknown>): boolean => {
    const entity: Entity = ENTITIES[name]
    return isKept(entity, row)
  }
  expect(isRowKept('budget', { state: 'approved' })).toBe(true)
  expect(isRowKept('budget', { state: 'draft' })).toBe(false)
  expect(isRowKept('user_role', { built_in: true })).toBe(true)
  expect(isRowKept('offer', { state: 'approved' })).toBe(false)
})
