// Handlers of calls on partner offers and offers: dated terms, activation, health, and a sample IP address.
import { HEALTH_DAYS } from '@tributary/contract/calls/offer-partner'
import type { Calls } from '@tributary/contract/calls/registry'
import type { Entity } from '@tributary/contract/entity'
import { addDays } from '@tributary/contract/period'
import { sql } from 'kysely'
import { isoOf } from '../clickhouse/statement.ts'
import { entityNamed, type Row, readRowId, tableOf } from '../entities/engine/model/model.ts'
import type { Db, RequestContext } from '../entities/engine/model/request-context.ts'
import { lockSnapshot } from '../entities/engine/read/snapshot.ts'
import { saveRow } from '../entities/engine/save/save.ts'
import { changeRecord, readEntity, updateEntity } from '../entities/engine/store.ts'
import { AppError } from '../lib/app-error.ts'
import type { Services } from '../services.ts'
import { openIpCountry, sampleAddresses } from '../tracker/clicks/ip-country.ts'
import type { Handler } from './handler.ts'

type TermsCall =
  | 'offer_partner_update_cost_history'
  | 'offer_partner_update_bl_deposit_history'
  | 'offer_partner_update_bl_period_history'

const offerPartner = entityNamed('offer_partner')
const DETAILED = { detailed: true }

function updateHistory<C extends TermsCall>(name: string): Handler<Calls[C]> {
  const history = entityNamed(name)
  const handle: Handler<Calls[TermsCall]> = async ({ params, body, context }): Promise<Row> => {
    const id = readRowId(params.id)
    await changeRecord(context, `update ${name}`, (db) => setTerms(db, context, history, id, body))
    return readEntity(context, offerPartner, id, DETAILED)
  }
  // All three calls have the same body and answer.
  return handle
}

/** A value from a day on; without `date_to` until it is changed. */
interface Terms {
  value: string | number
  date_from: string
  date_to?: string | null | undefined
}

/**
 * Ends the open range, or overwrites it if it begins on the same day; after a range with an end its value holds again. Throws `not_found` out of
 * scope, `invalid` on overlap.
 */
async function setTerms(
  db: Db,
  context: RequestContext,
  history: Entity,
  offerPartner: number,
  terms: Terms,
): Promise<void> {
  // The lock serializes changes of one partner offer's terms.
  if ((await lockSnapshot(db, context, entityNamed('offer_partner'), offerPartner)) === undefined)
    throw new AppError('not_found')
  const open = await findOpenRange(db, history, offerPartner)
  const end = terms.date_to ?? null
  const add = (value: OpenRange['value'], date_from: string, date_to: string | null) =>
    saveRow(db, context, history, null, { offer_partner: offerPartner, value, date_from, date_to })
  if (open?.date_from === terms.date_from)
    await saveRow(db, context, history, open.id, { value: terms.value, date_to: end })
  else {
    if (open !== undefined && open.date_from < terms.date_from)
      await saveRow(db, context, history, open.id, { date_to: addDays(terms.date_from, -1) })
    await add(terms.value, terms.date_from, end)
  }
  if (open !== undefined && end !== null && open.date_from <= terms.date_from)
    await add(open.value, addDays(end, 1), null)
}

interface OpenRange {
  readonly id: number
  readonly date_from: string
  readonly value: string | number | null
}

async function findOpenRange(db: Db, history: Entity, offerPartner: number): Promise<OpenRange | undefined> {
  const statement = sql<OpenRange>`select id, date_from, value from ${tableOf(history)}
    where offer_partner_id = ${offerPartner} and date_to is null`
  return (await statement.execute(db)).rows[0]
}

export const updateCostHistory = updateHistory<'offer_partner_update_cost_history'>('offer_partner_cost_history')
export const updateBlDepositHistory = updateHistory<'offer_partner_update_bl_deposit_history'>(
  'offer_partner_bl_deposit_history',
)
export const updateBlPeriodHistory = updateHistory<'offer_partner_update_bl_period_history'>(
  'offer_partner_bl_period_history',
)

export const updateBlCountryRequirement: Handler<Calls['offer_partner_update_bl_country_requirement']> = ({
  params,
  body,
  context,
}) => updateEntity(context, offerPartner, readRowId(params.id), body, DETAILED)

export const activateOffer: Handler<Calls['offer_activate']> = ({ params, query, context }) => {
  const active = query.activate === '1' || query.activate === 'true'
  return updateEntity(context, entityNamed('offer'), readRowId(params.id), { active }, { detailed: false })
}

const CLICKS = `select toString(max(created_at)) as last_at, toUInt32(sum(is_click)) as clicks, toUInt32(sum(is_unique)) as unique_clicks
  from click where offer_partner_id = {id:UInt32} and day >= today() - {days:UInt16}`

interface Clicks {
  last_at: string
  clicks: number
  unique_clicks: number
}

export const readHealth: Handler<Calls['offer_partner_health']> = async ({ params, context }, services) => {
  const id = readRowId(params.id)
  await readEntity(context, entityNamed('offer_partner'), id, { detailed: false })
  const [[clicks], refusals] = await Promise.all([
    services.clickhouse.query<Clicks>(CLICKS, { id, days: HEALTH_DAYS }),
    readRejections(id, services),
  ])
  return {
    days: HEALTH_DAYS,
    last_click_at: clicks === undefined || clicks.clicks === 0 ? null : isoOf(clicks.last_at),
    clicks: clicks?.clicks ?? 0,
    unique_clicks: clicks?.unique_clicks ?? 0,
    refusals,
  }
}

async function readRejections(id: number, { postgres }: Services) {
  const { rows } = await sql<{ reason: string; clicks: number; last_at: Date }>`
    select reason, sum(clicks)::int as clicks, max(last_at) as last_at from click_refusal
    where offer_partner_id = ${id} and date >= current_date - ${HEALTH_DAYS}::int
    group by reason order by sum(clicks) desc, reason`.execute(postgres.db)
  return rows.map(({ reason, clicks, last_at }) => ({ reason, clicks, last_at: new Date(last_at).toISOString() }))
}

const sampleIps = new WeakMap<Services, Promise<ReadonlyMap<string, string>>>()

export const readSampleIp: Handler<Calls['visitor_sample']> = async ({ query }, services) => {
  const known = sampleIps.get(services) ?? sampleAddresses(openIpCountry(services.config.geoipDbPath))
  sampleIps.set(services, known)
  return { ip: (await known).get(query.country) ?? null }
}
