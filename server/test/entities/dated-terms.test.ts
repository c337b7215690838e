// Dated terms: an edit without a date applies from today on, in PostgreSQL and in the facts.

import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { beforeAll, beforeEach, expect, test } from 'vitest'
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
  refused,
  register,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

const TODAY = today(DEFAULT_ZONE)
const YESTERDAY = addDays(TODAY, -1)
const LONG_AGO = addDays(TODAY, -240)
const HYBRID = 3

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  const { pool } = server.services.postgres
  await storeAppliedSetting(pool, await readSetting(pool))
})

beforeEach(async () => {
  const { pool } = server.services.postgres
  await pool.query('delete from payment_model_share_history')
  await pool.query('delete from agency_percentage_history')
  await pool.query('update payment_model set cost = 25 where id = $1', [HYBRID])
  await pool.query('update setting set agency_spend_percentage = 10')
})

async function settle(): Promise<void> {
  const { postgres, clickhouse } = server.services
  const projector = createOutboxProjector(postgres, clickhouse, createProjection(postgres, clickhouse))
  while ((await projector.projectOnce()).hasMore);
}

const sharesOf = async (): Promise<unknown> => {
  const { share_history } = await done(admin, 'GET', `payment_model/${HYBRID}`)
  return (share_history as Json[])
    .map(({ value, date_from, date_to }) => [date_from, date_to, value])
    .sort(([a], [b]) => String(a).localeCompare(String(b)))
}

test('a share is edited: the old one applies until yesterday, the new one from today; a second edit on one day adds no range [MON-04]', async () => {
  await done(admin, 'PUT', `payment_model/${HYBRID}`, { cost: '35' })
  expect(await sharesOf()).toEqual([['1970-01-02', YESTERDAY, '25.0000']])
  await done(admin, 'PUT', `payment_model/${HYBRID}`, { cost: '40' })
  expect(await sharesOf()).toEqual([['1970-01-02', YESTERDAY, '25.0000']])
  await done(admin, 'PUT', `payment_model/${HYBRID}`, { title_for_analysts: 'Hybrid' })
  expect(await sharesOf()).toHaveLength(1)
  const history = await done(admin, 'GET', `audit_log/history/payment_model/${HYBRID}`)
  expect(JSON.stringify(history)).toContain('payment_model_share_history')
})

test('planned ranges stay, the current range ends yesterday, and ranges never overlap [MON-04]', async () => {
  const add = (value: string, date_from: string, date_to: string | null) =>
    done(admin, 'POST', 'payment_model_share_history', { payment_model: HYBRID, value, date_from, date_to })
  await add('20', LONG_AGO, addDays(TODAY, 5))
  await add('50', addDays(TODAY, 10), null)
  const overlapping = { payment_model: HYBRID, value: '1', date_from: TODAY, date_to: TODAY }
  expect(await refused(admin, 'POST', 'payment_model_share_history', overlapping)).toHaveProperty('date_from')
  await done(admin, 'PUT', `payment_model/${HYBRID}`, { cost: '35' })
  expect(await sharesOf()).toEqual([
    ['1970-01-02', addDays(LONG_AGO, -1), '25.0000'],
    [LONG_AGO, YESTERDAY, '20.0000'],
    [addDays(TODAY, 10), null, '50.0000'],
  ])
})

test('a higher share of a hybrid model changes no earlier day, in no fact [MON-04] [REP-02]', async () => {
  const net = await makeNetwork(admin)
  await done(admin, 'PUT', 'setting/1', { report_currency: net.currency.id })
  const offer = await makeOffer(admin, net, { payment_model: HYBRID })
  const link = await done(admin, 'POST', 'offer_partner', linkOf({ ...net, offer }))
  const player = await register(admin, net, link, LONG_AGO)
  const { pool } = server.services.postgres
  for (const day of [LONG_AGO, YESTERDAY, TODAY])
    await pool.query(
      'insert into player_report (player_id, report_date, income, currency_id) values ($1, $2, 100, $3)',
      [player.id, day, net.currency.id],
    )
  await storeAppliedSetting(pool, await readSetting(pool))
  const spends = async () => {
    await settle()
    return server.services.clickhouse.query(
      `select toString(day) as day, toString(rs_spend) as spend from activity_fact final
        where player_id = {player:UInt32} and is_deleted = 0 and income != 0 order by day`,
      { player: player.id },
    )
  }
  expect(await spends()).toEqual([LONG_AGO, YESTERDAY, TODAY].map((day) => ({ day, spend: '25' })))
  await done(admin, 'PUT', `payment_model/${HYBRID}`, { cost: '35' })
  expect(await spends()).toEqual([
    { day: LONG_AGO, spend: '25' },
    { day: YESTERDAY, spend: '25' },
    { day: TODAY, spend: '35' },
  ])
})

test('a new agency percentage applies from today on, without a rebuild [MON-04] [SPD-03]', async () => {
  const { net, spend } = await makeSpendGround(admin, [LONG_AGO, YESTERDAY, TODAY])
  await done(admin, 'PUT', 'setting/1', { report_currency: net.currency.id })
  const { pool } = server.services.postgres
  await storeAppliedSetting(pool, await readSetting(pool))
  for (const date of [LONG_AGO, YESTERDAY, TODAY])
    await done(admin, 'POST', 'partner_spend', { ...spend, date, sum: '1000' })
  const sums = async () => {
    await settle()
    return server.services.clickhouse.query(
      'select toString(sum) as sum from spend_fact final where stream_id = {stream:UInt32} and is_deleted = 0 order by day',
      { stream: net.stream.id },
    )
  }
  expect(await sums()).toEqual(['1100', '1100', '1100'].map((sum) => ({ sum })))
  await done(admin, 'PUT', 'setting/1', { agency_spend_percentage: '20' })
  expect(await sums()).toEqual(['1100', '1100', '1200'].map((sum) => ({ sum })))
  const [range] = (await done(admin, 'GET', 'agency_percentage_history')).items as Json[]
  expect(range).toMatchObject({ value: '10.0000', date_from: '1970-01-02', date_to: YESTERDAY })
  await done(admin, 'PUT', `agency_percentage_history/${range?.id}`, { date_to: addDays(YESTERDAY, -1) })
  expect(await sums()).toEqual(['1100', '1200', '1200'].map((sum) => ({ sum })))
  const { rows } = await pool.query('select from facts_rebuild')
  expect(rows).toEqual([])
})

test('an agency percentage above 100 is rejected in settings, their dates and those of a partner offer; stored ones stay readable [MON-04] [SPD-03]', async () => {
  const { link } = await makeSpendGround(admin, [])
  const range = { value: '100.0001', date_from: '2019-01-01', date_to: '2019-01-31' }
  const own = { ...range, offer_partner: link.id }
  const tooMuch = [expect.stringMatching(/100/)]
  expect(await refused(admin, 'PUT', 'setting/1', { agency_spend_percentage: '101' })).toEqual({
    agency_spend_percentage: tooMuch,
  })
  expect(await refused(admin, 'POST', 'agency_percentage_history', range)).toEqual({ value: tooMuch })
  expect(await refused(admin, 'POST', 'offer_partner_agency_percentage_history', own)).toEqual({ value: tooMuch })
  const rows = [{ ...range, value: '1000' }]
  expect(await refused(admin, 'PUT', `offer_partner/${link.id}`, { agency_percentage_history: rows })).toEqual({
    agency_percentage_history: expect.anything(),
  })
  const { rows: stored } = await server.services.postgres.pool.query<{ id: number }>(
    `insert into agency_percentage_history (value, date_from, date_to) values (1000, '2019-01-01', '2019-01-31') returning id`,
  )
  const [kept] = stored
  expect(await done(admin, 'GET', `agency_percentage_history/${kept?.id}`)).toMatchObject({ value: '1000.0000' })
  await done(admin, 'DELETE', `agency_percentage_history/${kept?.id}`)
})
