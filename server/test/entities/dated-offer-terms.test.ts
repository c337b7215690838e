// Dated terms of offers and partner offers: each edit applies from today on, and facts read model and price on the same day.

import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import { createOutboxProjector } from '../../src/facts/outbox-projector.ts'
import { createProjection } from '../../src/facts/projection.ts'
import { readSetting, storeAppliedSetting } from '../../src/facts/setting.ts'
import type { Server } from '../../src/server.ts'
import {
  done,
  ENTITY_MODULES,
  type Json,
  linkOf,
  makeNetwork,
  makeOffer,
  makeSpendGround,
  type Network,
  refused,
  register,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

const TODAY = today(DEFAULT_ZONE)
const YESTERDAY = addDays(TODAY, -1)
const LONG_AGO = addDays(TODAY, -240)
const FIRST = '1970-01-02'
const [CPA, RS, HYBRID] = [1, 2, 3]

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  const { pool } = server.services.postgres
  await pool.query('update payment_model set cost = 25 where id = $1', [HYBRID])
  await pool.query('update setting set agency_spend_percentage = 10')
})

async function settle(): Promise<void> {
  const { postgres, clickhouse } = server.services
  const projector = createOutboxProjector(postgres, clickhouse, createProjection(postgres, clickhouse))
  while ((await projector.projectOnce()).hasMore);
}

/** The network's currency becomes that of reports, so that no rate is needed. */
async function reportIn(net: Network): Promise<void> {
  await done(admin, 'PUT', 'setting/1', { report_currency: net.currency.id })
  const { pool } = server.services.postgres
  await storeAppliedSetting(pool, await readSetting(pool))
}

const rangesOf = (rows: unknown, ...names: string[]): unknown[] =>
  (rows as Json[])
    .map((row) => [row.date_from, row.date_to, ...names.map((name) => row[name])])
    .sort(([a], [b]) => String(a).localeCompare(String(b)))

/** Registers players who qualify on the day, because nothing is asked of them. */
async function qualifyOn(net: Network, link: Json, days: readonly string[]): Promise<void> {
  for (const day of days) await register(admin, net, link, day)
}

async function earn(player: Json, net: Network, days: readonly string[]): Promise<void> {
  for (const day of days)
    await server.services.postgres.pool.query(
      'insert into player_report (player_id, report_date, income, currency_id) values ($1, $2, 100, $3)',
      [player.id, day, net.currency.id],
    )
}

/** Prices and shares by day, of a partner offer. */
async function payOf(link: Json): Promise<string[]> {
  await settle()
  const rows = await server.services.clickhouse.query<{ day: string; cpa: string; rs: string }>(
    `select toString(day) as day, toString(sum(cpa_spend)) as cpa, toString(sum(rs_spend)) as rs from activity_fact final
      where offer_partner_id = {link:UInt32} and is_deleted = 0 group by day order by day`,
    { link: link.id },
  )
  return rows.map(({ day, cpa, rs }) => `${day} ${cpa} ${rs}`)
}

test('cost, share, currency, baseline and days of an offer hold from today on; what the edit does not name stays [MON-04]', async () => {
  const net = await makeNetwork(admin)
  const offer = await makeOffer(admin, net, { payment_model: CPA, cost: '50', baseline: '20', days: 5 })
  const path = `offer/${offer.id}`
  await done(admin, 'PUT', path, { cost: '60' })
  const { terms_history } = await done(admin, 'GET', path)
  expect(rangesOf(terms_history, 'cost', 'baseline', 'days')).toEqual([[FIRST, YESTERDAY, '50.0000', '20.0000', 5]])
  await done(admin, 'PUT', path, { title: `${String(offer.title)} 2` })
  const planned = {
    offer: offer.id,
    cost: '70',
    currency: net.currency.id,
    baseline: '30',
    date_from: TODAY,
    date_to: addDays(TODAY, 20),
  }
  await done(admin, 'POST', 'offer_terms_history', planned)
  expect(await refused(admin, 'POST', 'offer_terms_history', planned)).toHaveProperty('date_from')
  await done(admin, 'PUT', path, { cost: '80' })
  const edited = await done(admin, 'GET', path)
  expect(edited).toMatchObject({ cost: '80.0000', baseline: '30.0000', days: null })
  expect(rangesOf(edited.terms_history, 'cost')).toEqual([[FIRST, YESTERDAY, '50.0000']])
  expect(await refused(admin, 'POST', 'offer_terms_history', { ...planned, cost: null })).toHaveProperty('cost')
})

test('a price that rises today is that of players who qualify from today on [MON-04] [REP-02]', async () => {
  const net = await makeNetwork(admin)
  await reportIn(net)
  const offer = await makeOffer(admin, net, { payment_model: CPA, cost: '50' })
  const link = await done(admin, 'POST', 'offer_partner', linkOf({ ...net, offer }))
  await qualifyOn(net, link, [LONG_AGO, YESTERDAY, TODAY])
  await done(admin, 'PUT', `offer/${offer.id}`, { cost: '60' })
  expect(await payOf(link)).toEqual([`${LONG_AGO} 50 0`, `${YESTERDAY} 50 0`, `${TODAY} 60 0`])
})

test('another payment model applies from today on: price and share are read on the same day as the model [MON-04]', async () => {
  const net = await makeNetwork(admin)
  await reportIn(net)
  const offer = await makeOffer(admin, net, { payment_model: CPA, cost: '50' })
  const link = await done(admin, 'POST', 'offer_partner', linkOf({ ...net, offer }))
  await qualifyOn(net, link, [YESTERDAY, TODAY])
  const player = await register(admin, net, link, YESTERDAY)
  await earn(player, net, [YESTERDAY, TODAY])
  const changed = await done(admin, 'PUT', `offer/${offer.id}`, { payment_model: RS, rs_share: '30' })
  expect(changed).toMatchObject({ cost: null, rs_share: '30.0000', payment_model: { id: RS } })
  const { payment_model_history, terms_history } = await done(admin, 'GET', `offer/${offer.id}`)
  expect(rangesOf(payment_model_history)).toEqual([[FIRST, YESTERDAY]])
  expect((payment_model_history as Json[])[0]).toMatchObject({ value: { id: CPA } })
  expect(rangesOf(terms_history, 'cost', 'rs_share')).toEqual([[FIRST, YESTERDAY, '50.0000', null]])
  expect(await payOf(link)).toEqual([`${YESTERDAY} 100 0`, `${TODAY} 0 30`])
})

test('the share is that of the partner offer, else of the offer, else of the model [MON-04]', async () => {
  const net = await makeNetwork(admin)
  await reportIn(net)
  const offer = await makeOffer(admin, net, { payment_model: HYBRID, cost: '0' })
  const link = await done(admin, 'POST', 'offer_partner', linkOf({ ...net, offer }))
  const player = await register(admin, net, link, LONG_AGO)
  await earn(player, net, [LONG_AGO, YESTERDAY, TODAY])
  await done(admin, 'PUT', `offer/${offer.id}`, { rs_share: '40' })
  const own = { offer_partner: link.id, value: '45', date_from: LONG_AGO, date_to: LONG_AGO }
  await done(admin, 'POST', 'offer_partner_rs_share_history', own)
  expect(await payOf(link)).toEqual([`${LONG_AGO} 0 45`, `${YESTERDAY} 0 25`, `${TODAY} 0 40`])
})

test('a payment model may price players by the day of registration: it holds for those who register from then on [MON-04]', async () => {
  const net = await makeNetwork(admin)
  await reportIn(net)
  const offer = await makeOffer(admin, net, { payment_model: CPA, cost: '50', baseline: '10' })
  const link = await done(admin, 'POST', 'offer_partner', linkOf({ ...net, offer }))
  const { pool } = server.services.postgres
  const deposit = async (player: Json, day: string) =>
    pool.query('insert into player_report (player_id, report_date, deposits, currency_id) values ($1, $2, 20, $3)', [
      player.id,
      day,
      net.currency.id,
    ])
  await deposit(await register(admin, net, link, LONG_AGO), TODAY)
  await deposit(await register(admin, net, link, YESTERDAY), TODAY)
  await done(admin, 'PUT', `offer/${offer.id}`, { cost: '60' })
  expect((await payOf(link)).at(-1)).toBe(`${TODAY} 120 0`)
  await done(admin, 'PUT', `payment_model/${CPA}`, { cpa_price_day: 'registration' })
  expect((await payOf(link)).at(-1)).toBe(`${TODAY} 120 0`)
  await pool.query('delete from payment_model_share_history where payment_model_id = $1', [CPA])
  const range = { payment_model: CPA, date_from: YESTERDAY, date_to: null }
  await done(admin, 'PUT', `payment_model/${CPA}`, { cpa_price_day: 'qualification' })
  await pool.query('delete from payment_model_share_history where payment_model_id = $1', [CPA])
  const added = await done(admin, 'POST', 'payment_model_share_history', { ...range, cpa_price_day: 'registration' })
  expect((await payOf(link)).at(-1)).toBe(`${TODAY} 110 0`)
  await done(admin, 'DELETE', `payment_model_share_history/${added.id}`)
})

test('a partner offer’s own agency percentage counts on its days, and only while its model is agency [MON-04] [SPD-03]', async () => {
  const { net, link, spend } = await makeSpendGround(admin, [LONG_AGO, YESTERDAY, TODAY])
  await reportIn(net)
  for (const date of [LONG_AGO, YESTERDAY, TODAY])
    await done(admin, 'POST', 'partner_spend', { ...spend, date, sum: '1000' })
  const own = { offer_partner: link.id, value: '15', date_from: YESTERDAY, date_to: null }
  await done(admin, 'POST', 'offer_partner_agency_percentage_history', own)
  const sums = async () => {
    await settle()
    const rows = await server.services.clickhouse.query<{ sum: string }>(
      'select toString(sum) as sum from spend_fact final where stream_id = {stream:UInt32} and is_deleted = 0 order by day',
      { stream: net.stream.id },
    )
    return rows.map(({ sum }) => sum)
  }
  expect(await sums()).toEqual(['1100', '1150', '1150'])
  await done(admin, 'PUT', `offer/${net.offer.id}`, { payment_model: CPA, cost: '50' })
  expect(await sums()).toEqual(['1100', '1150', '1000'])
  const [entered] = (
    await done(admin, 'GET', `partner_spend?filter[stream]=${net.stream.id}&filter[date]=${YESTERDAY}`)
  ).items as Json[]
  await done(admin, 'PUT', `partner_spend/${entered?.id}`, { sum: '2000' })
  expect(await sums()).toEqual(['1100', '2300', '1000'])
  expect(await refused(admin, 'POST', 'partner_spend', { ...spend, date: TODAY })).toEqual({
    date: [
      expect.stringMatching(
        /^On [\d.]+ this partner offer is paid by CPA since [\d.]+: spend is entered for agency offers only$/,
      ),
    ],
  })
})

test('a share of income is at most 100 percent, however it is set, and shares of earlier versions stay readable [MON-04]', async () => {
  const net = await makeNetwork(admin)
  const most = { rs_share: ['No more than 100'] }
  const offer = {
    title: `Share ${net.offer.id}`,
    advertiser: net.advertiser.id,
    advertiser_country: net.presence.id,
    state: 'approved',
  }
  const make = (more: object) => refused(admin, 'POST', 'offer', { ...offer, ...more })
  expect(await make({ payment_model: RS, rs_share: '150' })).toEqual(most)
  expect(await make({ payment_model: RS, cost: '150' })).toEqual(most)
  const range = { value: '500', date_from: TODAY }
  const shared = await makeOffer(admin, net, { payment_model: RS, rs_share: '20' })
  const link = await done(admin, 'POST', 'offer_partner', linkOf({ ...net, offer: shared }))
  const value = { value: ['No more than 100'] }
  expect(await refused(admin, 'POST', 'offer_partner_rs_share_history', { ...range, offer_partner: link.id })).toEqual(
    value,
  )
  expect(await refused(admin, 'POST', 'payment_model_share_history', { ...range, payment_model: RS })).toEqual(value)
  expect(await refused(admin, 'PUT', `payment_model/${RS}`, { cost: '101' })).toEqual({ cost: ['No more than 100'] })
  const path = `offer/${net.offer.id}`
  await server.services.postgres.pool.query('update offer set rs_share = 150 where id = $1', [net.offer.id])
  expect(await done(admin, 'GET', path)).toMatchObject({ rs_share: '150.0000' })
  await done(admin, 'PUT', path, { title: `Renamed ${net.offer.id}` })
})

test('an agency percentage is at most 100, however it is set, and larger ones of earlier versions stay readable [SPD-03] [MON-04]', async () => {
  const { link } = await makeSpendGround(admin, [])
  const value = { value: ['No more than 100'] }
  const range = { value: '100.01', date_from: addDays(TODAY, 500) }
  const own = { ...range, offer_partner: link.id }
  expect(await refused(admin, 'POST', 'offer_partner_agency_percentage_history', own)).toEqual(value)
  expect(await refused(admin, 'POST', 'agency_percentage_history', range)).toEqual(value)
  const setting = { agency_spend_percentage: '100.01' }
  expect(await refused(admin, 'PUT', 'setting/1', setting)).toEqual({ agency_spend_percentage: ['No more than 100'] })
  const made = await done(admin, 'POST', 'offer_partner_agency_percentage_history', { ...own, value: '100' })
  const history = `offer_partner_agency_percentage_history/${made.id}`
  await server.services.postgres.pool.query(
    'update offer_partner_agency_percentage_history set value = 150 where id = $1',
    [made.id],
  )
  await done(admin, 'PUT', history, { date_to: addDays(TODAY, 501) })
  expect(await done(admin, 'GET', history)).toMatchObject({ value: '150.0000' })
})

test('a share of income needs an offer that pays one on one of its days; ending one is always possible [MON-04]', async () => {
  const net = await makeNetwork(admin)
  const offer = await makeOffer(admin, net, { payment_model: RS, rs_share: '20' })
  const link = await done(admin, 'POST', 'offer_partner', linkOf({ ...net, offer }))
  const own = { offer_partner: link.id, value: '15' }
  const made = await done(admin, 'POST', 'offer_partner_rs_share_history', { ...own, date_from: YESTERDAY })
  await done(admin, 'PUT', `offer/${offer.id}`, { payment_model: CPA, cost: '50' })
  await done(admin, 'PUT', `offer_partner_rs_share_history/${made.id}`, { date_to: TODAY })
  const late = { ...own, date_from: addDays(TODAY, 1) }
  const isNone = { date_from: [expect.stringContaining('Not a revenue share offer on these days')] }
  expect(await refused(admin, 'POST', 'offer_partner_rs_share_history', late)).toEqual(isNone)
  const planned = { offer: offer.id, value: 3, date_from: addDays(TODAY, 30) }
  await done(admin, 'POST', 'offer_payment_model_history', planned)
  await done(admin, 'POST', 'offer_partner_rs_share_history', late)
})

test('an agency percentage needs an agency offer on one of its days; ending one is always possible [SPD-03] [MON-04]', async () => {
  const { net, link } = await makeSpendGround(admin, [])
  const own = { offer_partner: link.id, value: '15' }
  const made = await done(admin, 'POST', 'offer_partner_agency_percentage_history', { ...own, date_from: YESTERDAY })
  await done(admin, 'PUT', `offer/${net.offer.id}`, { payment_model: CPA, cost: '50' })
  await done(admin, 'PUT', `offer_partner_agency_percentage_history/${made.id}`, { date_to: TODAY })
  const late = { ...own, date_from: addDays(TODAY, 1) }
  const isNone = { date_from: [expect.stringContaining('Not an agency offer on these days')] }
  expect(await refused(admin, 'POST', 'offer_partner_agency_percentage_history', late)).toEqual(isNone)
  const planned = { offer: net.offer.id, value: 4, date_from: addDays(TODAY, 30) }
  await done(admin, 'POST', 'offer_payment_model_history', planned)
  await done(admin, 'POST', 'offer_partner_agency_percentage_history', late)
})

test('new limits and the currency of a partner offer apply from today on; earlier days without a limit stay without [MON-04] [PLY-04]', async () => {
  const net = await makeNetwork(admin)
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net, { baseline: null }))
  const path = `offer_partner/${link.id}`
  const before = await done(admin, 'GET', path)
  const other = await done(admin, 'POST', 'currency', { title: `Other ${link.id}`, value: `O${link.id}` })
  await done(admin, 'PUT', path, {
    currency: other.id,
    baseline: '100',
    baseline_period_days: 3,
    max_days_from_registration: 9,
    bet_requirement: '5',
  })
  await done(admin, 'PUT', `${path}/update_bl_country_requirement`, { country_requirement: true })
  const after = await done(admin, 'GET', path)
  const past = (value: unknown) => [[FIRST, YESTERDAY, value]]
  expect(rangesOf(after.bl_deposit_history, 'value')).toEqual(past(before.baseline))
  expect(rangesOf(after.bl_period_history, 'value')).toEqual(past(before.baseline_period_days))
  expect(rangesOf(after.max_days_history, 'value')).toEqual(past(before.max_days_from_registration))
  expect(rangesOf(after.bet_requirement_history, 'value')).toEqual(past(null))
  expect(rangesOf(after.country_requirement_history, 'value')).toEqual(past(false))
  expect((after.currency_history as Json[])[0]).toMatchObject({ value: { id: net.currency.id }, date_to: YESTERDAY })
})

test('an RS offer has a share instead of a cost: a cost that is written becomes it [MON-04]', async () => {
  const net = await makeNetwork(admin)
  const offer = await makeOffer(admin, net, { payment_model: RS, cost: '39' })
  expect(offer).toMatchObject({ cost: null, rs_share: '39.0000' })
  expect(await refused(admin, 'PUT', `offer/${offer.id}`, { payment_model: CPA })).toEqual({
    cost: ['This field is required'],
  })
})
