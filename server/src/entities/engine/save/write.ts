// Inserts, updates and deletes rows and their many-to-many tables; the audited forms are for rows that rules change while another row is
// saved. A violated constraint becomes an issue of its field.

import type { Entity } from '@tributary/contract/entity'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../lib/app-error.ts'
import { findViolation, isWorthRepeating } from '../../../postgres/constraints.ts'
import { writeAudit } from '../audit/entry.ts'
import { columnOf, type Fragment, fieldsOf, isStored, type Row, tableOf, typed, typeOf } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { readSnapshot, selectSnapshot } from '../read/snapshot.ts'

interface Cell {
  column: Fragment
  value: Fragment
}

function cellsOf(entity: Entity, values: Row): Cell[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = fieldsOf(entity).get(name)
    if (field === undefined || !isStored(field)) return []
    const stored = field.kind === 'json' && value !== null ? JSON.stringify(value) : value
    return [{ column: sql.id(columnOf(name, field)), value: typed(stored, typeOf(field)) }]
  })
}

async function run<T>(statement: RawBuilder<T>, db: Db): Promise<T[]> {
  try {
    return (await statement.execute(db)).rows
  } catch (error) {
    const violation = findViolation(error)
    if (violation === undefined || isWorthRepeating(error)) throw error
    throw new AppError('invalid', { issues: { [violation.field]: [{ key: violation.key }] } }, { cause: error })
  }
}

/** Returns the new id; an id among the values is used as it is. Throws `invalid`. */
export async function insertRow(db: Db, entity: Entity, values: Row): Promise<number> {
  const cells = cellsOf(entity, values)
  const columns = sql.join(cells.map((cell) => cell.column))
  const rows = await run(
    sql<{
      id: number
    }>`insert into ${tableOf(entity)} (${columns}) overriding system value values (${sql.join(cells.map((cell) => cell.value))}) returning id`,
    db,
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`${entity.name}: the inserted row has no id`)
  await writeReferences(db, entity, id, values)
  return id
}

/** Returns the snapshot after the update. Without values of own columns the version still increases. Throws `invalid`. */
export async function updateRow(db: Db, entity: Entity, id: number, values: Row): Promise<Row> {
  const cells = cellsOf(entity, values).map((cell) => sql`${cell.column} = ${cell.value}`)
  const sets = cells.length > 0 ? cells : [sql`updated_at = now()`]
  const statement = sql<Row>`update ${tableOf(entity)} as t set ${sql.join(sets)} where t.id = ${typed(id, 'bigint')}
    returning ${selectSnapshot(entity)}`
  const [stored] = await run(statement, db)
  if (stored === undefined) throw new Error(`${entity.name} ${id} was not there to be updated`)
  await writeReferences(db, entity, id, values)
  return { ...stored, ...referencesIn(entity, values) }
}

/** Sorted ids of the many-to-many fields, as in a snapshot; UPDATE … RETURNING does not contain the new ones. */
function referencesIn(entity: Entity, values: Row): Row {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      fieldsOf(entity).get(name)?.kind === 'references' && Array.isArray(value)
        ? [[name, [...new Set(value.map(Number))].sort((a, b) => a - b)]]
        : [],
    ),
  )
}

async function writeReferences(db: Db, entity: Entity, id: number, values: Row): Promise<void> {
  for (const [name, field] of fieldsOf(entity)) {
    if (field.kind !== 'references' || !Object.hasOwn(values, name)) continue
    const [table, own, other] = [field.through.table, field.through.own, field.through.other].map((text) =>
      sql.id(text),
    )
    const ids = typed(values[name], 'bigint[]')
    await run(sql`delete from ${table} where ${own} = ${id} and ${other} <> all(${ids})`, db)
    await run(
      sql`insert into ${table} (${own}, ${other}) select ${typed(id, 'bigint')}, unnest(${ids}) on conflict do nothing`,
      db,
    )
  }
}

/** Deferrable constraints are checked by settleConstraints or at commit. */
export const deferConstraints = async (db: Db): Promise<void> =>
  void (await sql`set constraints all deferred`.execute(db))

/** Checks deferred constraints now. Throws `invalid`. */
export const settleConstraints = async (db: Db): Promise<void> =>
  void (await run(sql`set constraints all immediate`, db))

/** Deletes and audits a row to which no other row refers. */
export async function deleteAudited(db: Db, context: RequestContext, entity: Entity, id: number): Promise<void> {
  const before = (await readSnapshot(db, entity, id)) ?? null
  await writeAudit(db, context, { action: 'delete', entity, id, before, after: null })
  await sql`delete from ${tableOf(entity)} where id = ${typed(id, 'bigint')}`.execute(db)
}

/** Returns the new id. Throws `invalid` on a violated constraint. */
export async function insertAudited(db: Db, context: RequestContext, entity: Entity, values: Row): Promise<number> {
  const id = await insertRow(db, entity, values)
  const after = (await readSnapshot(db, entity, id)) ?? null
  await writeAudit(db, context, { action: 'create', entity, id, before: null, after })
  return id
}

/** Throws `invalid` on a violated constraint. */
export async function updateAudited(
  db: Db,
  context: RequestContext,
  entity: Entity,
  id: number,
  values: Row,
): Promise<void> {
  const before = (await readSnapshot(db, entity, id)) ?? null
  const after = await updateRow(db, entity, id, values)
  await writeAudit(db, context, { action: 'update', entity, id, before, after })
}
