// What a row refers to must be there, be in sight, and be switched on; only what the change brings in is asked.

import type { Entity } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import type { MessageKey } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { and } from './condition.ts'
import { entityNamed, fieldsOf, type Row, tableOf, typed } from './model.ts'
import type { Db, RequestContext } from './request-context.ts'

interface Asked {
  field: string
  target: Entity
  ids: number[]
}

/** Fields with the reason for which their value is refused. `except`: the parent of a collection's row, which the store has set. */
export async function findBrokenReferences(
  db: Db,
  context: RequestContext,
  entity: Entity,
  values: Row,
  before: Row | null,
  except: string | undefined,
): Promise<[string, MessageKey][]> {
  const broken: [string, MessageKey][] = []
  for (const asked of gatherIds(entity, values, before, except)) {
    const key = await checkTargets(db, context, asked)
    if (key !== undefined) broken.push([asked.field, key])
  }
  return broken
}

function gatherIds(entity: Entity, values: Row, before: Row | null, except: string | undefined): Asked[] {
  return [...fieldsOf(entity)].flatMap(([name, field]) => {
    if (name === except || (field.kind !== 'reference' && field.kind !== 'references')) return []
    const known = new Set(listIds(field, before?.[name]))
    const ids = listIds(field, values[name]).filter((id) => !known.has(id))
    return ids.length === 0 ? [] : [{ field: name, target: entityNamed(field.to), ids }]
  })
}

function listIds(field: Field, value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return field.kind === 'references' && Array.isArray(value) ? value.map(Number) : []
}

async function checkTargets(db: Db, context: RequestContext, { target, ids }: Asked): Promise<MessageKey | undefined> {
  const isOn = target.hasActive ? sql`t.active` : target.fields.enabled ? sql`t.enabled` : sql`true`
  const where = and([sql`t.id = any(${typed(ids, 'bigint[]')})`, context.scopeOf(target, 't')])
  const statement = sql<{
    is_on: boolean
  }>`select ${isOn} as is_on from ${tableOf(target)} as t where ${where} for key share of t`
  const { rows } = await statement.execute(db)
  if (rows.length < ids.length) return 'reference_missing'
  return rows.every((row) => row.is_on) ? undefined : 'reference_inactive'
}
