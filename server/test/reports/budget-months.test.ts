// Months of the budget plan: how requests name them, and what a copy of the last one says to those who see some partners only.

import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, refused, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { makeTwoSides, type TwoSides } from '../support/two-sides.ts'

let server: Server
let admin: SignedIn
let sides: TwoSides

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  sides = await makeTwoSides(server, admin)
})

test('a day of another month than the one that is asked for is refused by name; one of them is enough [SPD-05] [API-05]', async () => {
  const read = (body: object) => ask(admin, 'POST', 'budget_report/report', body)
  expect((await read({ month: '2025-03', filter: { date: '2025-04-01' } })).body).toMatchObject({
    code: 'invalid',
    formErrors: { filter: { date: [expect.stringContaining('not in the month')] } },
  })
  for (const body of [
    { month: '2025-03', filter: { date: '2025-03-31' } },
    { month: '2025-03' },
    { filter: { date: '2025-03-09' } },
  ])
    expect((await read(body)).body).toMatchObject({ month: '2025-03' })
})

test('a plan is of a month, named by itself or by its first day; another day is refused [SPD-05] [API-05]', async () => {
  const { net } = sides.own.pool
  const of = { advertiser: net.advertiser.id, country: net.country.id, partner: net.partner.id, planned: '5' }
  expect(await refused(admin, 'POST', 'partner_budget', { ...of, month: '2027-03-15' })).toEqual({
    month: ['Wrong date'],
  })
  const { id } = await done(admin, 'POST', 'partner_budget', { ...of, month: '2027-03' })
  expect(await done(admin, 'PUT', `partner_budget/${id}`, { month: '2027-03-01' })).toMatchObject({
    month: '2027-03-01',
    version: 1,
  })
})

test('copying a month counts the parts it creates for someone who sees only some partners [MON-09] [PERM-07]', async () => {
  const leader = sides.people.get('TEAM_LEADER')
  if (leader === undefined) throw new Error('nobody leads')
  const { net } = sides.own.pool
  for (const pool of [sides.own.pool, sides.foreign.pool]) {
    const advertiser: Json = await done(admin, 'POST', 'advertiser', {
      title: unique('Advertiser'),
      default_domain: 'https://a.test',
      default_currency: net.currency.id,
    })
    const part = { advertiser: advertiser.id, country: net.country.id, month: '2025-07', planned: '100' }
    await done(admin, 'POST', 'partner_budget', { ...part, partner: pool.net.partner.id })
  }
  const copy = () => done(leader, 'POST', 'budget_report/copy', { month: '2025-08', percent: '0' })
  expect(await copy()).toEqual({ created: 1, kept: 0 })
  expect(await copy()).toEqual({ created: 0, kept: 1 })
})
