// Reads rows as references to them: their id, title and label fields.

import type { Entity } from '@tributary/contract/entity'
import { sql } from 'kysely'
import { type Row, tableOf, typed } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { runPrepared } from './run-statement.ts'
import { referenceObject } from './select-list.ts'

/** Reference objects by id. Rows out of scope are included, because a visible row refers to them. */
export async function readReferences(
  db: Db,
  context: RequestContext,
  entity: Entity,
  ids: readonly number[],
): Promise<Map<unknown, unknown>> {
  if (ids.length === 0) return new Map()
  const object = sql.raw(referenceObject(entity, 't', context.holder))
  const statement = sql<Row>`select t.id, ${object} as reference from ${tableOf(entity)} as t where t.id = any(${typed(ids, 'bigint[]')})`
  return new Map((await runPrepared(db, context, statement)).map((row) => [row.id, row.reference]))
}
