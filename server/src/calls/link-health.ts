// Health of a partner offer: last click, number of clicks, reasons of rejections.

import { HEALTH_DAYS } from '@tributary/contract/calls/link-health'
import type { Calls } from '@tributary/contract/calls/registry'
import { sql } from 'kysely'
import { isoOf } from '../clickhouse/moment.ts'
import { entityNamed } from '../entities/engine/model/model.ts'
import { contextFor } from '../entities/engine/model/request-context.ts'
import { readRowId } from '../entities/engine/model/row-id.ts'
import { readEntity } from '../entities/engine/store.ts'
import type { Services } from '../services.ts'
import { openIpCountry, sampleAddresses } from '../tracker/clicks/ip-country.ts'
import type { Handler } from './handler.ts'

const CLICKS = `select toString(max(created_at)) as last_at, toUInt32(sum(is_click)) as clicks, toUInt32(sum(is_unique)) as unique_clicks
  from click where offer_partner_id = {id:UInt32} and day >= today() - {days:UInt16}`

interface Clicks {
  last_at: string
  clicks: number
  unique_clicks: number
}

export const readHealth: Handler<Calls['offer_partner_health']> = async ({ params, person, requestId }, services) => {
  const id = readRowId(params.id)
  await readEntity(contextFor(person, requestId, services), entityNamed('offer_partner'), id, { detailed: false })
  const [[clicks], refusals] = await Promise.all([
    services.clickhouse.query<Clicks>(CLICKS, { id, days: HEALTH_DAYS }),
    readRefusals(id, services),
  ])
  return {
    days: HEALTH_DAYS,
    last_click_at: clicks === undefined || clicks.clicks === 0 ? null : isoOf(clicks.last_at),
    clicks: clicks?.clicks ?? 0,
    unique_clicks: clicks?.unique_clicks ?? 0,
    refusals,
  }
}

async function readRefusals(id: number, { postgres }: Services) {
  const { rows } = await sql<{ reason: string; clicks: number; last_at: Date }>`
    select reason, sum(clicks)::int as clicks, max(last_at) as last_at from click_refusal
    where offer_partner_id = ${id} and date >= current_date - ${HEALTH_DAYS}::int
    group by reason order by sum(clicks) desc, reason`.execute(postgres.db)
  return rows.map(({ reason, clicks, last_at }) => ({ reason, clicks, last_at: new Date(last_at).toISOString() }))
}

const samples = new WeakMap<Services, Promise<ReadonlyMap<string, string>>>()

export const readVisitorSample: Handler<Calls['visitor_sample']> = async ({ query }, services) => {
  const known = samples.get(services) ?? sampleAddresses(openIpCountry(services.config.geoipDbPath))
  samples.set(services, known)
  return { ip: (await known).get(query.country) ?? null }
}
