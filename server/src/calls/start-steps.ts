// Which of the first steps of an installation are done. Clicks are looked for in both engines, because a new one waits to be handed over.
import type { Calls } from '@tributary/contract/calls/registry'
import { START_NEEDS, START_STEPS, type StartNeed, type StartStep } from '@tributary/contract/calls/start-steps'
import type { Handler } from './handler.ts'

const ROWS = `select exists (select 1 from advertiser) as advertiser, exists (select 1 from offer) as offer,
  exists (select 1 from partner) as partner, exists (select 1 from offer_partner) as offer_partner,
  exists (select 1 from click_inbox) as click, exists (select 1 from currency) as currency,
  exists (select 1 from country) as country, exists (select 1 from traffic_source) as traffic_source`

const CLICKS = 'select 1 as found from click limit 1'

export const readStartSteps: Handler<Calls['start_steps']> = async (_, { postgres, clickhouse }) => {
  const { rows } = await postgres.pool.query<Record<StartStep | StartNeed, boolean>>(ROWS)
  const [found] = rows
  const hasClick = found?.click === true || (await clickhouse.query<{ found: number }>(CLICKS, {})).length > 0
  return {
    done: START_STEPS.filter((step) => (step === 'click' ? hasClick : found?.[step] === true)),
    missing: START_NEEDS.filter((need) => found?.[need] !== true),
  }
}
