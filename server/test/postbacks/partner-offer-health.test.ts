// The health of a partner offer: its clicks of the last days, and rejections by reason, for users who may see it.

import { randomUUID } from 'node:crypto'
import { HEALTH_DAYS } from '@tributary/contract/calls/offer-partner'
import { expect, test } from 'vitest'
import { openIpCountry } from '../../src/tracker/clicks/ip-country.ts'
import { isPrivateIp } from '../../src/tracker/postbacks/target-guard.ts'
import { ask, done, ENTITY_MODULES, linkOf, makeNetwork } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { signIn } from '../support/sign-in.ts'

const server = await startTestApp({ modules: ENTITY_MODULES })
const { services } = server
const admin = await signIn(server, 'ADMIN')
const network = await makeNetwork(admin)
const link = await done(admin, 'POST', 'offer_partner', linkOf(network, { state: 'approved' }))

test('a partner offer without traffic says so; clicks count without bots, rejections by reason [TRK-04]', async () => {
  const path = `offer_partner/${link.id}/health`
  expect(await done(admin, 'GET', path)).toEqual({
    days: HEALTH_DAYS,
    last_click_at: null,
    clicks: 0,
    unique_clicks: 0,
    refusals: [],
  })
  const at = new Date(Date.now() - 60_000).toISOString().replace('T', ' ').replace('Z', '')
  const rows = [
    [1, 1],
    [1, 0],
    [0, 0],
  ].map(([isClick = 0, isUnique = 0]) => [randomUUID(), at.slice(0, 10), at, link.id, isClick, isUnique])
  await services.clickhouse.insert(
    'click',
    ['id', 'day', 'created_at', 'offer_partner_id', 'is_click', 'is_unique'],
    rows,
  )
  await services.postgres.pool.query(
    `insert into click_refusal (offer_partner_id, date, reason, clicks, last_at) values
      ($1, current_date, 'offer_unapproved', 2, now()), ($1, current_date - 1, 'offer_unapproved', 3, now()),
      ($1, current_date, 'link_inactive', 1, now()), ($1, current_date - 90, 'link_inactive', 99, now())`,
    [link.id],
  )
  const told = await done(admin, 'GET', path)
  expect(told).toMatchObject({ clicks: 2, unique_clicks: 1 })
  expect(told.last_click_at).toBe(`${at.replace(' ', 'T')}Z`)
  expect(told.refusals).toMatchObject([
    { reason: 'offer_unapproved', clicks: 5 },
    { reason: 'link_inactive', clicks: 1 },
  ])
})

test('a partner sees the health of their own partner offers only [PERM-07]', async () => {
  const own = await signIn(server, 'PARTNER', network.partner.id)
  const other = await signIn(server, 'PARTNER', (await makeNetwork(admin)).partner.id)
  expect((await ask(own, 'GET', `offer_partner/${link.id}/health`)).status).toBe(200)
  expect((await ask(other, 'GET', `offer_partner/${link.id}/health`)).status).toBe(404)
})

test('a sample visitor of a country has an IP of that country [TRK-11]', async () => {
  const countryOf = openIpCountry(undefined)
  for (const country of ['DE', 'KZ', 'BR', 'IN']) {
    const { ip } = await done(admin, 'GET', `visitor_sample?country=${country}`)
    expect(countryOf(String(ip)), country).toBe(country)
    expect(isPrivateIp(String(ip))).toBe(false)
  }
  expect((await done(admin, 'GET', 'visitor_sample?country=XZ')).ip).toBeNull()
  expect((await ask(admin, 'GET', 'visitor_sample?country=de')).status).toBe(422)
})
