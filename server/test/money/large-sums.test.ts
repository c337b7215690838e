// Sums that are larger than any single amount: they are booked, corrected and stated exactly, and hold up nobody else.
import { beforeAll, expect, test } from 'vitest'
import { waitForFacts } from '../../src/facts/catch-up.ts'
import { MODULES } from '../../src/modules.ts'
import { trueUp as bookTrueUps } from '../../src/money/close.ts'
import type { Server } from '../../src/server.ts'
import { done, type Json, register } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { day, FIRST, makeReferenceWorld, type ReferenceWorld, report } from './reference-world.ts'

let server: Server
let admin: SignedIn
let world: ReferenceWorld

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  world = await makeReferenceWorld(admin)
}, 60_000)

/** The largest income that a day of a player can have, on 13 days at 30 % for each of three players. */
async function earnMuch(): Promise<void> {
  for (let count = 0; count < 3; count++) {
    const { id } = await register(admin, world.net, world.links.B, day(FIRST, 1))
    for (let on = 16; on <= 28; on++) await report(admin, id, day(FIRST, on), { income: '10000000000000' })
  }
}

const entriesOf = async (link: Json): Promise<string[]> => {
  const path = `ledger_entry?limit=-1&filter[offer_partner]=${link.id}&order[id]=ASC`
  return ((await done(admin, 'GET', path)).items as Json[]).map(({ source, amount }) => [source, amount].join(' '))
}

test('a sum over 10^14 closes with its month, is trued up and is stated as it is [MON-01] [MON-03] [MON-05] [MON-11]', async () => {
  await earnMuch()
  expect(await waitForFacts(server.services, 15_000)).toBe(true)
  await done(admin, 'POST', 'period_close', { month: FIRST })
  // The reference example's own income adds 1,234.57 × 25 % − 200.10 × 30 %; a statement has a line for each percentage.
  expect(await entriesOf(world.links.B)).toEqual(['close 117000000000248.6100'])
  await earnMuch()
  await report(admin, world.incomePlayer, day(FIRST, 7), { income: '100' })
  expect(await waitForFacts(server.services, 15_000)).toBe(true)
  await bookTrueUps(server.services)
  expect((await entriesOf(world.links.B)).slice(1)).toEqual(['true_up 117000000000025.0000'])
  const { id, lines } = await done(admin, 'POST', 'statement', { partner: world.partner, month: FIRST })
  expect((lines as Json[]).map(({ total }) => total)).toContain('116999999999939.9700')
  const approved = await done(admin, 'PUT', `statement/${id}/approve`, {})
  expect(Number(approved.total)).toBeGreaterThan(117_000_000_000_000)
})
