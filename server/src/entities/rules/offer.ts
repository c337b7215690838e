// Rules of offers: empty terms default to those of payment model and advertiser; the country must be one of the advertiser's.

import { sql } from 'kysely'
import { type Change, type EntityRules, idOf, isChanging } from '../engine/model/entity-rules.ts'
import type { Db } from '../engine/model/request-context.ts'
import { hasForeignLanding } from './allowed-landings.ts'

interface Defaults {
  currency: number | null
  cost: string | null
  baseline: string | null
  days: number | null
}

export const offerRules: EntityRules = {
  async prepare(change) {
    if (change.action === 'create') await fillTerms(change)
    if (change.before !== null && isChanging(change, 'payment_model')) change.note('agent_spend_kept')
    if (isChanging(change, 'advertiser') || isChanging(change, 'advertiser_country')) await checkCountry(change)
    if (change.before !== null && isChanging(change, 'advertiser')) await checkLandings(change, change.before.id)
  },
}

async function fillTerms(change: Change): Promise<void> {
  change.values.state ??= 'unapproved'
  const defaults = await readDefaults(change.db, idOf(change, 'payment_model'), idOf(change, 'advertiser'))
  for (const [field, value] of Object.entries(defaults)) if (value !== null) change.values[field] ??= value
}

async function readDefaults(db: Db, model: number | null, advertiser: number | null): Promise<Defaults> {
  const statement = sql<Defaults>`select a.default_currency_id as currency, coalesce(m.default_cost, m.cost, a.default_cost) as cost,
      coalesce(m.default_baseline, a.default_baseline) as baseline, m.default_baseline_period_days as days
    from (select) as nothing left join payment_model as m on m.id = ${model} left join advertiser as a on a.id = ${advertiser}`
  return (await statement.execute(db)).rows[0] ?? { currency: null, cost: null, baseline: null, days: null }
}

async function checkCountry(change: Change): Promise<void> {
  const country = idOf(change, 'advertiser_country')
  const advertiser = idOf(change, 'advertiser')
  if (country === null || advertiser === null) return
  const statement = sql<{ advertiser_id: number }>`select advertiser_id from advertiser_country where id = ${country}`
  const owner = (await statement.execute(change.db)).rows[0]?.advertiser_id
  if (owner !== undefined && owner !== advertiser) change.reject('advertiser_country', 'country_of_other_advertiser')
}

async function checkLandings(change: Change, id: number): Promise<void> {
  const advertiser = idOf(change, 'advertiser')
  if (advertiser !== null && (await hasForeignLanding(change.db, id, advertiser)))
    change.reject('advertiser', 'landings_not_allowed')
}
