// The list of changes says what each change did, in the reader's language.
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { done, ENTITY_MODULES, type Json, makeNetwork, makeOffer, type Network } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
let net: Network

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  net = await makeNetwork(admin)
})

const lastOf = async (entity: string, language = 'en'): Promise<Partial<Json>> => {
  const path = `audit_log?filter[entity]=${entity}&filter[user][gt]=0&limit=20`
  const { items } = await done(admin, 'GET', path, undefined, { 'accept-language': language })
  return (items as Json[])[0] ?? {}
}

test('a line of the log names changed fields with their values before and after, references by title [ENT-24]', async () => {
  const offer = await makeOffer(admin, net)
  await done(admin, 'PUT', `offer/${offer.id}`, { active: false, baseline: '17.50' })
  expect(await lastOf('offer')).toMatchObject({
    record: offer.title,
    changed: expect.stringMatching(/Active: Yes → No.*|Baseline: .* → 17\.50/),
  })
  const { changed } = await lastOf('offer')
  expect(changed).toContain('Active: Yes → No')
  expect((await lastOf('offer', 'ru')).changed).toContain('Да → Нет')
})

test('a line of the log names a row of a collection by its record [ENT-24]', async () => {
  const offer = await makeOffer(admin, net)
  await done(admin, 'POST', 'offer_terms_history', {
    offer: offer.id,
    date_from: '2031-01-01',
    date_to: null,
    cost: '41.00',
    baseline: '10.00',
    days: 5,
    currency: net.currency.id,
  })
  expect((await lastOf('offer_terms_history')).record).toBe(`${String(offer.title)} · 01.01.2031`)
})
