// Payment resolutions of players: set for many at once, undone, by whom.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, linkOf, makeNetwork, makeOffer, type Network, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
let net: Network
let link: Json

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  net = await makeNetwork(admin)
  link = await done(
    admin,
    'POST',
    'offer_partner',
    linkOf(net, { baseline: '50', bet_requirement: '40', max_days_from_registration: 30 }),
  )
})

const rowsOf = async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await server.services.postgres.pool.query(sql, values)).rows

const addPlayer = (more: Record<string, unknown> = {}): Promise<Json> =>
  done(admin, 'POST', 'player', { outer_id: unique('player'), advertiser: net.advertiser.id, ...more })

const idOf = (reference: unknown): number | null => (reference as { id: number } | null)?.id ?? null

test('payment is resolved for a page, for a filter, and for all but some; only if players are paid for [PLY-05]', async () => {
  const models = await rowsOf('select id, type from payment_model')
  const model = (type: string): unknown => models.find((row) => row.type === type)?.id
  const linkBy = async (type: string): Promise<Json> => {
    const { advertiser, presence, currency } = await makeNetwork(admin)
    const offer = await makeOffer(admin, { advertiser, presence, currency }, { payment_model: model(type) })
    const stream = (
      (
        await done(admin, 'PUT', `partner/${net.partner.id}`, {
          streams: [{ _status: 'new', title: unique('stream') }],
        })
      ).streams as Json[]
    ).at(-1)
    return done(admin, 'POST', 'offer_partner', linkOf({ ...net, offer, stream: stream ?? net.stream, advertiser }))
  }
  const links = { CPA: await linkBy('CPA'), CPA_RS: await linkBy('CPA_RS'), RS: await linkBy('RS') }
  const promocode = unique('P')
  const players: Json[] = []
  for (const type of ['CPA', 'CPA', 'CPA_RS', 'RS'] as const) {
    const offer = await done(admin, 'GET', `offer/${idOf(links[type].offer)}`)
    players.push(await addPlayer({ advertiser: idOf(offer.advertiser), offer_partner: links[type].id, promocode }))
  }
  const [a, b, c, d] = players.map((player) => player.id)
  const resolve = (body: object) => done(admin, 'PUT', 'player/bulk_update', body)
  const state = async (): Promise<unknown[]> =>
    (await rowsOf('select payment_resolution from player where promocode = $1 order by id', [promocode])).map(
      (row) => row.payment_resolution,
    )
  const query = `filter[promocode]=${encodeURIComponent(promocode)}&filter[active]=1`

  expect(await resolve({ ids: [], payment_resolution: 'approved' })).toEqual({ updated: 0, unchanged: 0, skipped: 0 })
  expect(await state()).toEqual([null, null, null, null])
  expect(await resolve({ ids: [a, d], payment_resolution: 'approved' })).toEqual({
    updated: 1,
    unchanged: 0,
    skipped: 1,
  })
  expect(await state()).toEqual(['approved', null, null, null])
  expect(await resolve({ ids: [], exclusive: true, filter: query, payment_resolution: 'approved' })).toEqual({
    updated: 2,
    unchanged: 1,
    skipped: 1,
  })
  expect(await state()).toEqual(['approved', 'approved', 'approved', null])
  expect(await resolve({ ids: [b], exclusive: true, filter: query, payment_resolution: 'not_approved' })).toEqual({
    updated: 2,
    unchanged: 0,
    skipped: 1,
  })
  expect(await state()).toEqual(['not_approved', 'approved', 'not_approved', null])
  expect(await resolve({ ids: [a, b, c, d], payment_resolution: null })).toMatchObject({ updated: 3 })
  expect(await state()).toEqual([null, null, null, null])
  const log = await rowsOf(
    "select before, after from audit_log where entity = 'player' and entity_id = $1 and action = 'update' order by id",
    [a],
  )
  expect(
    log.map(({ before, after }) => [(before as Json).payment_resolution, (after as Json).payment_resolution]),
  ).toEqual([
    [null, 'approved'],
    ['approved', 'not_approved'],
    ['not_approved', null],
  ])
  const unknown = await ask(admin, 'PUT', 'player/bulk_update', {
    ids: [],
    exclusive: true,
    filter: 'filter[nothing]=1',
    payment_resolution: null,
  })
  expect(unknown.status).toBe(422)
})

test('a payment resolution of many players is undone at once: each gets the one it had [PLY-05] [ENT-24] [LIST-15]', async () => {
  const players = [await addPlayer({ offer_partner: link.id }), await addPlayer({ offer_partner: link.id })]
  const ids = players.map(({ id }) => Number(id))
  const state = async (): Promise<unknown[]> =>
    (await rowsOf('select payment_resolution from player where id = any($1) order by id', [ids])).map(
      (row) => row.payment_resolution,
    )
  const resolve = async (who: SignedIn, chosen: number[], payment_resolution: string | null): Promise<string> => {
    const requestId = randomUUID()
    const body = { ids: chosen, payment_resolution }
    expect((await who.call('PUT', 'player/bulk_update', body, { 'x-request-id': requestId })).status).toBe(200)
    return requestId
  }
  const undo = async (who: SignedIn, ...requests: string[]): Promise<unknown> =>
    (await ask(who, 'POST', 'audit_log/undo', { requests })).status
  const first = await resolve(admin, ids.slice(0, 1), 'not_approved')
  const second = await resolve(admin, ids, 'approved')
  expect(await state()).toEqual(['approved', 'approved'])
  expect(await undo(admin, second)).toBe(200)
  expect(await state()).toEqual(['not_approved', null])
  const [{ cause, before, after } = {}] = await rowsOf(
    "select cause, before, after from audit_log where entity = 'player' and entity_id = $1 order by id desc limit 1",
    [ids[0]],
  )
  const [was, is] = ['approved', 'not_approved'].map((payment_resolution) => ({ payment_resolution }))
  expect([cause, before, after]).toEqual(['undo', was, is])
  // What has changed since is not undone.
  expect(await undo(admin, first)).toBe(422)
  const third = await resolve(admin, ids, 'approved')
  const fourth = await resolve(admin, ids, null)
  expect(await undo(admin, third, fourth)).toBe(200)
  expect(await state()).toEqual(['not_approved', null])

  // The author of the change needs the permission, and must see the players.
  const manager = await signIn(server, 'MANAGER')
  const fifth = await resolve(admin, ids, 'approved')
  await rowsOf('update audit_log set user_id = $1 where request_id = $2', [manager.id, fifth])
  expect(await undo(manager, fifth)).toBe(403)
  const leader = await signIn(server, 'TEAM_LEADER')
  await rowsOf('update audit_log set user_id = $1 where request_id = $2', [leader.id, fifth])
  expect(await undo(leader, fifth)).toBe(404)
  expect(await state()).toEqual(['approved', 'approved'])
})

test('only visible players are resolved, and only by users with the permission [PLY-05] [PERM-07]', async () => {
  const leader = await signIn(server, 'TEAM_LEADER')
  const manager = await signIn(server, 'MANAGER')
  const player = await addPlayer({ offer_partner: link.id })
  const body = { ids: [player.id], payment_resolution: 'approved' }
  expect((await ask(leader, 'PUT', 'player/bulk_update', body)).body).toEqual({ updated: 0, unchanged: 0, skipped: 0 })
  expect((await ask(leader, 'PUT', 'player/bulk_update', { ...body, ids: [], exclusive: true })).body).toMatchObject({
    updated: 0,
  })
  expect((await ask(manager, 'PUT', 'player/bulk_update', body)).status).toBe(403)
})
