// Creates one row for repeated requests with the same key (double click, lost answer). The same key with another body is a conflict.

import { createHash } from 'node:crypto'
import type { Entity } from '@tributary/contract/entity'
import { sql } from 'kysely'
import { AppError } from '../../../lib/app-error.ts'
import type { SaveResult } from '../model/entity-rules.ts'
import type { Row } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'

const KEY = /^[\w.:-]{8,64}$/

/** Key from the header Idempotency-Key: 8 to 64 characters. Undefined if absent or malformed. */
export const readIdempotencyKey = (header: unknown): string | undefined =>
  typeof header === 'string' && KEY.test(header) ? header : undefined

/** The created row; notices are not repeated. */
interface Created {
  readonly id: number
  readonly notices?: SaveResult['notices']
}

/** Calls `create`, or returns the id it returned before under this key. Waits for a running call with the same key. Throws `conflict`. */
export async function createIdempotently(
  db: Db,
  context: RequestContext,
  entity: Entity,
  body: Row,
  key: string,
  create: () => Promise<Created>,
): Promise<Created> {
  const hash = createHash('sha256').update(JSON.stringify(body)).digest()
  const { userId } = context
  const inserted = await sql`insert into created_once (user_id, key, entity, body_hash)
    values (${userId}, ${key}, ${entity.name}, ${hash}) on conflict do nothing returning key`.execute(db)
  if (inserted.rows.length === 0) return findCreated(db, userId, key, entity, hash)
  await sql`delete from created_once where created_at < now() - interval '1 day'`.execute(db)
  const created = await create()
  await sql`update created_once set entity_id = ${created.id} where user_id = ${userId} and key = ${key}`.execute(db)
  return created
}

async function findCreated(db: Db, userId: number, key: string, entity: Entity, hash: Buffer): Promise<{ id: number }> {
  const { rows } = await sql<{ id: number | null; is_same: boolean }>`select entity_id as id,
      entity = ${entity.name} and body_hash = ${hash} as is_same
    from created_once where user_id = ${userId} and key = ${key}`.execute(db)
  const created = rows[0]
  if (created?.id == null || !created.is_same) throw new AppError('conflict')
  return { id: created.id }
}
