// Bulk actions change exactly the selected rows, by each row's rules; and saved views.

import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { activeField, type Entity } from '@tributary/contract/entity'
import { BULK_CAP, type BulkAnswer } from '@tributary/contract/selection'
import { beforeAll, expect, test } from 'vitest'
import { isGrantable } from '../../src/api/list-routes.ts'
import { liveModule } from '../../src/api/live-module.ts'
import type { Server } from '../../src/server.ts'
import {
  ask,
  done,
  ENTITY_MODULES,
  idsOf,
  type Json,
  linkOf,
  makeNetwork,
  makeOffer,
  unique,
} from '../support/entity-calls.ts'
import { entityOf } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { listen } from '../support/live-ear.ts'
import { readSheet } from '../support/sheet-file.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: [...ENTITY_MODULES, liveModule] })
  admin = await signIn(server, 'ADMIN')
})

interface Chosen {
  ids: readonly (number | string)[]
  exclusive?: boolean
  filter?: string
}

const activate = async (person: SignedIn, name: string, chosen: Chosen, to: 0 | 1): Promise<BulkAnswer> =>
  (await done(person, 'PUT', `${name}/activate?activate=${to}`, chosen)) as unknown as BulkAnswer

async function makeLandings(count: number): Promise<{ mark: string; ids: number[] }> {
  const mark = unique('Bulk').replace(' ', '-')
  const made = await server.services.postgres.pool.query<{ id: number }>(
    'insert into landing (title, value) select $1 || n, $1 from generate_series(1, $2::int) as n returning id',
    [mark, count],
  )
  return { mark, ids: made.rows.map(({ id }) => id) }
}

const audited = async (name: string, ids: readonly number[]): Promise<Json[]> =>
  (
    await server.services.postgres.pool.query(
      "select entity_id as id, before->'active' as before, after->'active' as after, request_id, user_id from audit_log where entity = $1 and entity_id = any($2) and action = 'update' order by entity_id",
      [name, ids],
    )
  ).rows

const activeOf = async (ids: readonly number[]): Promise<boolean[]> =>
  (
    await server.services.postgres.pool.query('select active from landing where id = any($1) order by id', [ids])
  ).rows.map(({ active }) => active)

test('selected rows are deactivated and activated, each with an audit entry of the same request [LIST-07, LIST-15, ENT-24]', async () => {
  const { ids } = await makeLandings(4)
  const [first = 0, second = 0, third = 0] = ids
  expect(await activate(admin, 'landing', { ids: [first, second] }, 0)).toEqual({
    changed: 2,
    unchanged: 0,
    absent: 0,
    left: 0,
    refused: 0,
    refusals: [],
  })
  expect(await activeOf(ids)).toEqual([false, false, true, true])
  expect(await activate(admin, 'landing', { ids: [second, second, third, 2_000_000_000] }, 0)).toMatchObject({
    changed: 1,
    unchanged: 1,
    absent: 1,
  })
  const entries = await audited('landing', ids)
  expect(entries.map(({ id, before, after, user_id }) => [id, before, after, user_id])).toEqual(
    [first, second, third].map((id) => [id, true, false, admin.id]),
  )
  expect(new Set(entries.slice(0, 2).map(({ request_id }) => request_id)).size).toBe(1)
  expect(await activate(admin, 'landing', { ids }, 1)).toMatchObject({ changed: 3, unchanged: 1 })
})

test('an exclusive selection means all rows of the filter except these [LIST-09, LIST-15]', async () => {
  const { mark, ids } = await makeLandings(5)
  const filter = `filter[active]=1&query=${mark}&page=2&limit=10&order[title]=ASC`
  expect(await activate(admin, 'landing', { ids: ids.slice(0, 2), exclusive: true, filter }, 0)).toMatchObject({
    changed: 3,
    absent: 0,
  })
  expect(await activeOf(ids)).toEqual([true, true, false, false, false])
  expect(await activate(admin, 'landing', { ids: [], exclusive: true, filter: `query=${mark}` }, 1)).toMatchObject({
    changed: 3,
    unchanged: 2,
  })
  const answer = await admin.call('POST', 'landing/export', {
    ids: ids.slice(1, 3),
    exclusive: true,
    filter: `query=${mark}`,
    format: 'csv',
    columns: ['id'],
    order: 'order[id]=DESC',
  })
  const file = await readSheet(answer)
  expect(file.rows.map(([id]) => Number(id))).toEqual([ids[4], ids[3], ids[0]])
})

test('an empty selection means no row, in every list and call [LIST-09, LIST-15]', async () => {
  const { ids } = await makeLandings(2)
  expect(await activate(admin, 'landing', { ids: [] }, 0)).toMatchObject({ changed: 0, unchanged: 0 })
  expect(await activeOf(ids)).toEqual([true, true])
  expect((await readSheet(await admin.call('POST', 'landing/export', { ids: [], columns: ['id'] }))).total).toBe(0)
  expect((await readSheet(await admin.call('POST', 'player/export', { ids: [], columns: ['id'] }))).total).toBe(0)
})

test('ten thousand ids are a valid selection; more rows than the limit are rejected before any change [LIST-09]', async () => {
  const { mark, ids } = await makeLandings(BULK_CAP + 20)
  const left = ids.slice(0, 10_000)
  const filter = `query=${mark}`
  expect(await activate(admin, 'landing', { ids: left, exclusive: true, filter }, 0)).toMatchObject({ changed: 20 })
  const all = await ask(admin, 'PUT', 'landing/activate?activate=0', { ids: [], exclusive: true, filter })
  expect(all).toMatchObject({ status: 422, body: { formErrors: { ids: [expect.stringContaining('10\u202f000')] } } })
  expect((await activeOf(left)).every(Boolean)).toBe(true)
  const file = await readSheet(await admin.call('POST', 'landing/export', { ids: left, columns: ['id'] }))
  expect(file.total).toBe(10_000)
})

test('ten thousand rows are changed in batches: others save rows meanwhile, and the caller receives progress [LIST-15]', async () => {
  const { ids } = await makeLandings(BULK_CAP)
  const CHANGED = 2000
  await server.services.postgres.pool.query('update landing set active = false where id = any($1)', [
    ids.slice(CHANGED / 2, -CHANGED / 2),
  ])
  const [first = 0, held = 0, last = 0] = [ids[0], ids.at(-2), ids.at(-1)]
  const ear = await listen(admin, 'job')
  const requestId = `bulk-of-${first}`
  const change = async (): Promise<BulkAnswer> => {
    const answer = await admin.call('PUT', 'landing/activate?activate=0', { ids }, { 'x-request-id': requestId })
    return (await answer.json()) as BulkAnswer
  }
  const changeAll = async (): Promise<BulkAnswer[]> => {
    const answers = [await change()]
    // A slow machine does not finish within a minute, so the call is repeated.
    while ((answers.at(-1)?.left ?? 0) > 0) answers.push(await change())
    return answers
  }
  // A lock on the second to last row keeps the change from finishing.
  const answers = await server.services.postgres.withClient(async (holder) => {
    await holder.query('begin')
    await holder.query('select from landing where id = $1 for update', [held])
    const all = changeAll()
    const hasBegun = async (): Promise<boolean> => {
      await holder.query('select')
      return !(await activeOf([first]))[0]
    }
    await expect.poll(hasBegun, { timeout: 180_000 }).toBe(true)
    // One row that was already changed, and one that was not.
    for (const id of [first, last]) await done(admin, 'PUT', `landing/${id}`, { sub_id: 'meanwhile' })
    await holder.query('commit')
    return all
  })
  expect(answers.reduce((sum, { changed }) => sum + changed, 0)).toBe(CHANGED)
  expect(answers.at(-1)).toMatchObject({ absent: 0, left: 0, refused: 0, refusals: [] })
  expect((await activeOf(ids)).some(Boolean)).toBe(false)
  const told = (): unknown[] =>
    ear.heard.filter((text) => text.includes(requestId)).map((text) => JSON.parse(text.slice('job '.length)))
  await expect.poll(() => told().length).toBeGreaterThan(0)
  for (const message of told())
    expect(message).toMatchObject({ job: 'bulk', state: 'running', total: expect.any(Number) })
  expect((await done(admin, 'GET', `landing/${last}`)).sub_id).toBe('meanwhile')
  ear.leave()
}, 240_000)

test('a rejected row is unchanged and named with the reason; the others are changed [LIST-15]', async () => {
  const net = await makeNetwork(admin)
  const other = {
    ...net,
    offer: await makeOffer(admin, { advertiser: net.advertiser, presence: net.presence, currency: net.currency }),
  }
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net))
  await done(admin, 'PUT', `offer_partner/${link.id}`, { active: false })
  const taker = await done(admin, 'POST', 'offer_partner', linkOf(other))
  const free = await done(admin, 'POST', 'offer_partner', linkOf(await makeNetwork(admin)))
  await done(admin, 'PUT', `offer_partner/${free.id}`, { active: false })
  const outcome = await activate(admin, 'offer_partner', { ids: [link.id, free.id] }, 1)
  expect(outcome).toMatchObject({ changed: 1, refused: 1, refusals: [{ id: link.id, title: link.site_id }] })
  expect(outcome.refusals[0]?.message).toBe(
    `This stream is already used in another offer for the same country: ${String(other.offer.title)}, partner offer #${taker.id}`,
  )
  expect((await done(admin, 'GET', `offer_partner/${link.id}`)).active).toBe(false)
  expect((await done(admin, 'GET', `offer_partner/${free.id}`)).active).toBe(true)
})

test('rows out of scope are not changed, and the answer counts them [LIST-15, PERM-07]', async () => {
  const leader = await signIn(server, 'TEAM_LEADER')
  const [mine, theirs] = [await makeNetwork(admin), await makeNetwork(admin)]
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Group'), team_leaders: [leader.id] })
  await done(admin, 'POST', 'partner_partner_group', { partner: mine.partner.id, partner_group: group.id })
  const ids = [mine.partner.id, theirs.partner.id]
  expect(await activate(leader, 'partner', { ids }, 0)).toMatchObject({ changed: 1, absent: 1, refused: 0 })
  expect(await activate(leader, 'partner', { ids: [], exclusive: true }, 1)).toMatchObject({ changed: 1, absent: 0 })
  expect((await done(admin, 'GET', `partner/${theirs.partner.id}`)).active).toBe(true)
  const partner = await signIn(server, 'PARTNER', mine.partner.id)
  expect((await ask(partner, 'PUT', 'partner/activate?activate=0', { ids })).status).toBe(403)
})

test('two users who change the same rows at once both get an answer, and every row has one of their values [LIST-15]', async () => {
  const { ids } = await makeLandings(60)
  const backwards = [...ids].reverse()
  const outcomes = await Promise.all([
    activate(admin, 'landing', { ids }, 0),
    activate(admin, 'landing', { ids: backwards }, 1),
    activate(admin, 'landing', { ids: backwards }, 0),
  ])
  for (const { changed, unchanged } of outcomes) expect(changed + unchanged).toBe(60)
  expect(new Set(await activeOf(ids)).size).toBe(1)
})

test('an invalid selection is rejected by name [LIST-09, API-05]', async () => {
  const bodies: [unknown, string][] = [
    [{}, 'ids'],
    [{ ids: ['1'] }, 'ids'],
    [{ ids: [-1] }, 'ids'],
    [{ ids: [1.5] }, 'ids'],
    [{ ids: [1], all: true }, 'all'],
    [{ ids: [], exclusive: true, filter: 'filter[nothing]=1' }, 'filter[nothing]'],
    [
      { ids: [], exclusive: true, filter: "filter[title][like]=x&filter[id';drop table landing]=1" },
      "filter[id';drop table landing]",
    ],
    [{ ids: [], exclusive: true, filter: 'unknown=1' }, 'unknown'],
    [{ ids: Array.from({ length: 20_001 }, (_, index) => index + 1) }, 'ids'],
  ]
  for (const [body, field] of bodies) {
    const reply = await ask(admin, 'PUT', 'landing/activate?activate=0', body)
    expect([field, reply.status]).toEqual([field, 422])
    expect(JSON.stringify(reply.body.formErrors)).toContain(JSON.stringify(field).slice(1, -1).split('.')[0])
  }
  expect((await ask(admin, 'PUT', 'landing/activate', { ids: [] })).status).toBe(422)
  expect((await ask(admin, 'POST', 'landing/export', { ids: [1], order: 'order[id) or (1=1]=ASC' })).status).toBe(422)
  for (const limit of ['0', '-2', '1e99', 'NaN', '10001', ''])
    expect([limit, (await ask(admin, 'GET', `landing?limit=${limit}`)).status]).toEqual([limit, 422])
})

test('exactly the entities with an active flag have the call [LIST-07, API-01]', async () => {
  for (const name of ENTITY_NAMES) {
    const entity: Entity = entityOf(name)
    const isSwitched = activeField(entity) !== null && isGrantable(entity.access.edit) && entity.source !== 'clickhouse'
    const reply = await ask(admin, 'PUT', `${name}/activate?activate=1`, { ids: [2_000_000_000] })
    if (isSwitched) expect([name, reply.body]).toEqual([name, expect.objectContaining({ changed: 0, absent: 1 })])
    else expect([name, [404, 422].includes(reply.status)]).toEqual([name, true])
  }
})

test('a view has a name, is shared with colleagues, and is the default of its owner only [LIST-13]', async () => {
  const [leader, manager] = [await signIn(server, 'TEAM_LEADER'), await signIn(server, 'MANAGER')]
  const net = await makeNetwork(admin)
  const partner = await signIn(server, 'PARTNER', net.partner.id)
  const colleague = await signIn(server, 'PARTNER', net.partner.id)
  const state = { conditions: [{ path: 'state', operator: 'in', values: ['unapproved'] }], order: [], limit: 50 }
  const view = await done(leader, 'POST', 'saved_view', { list: 'offer', title: 'Waiting', state, is_default: true })
  expect(view).toMatchObject({ user: { id: leader.id }, state, shared: false, is_default: true })
  const seenBy = async (person: SignedIn): Promise<number[]> =>
    idsOf(await done(person, 'GET', 'saved_view?filter[list]=offer&limit=-1'))
  expect(await seenBy(manager)).toEqual([])
  await done(leader, 'PATCH', `saved_view/${view.id}`, { shared: true })
  expect(await seenBy(manager)).toEqual([view.id])
  expect(await seenBy(partner)).toEqual([])
  expect((await ask(manager, 'PATCH', `saved_view/${view.id}`, { title: 'Mine' })).status).toBe(403)
  expect((await ask(manager, 'DELETE', `saved_view/${view.id}`)).status).toBe(403)
  expect((await ask(partner, 'GET', `saved_view/${view.id}`)).status).toBe(404)
  const second = await done(leader, 'POST', 'saved_view', { list: 'offer', title: 'Other', is_default: true })
  expect((await done(leader, 'GET', `saved_view/${view.id}`)).is_default).toBe(false)
  expect((await done(leader, 'GET', `saved_view/${second.id}`)).state).toBeNull()
  const twice = await ask(leader, 'POST', 'saved_view', { list: 'offer', title: 'Other' })
  expect(twice).toMatchObject({ status: 422, body: { formErrors: { title: expect.anything() } } })
  const foreign = await ask(leader, 'POST', 'saved_view', { list: 'offer', title: 'Foreign', user: manager.id })
  expect(foreign.status).toBe(422)
  const long = { list: 'offer', title: 'Long', state: { text: 'x'.repeat(200_001) } }
  expect(await ask(leader, 'POST', 'saved_view', long)).toMatchObject({ status: 422 })
  const own = await done(partner, 'POST', 'saved_view', { list: 'offer', title: 'Ours', shared: true })
  expect(await seenBy(colleague)).toEqual([own.id])
  expect(await seenBy(manager)).toEqual([view.id])
  expect((await ask(leader, 'DELETE', `saved_view/${view.id}`)).status).toBe(204)
})
