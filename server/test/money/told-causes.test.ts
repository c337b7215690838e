// What a partner reads about corrections by what staff do to players: where a player went and that one was deactivated, without names and reasons.
import { correctionCauseOf, correctionCausesOf } from '@tributary/contract/statement'
import { beforeAll, expect, test } from 'vitest'
import { waitForFacts } from '../../src/facts/catch-up.ts'
import { MODULES } from '../../src/modules.ts'
import { trueUp } from '../../src/money/close.ts'
import type { Server } from '../../src/server.ts'
import { done, type Json } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { day, FIRST, makeReferenceWorld, qualify, type ReferenceWorld } from './reference-world.ts'

const SECRET = 'bought traffic of Gamma Media'

let server: Server
let admin: SignedIn
let person: SignedIn
let world: ReferenceWorld

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  world = await makeReferenceWorld(admin)
  person = await signIn(server, 'PARTNER', world.partner)
}, 60_000)

const settle = async () => expect(await waitForFacts(server.services, 15_000)).toBe(true)

/** What the partner reads about corrections that were booked since: link, quantity and explanation. */
async function correctionsBy(act: () => Promise<unknown>, language: 'en' | 'ru' = 'en'): Promise<unknown[]> {
  const list = () =>
    done(person, 'GET', 'ledger_entry?limit=-1&filter[source]=true_up&order[id]=ASC', undefined, {
      'accept-language': language,
    })
  const before = ((await list()).items as Json[]).length
  await act()
  await settle()
  await trueUp(server.services)
  const answer = await list()
  expect(JSON.stringify(answer)).not.toContain('Gamma')
  return (answer.items as Json[])
    .slice(before)
    .map(({ offer_partner, amount, explanation }) => {
      const link = (offer_partner as Json).id === world.links.A.id ? 'A' : 'C'
      return `${link} ${Number(amount)}: ${String(explanation).split(': ').at(-1)}`
    })
    .sort()
}

test('assigning, deactivating and activating a player are causes of their own, which a partner tells apart [MON-03] [AUD-01]', async () => {
  const { pool } = server.services.postgres
  const player = ((await qualify(admin, world.net, world.links.A, day(FIRST, 11))).player as Json).id
  const acts = [
    [{ offer_partner: world.links.C.id }, 'assign player', 'assignment'],
    [{ active: false }, 'deactivate player', 'deactivation'],
    [{ active: true }, 'activate player', 'activation'],
    [{ sub_id: 'other' }, 'update player', 'player'],
  ] as const
  for (const [values, cause, told] of acts) {
    await done(admin, 'PUT', `player/${player}`, values)
    // The product may qualify the player anew in the same moment.
    const logged = `select cause from audit_log where entity = 'player' and entity_id = $1 and cause <> 'qualification'
      order by id desc limit 1`
    expect((await pool.query(logged, [player])).rows).toEqual([{ cause }])
    expect(correctionCauseOf(cause)).toBe(told)
  }
  expect(correctionCauseOf('assign player: the partner swapped two links')).toBe('assignment')
  expect(['postback', 'report 7'].map(correctionCauseOf)).toEqual(['postback', 'report'])
  // An assignment among other causes has no direction.
  const mixed = ['assign player', 'report 7']
  expect([1, -1, 0].map((quantity) => correctionCausesOf(['assign player'], quantity))).toEqual([
    ['assigned_to'],
    ['assigned_away'],
    ['assignment'],
  ])
  expect(correctionCausesOf(mixed, 1)).toEqual(['assignment', 'report'])
})

test('a partner tells apart players who came, who went, and who were deactivated and activated again [MON-03] [PERM-07]', async () => {
  const [player, other] = [
    ((await qualify(admin, world.net, world.links.A, day(FIRST, 9))).player as Json).id,
    ((await qualify(admin, world.net, world.links.A, day(FIRST, 10))).player as Json).id,
  ]
  await settle()
  await done(admin, 'POST', 'period_close', { month: FIRST })
  const put =
    (values: object, id = player) =>
    () =>
      done(admin, 'PUT', `player/${id}`, values)
  expect(await correctionsBy(put({ offer_partner: world.links.C.id, reason: SECRET }))).toEqual([
    'A -50: players were assigned away from this partner offer',
    'C 40: players were assigned to this partner offer',
  ])
  expect(await correctionsBy(put({ active: false }))).toEqual(['C -40: players were deactivated and no longer count'])
  expect(await correctionsBy(put({ active: true }), 'ru')).toEqual(['C 40: игроки включены и снова учитываются'])
  expect(await correctionsBy(put({ offer_partner: world.links.C.id, reason: SECRET }, other), 'ru')).toEqual([
    'A -50: игроки больше не относятся к этой связке',
    'C 40: игроки отнесены к этой связке',
  ])
})
