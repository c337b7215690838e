// Reads single rows, and adds collections and derived fields to rows: one statement per collection for all rows.

import type { Entity } from '@tributary/contract/entity'
import type { ChildrenField } from '@tributary/contract/field'
import { sql } from 'kysely'
import { RULES } from '../../rules/registry.ts'
import { and } from '../list/condition.ts'
import { column, columnOf, entityNamed, type Fragment, fieldsOf, type Row, tableOf, typed } from '../model/model.ts'
import { type Db, isVisible, mayView, type RequestContext } from '../model/request-context.ts'
import { runPrepared } from './run-statement.ts'
import { selectList } from './select-list.ts'

/** Undefined if the row is absent or out of scope. `detailed` includes collections. */
export async function readRow(
  db: Db,
  context: RequestContext,
  entity: Entity,
  id: number,
  { detailed }: { detailed: boolean },
): Promise<Row | undefined> {
  const where = and([sql`t.id = ${typed(id, 'bigint')}`, context.scopeOf(entity, 't')])
  const list = selectList(context, entity)
  const rows = await runPrepared(db, context, sql<Row>`select ${list} from ${tableOf(entity)} as t where ${where}`)
  await completeRows(db, context, entity, rows, detailed)
  return rows[0]
}

/** Adds derived fields, and collections if `detailed`, to rows in place. */
export async function completeRows(
  db: Db,
  context: RequestContext,
  entity: Entity,
  rows: Row[],
  detailed: boolean,
): Promise<void> {
  if (rows.length === 0) return
  await RULES[entity.name]?.derive?.(db, rows, context)
  hideFields(context, entity, rows)
  if (!detailed) return
  for (const [name, field] of fieldsOf(entity)) {
    if (field.kind === 'children' && isVisible(context, field)) await addChildren(db, context, name, field, rows)
  }
}

/** Removes derived fields that the caller may not see. */
function hideFields(context: RequestContext, entity: Entity, rows: Row[]): void {
  const hidden = [...fieldsOf(entity)].filter(([, field]) => field.kind === 'derived' && !isVisible(context, field))
  for (const [name] of hidden) for (const row of rows) Reflect.deleteProperty(row, name)
}

async function addChildren(
  db: Db,
  context: RequestContext,
  name: string,
  field: ChildrenField,
  parents: Row[],
): Promise<void> {
  const entity = entityNamed(field.of)
  if (!mayView(context, entity)) return
  const parent = column('t', `${field.by}_id`)
  const ids = parents.map((row) => row.id)
  const where = and([sql`${parent} = any(${typed(ids, 'bigint[]')})`, context.scopeOf(entity, 't')])
  const list = selectList(context, entity, field.by)
  const statement = sql<Row>`select ${parent} as "~parent", ${list} from ${tableOf(entity)} as t where ${where} order by ${orderOf(entity)}`
  const rows = await runPrepared(db, context, statement)
  await completeRows(db, context, entity, rows, field.owned === true)
  const byParent = Map.groupBy(rows, (row) => row['~parent'])
  for (const row of rows) Reflect.deleteProperty(row, '~parent')
  for (const row of parents) row[name] = byParent.get(row.id) ?? []
}

function orderOf(entity: Entity): Fragment {
  const by = entity.list.sort?.by
  const field = by === undefined ? undefined : fieldsOf(entity).get(by)
  if (by === undefined || field === undefined) return sql`t.id`
  return sql`${column('t', columnOf(by, field))} ${sql.raw(entity.list.sort?.desc ? 'desc' : 'asc')}, t.id`
}
