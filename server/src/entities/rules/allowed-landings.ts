// Rule: default landings and the landings of partner offers must be among the landings that the advertiser allows.

import { sql } from 'kysely'
import { type EntityRules, idOf, isChanging } from '../engine/model/entity-rules.ts'
import { typed } from '../engine/model/model.ts'
import type { Db } from '../engine/model/request-context.ts'

export const defaultLandingRules: EntityRules = {
  async prepare(change) {
    const [advertiser, landing] = [idOf(change, 'advertiser'), idOf(change, 'landing')]
    if (advertiser === null || landing === null) return
    if (!isChanging(change, 'advertiser') && !isChanging(change, 'landing')) return
    if (await areAllOfAdvertiser(change.db, advertiser, [landing])) return
    change.reject('landing', 'landing_not_allowed')
  },
}

export async function areAllOfAdvertiser(db: Db, advertiser: number, landings: readonly number[]): Promise<boolean> {
  const statement = sql<{ count: number }>`select count(*)::int as count from advertiser_landing
    where advertiser_id = ${advertiser} and landing_id = any(${typed(landings, 'bigint[]')})`
  return (await statement.execute(db)).rows[0]?.count === new Set(landings).size
}

/** True if a partner offer of the offer has a landing that the advertiser does not allow. */
export async function hasForeignLanding(db: Db, offer: number, advertiser: number): Promise<boolean> {
  const statement = sql`select from offer_partner as l join offer_partner_landing as j on j.offer_partner_id = l.id
    where l.offer_id = ${offer} and not exists (
      select from advertiser_landing as a where a.advertiser_id = ${advertiser} and a.landing_id = j.landing_id)
    limit 1`
  return (await statement.execute(db)).rows.length > 0
}
