// Rules of partner groups: only team leaders lead groups, and a team leader leads every group that they create.

import { sql } from 'kysely'
import { type Change, type EntityRules, idOf, isChanging } from '../engine/model/entity-rules.ts'
import { typed } from '../engine/model/model.ts'
import { updateAudited } from '../engine/save/write.ts'

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
  if ((await statement.execute(change.db)).rows.length > 0) change.reject(field, 'not_a_team_leader')
}

/** Managers of a partner within a group are enabled users with the role MANAGER; one of them is the main manager. */
export const partnerGroupManagerRules: EntityRules = {
  async prepare(change) {
    if (change.before === null && change.values.partner_partner_group === undefined)
      change.reject('partner_partner_group', 'managers_need_group')
    const user = idOf(change, 'user')
    if (user !== null && isChanging(change, 'user') && !(await isManager(change, user)))
      change.reject('user', 'not_a_manager')
    if (change.values.is_main === true) await unsetMain(change)
  },
}

async function isManager({ db }: Change, user: number): Promise<boolean> {
  const statement = sql`select from "user" join user_role as role on role.id = "user".role_id
    where "user".id = ${user} and role.kind = 'MANAGER' and "user".enabled`
  return (await statement.execute(db)).rows.length > 0
}

/** Unsets `is_main` of the former main manager. */
async function unsetMain(change: Change): Promise<void> {
  const membership = idOf(change, 'partner_partner_group')
  if (membership === null) return
  const { db, context, entity, before } = change
  const { rows } = await sql<{ id: number }>`select id from partner_group_manager
    where partner_partner_group_id = ${membership} and is_main and id is distinct from ${before?.id ?? null}::int for update`.execute(
    db,
  )
  for (const { id } of rows) await updateAudited(db, context, entity, id, { is_main: false })
}
