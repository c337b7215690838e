// How partners are paid: who reads and changes it, what waits for staff, and where payment details never appear.

import { Writable } from 'node:stream'
import type { BillingAnswer } from '@tributary/contract/calls/partner-billing'
import { beforeAll, expect, test } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, refused, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { PASSWORD, type SignedIn, send, signIn } from '../support/sign-in.ts'
import { makeTwoSides, type TwoSides } from '../support/two-sides.ts'

const IBAN = 'DE89 3704 0044 0532 0130 00'
const WALLET = 'TXk9mWxyzQ4f7pLr8sVn2bHd'
const again = { current_password: PASSWORD }

let server: Server
let admin: SignedIn
let sides: TwoSides
let partnerUser: SignedIn
let path: string
let foreign: string
let euro: number
/** All that the server logs. */
let logged = ''

beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, written) {
      logged += String(chunk)
      written()
    },
  })
  server = await startTestApp({ modules: MODULES, log: createLog('trace', destination) })
  admin = await signIn(server, 'ADMIN')
  euro = (await done(admin, 'POST', 'currency', { title: unique('Euro'), value: 'EUR' })).id
  sides = await makeTwoSides(server, admin)
  const found = sides.people.get('PARTNER')
  if (found === undefined) throw new Error('nobody is the partner')
  partnerUser = found
  path = `partner/${sides.own.pool.net.partner.id}/billing`
  foreign = `partner/${sides.foreign.pool.net.partner.id}/billing`
})

const read = async (person: SignedIn, of = path) =>
  (await done(person, 'GET', of, undefined, {})) as unknown as BillingAnswer

test('staff change billing after typing their password again, and payment details are shown masked [MON-13] [SEC-02]', async () => {
  const body = {
    legal_name: 'Affiliate GmbH',
    tax_id: 'DE123',
    vat: '19.0000',
    currency: euro,
    net_days: 15,
    hold_days: 7,
    minimum: '100.0000',
    method: 'bank_transfer',
    details: IBAN,
    negative_rs: 'zero',
  }
  expect(await refused(admin, 'PUT', path, body)).toHaveProperty('current_password')
  expect(await refused(admin, 'PUT', path, { ...body, current_password: 'Wrong.Horse7' })).toEqual({
    current_password: ['Invalid password'],
  })
  expect((await read(admin)).tax_id).toBeNull()
  await done(admin, 'PUT', path, { ...body, ...again })
  const { details: _, currency: __, ...plain } = body
  expect(await read(admin)).toMatchObject({ ...plain, currency: { id: euro }, details: '•••• 3000', proposed: null })
  expect(await ask(admin, 'PUT', path, { ...again, net_days: 20, version: 0 })).toMatchObject({
    status: 409,
    body: { code: 'stale' },
  })
  expect(await refused(admin, 'PUT', path, { ...again, vat: '101', net_days: -1, hold_days: 367 })).toEqual({
    vat: ['No more than 100'],
    net_days: ['No less than 0'],
    hold_days: ['No more than 366'],
  })
  await done(admin, 'PUT', path, { ...again, legal_name: ' ' })
  expect((await read(admin)).legal_name).toBeNull()
  const { key } = await done(admin, 'POST', 'api_key', { title: unique('Key') })
  const byKey = await send(
    server.url,
    'PUT',
    path,
    { ...again, net_days: 1 },
    { authorization: `Bearer ${String(key)}` },
  )
  expect(byKey.status).toBe(403)
})

test('a partner’s change waits beside the valid values until staff confirm or decline it [MON-13]', async () => {
  await done(admin, 'PUT', path, { ...again, details: IBAN, legal_name: 'Before' })
  expect(await refused(partnerUser, 'PUT', path, { ...again, hold_days: 0, minimum: '0' })).toEqual({
    hold_days: ['This field cannot be changed'],
    minimum: ['This field cannot be changed'],
  })
  const propose = () =>
    done(partnerUser, 'PUT', path, { ...again, details: WALLET, method: 'crypto', legal_name: 'After' })
  const proposed = (await propose()) as unknown as BillingAnswer
  expect(proposed).toMatchObject({
    legal_name: 'Before',
    details: '•••• 3000',
    proposed: { legal_name: 'After', method: 'crypto', details: '•••• 2bHd', by: null },
  })
  expect((await read(admin)).proposed?.by).toMatchObject({ id: partnerUser.id })
  expect((await ask(partnerUser, 'POST', `${path}/confirm`, again)).status).toBe(403)
  await done(admin, 'POST', `${path}/confirm`, { ...again, accept: false })
  expect(await read(admin)).toMatchObject({ legal_name: 'Before', details: '•••• 3000', proposed: null })
  expect((await ask(admin, 'POST', `${path}/confirm`, again)).status).toBe(409)
  await propose()
  await done(admin, 'POST', `${path}/confirm`, again)
  expect(await read(partnerUser)).toMatchObject({
    legal_name: 'After',
    method: 'crypto',
    details: '•••• 2bHd',
    proposed: null,
  })
  const shown = await done(admin, 'POST', `${path}/reveal`, again)
  expect(shown).toEqual({ details: WALLET, proposed_details: null })
})

test('payment details are shown whole to those who make statements alone, after the password [MON-13] [SEC-02]', async () => {
  const manager = sides.people.get('MANAGER')
  if (manager === undefined) throw new Error('nobody is the manager')
  const hold = (keys: readonly string[]) =>
    server.services.postgres.pool.query('update "user" set permissions = $2 where id = $1', [manager.id, keys])
  const { rows } = await server.services.postgres.pool.query('select permissions from "user" where id = $1', [
    manager.id,
  ])
  await done(admin, 'PUT', path, { ...again, details: IBAN })
  await hold(['partners_view', 'partners_edit'])
  expect(await read(manager)).toMatchObject({ details: '•••• 3000' })
  expect((await ask(manager, 'POST', `${path}/reveal`, again)).status).toBe(403)
  await hold(['partners_view', 'payment_invoice_view', 'payment_invoice_edit'])
  expect(await refused(manager, 'POST', `${path}/reveal`, { current_password: 'Wrong.Horse7' })).toHaveProperty(
    'current_password',
  )
  expect(await done(manager, 'POST', `${path}/reveal`, again)).toMatchObject({ details: IBAN })
  await hold(rows[0].permissions)
})

test('nobody reaches the billing of a partner out of scope [PERM-07]', async () => {
  for (const person of sides.people.values()) {
    expect((await ask(person, 'GET', foreign)).status).toBe(404)
    expect([403, 404]).toContain((await ask(person, 'PUT', foreign, { ...again, legal_name: 'Mine' })).status)
  }
  expect((await read(admin, foreign)).legal_name).not.toBe('Mine')
})

test('payment details are in no list, export, look-up, audit entry, log or table in the clear [SEC-02]', async () => {
  await done(admin, 'PUT', path, { ...again, details: IBAN })
  const { id } = sides.own.pool.net.partner
  const { rows } = await server.services.postgres.pool.query<{ id: number }>(
    'select id from partner_billing where partner_id = $1',
    [id],
  )
  const texts = await Promise.all(
    [
      'partner_billing?limit=-1',
      `partner_billing/${rows[0]?.id}`,
      'partner_billing/export?format=csv',
      'audit_log?limit=-1',
      `audit_log/history/partner_billing/${rows[0]?.id}`,
      `partner/${id}`,
      path,
    ].map(async (one) => {
      const answer = await admin.call('GET', one)
      expect([one, answer.status]).toEqual([one, 200])
      return answer.text()
    }),
  )
  const { rows: dump } = await server.services.postgres.pool.query('select b::text as row from partner_billing b')
  // A rejected change is logged, too, and so is one that fails the product.
  expect((await ask(admin, 'PUT', path, { ...again, details: IBAN, net_days: 'soon' })).status).toBe(422)
  expect((await ask(admin, 'PUT', path, { current_password: 'wrong', details: IBAN })).status).toBeGreaterThan(399)
  expect(logged).toContain('/billing')
  for (const text of [...texts, JSON.stringify(dump), logged]) {
    // Any eight digits of the account, with and without a space: four also stand in moments and ids by chance.
    expect(text).not.toMatch(/3704 ?0044|0044 ?0532|0532 ?0130/)
    expect(text).not.toContain(WALLET)
  }
  const history = await done(admin, 'GET', `audit_log/history/partner_billing/${rows[0]?.id}`)
  expect((history.items as Json[]).length).toBeGreaterThan(3)
  expect(JSON.stringify(history)).toContain('details_changed_at')
  const shown = await done(admin, 'GET', `audit_log?limit=-1&filter[entity]=partner&filter[entity_id]=${id}`)
  expect(JSON.stringify(shown)).toContain('payment details were shown')
})
