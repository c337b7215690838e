// Partner groups: team leaders see the partners of the groups they lead, and lead the groups they create.

import { sql } from 'kysely'
import { type Change, type EntityRules, idOf, isChanging } from '../engine/model/entity-rules.ts'
import { typed } from '../engine/model/model.ts'

export const partnerGroupRules: EntityRules = {
  initial: ({ holder, userId }) => (holder.role === 'TEAM_LEADER' ? { team_leaders: [userId] } : {}),
  async prepare(change) {
    await checkLeaders(change, 'team_leaders', newLeaders(change))
    const analysts = idOf(change, 'team_leader_for_analysts')
    if (analysts !== null && isChanging(change, 'team_leader_for_analysts'))
      await checkLeaders(change, 'team_leader_for_analysts', [analysts])
  },
}

/** Checks new leaders only: an existing one whose role has changed must not block other changes. */
function newLeaders({ values, before }: Change): number[] {
  const listed = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])
  const known = new Set(listed(before?.team_leaders))
  return listed(values.team_leaders).filter((id) => !known.has(id))
}

async function checkLeaders(change: Change, field: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const statement = sql`select from "user" join user_role as role on role.id = "user".role_id
    where "user".id = any(${typed(ids, 'bigint[]')}) and role.kind <> 'TEAM_LEADER' limit 1`
  if ((await statement.execute(change.db)).rows.length > 0) change.refuse(field, 'not_a_team_leader')
}
