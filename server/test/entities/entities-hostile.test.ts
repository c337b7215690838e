// Requests that no screen sends: every answer is a rejection with a reason, never a failure, and nothing is half-written.

import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import {
  ask,
  done,
  ENTITY_MODULES,
  linkOf,
  makeNetwork,
  type Network,
  refused,
  unique,
} from '../support/entity-calls.ts'
import { entityOf } from '../support/entity-rows.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, send, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
let net: Network

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  net = await makeNetwork(admin)
})

const status = async (method: string, path: string, body?: unknown): Promise<number> =>
  (await ask(admin, method, path, body)).status

test.each(ENTITY_NAMES)('%s rejects requests without a token [API-01]', async (name) => {
  for (const [method, path] of [
    ['GET', name],
    ['GET', `${name}/1`],
    ['GET', `${name}?lookup=1`],
  ] as const) {
    expect((await send(server.url, method, path)).status, `${method} ${path}`).toBe(401)
  }
  const { create, edit, remove } = entityOf(name).access
  const isOpen = (requirement: typeof create): boolean =>
    requirement !== 'everyone' && (requirement.roles ?? []).length > 0
  if (isOpen(create)) expect((await send(server.url, 'POST', name, {})).status).toBe(401)
  if (isOpen(edit)) expect((await send(server.url, 'PUT', `${name}/1`, {})).status).toBe(401)
  if (isOpen(edit)) expect((await send(server.url, 'PATCH', `${name}/1`, {})).status).toBe(401)
  if (isOpen(remove)) expect((await send(server.url, 'DELETE', `${name}/1`)).status).toBe(401)
})

test('unknown and foreign keys of a body are rejected by name [API-05]', async () => {
  const body = {
    title: unique('Mass'),
    id: 7,
    created_at: '2020-01-01',
    version: 1,
    admin: true,
    constructor: 1,
    built_in: true,
  }
  expect(await refused(admin, 'POST', 'product', body)).toEqual({
    id: ['This field cannot be changed'],
    created_at: ['This field cannot be changed'],
    admin: ['Unknown field'],
    constructor: ['Unknown field'],
    built_in: ['Unknown field'],
  })
  const raw = await fetch(`${server.url}/api/product`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: '{"title":"Proto","__proto__":{"active":false}}',
  })
  expect([400, 422]).toContain(raw.status)
  expect(
    await refused(admin, 'PUT', `offer_partner/${(await done(admin, 'POST', 'offer_partner', linkOf(net))).id}`, {
      uuid: net.offer.id,
      partner_link: 'x',
    }),
  ).toEqual({
    uuid: ['This field cannot be changed'],
    partner_link: ['This field cannot be changed'],
  })
})

test.each([
  ['filter[nothing]=1', 'filter[nothing]', 'Unknown field'],
  ['filter[title][almost]=1', 'filter[title][almost]', 'Unknown operator'],
  ['filter[cost][like]=1', 'filter[cost][like]', 'Unknown operator'],
  ['filter[cost]=dear', 'filter[cost]', 'Invalid value'],
  ['filter[id]=1.5', 'filter[id]', 'Invalid value'],
  ['filter[active]=perhaps', 'filter[active]', 'Invalid value'],
  ['filter[state]=lost', 'filter[state]', 'Not one of the choices'],
  ['filter[created_at][bwn]=2026-02-30|2026-03-01', 'filter[created_at]', 'Wrong date'],
  ['filter[created_at][bwn]=2026-03-02|2026-03-01', 'filter[created_at]', 'Date from must be earlier than date to'],
  ['filter[title.id.id]=1', 'filter[title.id]', 'Unknown field'],
  ['filter[advertiser.offers]=1', 'filter[advertiser.offers]', 'Unknown field'],
  [
    'filter[advertiser.default_currency.rates.currency.rates.currency.title]=1',
    'filter[advertiser.default_currency.rates.currency.rates.currency.title]',
    'Unknown field',
  ],
  ['filter[title]=%00', 'filter[title]', 'Invisible control characters are not allowed'],
  ['query=%00', 'query', 'Invisible control characters are not allowed'],
  ['order[title]=SIDEWAYS', 'order[title]', 'Invalid value'],
  ['order[title;drop table offer]=ASC', 'order[title;drop table offer]', 'Unknown field'],
  ['order[offer_partners]=ASC', 'order[offer_partners]', 'Unknown field'],
  ['order[password_hash]=ASC', 'order[password_hash]', 'Unknown field'],
  ['limit=0', 'limit', 'Invalid value'],
  ['limit=100000', 'limit', 'Invalid value'],
  ['page=first', 'page', 'Invalid value'],
  ['colour=red', 'colour', 'Unknown field'],
])('a list asked for %s is refused, naming %s [API-05] [LIST-08]', async (query, key, message) => {
  expect(await refused(admin, 'GET', `offer?${query}`)).toEqual({ [key]: [message] })
})

test('a page far beyond the limit is rejected and says how to narrow [API-03]', async () => {
  const { status, body } = await ask(admin, 'GET', 'offer?page=1000000000&limit=500')
  expect([status, body.code]).toEqual([422, 'page_too_deep'])
})

test('ten thousand ids in a filter are answered; a URL beyond the limit is rejected [API-05]', async () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => index + 1)
  expect(await status('GET', `offer?filter[id][nin]=${ids.join('|')}`)).toBe(200)
  expect(await status('GET', `offer?filter[id][nin]=${[...ids, ...ids].join('|')}`)).toBe(431)
})

test('invalid ids are not found; other methods do not exist', async () => {
  for (const id of ['0', '-1', 'abc', '1e3', '99999999999999999999', '1%00', "1'or'1", '2147483648']) {
    expect(await status('GET', `offer/${id}`), id).toBe(404)
    expect(await status('DELETE', `offer/${id}`), id).toBe(404)
  }
})

test('texts are trimmed, bounded, without control characters; emoji are allowed', async () => {
  const product = await done(admin, 'POST', 'product', { title: '  \u{1F3B0} 日本 ñ  ' })
  expect(product.title).toBe('\u{1F3B0} 日本 ñ')
  expect(await refused(admin, 'POST', 'product', { title: 'x'.repeat(256) })).toEqual({
    title: ['No more than 255 characters'],
  })
  expect(await refused(admin, 'POST', 'product', { title: 'a\0b' })).toEqual({
    title: ['Invisible control characters are not allowed'],
  })
  expect(await refused(admin, 'POST', 'product', { title: '   ' })).toEqual({ title: ['The value must not be empty'] })
  expect(await refused(admin, 'POST', 'product', { title: { $ne: 1 } })).toEqual({ title: ['Invalid value'] })
  const lone = await ask(admin, 'POST', 'product', { title: unique('lone \ud800') })
  expect(lone.status).toBeLessThan(500)
})

test('a deletion with a content type but no body succeeds', async () => {
  const product = await done(admin, 'POST', 'product', { title: unique('Gone') })
  const headers = { 'content-type': 'application/json' }
  expect((await ask(admin, 'DELETE', `product/${product.id}`, undefined, headers)).status).toBe(204)
  expect((await ask(admin, 'POST', 'product', undefined, headers)).status).toBe(400)
})

test('a body that is no object is rejected', async () => {
  for (const body of [[], 'text', 5, null, [{ title: 'x' }]]) {
    expect([400, 422]).toContain(await status('POST', 'product', body))
    expect([400, 422]).toContain(await status('PUT', 'product/1', body))
  }
})

test('a row of a collection belongs to its parent; its rejection leaves nothing written', async () => {
  const other = await makeNetwork(admin)
  const title = unique('Moved')
  const body = { title, streams: [{ title: 'New' }, { id: other.stream.id, title: 'Stolen' }] }
  expect(await refused(admin, 'PUT', `partner/${net.partner.id}`, body)).toEqual({
    streams: { 1: { id: ['This record does not exist'] } },
  })
  const forged = { streams: [{ id: net.stream.id, partner: other.partner.id }] }
  expect(await refused(admin, 'PUT', `partner/${net.partner.id}`, forged)).toEqual({
    streams: { 0: { partner: ['This field cannot be changed'] } },
  })
  const partner = await done(admin, 'GET', `partner/${net.partner.id}`)
  expect(partner).toMatchObject({ title: net.partner.title, version: net.partner.version })
  expect(partner.streams).toHaveLength(1)
})

const WRITABLE = ENTITY_NAMES.filter((name) => {
  const { create } = entityOf(name).access
  return create !== 'everyone' && (create.roles ?? []).length > 0
})

test.each(WRITABLE)('%s: no body causes a failure [API-05]', async (name) => {
  const names = Object.keys(entityOf(name).fields)
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(
      '',
      0,
      -1,
      1e308,
      '1e5',
      '9'.repeat(40),
      [1, 1],
      [{}],
      { id: 1 },
      '2026-13-45',
      2_147_483_648,
      [[]],
      true,
    ),
  )
  const body = fc.dictionary(fc.constantFrom(...names, 'version', 'active', 'id'), value, { maxKeys: names.length })
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const reply = await ask(admin, 'POST', name, sent)
      expect([201, 400, 409, 422], JSON.stringify(reply.body)).toContain(reply.status)
      const changed = await ask(admin, 'PUT', `${name}/1`, sent)
      expect([200, 400, 404, 409, 422], JSON.stringify(changed.body)).toContain(changed.status)
    }),
    { numRuns: fuzzRuns(8) },
  )
})

test.each(ENTITY_NAMES)('%s: no query causes a failure [API-05]', async (name) => {
  const { columns, filters } = entityOf(name).list
  const paths = fc.oneof(fc.constantFrom('id', ...columns, ...filters), fc.stringMatching(/^[a-z_.]{1,20}$/))
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '',
      '0',
      '-1',
      '1|2',
      '|',
      '2026-01-01',
      '2026-01-01|',
      '99999999999999999999',
      '1e9',
      "'",
      '%',
      '\\',
      'null',
    ),
  )
  const param = fc.oneof(
    fc
      .tuple(paths, fc.constantFrom('', '[in][]', '[nin]', '[bwn]', '[like]', '[gt]', '[x]'), text)
      .map(([path, operator, found]) => [`filter[${path}]${operator}`, found]),
    fc.tuple(paths, fc.constantFrom('ASC', 'DESC', 'x')).map(([path, found]) => [`order[${path}]`, found]),
    fc.tuple(fc.constantFrom('page', 'limit', 'query', 'lookup'), text),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(param, { maxLength: 4 }), async (params) => {
      const query = new URLSearchParams(params).toString()
      const reply = await ask(admin, 'GET', `${name}?${query}`)
      expect([200, 403, 422], `${query} ${JSON.stringify(reply.body)}`).toContain(reply.status)
    }),
    { numRuns: fuzzRuns(15) },
  )
})
