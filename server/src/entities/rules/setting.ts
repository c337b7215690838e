// Rules of settings: PostgreSQL and ClickHouse must both know a time zone by its name, because both compute days in it.

import { sql } from 'kysely'
import { type Change, type EntityRules, isChanging } from '../engine/model/entity-rules.ts'
import { rejectWhileClosed } from './closed-period.ts'
import { keepPastTerms } from './dated-terms.ts'

export const settingRules: EntityRules = {
  async prepare(change) {
    await keepPastTerms(change)
    if (isChanging(change, 'report_currency') || isChanging(change, 'business_time_zone'))
      await rejectWhileClosed(change.db, change.context)
    for (const field of ['business_time_zone', 'server_time_zone'])
      if (isChanging(change, field) && !(await isKnown(change, change.values[field])))
        change.reject(field, 'zone_unknown')
  },
}

async function isKnown({ db, context }: Change, zone: unknown): Promise<boolean> {
  if (typeof zone !== 'string') return true
  const inRecord = await sql`select from pg_timezone_names where name = ${zone}`.execute(db)
  if (inRecord.rows.length === 0) return false
  const statement = 'select 1 as found from system.time_zones where time_zone = {zone:String}'
  return (await context.engines.clickhouse.query(statement, { zone })).length > 0
}
