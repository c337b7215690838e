// Postbacks of advertisers through the real door: what is answered, what is logged, whose player it becomes.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { trackerModule } from '../../src/tracker/module.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestApp } from '../support/harness.ts'
import {
  EXTRA_POSTBACK,
  FOREIGN_LINK,
  LINK,
  MAIN_POSTBACK,
  makeNetwork,
  OTHER_LINK,
  someAddress,
  visit,
} from '../support/tracker-network.ts'

let server: Server
const query = async (sql: string, values: unknown[] = []) =>
  (await server.services.postgres.pool.query(sql, values)).rows
let players = 0
const somePlayer = () => `player-${++players}`

type Params = Record<string, string>
const call = async (params: Params, uuid = MAIN_POSTBACK, init: RequestInit = {}) => {
  const response = await fetch(`${server.url}/postback/${uuid}?${new URLSearchParams(params).toString()}`, init)
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}
const playerOf = async (outerId: string) => (await query('select * from player where outer_id = $1', [outerId]))[0]
const eventsOf = async (outerId: string) =>
  query('select e.* from player_event e join player p on p.id = e.player_id where p.outer_id = $1 order by e.id', [
    outerId,
  ])
const lastLogged = async () =>
  (await query(`select * from postback where direction = 'in' order by id desc limit 1`))[0]
const clickOn = async (link: string, query = '') =>
  (await visit(server.url, `/c/${link}${query}`, { 'x-forwarded-for': someAddress() })).clickId

beforeAll(async () => {
  server = await startTestApp({ modules: [trackerModule], env: { TRUST_PROXY: '1' } })
  await makeNetwork(server.services.postgres.pool)
  while ((await visit(server.url, `/c/${FOREIGN_LINK}`)).status !== 302)
    await new Promise((resolve) => setTimeout(resolve, 20))
})

test('a registration makes a player, attributed by its click with all of its dimensions [PLY-02] [PLY-03]', async () => {
  const player = somePlayer()
  const path = `/c/${LINK}?click_id=theirs&sub_id=s1&sub2=s2&landing=bonus`
  const { clickId } = await visit(server.url, path, { 'x-forwarded-for': '8.8.8.8' })
  const answer = await call({
    event: 'reg',
    player_id: player,
    click_id: clickId,
    country: 'deutschland',
    date: '2026-01-31 18:05:00',
  })
  expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await playerOf(player)).toMatchObject({
    click_id: clickId,
    // 18:05 at UTC+6, the servers' zone.
    registered_at: new Date('2026-01-31T12:05:00Z'),
    first_deposit_at: null,
    actual_country_id: 2,
    geo_country: 'deutschland',
    ip_country: 'US',
    site_id: 'alpha-site',
    sub_id: 's1',
    sub2: 's2',
    partner_click_id: 'theirs',
    promocode: 'ALPHA',
    landing_id: 2,
    traffic_source_id: 1,
    stream_id: 1,
    partner_id: 1,
    advertiser_id: 1,
    media_id: '77',
    offer_id: 1,
    offer_partner_id: 1,
    attribution: 'click',
  })
})

test('the click decides the attribution, whichever postback URL of the advertiser was called [PLY-02]', async () => {
  const player = somePlayer()
  await call({ event: 'reg', player_id: player, click_id: await clickOn(OTHER_LINK) }, MAIN_POSTBACK)
  expect(await playerOf(player)).toMatchObject({ offer_partner_id: 2, partner_id: 2, attribution: 'click' })
})

test('without a usable click: by site ID, then by promo code, else kept without a partner offer [PLY-02]', async () => {
  const [bySite, byCode, byNone] = [somePlayer(), somePlayer(), somePlayer()]
  expect((await call({ event: 'reg', player_id: bySite, site_id: 'beta-site', promocode: 'ALPHA' })).body).toEqual({
    status: 'ok',
  })
  await call({ event: 'reg', player_id: byCode, promocode: 'beta' })
  await call({ event: 'reg', player_id: byNone, site_id: 'gamma-site' })
  expect(await playerOf(bySite)).toMatchObject({
    attribution: 'site_id',
    offer_partner_id: 2,
    sub_id: 'beta-sub',
    stream_id: 2,
  })
  expect(await playerOf(byCode)).toMatchObject({ attribution: 'promocode', offer_partner_id: 2, promocode: 'beta' })
  expect(await playerOf(byNone)).toMatchObject({
    attribution: 'none',
    offer_partner_id: null,
    partner_id: null,
    advertiser_id: 1,
  })
})

test('an unknown click, or one of another advertiser, is reported; the event is kept [PLY-02]', async () => {
  const [unknown, foreign] = [somePlayer(), somePlayer()]
  const first = await call({ event: 'reg', player_id: unknown, click_id: 'zzz', site_id: 'beta-site' })
  expect(first.body).toMatchObject({ status: 'ok', code: 'unknown_click' })
  expect(first.body.message).toContain('site ID')
  expect(await playerOf(unknown)).toMatchObject({ attribution: 'site_id' })
  expect(await lastLogged()).toMatchObject({
    status: 'accepted',
    click_id: 'zzz',
    error: expect.stringContaining('unknown_click'),
  })
  const second = await call({ event: 'reg', player_id: foreign, click_id: await clickOn(FOREIGN_LINK) })
  expect(second.body.message).toContain('another advertiser')
  expect(await playerOf(foreign)).toMatchObject({ attribution: 'none' })
})

test('a player without a partner offer gets that of the first event that names one; an attributed player keeps theirs', async () => {
  const player = somePlayer()
  await call({ event: 'dep', player_id: player, sum: '10' })
  expect(await playerOf(player)).toMatchObject({ attribution: 'none', registered_at: null })
  await call({ event: 'reg', player_id: player, click_id: await clickOn(LINK) })
  const owned = await playerOf(player)
  expect(owned).toMatchObject({ attribution: 'click', offer_partner_id: 1 })
  expect(owned.registered_at).not.toBeNull()
  await call({ event: 'dep', player_id: player, sum: '11', click_id: await clickOn(OTHER_LINK) })
  expect(await playerOf(player)).toMatchObject({ offer_partner_id: 1, click_id: owned.click_id })
})

test('deposits: the first is the FTD, an earlier one that comes late takes its place, amounts are exact', async () => {
  const player = somePlayer()
  await call({
    event: 'dep',
    player_id: player,
    sum: '12345678901234.1234',
    currency: 'usd',
    date: '2026-03-02T10:00:00Z',
    transaction_id: 'b',
  })
  await call({ event: 'dep', player_id: player, sum: '0.10', date: '2026-03-01T10:00:00+02:00', transaction_id: 'a' })
  await call({ event: 'bet', player_id: player, sum: '7', transaction_id: 'c' })
  expect(await playerOf(player)).toMatchObject({
    first_deposit_at: new Date('2026-03-01T08:00:00Z'),
    first_deposit_amount: '0.1000',
    first_deposit_currency_id: 1,
  })
  const events = await eventsOf(player)
  expect(events.map((event) => [event.type, event.amount, event.currency_id])).toEqual([
    ['dep', '12345678901234.1234', 2],
    ['dep', '0.1000', 1],
    ['bet', '7.0000', 1],
  ])
})

test('events of other names are kept', async () => {
  const player = somePlayer()
  expect((await call({ event: 'kyc.passed', player_id: player })).body).toEqual({ status: 'ok' })
  expect(await eventsOf(player)).toMatchObject([{ type: 'kyc.passed', amount: null }])
})

test('aliases of deposit and registration count once under any name; a postback cannot qualify a player [TRK-05] [TRK-06] [TRK-09]', async () => {
  for (const [index, name] of ['ftd', 'FTD', 'deposit', 'first_deposit'].entries()) {
    const player = somePlayer()
    const identity = index % 2 === 0 ? { transaction_id: 't1' } : { date: '2026-03-01T10:00:00Z' }
    const params = { player_id: player, sum: '100', click_id: await clickOn(LINK), ...identity }
    expect((await call({ ...params, event: name })).body).toEqual({ status: 'ok' })
    expect((await call({ ...params, event: 'dep' })).body).toEqual({ status: 'duplicate' })
    expect(await playerOf(player)).toMatchObject({ first_deposit_amount: '100.0000' })
    expect(await eventsOf(player)).toMatchObject([{ type: 'dep', amount: '100.0000' }])
    const logged = await query('select event_type, params from postback where player_outer_id = $1', [player])
    expect(logged).toContainEqual({ event_type: 'dep', params: { ...params, event: name } })
    expect(logged.filter(({ event_type }) => event_type === 'ftd')).toHaveLength(1)
  }
  const player = somePlayer()
  const bl = { event: 'bl', player_id: player, click_id: await clickOn(LINK) }
  expect(await call(bl)).toMatchObject({ status: 422, body: { code: 'wrong_event' } })
  expect(await query('select status from postback where player_outer_id = $1', [player])).toHaveLength(1)
  for (const [index, event] of ['signup', 'registration', 'register', 'sign_up', 'reg'].entries())
    expect((await call({ event, player_id: player })).body).toEqual({ status: index === 0 ? 'ok' : 'duplicate' })
})

test('the same event twice changes nothing and is logged as duplicate [TRK-09]', async () => {
  const player = somePlayer()
  const reg = { event: 'reg', player_id: player, transaction_id: 'r1' }
  const dep = { event: 'dep', player_id: player, sum: '50', transaction_id: 't1' }
  const undated = { event: 'dep', player_id: player, sum: '20.00' }
  for (const params of [reg, dep, undated]) expect((await call(params)).body).toEqual({ status: 'ok' })
  const before = await playerOf(player)
  for (const params of [
    { ...reg, transaction_id: 'r2' },
    { ...dep, sum: '50.00' },
    { ...undated, sum: '20' },
  ]) {
    expect(await call(params)).toMatchObject({ status: 200, body: { status: 'duplicate' } })
    expect(await lastLogged()).toMatchObject({ status: 'duplicate', player_id: before.id })
  }
  expect(await playerOf(player)).toEqual(before)
  expect(await eventsOf(player)).toHaveLength(3)
  expect((await call({ ...undated, sum: '21' })).body).toEqual({ status: 'ok' })
})

test('the same event many times at once counts once, and makes one player [TRK-09]', async () => {
  const player = somePlayer()
  const clickId = await clickOn(LINK)
  const params = { event: 'dep', player_id: player, sum: '5', transaction_id: 'x', click_id: clickId }
  const answers = await Promise.all(Array.from({ length: 24 }, () => call(params)))
  expect(answers.filter(({ body }) => body.status === 'ok')).toHaveLength(1)
  expect(answers.filter(({ body }) => body.status === 'duplicate')).toHaveLength(23)
  expect(await query('select from player where outer_id = $1', [player])).toHaveLength(1)
  expect(await eventsOf(player)).toHaveLength(1)
})

test('main and extra addresses, GET, form and JSON: each arrival is logged whole [TRK-05]', async () => {
  const sender = someAddress()
  const headers = { 'x-forwarded-for': sender }
  const [byGet, byForm, byJson] = [somePlayer(), somePlayer(), somePlayer()]
  await call({ event: 'reg', player_id: byGet, anything: 'else' }, MAIN_POSTBACK, { headers })
  expect(await lastLogged()).toMatchObject({
    method: 'GET',
    uuid: MAIN_POSTBACK,
    sender_ip: sender,
    event_type: 'reg',
    url: `/postback/${MAIN_POSTBACK}?event=reg&player_id=${byGet}&anything=else`,
    params: { event: 'reg', player_id: byGet, anything: 'else' },
    status: 'accepted',
    advertiser_id: 1,
    offer_partner_id: 1,
  })
  await call({ event: 'reg' }, EXTRA_POSTBACK, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ player_id: byForm }),
  })
  expect(await lastLogged()).toMatchObject({
    method: 'POST',
    uuid: EXTRA_POSTBACK,
    params: { event: 'reg', player_id: byForm },
  })
  const body = `{"event":"dep","player_id":"${byJson}","sum":12345678901234.5678,"nested":{"a":1},"none":null}`
  await call({}, MAIN_POSTBACK, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
  expect(await lastLogged()).toMatchObject({
    event_value: '12345678901234.5678',
    deposit_sum: '12345678901234.5678',
    params: { event: 'dep', player_id: byJson, sum: '12345678901234.5678', nested: '{"a":"1"}' },
  })
})

const dep = { event: 'dep', player_id: 'refused', sum: '1' }
test.each<[string, Params, number, string]>([
  ['no event', { player_id: 'refused' }, 422, 'missing_event'],
  ['a wrong event', { event: 'd e p', player_id: 'refused' }, 422, 'wrong_event'],
  ['no player', { event: 'reg' }, 422, 'missing_player'],
  ['no sum', { event: 'dep', player_id: 'refused' }, 422, 'missing_sum'],
  ['a negative sum', { ...dep, sum: '-5' }, 422, 'wrong_sum'],
  ['a sum of letters', { ...dep, sum: 'ten' }, 422, 'wrong_sum'],
  ['a sum with a comma', { ...dep, sum: '10,50' }, 422, 'wrong_sum'],
  ['an exponent', { ...dep, sum: '1e9' }, 422, 'wrong_sum'],
  ['NaN', { ...dep, sum: 'NaN' }, 422, 'wrong_sum'],
  ['a sum of 15 digits', { ...dep, sum: '100000000000000' }, 422, 'wrong_sum'],
  ['an unknown currency', { ...dep, currency: 'DOGE' }, 422, 'unknown_currency'],
  ['no date', { ...dep, date: 'yesterday' }, 422, 'wrong_date'],
  ['the 30th of February', { ...dep, date: '2026-02-30' }, 422, 'wrong_date'],
  ['an absurd date', { ...dep, date: '0001-01-01' }, 422, 'wrong_date'],
  ['the future', { ...dep, date: '2199-01-01T00:00:00Z' }, 422, 'future_date'],
])('%s is refused with its reason and logged whole [TRK-05]', async (_, params, status, code) => {
  const answer = await call(params)
  expect(answer).toMatchObject({ status, body: { status: 'refused', code } })
  expect(String(answer.body.message).length).toBeGreaterThan(20)
  expect(await lastLogged()).toMatchObject({
    status: 'refused',
    params,
    uuid: MAIN_POSTBACK,
    offer_partner_id: 1,
    error: `${code}: ${String(answer.body.message)}`,
  })
  expect(await playerOf('refused')).toBeUndefined()
})

test('a postback to an unknown, malformed or inactive URL is rejected and logged [TRK-05]', async () => {
  const [id] = await query('select count(*)::int as count from postback')
  expect(await call(dep, '00000000-0000-4000-8000-000000000000')).toMatchObject({
    status: 404,
    body: { code: 'unknown_uuid' },
  })
  expect(await call(dep, 'not-a-uuid')).toMatchObject({ status: 404, body: { code: 'unknown_uuid' } })
  await query('update offer_partner_postback set active = false where uuid = $1', [EXTRA_POSTBACK])
  expect(await call(dep, EXTRA_POSTBACK)).toMatchObject({ status: 410, body: { code: 'inactive' } })
  await query('update offer_partner_postback set active = true where uuid = $1', [EXTRA_POSTBACK])
  const [after] = await query(
    `select count(*)::int as count from postback where status = 'refused' and params ->> 'sum' = '1'`,
  )
  expect(after.count).toBeGreaterThanOrEqual(3)
  expect(id.count).toBeLessThan((await query('select count(*)::int as count from postback'))[0].count)
})

test.each<[string, string, RequestInit, number]>([
  ['NUL', '?event=dep&player_id=a%00', {}, 400],
  ['half an escape', '?event=%', {}, 400],
  ['a long address', `?event=${'x'.repeat(9000)}`, {}, 413],
  ['broken JSON', '', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"event":' }, 400],
  ['a list', '', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[1]' }, 400],
  ['a large body', '', { method: 'POST', body: 'x'.repeat(100_000) }, 413],
  [
    'NUL in JSON',
    '',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"event":"d\\u0000","player_id":"\\ud800"}',
    },
    400,
  ],
  ['another method', '', { method: 'PUT' }, 405],
])('%s gets 4xx, never 5xx', async (_, search, init, status) => {
  const response = await fetch(`${server.url}/postback/${MAIN_POSTBACK}${search}`, init)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({
    status: 'refused',
    code: expect.any(String),
    message: expect.any(String),
  })
})

test('whatever a postback holds: never a 5xx, and every arrival is logged', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      '\u0000',
      '\ud800',
      '%',
      '1e400',
      '-0',
      '9'.repeat(400),
      '2026-02-30',
      '{click_id}',
      "'; drop table player; --",
      'reg',
      'dep',
    ),
  )
  const names = [
    'event',
    'player_id',
    'sum',
    'currency',
    'country',
    'date',
    'transaction_id',
    'click_id',
    'site_id',
    '__proto__',
    '',
  ]
  const params = fc.dictionary(fc.constantFrom(...names), text)
  const nested = fc.oneof(params, fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), fc.jsonValue()))
  const [before] = await query('select count(*)::int as count from postback')
  let sent = 0
  const send = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init)
    sent++
    expect(response.status, `${url} ${JSON.stringify(init.body)}`).toBeLessThan(500)
    await response.text()
  }
  const url = `${server.url}/postback/${MAIN_POSTBACK}`
  await fc.assert(
    fc.asyncProperty(params, nested, text, async (query, json, body) => {
      const search = new URLSearchParams(query).toString()
      await send(`${url}?${search}`, {})
      await send(`${url}?event=reg`, { method: 'POST', body: search })
      await send(url, { method: 'POST', body: JSON.stringify(json), headers: { 'content-type': 'application/json' } })
      await send(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    }),
    { numRuns: fuzzRuns(40) },
  )
  const [after] = await query('select count(*)::int as count from postback')
  expect(after.count - before.count).toBeGreaterThanOrEqual(sent)
})

test('what was counted is in the outbox with its cause', async () => {
  const player = somePlayer()
  await call({ event: 'reg', player_id: player })
  const { id } = await playerOf(player)
  const causes = await query(`select distinct cause from outbox where kind = 'player' and key = $1`, [id])
  expect(causes).toEqual([{ cause: 'postback' }])
})
