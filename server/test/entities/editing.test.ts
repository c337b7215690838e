// Presence of editors: shown to users who may change the row, removed when the form closes or falls silent, equal in every process.

import { randomUUID } from 'node:crypto'
import { EDITING_EXPIRY_SECONDS } from '@tributary/contract/limits'
import { expect, test } from 'vitest'
import { liveModule } from '../../src/api/live-module.ts'
import { connectPostgres } from '../../src/postgres/client.ts'
import { publishLive } from '../../src/postgres/live.ts'
import { ask, done, ENTITY_MODULES, type Json, makeNetwork } from '../support/entity-calls.ts'
import { log, startTestApp } from '../support/harness.ts'
import { listen } from '../support/live-ear.ts'
import { signIn } from '../support/sign-in.ts'

const modules = [...ENTITY_MODULES, liveModule]
const server = await startTestApp({ modules })
const [ann, ben, manager] = [
  await signIn(server, 'ADMIN'),
  await signIn(server, 'TEAM_LEADER'),
  await signIn(server, 'MANAGER'),
]
const { offer, partner } = await makeNetwork(ann)

const at = (id: unknown, entity = 'offer') => `editing/${entity}/${String(id)}`
const others = (reply: Json) => reply.others as { screen: string; full_name: string; since: string; is_me: boolean }[]

test('each user sees who else has the row open and since when, and is notified of changes [FORM-07]', async () => {
  const [mine, theirs] = [randomUUID(), randomUUID()]
  const ear = await listen(ann, 'editing')
  expect(others(await done(ann, 'PUT', at(offer.id), { screen: mine }))).toEqual([])
  const seen = others(await done(ben, 'PUT', at(offer.id), { screen: theirs }))
  expect(seen).toEqual([{ screen: mine, full_name: expect.any(String), since: expect.any(String), is_me: false }])
  await expect.poll(() => ear.heard).toHaveLength(2)
  expect(ear.heard[0]).toBe(`editing {"entity":"offer","id":${offer.id}}`)
  const before = others(await done(ann, 'PUT', at(offer.id), { screen: mine }))[0]?.since
  expect(others(await done(ann, 'PUT', at(offer.id), { screen: mine }))[0]?.since).toBe(before)
  expect(ear.heard).toHaveLength(2)
  await done(ben, 'PUT', at(offer.id), { screen: theirs, hasSaved: true })
  await expect.poll(() => ear.heard).toHaveLength(3)
  await done(ben, 'DELETE', `${at(offer.id)}?screen=${theirs}`)
  await expect.poll(() => ear.heard).toHaveLength(4)
  expect(others(await done(ann, 'PUT', at(offer.id), { screen: mine }))).toEqual([])
  ear.leave()
})

test('another window of the same user is marked as theirs and cannot be closed by others [FORM-07]', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  await done(ann, 'PUT', at(partner.id, 'partner'), { screen: first })
  expect(others(await done(ann, 'PUT', at(partner.id, 'partner'), { screen: second }))).toMatchObject([{ is_me: true }])
  await done(ben, 'DELETE', `${at(partner.id, 'partner')}?screen=${first}`).catch(() => undefined)
  await done(ann, 'DELETE', `${at(partner.id, 'partner')}?screen=${second}`)
  expect(others(await done(ann, 'PUT', at(partner.id, 'partner'), { screen: second }))).toMatchObject([
    { screen: first },
  ])
})

test('a renewal that arrives after leaving does not bring the screen back [FORM-07]', async () => {
  const [gone, here] = [randomUUID(), randomUUID()]
  await done(ann, 'DELETE', `${at(offer.id)}?screen=${gone}`)
  await done(ann, 'PUT', at(offer.id), { screen: gone })
  expect(others(await done(ben, 'PUT', at(offer.id), { screen: here })).map(({ screen }) => screen)).not.toContain(gone)
})

test('a silent form is removed [FORM-07]', async () => {
  const [gone, here] = [randomUUID(), randomUUID()]
  await done(ann, 'PUT', at(offer.id), { screen: gone })
  await server.services.postgres.pool.query(
    'update editing set seen_at = now() - make_interval(secs => $1) where screen = $2',
    [EDITING_EXPIRY_SECONDS + 1, gone],
  )
  expect(others(await done(ben, 'PUT', at(offer.id), { screen: here })).map(({ screen }) => screen)).not.toContain(gone)
})

test('the newest version is sent, so that a form knows of a save before it saves itself [FORM-07]', async () => {
  const screen = randomUUID()
  const { version } = await done(ann, 'PUT', at(offer.id), { screen })
  await done(ben, 'PATCH', `offer/${offer.id}`, { baseline: '17' })
  expect((await done(ann, 'PUT', at(offer.id), { screen })).version).toBe(version + 1)
})

test('only users who may change the row see its editors: 403 without permission, 404 if out of scope or absent [FORM-07] [PERM-07]', async () => {
  const body = { screen: randomUUID() }
  expect((await ask(manager, 'PUT', at(offer.id), body)).status).toBe(403)
  const foreign = await ask(ben, 'PUT', at(999_999), body)
  expect(foreign.status).toBe(404)
  for (const path of ['editing/nothing/1', 'editing/offer/x', 'editing/__proto__/1'])
    expect((await ask(ann, 'PUT', path, body)).status, path).toBe(404)
  expect((await ask(ann, 'PUT', at(offer.id), { screen: 'no' })).status).toBe(422)
})

test('presence and events are shared between processes [FORM-07]', async () => {
  const elsewhere = connectPostgres(server.services.postgres.url, log)
  const [mine, theirs] = [randomUUID(), randomUUID()]
  const ear = await listen(ann, 'editing')
  await elsewhere.pool.query(
    `insert into editing (entity, entity_id, screen, user_id) values ('partner', $1, $2, $3)`,
    [partner.id, theirs, ben.id],
  )
  await publishLive(
    elsewhere.db,
    'editing',
    { entity: 'partner', id: partner.id },
    { entity: 'partner', id: partner.id },
  )
  await expect.poll(() => ear.heard).toEqual([`editing {"entity":"partner","id":${partner.id}}`])
  const seen = others(await done(ann, 'PUT', at(partner.id, 'partner'), { screen: mine }))
  expect(seen.map(({ screen }) => screen)).toContain(theirs)
  ear.leave()
  await elsewhere.close()
})
