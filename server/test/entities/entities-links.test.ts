// Offers and partner offers over HTTP: requirements, filled fields, dated terms.

import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import {
  ask,
  DETAILED,
  done,
  ENTITY_MODULES,
  type Json,
  linkOf,
  makeNetwork,
  makeOffer,
  nextCode,
  refused,
  unique,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES, env: { TRACKER_URL: 'https://go.test' } })
  admin = await signIn(server, 'ADMIN')
})

const rows = (value: unknown): Json[] => value as Json[]

test('an offer waits for approval, takes its terms from model and advertiser, and is activated by its own call [ENT-11]', async () => {
  const net = await makeNetwork(admin)
  await done(admin, 'PUT', 'payment_model/2', {
    default_cost: '12.5',
    default_baseline: 20,
    default_baseline_period_days: 30,
  })
  const offer = await done(admin, 'POST', 'offer', {
    title: unique('Bare'),
    advertiser: net.advertiser.id,
    advertiser_country: net.presence.id,
    payment_model: 2,
  })
  expect(offer).toMatchObject({
    state: 'unapproved',
    cost: null,
    rs_share: '12.5000',
    baseline: '20.0000',
    days: 30,
    active: true,
    currency: { id: net.currency.id, title: net.currency.title, value: net.currency.value },
    advertiser_country: { id: net.presence.id, title: net.country.title, media_id: 'm-77' },
    payment_model: { id: 2 },
    product: null,
    partner_groups: [],
    offer_partners: [],
  })
  const off = await done(admin, 'PUT', `offer/activate/${offer.id}?activate=0`)
  expect(off).toMatchObject({ active: false, version: 2 })
  expect(await done(admin, 'PUT', `offer/activate/${offer.id}?activate=1`)).toMatchObject({ active: true, version: 3 })
  expect((await ask(admin, 'PUT', `offer/activate/${offer.id}?activate=maybe`)).status).toBe(422)
  expect((await ask(admin, 'PUT', 'offer/activate/999999?activate=1')).status).toBe(404)
})

test('the country of an offer is one of its advertiser [ENT-11]', async () => {
  const [one, two] = [await makeNetwork(admin), await makeNetwork(admin)]
  const errors = await refused(admin, 'PUT', `offer/${one.offer.id}`, { advertiser_country: two.presence.id })
  expect(errors).toEqual({ advertiser_country: ['This country belongs to another advertiser'] })
})

test('an offer has groups and its partner offers; the list counts unapproved ones [ENT-11] [LIST-10]', async () => {
  const net = await makeNetwork(admin)
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Group') })
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net))
  const offer = await done(admin, 'PUT', `offer/${net.offer.id}`, { partner_groups: [group.id] })
  expect(offer.partner_groups).toEqual([{ id: group.id, title: group.title }])
  expect(rows(offer.offer_partners).map(({ id }) => id)).toEqual([link.id])
  const filter = `filter[advertiser]=${net.advertiser.id}`
  const before = await done(admin, 'GET', `offer?${filter}`)
  expect(before.count_data).toEqual({ unapproved: [0] })
  await makeOffer(admin, net, { state: 'unapproved' })
  const after = await done(admin, 'GET', `offer?${filter}&filter[state]=approved`)
  expect(after.count_data).toEqual({ unapproved: [1] })
  expect(after.pagination).toMatchObject({ total: 1 })
})

test('a partner offer is created with its links, its main postback and the terms of the offer [ENT-13]', async () => {
  const net = await makeNetwork(admin)
  await done(admin, 'PUT', `offer/${net.offer.id}`, { baseline: '25', days: 14 })
  const link = await done(
    admin,
    'POST',
    'offer_partner',
    linkOf(net, { site_id: 'site-77', sub_id: 'sub', promo_codes: ['WIN 1', 'B'] }),
  )
  expect(link).toMatchObject({
    state: 'unapproved',
    currency: { id: net.currency.id },
    baseline: '25.0000',
    baseline_period_days: 14,
    country_requirement: false,
    promo_codes: ['WIN 1', 'B'],
    partner_link: `https://go.test/c/${String(link.uuid)}`,
    offer: { id: net.offer.id, title: net.offer.title },
  })
  const target = new URL(String(link.advertiser_link).replaceAll(/[{}]/g, ''))
  expect(target.origin).toBe('https://land.brand.test')
  expect(Object.fromEntries(target.searchParams)).toMatchObject({
    a: '1',
    site_id: 'site-77',
    media_id: 'm-77',
    promocode: 'WIN 1',
  })
  const postbacks = rows(link.postbacks)
  expect(postbacks).toHaveLength(1)
  expect(postbacks[0]).toMatchObject({ kind: 'main' })
  expect(postbacks[0]?.url).toContain(`https://go.test/postback/${String(postbacks[0]?.uuid)}?click_id=`)
  expect(postbacks[0]?.uuid).not.toBe(link.uuid)
  await done(admin, 'PUT', `country/${net.country.id}`, { partner_links_domain: 'https://land.example' })
  const moved = await done(admin, 'GET', `offer_partner/${link.id}`)
  expect(moved.partner_link).toBe(`https://land.example/c/${String(link.uuid)}`)
})

test('a partner offer has extra postbacks; the main one stays [ENT-13]', async () => {
  const link = await done(admin, 'POST', 'offer_partner', linkOf(await makeNetwork(admin)))
  const [main] = rows(link.postbacks)
  const extra = { id: 'temp_0123456789abcdef', _status: 'new', title: 'Second brand' }
  const saved = await done(admin, 'PUT', `offer_partner/${link.id}`, { postbacks: [extra], version: link.version })
  expect(rows(saved.postbacks)).toMatchObject([{ kind: 'main' }, { kind: 'extra', title: 'Second brand' }])
  expect(saved.version).toBe(link.version + 1)
  expect((await ask(admin, 'DELETE', `offer_partner_postback/${main?.id}`)).status).toBe(409)
  expect(await refused(admin, 'PUT', `offer_partner/${link.id}`, { postbacks: [{ kind: 'main' }] })).toEqual({
    postbacks: { 0: { kind: ['Already exists'] } },
  })
  const [, second] = rows(saved.postbacks)
  await done(admin, 'PUT', `offer_partner/${link.id}`, { postbacks: [{ id: second?.id, _status: 'deleted' }] })
  expect(rows((await done(admin, 'GET', `offer_partner/${link.id}`)).postbacks)).toHaveLength(1)
})

test('no partner offer for an unapproved, inactive row or without media ID, and each reason is listed [ENT-15]', async () => {
  const net = await makeNetwork(admin)
  await done(admin, 'PUT', `offer/${net.offer.id}`, { state: 'unapproved', active: false })
  await done(admin, 'PUT', `partner/${net.partner.id}`, { state: 'unapproved', active: false })
  await done(admin, 'PUT', `advertiser_country/${net.presence.id}`, { media_id: null })
  expect(await refused(admin, 'POST', 'offer_partner', linkOf(net))).toEqual({
    offer: ['The offer is not approved', 'The offer is inactive', 'The advertiser has no media ID for this country'],
    partner: ['The partner is not approved', 'The partner is inactive'],
  })
  await done(admin, 'PUT', `offer/${net.offer.id}`, { state: 'approved', active: true })
  await done(admin, 'PUT', `partner/${net.partner.id}`, { state: 'approved', active: true })
  expect(await refused(admin, 'POST', 'offer_partner', linkOf(net))).toEqual({
    offer: ['The advertiser has no media ID for this country'],
  })
  await done(admin, 'PUT', `advertiser_country/${net.presence.id}`, { media_id: 'back' })
  await done(admin, 'POST', 'offer_partner', linkOf(net))
})

test('a site ID is unique within a partner, and free for another one [ENT-16]', async () => {
  const [one, two] = [await makeNetwork(admin), await makeNetwork(admin)]
  await done(admin, 'POST', 'offer_partner', linkOf(one, { site_id: 'same' }))
  await done(admin, 'POST', 'offer_partner', linkOf(two, { site_id: 'same' }))
  const stream = await done(admin, 'POST', 'partner_stream', { partner: one.partner.id, title: 'Other' })
  const source = await done(admin, 'POST', 'traffic_source', { title: unique('Social') })
  const again = linkOf({ ...one, stream, source }, { site_id: 'same' })
  expect(await refused(admin, 'POST', 'offer_partner', again)).toEqual({
    site_id: ['This Site ID already exists for the partner'],
  })
  expect(await refused(admin, 'POST', 'offer_partner', { ...again, site_id: 'a b' })).toEqual({
    site_id: ['Must not contain a space or a comma'],
  })
})

test('a stream serves one offer of a country; the form may check it before [ENT-16]', async () => {
  const net = await makeNetwork(admin)
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net))
  const other = await makeOffer(admin, net)
  const message = 'This stream is already used in another offer for the same country'
  expect(await refused(admin, 'POST', 'offer_partner', linkOf({ ...net, offer: other }))).toEqual({
    stream: [`${message}: ${String(net.offer.title)}, partner offer #${link.id}`],
  })
  const path = `partner_stream/${net.stream.id}/validate_offer`
  expect(await done(admin, 'GET', `${path}?offer=${other.id}`)).toEqual({
    valid: false,
    message: `${message}: ${String(net.offer.title)}, partner offer #${link.id}`,
  })
  expect(await done(admin, 'GET', `${path}?offer=${net.offer.id}`)).toEqual({ valid: true, message: null })
  expect(await done(admin, 'GET', `${path}?offer=${other.id}&offer_partner=${link.id}`)).toEqual({
    valid: true,
    message: null,
  })
  const absent = ['This record does not exist']
  expect(await refused(admin, 'GET', `${path}?offer=99999999`)).toEqual({ offer: absent })
  expect(
    await refused(admin, 'GET', `partner_stream/${net.stream.id}/validate_traffic_source?traffic_source=99999999`),
  ).toEqual({ traffic_source: absent })
  const land = await done(admin, 'POST', 'country', {
    title: unique('Elsewhere'),
    code: nextCode(),
    currency: net.currency.id,
  })
  const presence = await done(admin, 'POST', 'advertiser_country', {
    advertiser: net.advertiser.id,
    country: land.id,
    media_id: 'x',
  })
  const abroad = await makeOffer(admin, { ...net, presence })
  await done(admin, 'POST', 'offer_partner', linkOf({ ...net, offer: abroad }))
})

test('a stream keeps its traffic source, and a partner has one partner offer per offer and source [ENT-16]', async () => {
  const net = await makeNetwork(admin)
  const social = await done(admin, 'POST', 'traffic_source', { title: unique('Social') })
  await done(admin, 'PUT', `partner_stream/${net.stream.id}`, { traffic_source: net.source.id })
  const tied = `The stream is tied to another traffic source: ${String(net.source.title)}`
  const errors = { traffic_source: [tied] }
  expect(await refused(admin, 'POST', 'offer_partner', linkOf({ ...net, source: social }))).toEqual(errors)
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net))
  expect(await refused(admin, 'PUT', `partner_stream/${net.stream.id}`, { traffic_source: social.id })).toEqual({
    traffic_source: ['The stream is tied to another traffic source'],
  })
  const second = await done(admin, 'POST', 'partner_stream', { partner: net.partner.id, title: 'Second' })
  expect(await refused(admin, 'POST', 'offer_partner', linkOf({ ...net, stream: second }))).toEqual({
    traffic_source: [`Already used in ${String(net.offer.title)}, partner offer #${link.id}`],
  })
  const path = `partner_stream/${second.id}/validate_traffic_source`
  expect(await done(admin, 'GET', `${path}?traffic_source=${net.source.id}&offer=${net.offer.id}`)).toMatchObject({
    valid: false,
    message: `Already used in ${String(net.offer.title)}, partner offer #${link.id}`,
  })
  expect(await done(admin, 'GET', `${path}?traffic_source=${social.id}&offer=${net.offer.id}`)).toMatchObject({
    valid: true,
  })
  const taker = await done(admin, 'POST', 'offer_partner', linkOf({ ...net, stream: second, source: social }))
  expect((await done(admin, 'GET', `${path}?traffic_source=${net.source.id}`)).message).toBe(
    `The stream is tied to the traffic source ${String(social.title)}. Already used in ${String(net.offer.title)}, partner offer #${taker.id}`,
  )
})

test('partner offers created at once do not share what must be unique [ENT-16]', async () => {
  const net = await makeNetwork(admin)
  const streams = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      done(admin, 'POST', 'partner_stream', { partner: net.partner.id, title: `S${index}` }),
    ),
  )
  const replies = await Promise.all(
    streams.map((stream) => ask(admin, 'POST', 'offer_partner', linkOf({ ...net, stream }))),
  )
  expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 422, 422, 422, 422])
})

test('a stream of another partner is rejected [ENT-16]', async () => {
  const [one, two] = [await makeNetwork(admin), await makeNetwork(admin)]
  expect(await refused(admin, 'POST', 'offer_partner', linkOf({ ...one, stream: two.stream }))).toEqual({
    stream: ['This stream belongs to another partner'],
  })
})

test('offer and partner of a partner offer never change [ENT-13]', async () => {
  const net = await makeNetwork(admin)
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net))
  const other = await makeOffer(admin, net)
  const fixed = ['This field can only be set when the record is created']
  expect(await refused(admin, 'PUT', `offer_partner/${link.id}`, { offer: other.id })).toEqual({ offer: fixed })
  await done(admin, 'PUT', `offer_partner/${link.id}`, { offer: net.offer.id, sub_id: 's' })
})

const HISTORIES = ['cost', 'bl_deposit', 'bl_period', 'bet_requirement', 'max_days']

test.each(HISTORIES)(
  'ranges of the %s history never overlap, by its own CRUD and inside the link [ENT-14]',
  async (name) => {
    const link = await done(admin, 'POST', 'offer_partner', linkOf(await makeNetwork(admin)))
    const path = `offer_partner_${name}_history`
    const first = await done(admin, 'POST', path, {
      offer_partner: link.id,
      value: 10,
      date_from: '2026-01-01',
      date_to: '2026-01-31',
    })
    const overlap = { date_from: ['Data interception issue'] }
    const inside = { offer_partner: link.id, value: 11, date_from: '2026-01-31' }
    expect(await refused(admin, 'POST', path, inside)).toEqual(overlap)
    const second = await done(admin, 'POST', path, { ...inside, date_from: '2026-02-01' })
    expect(await refused(admin, 'PUT', `${path}/${first.id}`, { date_to: '2026-02-01' })).toEqual(overlap)
    expect(await refused(admin, 'PUT', `${path}/${first.id}`, { date_to: '2025-12-31' })).toEqual({
      date_to: ['Date from must be earlier than date to'],
    })
    const collection = `${name}_history`
    const nested = await refused(admin, 'PUT', `offer_partner/${link.id}`, {
      [collection]: [{ value: 1, date_from: '2026-01-10' }],
    })
    expect(nested).toEqual({ [collection]: { 0: overlap } })
    const shifted = [
      { id: second.id, _status: 'updated', date_from: '2026-01-11' },
      { id: first.id, _status: 'updated', date_to: '2026-01-10' },
    ]
    const saved = await done(admin, 'PUT', `offer_partner/${link.id}`, { [collection]: shifted })
    expect(rows(saved[collection])).toMatchObject([
      { date_from: '2026-01-11', date_to: null },
      { date_from: '2026-01-01', date_to: '2026-01-10' },
    ])
    expect((await ask(admin, 'DELETE', `${path}/${first.id}`)).status).toBe(204)
  },
)

test('new terms from a day on end the open range, which goes on after terms with an end; the calls of the partner offer [ENT-14]', async () => {
  const link = await done(admin, 'POST', 'offer_partner', linkOf(await makeNetwork(admin)))
  const path = `offer_partner/${link.id}`
  await done(admin, 'PUT', `${path}/update_cost_history`, { value: '40', date_from: '2026-01-01' })
  await done(admin, 'PUT', `${path}/update_cost_history`, { value: '45.5', date_from: '2026-03-01' })
  const corrected = await done(admin, 'PUT', `${path}/update_cost_history`, { value: 46, date_from: '2026-03-01' })
  expect(rows(corrected.cost_history)).toMatchObject([
    { value: '46.0000', date_from: '2026-03-01', date_to: null },
    { value: '40.0000', date_from: '2026-01-01', date_to: '2026-02-28' },
  ])
  const day = await done(admin, 'PUT', `${path}/update_cost_history`, {
    value: '99',
    date_from: '2026-03-20',
    date_to: '2026-03-20',
  })
  expect(rows(day.cost_history)).toMatchObject([
    { value: '46.0000', date_from: '2026-03-21', date_to: null },
    { value: '99.0000', date_from: '2026-03-20', date_to: '2026-03-20' },
    { value: '46.0000', date_from: '2026-03-01', date_to: '2026-03-19' },
    { value: '40.0000', date_from: '2026-01-01', date_to: '2026-02-28' },
  ])
  expect(await refused(admin, 'PUT', `${path}/update_cost_history`, { value: 1, date_from: '2026-02-10' })).toEqual({
    date_from: ['Data interception issue'],
  })
  const deposit = await done(admin, 'PUT', `${path}/update_bl_deposit_history`, {
    value: 100,
    date_from: '2026-01-01',
    date_to: '2026-01-31',
  })
  expect(rows(deposit.bl_deposit_history)).toMatchObject([{ value: '100.0000', date_to: '2026-01-31' }])
  const period = await done(admin, 'PUT', `${path}/update_bl_period_history`, { value: 30, date_from: '2026-01-01' })
  expect(rows(period.bl_period_history)).toMatchObject([{ value: 30 }])
  const country = await done(admin, 'PUT', `${path}/update_bl_country_requirement`, { country_requirement: true })
  expect(country.country_requirement).toBe(true)
  expect(await refused(admin, 'PUT', `${path}/update_cost_history`, { value: 'x', date_from: 'yesterday' })).toEqual({
    date_from: ['Wrong date'],
  })
  expect(await refused(admin, 'PUT', `${path}/update_cost_history`, { value: -1, date_from: '2027-01-01' })).toEqual({
    value: ['No less than 0'],
  })
  expect(
    (await ask(admin, 'PUT', 'offer_partner/999999/update_cost_history', { value: 1, date_from: '2026-01-01' })).status,
  ).toBe(404)
})

test('two users set terms at once: the result is one range, or one is rejected [ENT-14]', async () => {
  const link = await done(admin, 'POST', 'offer_partner', linkOf(await makeNetwork(admin)))
  const path = `offer_partner/${link.id}/update_cost_history`
  const days = Array.from({ length: 8 }, (_, index) => `2026-01-0${index + 1}`)
  await Promise.all(days.map((date_from) => ask(admin, 'PUT', path, { value: 5, date_from })))
  const history = rows((await done(admin, 'GET', `offer_partner/${link.id}`)).cost_history)
  expect(history.filter(({ date_to }) => date_to === null)).toHaveLength(1)
})

test('a partner offer with traffic is deactivated, not deleted; one without is deleted with its own rows [ENT-13] [ENT-25]', async () => {
  const { postgres } = server.services
  const used = await done(admin, 'POST', 'offer_partner', linkOf(await makeNetwork(admin)))
  await postgres.pool.query(
    `insert into postback (direction, status, method, offer_partner_id, partner_id)
      select 'in', 'refused', 'GET', id, partner_id from offer_partner where id = $1`,
    [used.id],
  )
  expect(await ask(admin, 'DELETE', `offer_partner/${used.id}`)).toMatchObject({
    status: 409,
    body: { reasons: [{ code: 'link_has_traffic', message: expect.stringContaining('deactivate') }] },
  })
  const unused = await done(admin, 'POST', 'offer_partner', linkOf(await makeNetwork(admin)))
  await done(admin, 'PUT', `offer_partner/${unused.id}/update_cost_history`, { value: 1, date_from: '2026-01-01' })
  expect((await ask(admin, 'DELETE', `offer_partner/${unused.id}`)).status).toBe(204)
  const left = await postgres.pool.query('select 1 from offer_partner_cost_history where offer_partner_id = $1', [
    unused.id,
  ])
  expect(left.rows).toEqual([])
  expect((await ask(admin, 'GET', `offer_partner/${unused.id}`, undefined, DETAILED)).status).toBe(404)
})
