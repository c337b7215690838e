// Rejects new references to rows that are missing, out of scope or inactive; keeps existing ones.

import type { Entity } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import type { MessageKey } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { and } from '../list/condition.ts'
import { entityNamed, fieldsOf, type Row, tableOf, typed } from '../model/model.ts'
import { type Db, type RequestContext, scopeOfNamed } from '../model/request-context.ts'

interface NewReferences {
  field: string
  target: Entity
  mayBeInactive: boolean
  ids: number[]
}

/** Fields with invalid new references, and the message key. `except`: the reference to the parent, which the store sets. */
export async function findBrokenReferences(
  db: Db,
  context: RequestContext,
  entity: Entity,
  values: Row,
  before: Row | null,
  except: string | undefined,
): Promise<[string, MessageKey][]> {
  const broken: [string, MessageKey][] = []
  for (const references of gatherIds(entity, values, before, except)) {
    const key = await checkTargets(db, context, references)
    if (key !== undefined) broken.push([references.field, key])
  }
  return broken
}

function gatherIds(entity: Entity, values: Row, before: Row | null, except: string | undefined): NewReferences[] {
  return [...fieldsOf(entity)].flatMap(([name, field]) => {
    if (name === except || (field.kind !== 'reference' && field.kind !== 'references')) return []
    const known = new Set(listIds(field, before?.[name]))
    const ids = listIds(field, values[name]).filter((id) => !known.has(id))
    return ids.length === 0
      ? []
      : [{ field: name, target: entityNamed(field.to), mayBeInactive: field.mayBeInactive ?? false, ids }]
  })
}

function listIds(field: Field, value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return field.kind === 'references' && Array.isArray(value) ? value.map(Number) : []
}

async function checkTargets(
  db: Db,
  context: RequestContext,
  { target, mayBeInactive, ids }: NewReferences,
): Promise<MessageKey | undefined> {
  const isOn = target.hasActive ? sql`t.active` : target.fields.enabled ? sql`t.enabled` : sql`true`
  const where = and([sql`t.id = any(${typed(ids, 'bigint[]')})`, context.scopeOf(target, 't')])
  const statement = sql<{
    is_on: boolean
  }>`select ${isOn} as is_on from ${tableOf(target)} as t where ${where} for key share of t`
  const { rows } = await statement.execute(db)
  if (rows.length < ids.length) return 'reference_missing'
  return mayBeInactive || rows.every((row) => row.is_on) ? undefined : 'reference_inactive'
}

/** Keeps the references that the caller cannot see: a list replaces only visible ones. Changes `values` in place. */
export async function keepHiddenReferences(
  db: Db,
  context: RequestContext,
  entity: Entity,
  values: Row,
  before: Row,
): Promise<void> {
  for (const [name, field] of fieldsOf(entity)) {
    if (field.kind !== 'references' || !Array.isArray(values[name])) continue
    const given = listIds(field, values[name])
    const dropped = listIds(field, before[name]).filter((id) => !given.includes(id))
    const target = entityNamed(field.to)
    const scope = scopeOfNamed(context, target, 't')
    if (dropped.length === 0 || scope === undefined) continue
    const seen = await sql<{ id: number }>`select t.id from ${tableOf(target)} as t
      where t.id = any(${typed(dropped, 'bigint[]')}) and ${scope}`.execute(db)
    const visible = new Set(seen.rows.map(({ id }) => id))
    const hidden = dropped.filter((id) => !visible.has(id))
    values[name] = [...given, ...hidden].sort((a, b) => a - b)
  }
}
