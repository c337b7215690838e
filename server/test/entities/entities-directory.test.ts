// Entities of the directory: their fields, rejections, and rows that cannot be deleted.

import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import {
  ask,
  done,
  ENTITY_MODULES,
  type Json,
  linkOf,
  makeNetwork,
  nextCode,
  refused,
  unique,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
})

const rows = (value: unknown): Json[] => value as Json[]

test('a traffic source has a unique title, a URL and its name in the CRM [ENT-01]', async () => {
  const body = {
    title: 'Streamers',
    url: 'https://tv.test',
    crm_type_of_advertising_id: '4',
    crm_traffic_source_id: '9',
    crm_description: 'line\nline',
  }
  expect(await done(admin, 'POST', 'traffic_source', body)).toMatchObject({ ...body, active: true })
  expect(await refused(admin, 'POST', 'traffic_source', body)).toEqual({ title: ['This title is already in use'] })
  expect(await refused(admin, 'POST', 'traffic_source', { title: 'Other', url: 'tv' })).toEqual({ url: ['Wrong URL'] })
})

test('a landing has a title, a value with known macros, and a sub ID [ENT-02]', async () => {
  const landing = await done(admin, 'POST', 'landing', { title: 'Slots', value: 'slots?x={sub_id}', sub_id: 's1' })
  expect(landing).toMatchObject({ title: 'Slots', value: 'slots?x={sub_id}', sub_id: 's1' })
  expect(await refused(admin, 'PUT', `landing/${landing.id}`, { value: 'slots?x={nothing}' })).toEqual({
    value: ['Unknown macro: nothing'],
  })
  await done(admin, 'POST', 'landing', { title: 'Slots', value: 'other' })
})

test('a currency has a tag and rates by day, saved with it [ENT-03]', async () => {
  const currency = await done(admin, 'POST', 'currency', {
    title: 'Hryvnia',
    value: 'UAH',
    rates: [{ date: '2026-01-01', rate: '0.02345678' }],
  })
  expect(rows(currency.rates)).toMatchObject([{ date: '2026-01-01', rate: '0.02345678', version: 1 }])
  const [rate] = rows(currency.rates)
  const saved = await done(admin, 'PUT', `currency/${currency.id}`, {
    rates: [
      { id: 'temp_abcdefgh12345678', _status: 'new', date: '2026-01-02', rate: 0.03 },
      { id: rate?.id, _status: 'updated', rate: '0.02', version: 1 },
    ],
  })
  expect(rows(saved.rates)).toMatchObject([
    { date: '2026-01-02', rate: '0.03000000' },
    { date: '2026-01-01', rate: '0.02000000', version: 2 },
  ])
  expect(saved.version).toBe(2)
  const errors = await refused(admin, 'PUT', `currency/${currency.id}`, {
    title: '',
    rates: [
      { date: '2026-01-02', rate: 1 },
      { date: '2026-02-30', rate: 0 },
      { rate: 'x', _status: 'gone' },
    ],
  })
  expect(errors).toEqual({ title: ['This field is required'] })
  const nested = await refused(admin, 'PUT', `currency/${currency.id}`, {
    rates: [{ date: '2026-02-30', rate: 0 }, { rate: 1 }, { rate: 'x', _status: 'gone' }],
  })
  expect(nested).toEqual({
    rates: {
      0: { date: ['Wrong date'], rate: ['No less than 1e-8'] },
      1: { date: ['This field is required'] },
      2: { _status: ['Invalid value'] },
    },
  })
  expect(await refused(admin, 'POST', 'currency', { title: 'Again', value: 'UAH' })).toEqual({
    value: ['Already exists'],
  })
})

test('a country has a code, a currency and alternative titles [ENT-04]', async () => {
  const currency = await done(admin, 'POST', 'currency', { title: unique('Zloty'), value: 'PLN' })
  const code = nextCode()
  const body = {
    title: 'Poland',
    code,
    currency: currency.id,
    sub_id: 'pl',
    partner_links_domain: 'https://pl.test',
    crm_country_id: '48',
  }
  const country = await done(admin, 'POST', 'country', {
    ...body,
    mappings: [{ title: 'Polska' }, { title: 'Польша' }],
  })
  expect(country).toMatchObject({ ...body, currency: { id: currency.id, title: currency.title, value: 'PLN' } })
  expect(rows(country.mappings).map(({ title }) => title)).toEqual(['Polska', 'Польша'])
  expect(await refused(admin, 'POST', 'country', { ...body, title: 'Other', code: 'Pol' })).toEqual({
    code: ['No more than 2 characters'],
  })
  expect(await refused(admin, 'POST', 'country', { ...body, title: 'Other', code: 'p1' })).toEqual({
    code: ['Two Latin letters, as in ISO 3166-1'],
  })
  expect(await refused(admin, 'POST', 'country', { ...body, title: 'Other' })).toEqual({ code: ['Already exists'] })
  expect(await refused(admin, 'POST', 'country', { ...body, title: 'Other', code: 'QQ' })).toEqual({
    code: ['No country has this code in ISO 3166-1'],
  })
  const renamed = await done(admin, 'PUT', `country/${country.id}`, { title: 'POLAND', mappings: [] })
  expect(renamed).toMatchObject({ title: 'POLAND', code })
})

test('a title belongs to one country, regardless of case [ENT-04]', async () => {
  const currency = await done(admin, 'POST', 'currency', { title: unique('Crown'), value: 'CZK' })
  const [first, second] = [nextCode(), nextCode()]
  const czechia = await done(admin, 'POST', 'country', {
    title: 'Czechia',
    code: first,
    currency: currency.id,
    mappings: [{ title: 'Česko' }, { title: 'Czechia (CZ)' }],
  })
  const other = await done(admin, 'POST', 'country', { title: 'Slovakia', code: second, currency: currency.id })
  const taken = { title: ['This title is already in use'] }
  for (const title of ['ČESKO', 'česko', 'czechIA (cz)', 'CZECHIA', first.toLowerCase()])
    expect(await refused(admin, 'POST', 'country_mapping', { country: other.id, title })).toEqual(taken)
  const [mapping] = rows(czechia.mappings)
  expect(await refused(admin, 'POST', 'country_mapping', { country: czechia.id, title: 'ČESKO' })).toEqual(taken)
  expect(
    await refused(admin, 'PUT', `country/${other.id}`, { mappings: [{ title: 'One' }, { title: 'ONE' }] }),
  ).toEqual({
    mappings: { 1: taken },
  })
  expect(await refused(admin, 'PUT', `country/${other.id}`, { title: 'česko' })).toEqual(taken)
  expect(await refused(admin, 'PUT', `country/${other.id}`, { title: 'czechia' })).toEqual(taken)
  // The country may change the spelling of its own title.
  await done(admin, 'PUT', `country_mapping/${mapping?.id}`, { title: 'ČESKO' })
  expect((await done(admin, 'POST', 'country_mapping', { country: other.id, title: 'slovakia' })).title).toBe(
    'slovakia',
  )
})

test('default landings and those of partner offers are among the allowed ones [ENT-08]', async () => {
  const net = await makeNetwork(admin)
  const [allowed, foreign] = [
    await done(admin, 'POST', 'landing', { title: unique('Allowed'), value: 'a' }),
    await done(admin, 'POST', 'landing', { title: unique('Foreign'), value: 'f' }),
  ]
  const path = `advertiser/${net.advertiser.id}`
  const of = (landing: Json) => ({ advertiser: net.advertiser.id, country: net.country.id, landing: landing.id })
  const no = ['The advertiser does not allow this landing']
  expect(await refused(admin, 'POST', 'default_landing', of(foreign))).toEqual({ landing: no })
  const rowsOf = (landing: Json) => ({ default_landings: [{ country: net.country.id, landing: landing.id }] })
  expect(await refused(admin, 'PUT', path, rowsOf(foreign))).toEqual({ default_landings: { 0: { landing: no } } })
  // Allowed and selected in one request.
  await done(admin, 'PUT', path, { allowed_landings: [net.landing.id, allowed.id], ...rowsOf(allowed) })
  expect(
    await refused(admin, 'POST', 'offer_partner', linkOf(net, { landings: [net.landing.id, foreign.id] })),
  ).toEqual({
    landings: no,
  })
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net, { landings: [allowed.id] }))
  expect(await refused(admin, 'PUT', `offer_partner/${link.id}`, { landings: [foreign.id] })).toEqual({ landings: no })
  // A selected landing stays when the advertiser withdraws it, but cannot be selected again.
  await done(admin, 'PUT', path, { allowed_landings: [net.landing.id] })
  await done(admin, 'PUT', `offer_partner/${link.id}`, { landings: [net.landing.id, allowed.id] })
  await done(admin, 'PUT', `offer_partner/${link.id}`, { landings: [net.landing.id] })
  expect(await refused(admin, 'PUT', `offer_partner/${link.id}`, { landings: [allowed.id] })).toEqual({ landings: no })
  const elsewhere = await makeNetwork(admin)
  const move = { advertiser: elsewhere.advertiser.id, advertiser_country: elsewhere.presence.id }
  expect(await refused(admin, 'PUT', `offer/${net.offer.id}`, move)).toEqual({
    advertiser: ['Partner offers of this offer use landings that this advertiser does not allow'],
  })
})

test('a product has a unique title [ENT-05]', async () => {
  await done(admin, 'POST', 'product', { title: '  Poker 😀 ' })
  expect(await refused(admin, 'POST', 'product', { title: 'Poker 😀' })).toEqual({
    title: ['This title is already in use'],
  })
})

test('payment models exist from the start, of four types; they are edited but neither created nor deleted [ENT-06]', async () => {
  const { items } = await done(admin, 'GET', 'payment_model?limit=-1&order[id]=ASC')
  expect(rows(items).map(({ type }) => type)).toEqual(['CPA', 'RS', 'CPA_RS', 'AGENCY'])
  const terms = {
    title_for_analysts: 'C',
    cost: '10.0000',
    default_cost: '20.0000',
    default_baseline: '5.0000',
    default_baseline_period_days: 30,
    default_max_days_from_registration: 60,
  }
  expect(await done(admin, 'PUT', 'payment_model/1', terms)).toMatchObject(terms)
  expect((await ask(admin, 'POST', 'payment_model', { title: 'x', type: 'CPA' })).status).toBe(404)
  expect((await ask(admin, 'DELETE', 'payment_model/1')).status).toBe(404)
})

test('an advertiser has countries with domain, media ID and CRM project, allowed and default landings [ENT-08]', async () => {
  const net = await makeNetwork(admin)
  const advertiser = await done(admin, 'GET', `advertiser/${net.advertiser.id}`)
  expect(advertiser).toMatchObject({
    allowed_landings: [{ id: net.landing.id, title: net.landing.title, value: 'welcome/?a=1' }],
  })
  expect(rows(advertiser.countries)).toMatchObject([
    {
      country: { id: net.country.id, title: net.country.title, code: net.country.code },
      domain: 'https://land.brand.test',
      media_id: 'm-77',
    },
  ])
  expect(rows(advertiser.default_landings)).toMatchObject([{ country: null, landing: { id: net.landing.id } }])
  const twice = { countries: [{ country: net.country.id }] }
  expect(await refused(admin, 'PUT', `advertiser/${net.advertiser.id}`, twice)).toEqual({
    countries: { 0: { country: ['Already exists'] } },
  })
})

test('an advertiser country with offers is not deleted, by itself or inside the advertiser: the offers are listed [ENT-09] [ENT-25]', async () => {
  const net = await makeNetwork(admin)
  const expected = {
    code: 'in_use',
    references: [{ entity: 'offer', items: [{ id: net.offer.id, title: net.offer.title }], total: 1 }],
  }
  expect(await ask(admin, 'DELETE', `advertiser_country/${net.presence.id}`)).toMatchObject({
    status: 409,
    body: expected,
  })
  const nested = { title: 'Renamed', countries: [{ id: net.presence.id, _status: 'deleted' }] }
  expect(await ask(admin, 'PUT', `advertiser/${net.advertiser.id}`, nested)).toMatchObject({
    status: 409,
    body: expected,
  })
  expect((await done(admin, 'GET', `advertiser/${net.advertiser.id}`)).title).toBe(net.advertiser.title)
  await done(admin, 'DELETE', `offer/${net.offer.id}`)
  expect((await ask(admin, 'DELETE', `advertiser_country/${net.presence.id}`)).status).toBe(204)
})

test('the domain of an advertiser starts with https:// [ENT-10]', async () => {
  const net = await makeNetwork(admin)
  const message = ['The domain URL must start with https://']
  expect(
    await refused(admin, 'PUT', `advertiser/${net.advertiser.id}`, { default_domain: 'http://brand.test' }),
  ).toEqual({ default_domain: message })
  expect(await refused(admin, 'PUT', `advertiser_country/${net.presence.id}`, { domain: 'brand.test' })).toEqual({
    domain: message,
  })
})

test('tags of partners and partner offers are created, assigned, renamed and deleted when unused [ENT-22]', async () => {
  const net = await makeNetwork(admin)
  const tag = await done(admin, 'POST', 'partner_tag', { title: 'VIP' })
  const partner = await done(admin, 'PUT', `partner/${net.partner.id}`, { tags: [tag.id, tag.id] })
  expect(partner.tags).toEqual([{ id: tag.id, title: 'VIP' }])
  expect(await ask(admin, 'DELETE', `partner_tag/${tag.id}`)).toMatchObject({
    status: 409,
    body: { references: [{ entity: 'partner', items: [{ id: net.partner.id }], total: 1 }] },
  })
  await done(admin, 'PUT', `partner_tag/${tag.id}`, { title: 'Top' })
  await done(admin, 'PUT', `partner/${net.partner.id}`, { tags: [] })
  expect((await ask(admin, 'DELETE', `partner_tag/${tag.id}`)).status).toBe(204)
  const other = await done(admin, 'POST', 'offer_partner_tag', { title: 'Test' })
  expect(await done(admin, 'PUT', `offer_partner_tag/${other.id}`, { title: 'Trial' })).toMatchObject({
    title: 'Trial',
    version: 2,
  })
  expect((await ask(admin, 'DELETE', `offer_partner_tag/${other.id}`)).status).toBe(204)
})

test('a reference to a missing or inactive row is rejected on its field; an unchanged reference may stay', async () => {
  const net = await makeNetwork(admin)
  const product = await done(admin, 'POST', 'product', { title: unique('Bingo') })
  await done(admin, 'PUT', `offer/${net.offer.id}`, { product: product.id })
  await done(admin, 'PUT', `product/${product.id}`, { active: false })
  await done(admin, 'PUT', `offer/${net.offer.id}`, { product: product.id, days: 3 })
  await done(admin, 'PUT', `offer/${net.offer.id}`, { product: null })
  expect(await refused(admin, 'PUT', `offer/${net.offer.id}`, { product: product.id })).toEqual({
    product: ['This record is inactive'],
  })
  expect(
    await refused(admin, 'PUT', `offer/${net.offer.id}`, { product: 99_999, partner_groups: [1, 99_999] }),
  ).toEqual({
    product: ['This record does not exist'],
    partner_groups: ['This record does not exist'],
  })
})

test('saving twice creates one row [API-03]', async () => {
  const body = { title: unique('Twice') }
  const replies = await Promise.all(Array.from({ length: 8 }, () => ask(admin, 'POST', 'product', body)))
  expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 422, 422, 422, 422, 422, 422, 422])
})

test('two users change one row at once: both changes are kept, or the second is rejected; nothing is half-written', async () => {
  const net = await makeNetwork(admin)
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, days) =>
      ask(admin, 'PUT', `offer/${net.offer.id}`, { days, version: net.offer.version }),
    ),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(5)
})
