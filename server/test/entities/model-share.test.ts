// The share of a payment model stays while offers or partner offers have no other one.
import { addDays, DEFAULT_ZONE, formatDay, today } from '@tributary/contract/period'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import {
  ask,
  done,
  ENTITY_MODULES,
  type Json,
  linkOf,
  makeNetwork,
  makeOffer,
  type Network,
  refused,
  register,
  unique,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

const TODAY = today(DEFAULT_ZONE)
const [RS, HYBRID, AGENCY] = [2, 3, 4]

let server: Server
let admin: SignedIn
let net: Network

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  net = await makeNetwork(admin)
})

beforeEach(async () => {
  const { pool } = server.services.postgres
  for (const table of ['payment_model_share_history', 'offer_terms_history', 'offer_payment_model_history'])
    await pool.query(`delete from ${table}`)
  await pool.query('update offer set payment_model_id = 1, rs_share = null')
  await pool.query(`update payment_model set cost = case when id in (${RS}, ${HYBRID}) then 25 end`)
})

const offerOf = (payment_model: number, more: object = {}) =>
  makeOffer(admin, net, { payment_model, ...(payment_model === RS && { cost: null }), ...more })
const linkTo = async (offer: Json) => {
  const streams = [{ title: 'Main' }]
  const partner = await done(admin, 'POST', 'partner', { title: unique('Partner'), state: 'approved', streams })
  const [stream] = partner.streams as [Json]
  return done(admin, 'POST', 'offer_partner', linkOf({ ...net, partner, stream, offer }))
}
const shareOf = async (model: number) => (await done(admin, 'GET', `payment_model/${model}`)).cost
const empty = (model: number, more: object = {}) => ask(admin, 'PUT', `payment_model/${model}`, { cost: null, ...more })
const rangeOf = (payment_model: number, date_from: string, date_to: string | null, value: string | null) =>
  done(admin, 'POST', 'payment_model_share_history', { payment_model, value, date_from, date_to })

test('a share that offers without their own rely on is not emptied: the refusal counts them and says what to do [MON-04]', async () => {
  for (const model of [RS, HYBRID]) {
    const offer = await offerOf(model)
    await linkTo(offer)
    await linkTo(offer)
    // A partner offer with a share of its own has it left.
    const { id } = await linkTo(offer)
    await done(admin, 'POST', 'offer_partner_rs_share_history', { offer_partner: id, value: '40', date_from: TODAY })
    const { status, body } = await empty(model)
    expect(status).toBe(422)
    expect(body.formErrors).toEqual({
      cost: [
        `Offers without a share of their own take this one: 1, with partner offers: 2. Without it they would share no income with partners from ${formatDay(TODAY)} on. Give them a share first`,
      ],
    })
    expect(body.reasons).toMatchObject([{ code: 'share_relied_on', mend: { entity: 'offer', id: offer.id } }])
    const russian = await ask(admin, 'PATCH', `payment_model/${model}`, { cost: null }, { 'accept-language': 'ru' })
    expect(JSON.stringify(russian.body.formErrors)).toContain(
      'Эту долю берут офферы, у которых нет своей: 1, связок в них: 2',
    )
    expect(await shareOf(model)).toBe('25.0000')
    // With a share of the offer, nothing relies on the model.
    await done(admin, 'PUT', `offer/${offer.id}`, { rs_share: '30' })
    expect((await empty(model)).status).toBe(200)
    expect(await shareOf(model)).toBeNull()
  }
})

test('a share on which nothing relies is emptied: of other models, of past days, and of offers that are off [MON-04]', async () => {
  await offerOf(AGENCY)
  await offerOf(RS, { rs_share: '30' })
  // The offer left the model: the past keeps its share by a range.
  const moved = await offerOf(RS)
  await done(admin, 'POST', 'offer_payment_model_history', {
    offer: moved.id,
    value: AGENCY,
    date_from: addDays(TODAY, -3),
    date_to: null,
  })
  const off = await offerOf(RS)
  await done(admin, 'PUT', `offer/activate/${off.id}?activate=0`)
  expect((await empty(RS)).status).toBe(200)
  // Without a share there is nothing to take away.
  await offerOf(HYBRID)
  await server.services.postgres.pool.query('update payment_model set cost = null where id = $1', [HYBRID])
  await done(admin, 'PUT', `payment_model/${HYBRID}`, { title_for_analysts: 'H', share_history: [] })
})

test('an offer that is off counts while a partner offer of it can still earn; one that comes to the model later counts from then on [MON-04]', async () => {
  const off = await offerOf(RS)
  await linkTo(off)
  await done(admin, 'PUT', `offer/activate/${off.id}?activate=0`)
  expect((await empty(RS)).status).toBe(422)
  await server.services.postgres.pool.query('update offer set rs_share = 30 where id = $1', [off.id])
  const later = addDays(TODAY, 9)
  const next = await offerOf(AGENCY)
  await done(admin, 'POST', 'offer_payment_model_history', { offer: next.id, value: RS, date_from: later })
  const errors = (await empty(RS)).body.formErrors
  expect(JSON.stringify(errors)).toContain(`from ${formatDay(later)} on`)
})

test('a range of the share is neither emptied, shortened nor deleted while an offer relies on it [MON-04]', async () => {
  const { pool } = server.services.postgres
  await offerOf(RS)
  const { id } = await rangeOf(RS, TODAY, null, '20')
  await pool.query('update payment_model set cost = null where id = $1', [RS])
  const path = `payment_model_share_history/${id}`
  expect(await refused(admin, 'PUT', path, { value: null })).toHaveProperty('value')
  expect(await refused(admin, 'PUT', path, { date_to: addDays(TODAY, 5) })).toHaveProperty('date_to')
  expect(await refused(admin, 'PUT', path, { date_from: addDays(TODAY, 1) })).toHaveProperty('date_from')
  expect((await ask(admin, 'DELETE', path)).status).toBe(409)
  expect((await ask(admin, 'PUT', path, { value: '15' })).status).toBe(200)
  await pool.query('update payment_model set cost = 25 where id = $1', [RS])
  expect((await ask(admin, 'DELETE', path)).status).toBe(204)
  const none = { payment_model: RS, value: null, date_from: addDays(TODAY, 5) }
  expect(await refused(admin, 'POST', 'payment_model_share_history', none)).toHaveProperty('value')
})

test('a form is judged by what it leaves: one range may replace another, and one may replace the share [MON-04]', async () => {
  await offerOf(RS)
  const replaced = { share_history: [{ value: '20', date_from: TODAY, date_to: null }] }
  expect((await empty(RS, replaced)).status).toBe(200)
  const openRange = async (): Promise<unknown> => {
    const { share_history } = await done(admin, 'GET', `payment_model/${RS}`)
    return (share_history as Json[]).find(({ date_to }) => date_to === null)?.id
  }
  const swap = [
    { id: await openRange(), _status: 'deleted' },
    { value: '18', date_from: TODAY, date_to: null },
  ]
  expect((await ask(admin, 'PUT', `payment_model/${RS}`, { share_history: swap })).status).toBe(200)
  const dropped = { share_history: [{ id: await openRange(), _status: 'deleted' }] }
  expect(await refused(admin, 'PUT', `payment_model/${RS}`, dropped)).toHaveProperty('cost')
})

test('a model without a share does not become one that needs it while offers rely on it [MON-04]', async () => {
  await offerOf(AGENCY)
  expect(await refused(admin, 'PUT', `payment_model/${AGENCY}`, { type: 'RS' })).toHaveProperty('type')
  expect((await ask(admin, 'PUT', `payment_model/${AGENCY}`, { type: 'CPA' })).status).toBe(200)
  await done(admin, 'PUT', `payment_model/${AGENCY}`, { type: 'AGENCY' })
})

test('the type of a payment model stays once an offer that has it on any day has players; the refusal counts the offers and says what to do [MON-04]', async () => {
  const change = (more: Record<string, string> = {}) =>
    ask(admin, 'PATCH', `payment_model/${AGENCY}`, { type: 'CPA' }, more)
  const offer = await offerOf(1, { cost: '10' })
  const link = await linkTo(offer)
  await register(admin, net, link, TODAY)
  expect((await change()).status).toBe(200)
  await done(admin, 'PATCH', `payment_model/${AGENCY}`, { type: 'AGENCY' })
  const range = { offer: offer.id, value: AGENCY, date_from: addDays(TODAY, 5), date_to: addDays(TODAY, 6) }
  const { id } = await done(admin, 'POST', 'offer_payment_model_history', range)
  expect(await change()).toMatchObject({
    status: 422,
    body: {
      formErrors: { type: [expect.stringContaining('Offers with this payment model have players or spend: 1.')] },
      reasons: [{ code: 'model_type_in_use', mend: { entity: 'offer', id: offer.id } }],
    },
  })
  expect(JSON.stringify((await change({ 'accept-language': 'ru' })).body)).toContain('уже есть игроки или расходы: 1.')
  await done(admin, 'DELETE', `offer_payment_model_history/${id}`)
  expect((await change()).status).toBe(200)
  await done(admin, 'PATCH', `payment_model/${AGENCY}`, { type: 'AGENCY' })
})
