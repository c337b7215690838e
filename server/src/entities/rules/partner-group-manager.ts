// Managers of a partner within a group: enabled users with the role MANAGER, one of them the main manager.

import { sql } from 'kysely'
import { type Change, type EntityRules, idOf, isChanging } from '../engine/model/entity-rules.ts'
import { updateAudited } from '../engine/save/audited-write.ts'

export const partnerGroupManagerRules: EntityRules = {
  async prepare(change) {
    if (change.before === null && change.values.partner_partner_group === undefined)
      change.refuse('partner_partner_group', 'managers_need_group')
    const user = idOf(change, 'user')
    if (user !== null && isChanging(change, 'user') && !(await isManager(change, user)))
      change.refuse('user', 'not_a_manager')
    if (change.values.is_main === true) await unsetMain(change)
  },
}

async function isManager({ db }: Change, user: number): Promise<boolean> {
  const statement = sql`select from "user" join user_role as role on role.id = "user".role_id
    where "user".id = ${user} and role.kind = 'MANAGER' and "user".enabled`
  return (await statement.execute(db)).rows.length > 0
}

/** The former main manager loses the mark. */
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
