// Testers: they say what would happen, and leave nothing behind.

import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { trackerModule } from '../../src/tracker/module.ts'
import { ask, done, ENTITY_MODULES } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { ok, startPartner } from '../support/partner-server.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { LINK, MAIN_POSTBACK, makeNetwork } from '../support/tracker-network.ts'

let server: Server
let admin: SignedIn
const query = async (sql: string, values: unknown[] = []) =>
  (await server.services.postgres.pool.query(sql, values)).rows
const counts = async () =>
  (
    await query(`select (select count(*) from postback) as postbacks, (select count(*) from player) as players,
    (select count(*) from click_inbox) as clicks`)
  )[0]

beforeAll(async () => {
  server = await startTestApp({ modules: [...ENTITY_MODULES, trackerModule], env: { ALLOW_PRIVATE_TARGETS: '1' } })
  await makeNetwork(server.services.postgres.pool)
  admin = await signIn(server, 'ADMIN')
})

test('a tracking link is followed to its last URL, with the click as it would be recorded [TRK-11]', async () => {
  const end = await startPartner(ok)
  const start = await startPartner((_, response) => response.writeHead(302, { location: `${end.url}/end` }).end())
  await query('update offer_partner set advertiser_link_template = $1 where id = 1', [
    `${start.url}/?c={click_id}&s={sub_id|default:none}&p={player_id}`,
  ])
  const before = await counts()
  const tested = await done(admin, 'POST', 'offer_partner/1/test_link', {
    params: { click_id: 'theirs', landing: 'bonus' },
    ip: '8.8.8.8',
    follow: true,
  })
  expect(tested).toMatchObject({
    status: 302,
    reason: null,
    partner_link: expect.stringContaining(`/c/${LINK}?click_id=theirs&landing=bonus`),
    target: expect.stringMatching(/\/\?c=[0-9a-f-]{36}&s=none&p=$/),
    click: { partner_click_id: 'theirs', landing: { id: 2 }, ip_country: 'US', bot: false, canonical_id: null },
    filled: ['click_id'],
    missing: ['sub_id', 'player_id'],
    hops: [
      { code: 302, location: `${end.url}/end` },
      { url: `${end.url}/end`, code: 200, location: null, error: null },
    ],
  })
  await query(`update offer set state = 'unapproved' where id = 1`)
  expect(await done(admin, 'POST', 'offer_partner/1/test_link', {})).toMatchObject({
    status: 410,
    reason: 'offer_unapproved',
    target: null,
    hops: [],
  })
  await query(`update offer set state = 'approved' where id = 1`)
  expect(await counts()).toEqual(before)
})

test('an event is judged as if it had come, and nothing is counted [TRK-11]', async () => {
  await query(
    `insert into partner_postback_url (partner_id, url, events) values (1, 'https://alpha.example/?e={event}', '{ftd}')`,
  )
  const before = await counts()
  const judge = (params: Record<string, string>) => done(admin, 'POST', 'offer_partner/1/test_event', { params })
  expect(await judge({ goal: 'dep', player_id: 'tested', amount: '5', site_id: 'alpha-site' })).toMatchObject({
    status: 200,
    body: { status: 'ok' },
    reason: null,
    url: expect.stringContaining(MAIN_POSTBACK),
    attribution: 'site_id',
    calls: [{ event: 'ftd', method: 'GET', url: 'https://alpha.example/?e=ftd', status: 'pending', reason: null }],
  })
  expect(await judge({ event: 'reg', player_id: 'tested', site_id: 'alpha-site' })).toMatchObject({
    calls: [{ event: 'reg', url: null, status: 'skipped', reason: 'event_not_selected' }],
  })
  expect(await judge({ event: 'dep', player_id: 'tested' })).toMatchObject({
    status: 422,
    reason: 'missing_sum',
    calls: [],
  })
  expect(await counts()).toEqual(before)
})

test('an address of a partner is called once with made-up values, and its answer shown [TRK-11]', async () => {
  const partner = await startPartner((_, response) => response.writeHead(404).end('who?'))
  const call = {
    url: `${partner.url}/?e={event}&c={clickid}&s={sum}`,
    method: 'POST',
    event: 'ftd',
    values: { sum: '9' },
  }
  expect(await done(admin, 'POST', 'partner/1/test_postback', call)).toMatchObject({
    url: `${partner.url}/?e=ftd&c=test-click&s=9`,
    code: 404,
    response: 'who?',
    reason: 'client_error',
    filled: ['event', 'click_id', 'sum'],
  })
  expect(partner.calls).toMatchObject([{ method: 'POST', body: 'e=ftd&c=test-click&s=9' }])
  const wrong = await ask(admin, 'POST', 'partner/1/test_postback', {
    url: 'https://a.example/{nobody}',
    method: 'GET',
  })
  expect(wrong.body.formErrors).toMatchObject({ url: ['Unknown macro: nobody'] })
  const other = await signIn(server, 'PARTNER', 2)
  expect((await ask(other, 'POST', 'partner/1/test_postback', call)).status).toBe(403)
  expect((await ask(other, 'POST', 'offer_partner/1/test_link', {})).status).toBe(403)
})
