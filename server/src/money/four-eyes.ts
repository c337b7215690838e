// Why a draft may not be approved: the partner's billing has no legal name, or the setting asks for a second person, and the user has made or
// adjusted the draft (four eyes).
import { sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import { isNamed } from './billing-details.ts'

type Refusal = 'statement_without_legal_name' | 'statement_four_eyes'

/** By statement. Those that the user may approve are absent. */
export async function findRefusedApprovals(
  db: Db,
  userId: number | null,
  ids: readonly number[],
): Promise<Map<number, Refusal>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; is_named: boolean; is_own: boolean }>`
    select s.id, ${isNamed('b')} as is_named,
      (coalesce(s.created_by_id = ${userId}::int, false) or exists (select from statement_item i join adjustment a on a.id = i.adjustment_id
        where i.statement_id = s.id and a.created_by_id = ${userId}::int))
      and case (select statement_approval from setting) when 'always' then true when 'never' then false else
        (select count(*) > 1 from "user" u join user_role r on r.id = u.role_id
          where u.enabled and r.kind in ('ADMIN', 'TEAM_LEADER')) end as is_own
    from statement s left join partner_billing b on b.partner_id = s.partner_id where s.id = any(${ids}::int[])`.execute(
    db,
  )
  return new Map(
    rows.flatMap(({ id, is_named, is_own }): [number, Refusal][] => {
      if (!is_named) return [[id, 'statement_without_legal_name']]
      return is_own ? [[id, 'statement_four_eyes']] : []
    }),
  )
}
