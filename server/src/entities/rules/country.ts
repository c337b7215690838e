// Rule: titles, codes and alternative titles of countries are unique together in any case, because imports find countries by them.

import { COUNTRY_CODES } from '@tributary/contract/country-codes'
import { sql } from 'kysely'
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts'
import { type Change, type EntityRules, idOf, isChanging } from '../engine/model/entity-rules.ts'
import type { Fragment } from '../engine/model/model.ts'
import type { Db } from '../engine/model/request-context.ts'

const NAMES = [
  ['title', 'title_exists'],
  ['code', 'already_exists'],
] as const

export const countryRules: EntityRules = {
  async prepare(change) {
    const { db, before } = change
    const code = change.valueOf('code')
    const isNewCode = isChanging(change, 'code') && typeof code === 'string'
    if (isNewCode && !COUNTRY_CODES.includes(code)) change.reject('code', 'country_code_unknown')
    const others = sql`c.id is distinct from ${before?.id ?? null}::int`
    for (const [field, key] of NAMES) {
      const name = change.valueOf(field)
      if (!isChanging(change, field) || typeof name !== 'string') continue
      if (await isTaken(db, name, others, sql`m.country_id is distinct from ${before?.id ?? null}::int`))
        change.reject(field, key)
    }
  },
}

export const countryMappingRules: EntityRules = {
  async prepare(change) {
    const title = change.valueOf('title')
    if (typeof title !== 'string' || !isNamingAnew(change)) return
    const country = idOf(change, 'country')
    const others = sql`c.id is distinct from ${country}::int`
    if (await isTaken(change.db, title, others, sql`m.id is distinct from ${change.before?.id ?? null}::int`))
      change.reject('title', 'title_exists')
  },
}

const isNamingAnew = (change: Change): boolean => isChanging(change, 'title') || isChanging(change, 'country')

/** True if another country uses the name. The lock serializes changes of names, so that two transactions cannot use the same one. */
async function isTaken(db: Db, name: string, ofCountries: Fragment, ofMappings: Fragment): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.countryNames})`.execute(db)
  const { rows } = await sql`select from country as c
      where ${ofCountries} and (lower(c.title) = lower(${name}) or lower(c.code) = lower(${name}))
    union all select from country_mapping as m where ${ofMappings} and lower(m.title) = lower(${name})
    limit 1`.execute(db)
  return rows.length > 0
}
