// Entered spend: what is taken, what is refused and why, and what partners claim until staff accept it.

import { addDays, DEFAULT_ZONE, formatDay, today } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import {
  ask,
  done,
  ENTITY_MODULES,
  idsOf,
  type Json,
  linkOf,
  makeNetwork,
  makeOffer,
  makeSpendGround,
  refused,
  register,
  type SpendGround,
  unique,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

const TODAY = today(DEFAULT_ZONE)
const YESTERDAY = addDays(TODAY, -1)
const LONG_AGO = addDays(TODAY, -365)

let server: Server
let admin: SignedIn
let ground: SpendGround
let partner: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  ground = await makeSpendGround(admin, [YESTERDAY, TODAY, LONG_AGO])
  partner = await signIn(server, 'PARTNER', ground.net.partner.id)
})

const codesOf = async (person: SignedIn, body: Record<string, unknown>, id?: number): Promise<unknown> => {
  const reply = await ask(
    person,
    id === undefined ? 'POST' : 'PUT',
    `partner_spend${id === undefined ? '' : `/${id}`}`,
    body,
  )
  expect(reply.status, JSON.stringify(reply.body)).toBe(422)
  return (reply.body.reasons as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`)
}

test('a partner’s 10,000 on their own CPA partner offer is rejected, with the model of that day [SPD-03] [MON-06]', async () => {
  const net = await makeNetwork(admin)
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net))
  await register(admin, net, link, YESTERDAY)
  const body = {
    stream: net.stream.id,
    country: net.country.id,
    date: YESTERDAY,
    sum: '10000',
    currency: net.currency.id,
  }
  for (const person of [await signIn(server, 'PARTNER', net.partner.id), admin]) {
    expect(await codesOf(person, body)).toEqual(['date not_agency'])
    expect(await refused(person, 'POST', 'partner_spend', body)).toEqual({
      date: [`On ${formatDay(YESTERDAY)} this partner offer is paid by CPA: spend is entered for agency offers only`],
    })
  }
  const russian = await ask(admin, 'POST', 'partner_spend', body, { 'accept-language': 'ru' })
  expect(JSON.stringify(russian.body.formErrors)).toContain('платят по модели «CPA»: расходы')
})

test('a sum that is no amount of a spend has one reason, and a claim of a taken day names the spend to claim in [SPD-03] [MON-06]', async () => {
  for (const sum of ['-6', '1000000000000']) {
    const { sum: reasons } = (await refused(admin, 'POST', 'partner_spend', { ...ground.spend, sum })) as {
      sum: string[]
    }
    expect(reasons).toHaveLength(1)
    expect(reasons[0]).not.toContain('required')
  }
  const entered = await done(admin, 'POST', 'partner_spend', { ...ground.spend, sum: '8' })
  const { body } = await ask(partner, 'POST', 'partner_spend', { ...ground.spend, sum: '9' })
  expect(body.reasons).toEqual([
    {
      field: 'date',
      code: 'spend_claim_there',
      message: 'This day already has a spend: open it and claim your sum there',
      mend: { entity: 'partner_spend', id: entered.id },
    },
  ])
  await done(admin, 'DELETE', `partner_spend/${entered.id}`)
})

test('spend without a partner offer, in the future, or on a day without activity is rejected [SPD-03] [MON-06]', async () => {
  const elsewhere = await makeNetwork(admin)
  const { spend } = ground
  expect(await codesOf(partner, { ...spend, sum: '999999', country: elsewhere.country.id })).toEqual([
    'country spend_link_missing',
  ])
  expect(await codesOf(admin, { ...spend, site_id: 'nowhere' })).toEqual(['site_id spend_site_missing'])
  expect(await codesOf(admin, { ...spend, date: addDays(TODAY, 1) })).toEqual(['date date_future'])
  expect(await codesOf(admin, { ...spend, date: addDays(TODAY, -3) })).toEqual(['date spend_without_activity'])
  expect(await codesOf(partner, { ...spend, date: addDays(TODAY, -3) })).toEqual(['date spend_without_activity'])
})

test('the answer shows nothing of a stream out of scope [PERM-07] [MON-06]', async () => {
  const foreign = await makeSpendGround(admin, [YESTERDAY])
  expect(await codesOf(partner, foreign.spend)).toEqual(['stream reference_missing'])
})

test('clicks, deposits and reports are activity; bots and other partner offers are not [SPD-03]', async () => {
  const own = await makeSpendGround(admin, [])
  const { clickhouse, postgres } = server.services
  const at = (days: number) => addDays(TODAY, -days)
  const place = { stream_id: own.net.stream.id, country_id: own.net.country.id, offer_partner_id: own.link.id }
  const addClick = (day: string, isClick: 0 | 1) =>
    clickhouse.insert(
      'click',
      ['day', 'created_at', 'is_click', ...Object.keys(place)],
      [[day, `${day} 12:00:00.000`, isClick, ...Object.values(place)]],
    )
  await addClick(at(10), 1)
  await addClick(at(11), 0)
  const player = await register(admin, own.net, own.link, at(40))
  await postgres.pool.query(
    `insert into player_event (player_id, type, happened_at, amount, currency_id, identity)
      values ($1, 'dep', $2, 5, $3, 'a'), ($1, 'bet', $4, 5, $3, 'b')`,
    [player.id, `${at(12)}T09:00:00Z`, own.net.currency.id, `${at(13)}T09:00:00Z`],
  )
  await postgres.pool.query(
    'insert into player_report (player_id, report_date, deposits_count, currency_id) values ($1, $2, 1, $4), ($1, $3, 0, $4)',
    [player.id, at(14), at(15), own.net.currency.id],
  )
  for (const day of [10, 12, 14, 40]) await done(admin, 'POST', 'partner_spend', { ...own.spend, date: at(day) })
  for (const day of [11, 13, 15])
    expect(await codesOf(admin, { ...own.spend, date: at(day) })).toEqual(['date spend_without_activity'])
})

test('a spend keeps its partner offer, also when the stream gets another one; that partner offer cannot be deleted [MON-06]', async () => {
  const own = await makeSpendGround(admin, [YESTERDAY])
  const entered = await done(admin, 'POST', 'partner_spend', own.spend)
  expect(entered).toMatchObject({ offer_partner: { id: own.link.id }, state: 'accepted', source: 'manual' })
  const removal = await ask(admin, 'DELETE', `offer_partner/${own.link.id}`)
  expect(removal).toMatchObject({
    status: 409,
    body: {
      code: 'in_use',
      references: expect.arrayContaining([expect.objectContaining({ entity: 'partner_spend' })]),
    },
  })
  await done(admin, 'PUT', `offer_partner/${own.link.id}`, { active: false })
  const offer = await makeOffer(admin, own.net, { payment_model: 4 })
  const other = await done(admin, 'POST', 'offer_partner', linkOf({ ...own.net, offer }))
  await register(admin, own.net, other, TODAY)
  expect(await done(admin, 'PUT', `partner_spend/${entered.id}`, { sum: '11' })).toMatchObject({
    sum: '11.0000',
    offer_partner: { id: own.link.id },
  })
  expect(await done(admin, 'POST', 'partner_spend', { ...own.spend, date: TODAY })).toMatchObject({
    offer_partner: { id: other.id },
  })
})

test('after another payment model the spend can be removed, but not changed [ENT-12] [MON-04] [MON-06]', async () => {
  const own = await makeSpendGround(admin, [TODAY, YESTERDAY])
  const entered = await done(admin, 'POST', 'partner_spend', own.spend)
  await done(admin, 'PUT', `offer/${own.net.offer.id}`, { payment_model: 2 })
  expect(await codesOf(admin, { sum: '12' }, entered.id)).toEqual(['date not_agency'])
  const left = await done(admin, 'GET', 'partner_spend?filter[offer_partner.offer.payment_model]=2')
  expect(idsOf(left)).toEqual([entered.id])
  expect((await ask(admin, 'DELETE', `partner_spend/${entered.id}`)).status).toBe(204)
})

test('a partner’s sum is a claim of the last days, and stays beside the accepted one [MON-06]', async () => {
  const own = await makeSpendGround(admin, [YESTERDAY, addDays(TODAY, -6), addDays(TODAY, -7), LONG_AGO])
  const self = await signIn(server, 'PARTNER', own.net.partner.id)
  const claimed = await done(self, 'POST', 'partner_spend', own.spend)
  expect(claimed).toMatchObject({ sum: null, claim_sum: '10.0000', state: 'claimed', claim_at: expect.any(String) })
  expect(claimed).not.toHaveProperty('accepted_by')
  await done(self, 'POST', 'partner_spend', { ...own.spend, date: addDays(TODAY, -6) })
  for (const date of [addDays(TODAY, -7), LONG_AGO])
    expect(await codesOf(self, { ...own.spend, date })).toEqual(['date spend_claim_late'])
  await done(admin, 'PUT', 'setting/1', { spend_claim_days: 8 })
  await done(self, 'POST', 'partner_spend', { ...own.spend, date: addDays(TODAY, -7) })
  await done(admin, 'PUT', 'setting/1', { spend_claim_days: 7 })
  const accepted = await done(admin, 'PUT', 'partner_spend/accept', { ids: [claimed.id] })
  expect(accepted).toMatchObject({ accepted: 1, refused: 0 })
  expect(await done(admin, 'GET', `partner_spend/${claimed.id}`)).toMatchObject({
    sum: '10.0000',
    claim_sum: null,
    claim_by: null,
    accepted_by: { id: admin.id },
    state: 'accepted',
  })
  expect(await done(self, 'PUT', `partner_spend/${claimed.id}`, { sum: '15' })).toMatchObject({
    sum: '10.0000',
    claim_sum: '15.0000',
    claim_by: { id: self.id },
    state: 'disputed',
  })
  expect(await codesOf(self, { date: addDays(TODAY, -6) }, claimed.id)).toContain('date spend_accepted')
  expect((await ask(self, 'DELETE', `partner_spend/${claimed.id}`)).status).toBe(409)
  expect(await done(self, 'PUT', `partner_spend/${claimed.id}`, { claim_sum: '10' })).toMatchObject({
    claim_sum: null,
    claim_by: null,
    state: 'accepted',
  })
})

test('staff who enter another sum see the claim; an equal sum accepts it, an empty one declines it [MON-06]', async () => {
  const own = await makeSpendGround(admin, [YESTERDAY, TODAY])
  const self = await signIn(server, 'PARTNER', own.net.partner.id)
  const { id } = await done(self, 'POST', 'partner_spend', own.spend)
  expect(await codesOf(admin, { claim_sum: null }, id)).toEqual(['claim_sum spend_claim_alone'])
  expect(await codesOf(admin, { claim_sum: '4' }, id)).toEqual(['claim_sum read_only'])
  const entered = await done(admin, 'PUT', `partner_spend/${id}`, { sum: '8' })
  expect(entered).toMatchObject({ sum: '8.0000', claim_sum: '10.0000', state: 'disputed' })
  const currency = String(own.net.currency.value)
  expect(entered.notices).toEqual([
    {
      code: 'spend_conflict',
      message: `The sum is now 8.00 ${currency}, the partner claims 10.00 ${currency}: accept the claim, or empty it`,
    },
  ])
  expect(await done(admin, 'PUT', `partner_spend/${id}`, { claim_sum: null })).toMatchObject({
    sum: '8.0000',
    claim_sum: null,
    state: 'accepted',
  })
  await done(self, 'PUT', `partner_spend/${id}`, { sum: '9' })
  expect(await done(admin, 'PUT', `partner_spend/${id}`, { sum: '9' })).toMatchObject({
    sum: '9.0000',
    state: 'accepted',
    accepted_by: { id: admin.id },
  })
  const history = await done(admin, 'GET', `audit_log/history/partner_spend/${id}`)
  expect(JSON.stringify(history)).toContain('claim_sum')
})

test('claims are accepted in bulk, by staff alone, within their rows [MON-06] [PERM-07]', async () => {
  const own = await makeSpendGround(admin, [YESTERDAY, TODAY])
  const self = await signIn(server, 'PARTNER', own.net.partner.id)
  const { postgres } = server.services
  for (const date of [YESTERDAY, TODAY]) await done(self, 'POST', 'partner_spend', { ...own.spend, date })
  const filter = `filter[stream]=${own.net.stream.id}&filter[state]=claimed`
  const selection = { ids: [], exclusive: true, filter }
  await postgres.pool.query('update "user" set permissions = $2 where id = $1', [
    self.id,
    ['partners_spend_view', 'partners_spend_edit', 'partners_spend_partner_edit'],
  ])
  expect((await ask(self, 'PUT', 'partner_spend/accept', selection)).status).toBe(403)
  expect(await done(self, 'PUT', `partner_spend/${await firstOf(filter)}`, { sum: '77' })).toMatchObject({ sum: null })
  const stranger = await signIn(server, 'MANAGER')
  expect(await done(stranger, 'PUT', 'partner_spend/accept', selection)).toMatchObject({ accepted: 0 })
  const manager = await managerOf(own)
  await postgres.pool.query('update "user" set permissions = $2 where id = $1', [
    manager.id,
    ['partners_spend_view', 'partners_spend_partner_edit'],
  ])
  expect((await ask(manager, 'PUT', 'partner_spend/accept', selection)).status).toBe(403)
  expect(await done(manager, 'PUT', `partner_spend/${await firstOf(filter)}`, { sum: '78' })).toMatchObject({
    sum: null,
    claim_sum: '78.0000',
  })
  await postgres.pool.query('update "user" set permissions = null where id = $1', [manager.id])
  expect(await done(manager, 'PUT', 'partner_spend/accept', selection)).toMatchObject({ accepted: 2, changed: 2 })
  expect(await done(manager, 'PUT', 'partner_spend/accept', selection)).toMatchObject({ accepted: 0 })
  expect(idsOf(await done(admin, 'GET', `partner_spend?${filter}`))).toEqual([])
})

async function firstOf(filter: string): Promise<number> {
  const [id] = idsOf(await done(admin, 'GET', `partner_spend?${filter}&order[id]=ASC`))
  return id ?? 0
}

async function managerOf({ net }: SpendGround): Promise<SignedIn> {
  const manager = await signIn(server, 'MANAGER')
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Own') })
  await done(admin, 'POST', 'partner_partner_group', {
    partner: net.partner.id,
    partner_group: group.id,
    managers: [{ user: manager.id }],
  })
  return manager
}

test('a claim whose partner offer is gone says what to do [MON-06]', async () => {
  const own = await makeSpendGround(admin, [YESTERDAY])
  const { rows } = await server.services.postgres.pool.query(
    `insert into partner_spend (stream_id, country_id, date, claim_sum, claim_currency_id, claim_at, currency_id)
      values ($1, $2, $3, 5, $4, now(), $4) returning id`,
    [own.net.stream.id, (await makeNetwork(admin)).country.id, YESTERDAY, own.net.currency.id],
  )
  const outcome = await done(admin, 'PUT', 'partner_spend/accept', { ids: [rows[0].id] })
  expect(outcome).toMatchObject({
    accepted: 0,
    refusals: [{ message: expect.stringContaining('add one and accept again, or decline the claim') }],
  })
})

test('claims are rejected if the partner offer is no longer paid by agency [MON-06]', async () => {
  const own = await makeSpendGround(admin, [TODAY, YESTERDAY])
  const self = await signIn(server, 'PARTNER', own.net.partner.id)
  const claimed = await done(self, 'POST', 'partner_spend', own.spend)
  const earlier = await done(self, 'POST', 'partner_spend', { ...own.spend, date: YESTERDAY })
  await done(admin, 'PUT', `offer/${own.net.offer.id}`, { payment_model: 1 })
  const outcome = await done(admin, 'PUT', 'partner_spend/accept', { ids: [claimed.id, earlier.id] })
  expect(outcome).toMatchObject({ accepted: 1, refused: 1 })
  expect((outcome.refusals as Json[])[0]).toMatchObject({
    message: expect.stringMatching(`this partner offer is paid by CPA since ${formatDay(TODAY)}: `),
  })
})
