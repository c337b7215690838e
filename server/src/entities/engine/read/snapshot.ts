// Reads snapshots: rows as stored, without fields of other rows. Changes are compared with them, and the audit log stores them.

import type { Entity } from '@tributary/contract/entity'
import type { ReferencesField } from '@tributary/contract/field'
import { sql } from 'kysely'
import { and } from '../list/condition.ts'
import type { Snapshot } from '../model/entity-rules.ts'
import { column, columnOf, type Fragment, fieldsOf, isStored, type Row, tableOf, typed } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { selectSome } from './select-list.ts'

/** Columns of a snapshot under the alias `t`. */
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

/** Reads a row and locks it until the transaction ends. Undefined if it is absent or out of scope. */
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

/** A locked row: as stored, and the requested fields as the API shows them. */
export interface LockedRow {
  readonly stored: Snapshot
  readonly shown: Row
}

const SHOWN = 'shown.'

/** Like lockSnapshot; the same statement also reads the fields `names` as the API shows them. */
export async function lockAndRead(
  db: Db,
  context: RequestContext,
  entity: Entity,
  id: number,
  names: ReadonlySet<string>,
): Promise<LockedRow | undefined> {
  const where = and([sql`t.id = ${typed(id, 'bigint')}`, context.scopeOf(entity, 't')])
  // With the id, so that the list is never empty.
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

/** Undefined if the row is absent. Ignores scope: for rows that this transaction has written. */
export async function readSnapshot(db: Db, entity: Entity, id: number): Promise<Row | undefined> {
  const statement = sql<Row>`select ${selectSnapshot(entity)} from ${tableOf(entity)} as t where t.id = ${typed(id, 'bigint')}`
  return (await statement.execute(db)).rows[0]
}
