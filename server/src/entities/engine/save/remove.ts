// Deletes rows. If other rows refer to a row, it is not deleted, and the answer lists them.

import type { Entity } from '@tributary/contract/entity'
import type { ErrorReply } from '@tributary/contract/error'
import { sql } from 'kysely'
import { AppError, type IssueTree } from '../../../lib/app-error.ts'
import { referringTable } from '../../../postgres/constraints.ts'
import { RULES } from '../../rules/registry.ts'
import { writeAudit } from '../audit/entry.ts'
import { auditCascade, auditMirrors } from '../audit/related-entries.ts'
import { and } from '../list/condition.ts'
import { type CollectionParent, makeChange, type Snapshot } from '../model/entity-rules.ts'
import { allEntities, column, type Fragment, fieldsOf, isOwned, tableOf, typed } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { titleOf } from '../read/select-list.ts'
import { lockSnapshot } from '../read/snapshot.ts'

type Referrers = NonNullable<ErrorReply['references']>

const SHOWN_REFERRERS = 10

/** Deletes and audits a row. Throws `not_found`, `conflict` if a rule forbids it, or InUseError if others refer to it. */
export async function removeRow(
  db: Db,
  context: RequestContext,
  entity: Entity,
  id: number,
  parent?: CollectionParent,
): Promise<void> {
  const before = await lockSnapshot(db, context, entity, id)
  if (before === undefined || (parent !== undefined && before[parent.field] !== parent.id))
    throw new AppError('not_found')
  await checkRemovalRules(db, context, entity, before)
  await writeAudit(db, context, { action: 'delete', entity, id, before, after: null })
  await auditCascade(db, context, entity, id)
  try {
    await sql`delete from ${tableOf(entity)} where id = ${typed(id, 'bigint')}`.execute(db)
  } catch (error) {
    const table = referringTable(error)
    if (table === undefined) throw error
    throw new InUseError(entity, id, table, error)
  }
  await auditMirrors(db, context, entity, id, before, null)
}

async function checkRemovalRules(db: Db, context: RequestContext, entity: Entity, before: Snapshot): Promise<void> {
  const issues: IssueTree = {}
  const change = makeChange(
    { db, context, entity, action: 'delete', before, values: {}, given: new Set(), collections: {} },
    issues,
  )
  await RULES[entity.name]?.prepareRemoval?.(change)
  if (Object.keys(issues).length > 0) throw new AppError('conflict', { issues })
}

/** Thrown if other rows refer to a row. The transaction is aborted, so findReferrers needs another one. */
export class InUseError extends Error {
  override readonly name = 'InUseError'
  readonly entity: Entity
  readonly id: number
  readonly table: string

  constructor(entity: Entity, id: number, table: string, cause: unknown) {
    super(`${entity.name} ${id} is referred to by ${table}`, { cause })
    this.entity = entity
    this.id = id
    this.table = table
  }
}

/** Referrers by entity: the total of all, and the first ten visible ones. */
export async function findReferrers(
  db: Db,
  context: RequestContext,
  { entity, id, table }: InUseError,
): Promise<Referrers> {
  const found: Referrers = []
  for (const other of allEntities()) {
    // Logs do not prevent a deletion.
    if (other.source === 'clickhouse' || (other.isLog === true && other.name !== table)) continue
    for (const [name, field] of fieldsOf(other)) {
      if (
        field.kind === 'reference' &&
        field.to === entity.name &&
        (other.name === table || !isOwned(other, name, field))
      ) {
        await addReferrers(db, context, other, sql`${column('t', `${name}_id`)} = ${typed(id, 'bigint')}`, found)
      } else if (field.kind === 'references' && field.to === entity.name) {
        const { table: through, own, other: side } = field.through
        const isJoined = sql`t.id in (select ${sql.id(own)} from ${sql.id(through)} where ${sql.id(side)} = ${typed(id, 'bigint')})`
        await addReferrers(db, context, other, isJoined, found)
      }
    }
  }
  // The table is not an entity.
  return found.length > 0 ? found : [{ entity: table, items: [], total: 1 }]
}

async function addReferrers(
  db: Db,
  context: RequestContext,
  other: Entity,
  where: Fragment,
  found: Referrers,
): Promise<void> {
  const counted = await sql<{
    total: number
  }>`select count(*) as total from ${tableOf(other)} as t where ${where}`.execute(db)
  const total = counted.rows[0]?.total ?? 0
  if (total === 0) return
  const shown = await sql<{
    id: number
    title: string
  }>`select t.id, coalesce(${sql.raw(titleOf(other, 't'))}, t.id::text) as title
    from ${tableOf(other)} as t where ${and([where, context.scopeOf(other, 't')])} order by t.id limit ${SHOWN_REFERRERS}`.execute(
    db,
  )
  found.push({ entity: other.name, items: shown.rows, total })
}
