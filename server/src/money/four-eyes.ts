// Four eyes: who made or adjusted a statement may not approve it, if the setting asks for a second person.
import { sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'

/** Those of the statements that the user may not approve. */
export async function findRefusedApprovals(
  db: Db,
  userId: number | null,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select s.id from statement s where s.id = any(${ids}::int[])
      and (s.created_by_id = ${userId}::int or exists (select from statement_item i join adjustment a on a.id = i.adjustment_id
        where i.statement_id = s.id and a.created_by_id = ${userId}::int))
      and case (select statement_approval from setting) when 'always' then true when 'never' then false else
        (select count(*) > 1 from "user" u join user_role r on r.id = u.role_id
          where u.enabled and r.kind in ('ADMIN', 'TEAM_LEADER')) end`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
