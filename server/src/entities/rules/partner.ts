// Rules of partners, their postback URLs and their streams. A new partner is unapproved and joins a group of its creator, who would not see
// it otherwise.

import { sql } from 'kysely'
import { signingKey } from '../../tracker/postbacks/partner-client.ts'
import { type Change, type EntityRules, idOf, isChanging, isCreating } from '../engine/model/entity-rules.ts'
import { entityNamed } from '../engine/model/model.ts'
import { insertAudited } from '../engine/save/write.ts'
import { rejectForeignSheet } from './foreign-sheet.ts'

export const partnerRules: EntityRules = {
  async prepare(change) {
    await rejectForeignSheet(change)
    if (!isCreating(change)) return
    change.values.state ??= 'unapproved'
    if (needsOwnGroup(change) && (await findOwnGroup(change)) === undefined)
      change.reject('partner_partner_groups', 'managers_need_group')
  },
  async afterCreate(change, id) {
    if (!needsOwnGroup(change)) return
    const { db, context } = change
    const group = await findOwnGroup(change)
    if (group === undefined) return
    const membership = { partner: id, partner_group: group }
    const member = await insertAudited(db, context, entityNamed('partner_partner_group'), membership)
    if (context.holder.role !== 'MANAGER') return
    const manager = { partner_partner_group: member, user: context.userId, is_main: true }
    await insertAudited(db, context, entityNamed('partner_group_manager'), manager)
  },
}

/** True if a team leader or manager names no group for the new partner, who then joins one of theirs. */
function needsOwnGroup({ context, collections }: Change): boolean {
  const isNarrow = context.holder.role === 'TEAM_LEADER' || context.holder.role === 'MANAGER'
  return isNarrow && (collections.partner_partner_groups ?? []).length === 0
}

/** The id of the first group that the team leader leads or the manager works in. */
async function findOwnGroup({ db, context }: Change): Promise<number | undefined> {
  const led = sql<{
    id: number
  }>`select partner_group_id as id from partner_group_team_leader where user_id = ${context.userId} order by 1 limit 1`
  const worked = sql<{ id: number }>`select member.partner_group_id as id from partner_group_manager as manager
    join partner_partner_group as member on member.id = manager.partner_partner_group_id
    where manager.user_id = ${context.userId} and manager.active and member.active order by 1 limit 1`
  const { rows } = await (context.holder.role === 'TEAM_LEADER' ? led : worked).execute(db)
  return rows[0]?.id
}

export const partnerMembershipRules: EntityRules = { prepare: rejectForeignSheet }

/** Shows a signed postback URL with its signing key. */
export const partnerPostbackUrlRules: EntityRules = {
  async derive(_db, rows, { engines }) {
    for (const row of rows) {
      row.signing_key = row.signed === true ? signingKey(engines.config.secret, Number(row.id)) : null
    }
  },
}

/** Requires the traffic source of a stream to be that of the active partner offers that use the stream. */
export const partnerStreamRules: EntityRules = {
  async prepare(change) {
    const trafficSource = idOf(change, 'traffic_source')
    if (change.before === null || trafficSource === null || !isChanging(change, 'traffic_source')) return
    const statement = sql`select from offer_partner
      where stream_id = ${change.before.id} and active and traffic_source_id <> ${trafficSource} limit 1`
    if ((await statement.execute(change.db)).rows.length > 0) change.reject('traffic_source', 'traffic_source_exists')
  },
}
