// Who has changed or deleted spends last, by the audit log.

import { sql } from 'kysely'
import type { Db } from '../engine/model/request-context.ts'

/** Names by the ids of spends; without one where no person did it. */
export async function readLastEditors(db: Db, spends: readonly number[]): Promise<Map<number, string>> {
  if (spends.length === 0) return new Map()
  const { rows } = await sql<{ id: number; who: string | null }>`
    select distinct on (a.entity_id) a.entity_id::int as id, u.full_name as who
    from audit_log a left join "user" u on u.id = a.user_id
    where a.entity = 'partner_spend' and a.entity_id = any(${spends}::bigint[]) order by a.entity_id, a.id desc`.execute(
    db,
  )
  return new Map(rows.flatMap(({ id, who }) => (who === null ? [] : [[id, who] as const])))
}
