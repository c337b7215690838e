// Players who move to other days after they were booked: each true-up names what moved them.
import { beforeAll, expect, test } from 'vitest'
import { waitForFacts } from '../../src/facts/catch-up.ts'
import { trueUpLedger } from '../../src/jobs/true-up-ledger.ts'
import { MODULES } from '../../src/modules.ts'
import { trueUp as bookTrueUps, trueUpCurrent } from '../../src/money/close.ts'
import type { Server } from '../../src/server.ts'
import { done, type Json, register } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { day, FIRST, makeReferenceWorld, type ReferenceWorld, report, SECOND } from './reference-world.ts'

let server: Server
let admin: SignedIn
let world: ReferenceWorld
let first: Json

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  world = await makeReferenceWorld(admin)
}, 60_000)

async function trueUp(): Promise<void> {
  expect(await waitForFacts(server.services, 15_000)).toBe(true)
  await bookTrueUps(server.services)
}

async function close(month: string): Promise<Json> {
  expect(await waitForFacts(server.services, 15_000)).toBe(true)
  return done(admin, 'POST', 'period_close', { month })
}

const reopen = (close: Json): Promise<Json> =>
  done(admin, 'PUT', `period_close/${close.id}/reopen`, { partner: world.partner, reason: 'late reports' })

const playerOf = (entry: Json): number => (entry.player as Json).id

/** An approved player who registered on the first day of the month and qualifies on this one; returns the report entry. */
async function qualify(on: string): Promise<Json> {
  const { id } = await register(admin, world.net, world.links.A, `${on.slice(0, 7)}-01`)
  const entry = await report(admin, id, on, { deposits_count: 1, deposits: '50' })
  await done(admin, 'PUT', 'player/bulk_update', { ids: [id], payment_resolution: 'approved' })
  return entry
}

const remove = (entry: Json): Promise<Json> => done(admin, 'DELETE', `player_report/${entry.id}`)

/** The advertiser corrects the day of the first deposit; returns the new report entry. */
async function move(entry: Json, to: string): Promise<Json> {
  await remove(entry)
  return report(admin, playerOf(entry), to, { deposits_count: 1, deposits: '50' })
}

/** 'month source quantity' of the entries that hold the player, in order; 'without a cause' if no cause names the player. */
async function bookingsOf(entry: Json): Promise<string[]> {
  const player = playerOf(entry)
  const { items } = await done(admin, 'GET', `ledger_item?limit=-1&filter[player]=${player}&order[id]=ASC`)
  const bookings = (items as Json[]).map(async ({ quantity, ledger_entry }) => {
    const { source, causes, earned_month } = await done(admin, 'GET', `ledger_entry/${(ledger_entry as Json).id}`)
    const isNamed = (causes as Json[]).some(({ records }) => (records as Json[]).some(({ id }) => id === player))
    return [earned_month, source, quantity, ...(source === 'close' || isNamed ? [] : ['without a cause'])].join(' ')
  })
  return Promise.all(bookings)
}

test('a player who moved within the closed month before leaving it has a cause [MON-03]', async () => {
  const entry = await qualify(day(FIRST, 10))
  first = await close(FIRST)
  const moved = await move(entry, day(FIRST, 12))
  await qualify(day(FIRST, 13))
  await trueUp()
  await remove(moved)
  await trueUp()
  expect(await bookingsOf(entry)).toEqual([`${FIRST} close 1`, `${FIRST} true_up -1`])
})

test('players of a reopened month who are booked elsewhere, one after the other, have a cause each [MON-03] [MON-12]', async () => {
  const [one, other] = [await qualify(day(FIRST, 20)), await qualify(day(FIRST, 21))]
  await trueUp()
  await close(SECOND)
  await reopen(first)
  await move(one, day(SECOND, 6))
  await remove(other)
  await trueUp()
  await report(admin, playerOf(other), day(SECOND, 7), { deposits_count: 1, deposits: '50' })
  await trueUp()
  const moved = [`${FIRST} true_up -1`, `${FIRST} true_up 1`, `${SECOND} true_up 1`]
  for (const entry of [one, other]) expect((await bookingsOf(entry)).sort()).toEqual(moved)
})

test('a true-up that is started right after a change books it; if the facts are late, the run says so [MON-03] [MON-05]', async () => {
  const runNow = () =>
    trueUpLedger.run(
      {},
      {
        services: server.services,
        signal: AbortSignal.timeout(60_000),
        id: 'now',
        attempt: 1,
        isLastAttempt: true,
      },
    )
  await close(FIRST)
  for (const on of [23, 24, 25]) {
    const entry = await qualify(day(FIRST, on))
    await runNow()
    expect(await bookingsOf(entry)).toEqual([`${FIRST} true_up 1`])
  }
  await qualify(day(FIRST, 26))
  expect(await trueUpCurrent(server.services, 0)).toBe(false)
  expect(await trueUpCurrent(server.services, 15_000)).toBe(true)
})
