// A row as the record holds it: what a change is compared with, and what the audit log keeps. What is only read through other rows is left
// out.

import type { Entity } from '@tributary/contract/entity'
import type { ReferencesField } from '@tributary/contract/field'
import { sql } from 'kysely'
import { and } from '../list/condition.ts'
import type { Snapshot } from '../model/entity-rules.ts'
import { column, columnOf, type Fragment, fieldsOf, isStored, type Row, tableOf, typed } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { selectSome } from './select-list.ts'

/** The columns of a snapshot under the alias `t`. */
export function selectSnapshot(entity: Entity): Fragment {
  const columns: Fragment[] = []
  for (const [name, field] of fieldsOf(entity)) {
    if (field.kind === 'references' && !field.readOnly) columns.push(sql`${selectIds(field)} as ${sql.id(name)}`)
    else if (isStored(field)) columns.push(sql`${column('t', columnOf(name, field))} as ${sql.id(name)}`)
  }
  return sql.join(columns)
}

function selectIds({ through: { table, own, other } }: ReferencesField): Fragment {
  return sql`array(select ${column('j', other)} from ${sql.id(table)} as j where ${column('j', own)} = t.id order by 1)`
}

/** Locks the row until the transaction ends. Undefined when it is absent or out of sight. */
export async function lockSnapshot(
  db: Db,
  context: RequestContext,
  entity: Entity,
  id: number,
): Promise<Snapshot | undefined> {
  const where = and([sql`t.id = ${typed(id, 'bigint')}`, context.scopeOf(entity, 't')])
  const statement = sql<Snapshot>`select ${selectSnapshot(entity)} from ${tableOf(entity)} as t where ${where} for update of t`
  return (await statement.execute(db)).rows[0]
}

/** A locked row, as it is stored and, for the fields asked for, as it is read. */
export interface LockedRow {
  readonly stored: Snapshot
  readonly shown: Row
}

const SHOWN = 'shown.'

/** As lockSnapshot, by the same single statement. `names` are the fields wanted as they are read; all may be without a column. */
export async function lockAndRead(
  db: Db,
  context: RequestContext,
  entity: Entity,
  id: number,
  names: ReadonlySet<string>,
): Promise<LockedRow | undefined> {
  const where = and([sql`t.id = ${typed(id, 'bigint')}`, context.scopeOf(entity, 't')])
  // The id is there whatever is asked for, so that the list is never empty.
  const shownColumns = selectSome(context, entity, new Set(['id', ...names]), SHOWN)
  const columns = sql`${selectSnapshot(entity)}, ${shownColumns}`
  const statement = sql<Snapshot>`select ${columns} from ${tableOf(entity)} as t where ${where} for update of t`
  const [row] = (await statement.execute(db)).rows
  if (row === undefined) return undefined
  const [stored, shown]: [Snapshot, Row] = [{ id: row.id }, {}]
  for (const [name, value] of Object.entries(row))
    if (name.startsWith(SHOWN)) shown[name.slice(SHOWN.length)] = value
    else stored[name] = value
  return { stored, shown }
}

export async function readSnapshot(db: Db, entity: Entity, id: number): Promise<Row | undefined> {
  const statement = sql<Row>`select ${selectSnapshot(entity)} from ${tableOf(entity)} as t where t.id = ${typed(id, 'bigint')}`
  return (await statement.execute(db)).rows[0]
}
