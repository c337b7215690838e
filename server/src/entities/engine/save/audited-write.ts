// Writes and audits rows that rules add or change while another row is saved.

import type { Entity } from '@tributary/contract/entity'
import { writeAudit } from '../audit/entry.ts'
import type { Row } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { readSnapshot } from '../read/snapshot.ts'
import { insertRow, updateRow } from './write.ts'

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
