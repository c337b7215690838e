// Live events of open screens on the real server, sent by NOTIFY from another connection, as another process does.
import { request as httpRequest } from 'node:http'
import type { LiveAudience } from '@tributary/contract/live'
import { beforeAll, expect, test, vi } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { MODULES } from '../../src/modules.ts'
import { connectPostgres, type Postgres } from '../../src/postgres/client.ts'
import { publishAllLive, publishLive } from '../../src/postgres/live.ts'
import type { Server } from '../../src/server.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { startTestApp } from '../support/harness.ts'
import { listen } from '../support/live-ear.ts'
import { type SignedIn, send, signIn } from '../support/sign-in.ts'

let server: Server
/** Another process of the same product. */
let elsewhere: Postgres
let admin: SignedIn
let leader: SignedIn
let own: SignedIn
let foreign: SignedIn
let ownPartner: number
let foreignPartner: number

const soon = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 })

async function makePartner(title: string): Promise<number> {
  const { rows } = await server.services.postgres.pool.query('insert into partner (title) values ($1) returning id', [
    title,
  ])
  return rows[0].id
}

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  elsewhere = connectPostgres(server.services.postgres.url, createLog('silent'))
  ownPartner = await makePartner('Own')
  foreignPartner = await makePartner('Foreign')
  admin = await signIn(server, 'ADMIN')
  leader = await signIn(server, 'TEAM_LEADER')
  own = await signIn(server, 'PARTNER', ownPartner)
  foreign = await signIn(server, 'PARTNER', foreignPartner)
  atEndOfFile(() => elsewhere.close())
})

const tell = (n: number, to: LiveAudience) => publishLive(elsewhere.db, 'postback', { ids: [n] }, to)

test('a stream needs a token in the header, sends its version first and is not cached [AUTH-12]', async () => {
  expect((await send(server.url, 'GET', 'events')).status).toBe(401)
  expect((await send(server.url, 'GET', `events?token=${admin.token}`)).status).toBe(401)
  expect((await admin.call('GET', 'events?topics=nonsense')).status).toBe(422)
  const control = new AbortController()
  const answer = await admin.open('events', control.signal)
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'")
  const first = await answer.body?.getReader().read()
  expect(new TextDecoder().decode(first?.value)).toMatch(/^event: version\ndata: \{"version":"/)
  control.abort()
})

test('each user receives their events: by user, by partner, by row; nobody else does [PERM-07] [PERM-08]', async () => {
  const ears = await Promise.all([admin, leader, own, foreign].map((who) => listen(who)))
  await tell(1, { partner: ownPartner })
  await tell(2, { partner: foreignPartner })
  await tell(3, { partner: null })
  await tell(4, { users: [leader.id] })
  await tell(5, { entity: 'partner', id: ownPartner })
  await publishLive(elsewhere.db, 'editing', { entity: 'user_role', id: 1 }, { entity: 'user_role', id: 1 })
  await tell(6, { everyone: true })
  const heard = ears.map((ear) => ear.heard)
  const said = (...ids: number[]) => ids.map((id) => `postback {"ids":[${id}]}`)
  await soon(() => {
    for (const one of heard) expect(one.at(-1)).toBe('postback {"ids":[6]}')
  })
  const role = 'editing {"entity":"user_role","id":1}'
  expect(heard[0]).toEqual([...said(1, 2, 3, 5), role, ...said(6)])
  expect(heard[1]).toEqual(said(4, 6))
  // A partner may not open its own row among partners, so it receives no event of it either.
  expect(heard[2]).toEqual(said(1, 6))
  expect(heard[3]).toEqual(said(2, 6))
  for (const ear of ears) ear.leave()
})

test('a topic needs its permission, and only requested topics arrive [PERM-07]', async () => {
  const before = await listen(foreign)
  await server.services.postgres.db.updateTable('user').set({ permissions: [] }).where('id', '=', foreign.id).execute()
  // Otherwise the next screen could receive it.
  await soon(() => expect(before.heard).toEqual(['permissions {}']))
  before.leave()
  const [some, none] = await Promise.all([listen(own, 'click'), listen(foreign)])
  await publishLive(elsewhere.db, 'click', { ids: ['a'] }, { everyone: true })
  await tell(7, { everyone: true })
  await publishLive(elsewhere.db, 'click', { ids: ['b'] }, { everyone: true })
  await soon(() => expect(some.heard).toEqual(['click {"ids":["a"]}', 'click {"ids":["b"]}']))
  await soon(() => expect(none.heard).toEqual(['postback {"ids":[7]}']))
  some.leave()
  none.leave()
})

test('changed permissions are sent at once and apply to later events [AUTH-12] [AUTH-16]', async () => {
  const { pool } = server.services.postgres
  const ear = await listen(leader)
  const told = ['postback {"ids":[0]}']
  const expectHeard = (...more: string[]) => {
    told.push(...more)
    return soon(() => expect(ear.heard).toEqual(told))
  }
  await tell(8, { partner: ownPartner })
  await tell(0, { users: [leader.id] })
  // Now it is certain that they did not receive the first event.
  await expectHeard()
  const { rows } = await pool.query("insert into partner_group (title) values ('Live') returning id")
  await pool.query('insert into partner_partner_group (partner_group_id, partner_id) values ($1, $2)', [
    rows[0].id,
    ownPartner,
  ])
  await pool.query('insert into partner_group_team_leader (partner_group_id, user_id) values ($1, $2)', [
    rows[0].id,
    leader.id,
  ])
  await tell(9, { partner: ownPartner })
  await expectHeard('permissions {}', 'postback {"ids":[9]}')
  await pool.query('update "user" set permissions = $2 where id = $1', [leader.id, ['dashboard']])
  await pool.query(
    `update user_role set permissions = permissions || '{players}' where kind = 'TEAM_LEADER' and built_in`,
  )
  await expectHeard('permissions {}', 'permissions {}')
  ear.leave()
})

test('a disabled user and an ended session lose their streams at once [AUTH-16]', async () => {
  const { pool } = server.services.postgres
  const disabled = await signIn(server, 'MANAGER')
  const ended = await signIn(server, 'MANAGER')
  const ears = await Promise.all([listen(disabled), listen(ended)])
  await pool.query('update "user" set enabled = false where id = $1', [disabled.id])
  await ended.call('POST', 'token/logout', { tokenData: { token: ended.token, refreshToken: ended.refreshToken } })
  await Promise.all(ears.map((ear) => ear.ended))
  await tell(10, { everyone: true })
  for (const ear of ears) expect(ear.heard).toEqual([])
})

test('an event of a rolled back transaction is not sent; one that is too long is rejected [AUTH-12]', async () => {
  const ear = await listen(admin)
  const failing = elsewhere.withTransaction(async (trx) => {
    await publishLive(trx, 'postback', { ids: [11] }, { everyone: true })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const ids = Array.from({ length: 2000 }, (_, i) => i)
  await expect(publishLive(elsewhere.db, 'postback', { ids }, { everyone: true })).rejects.toThrow(RangeError)
  await elsewhere.pool.query("select pg_notify('live', '{\"topic\":\"__proto__\",\"to\":{}}'), pg_notify('live', '[')")
  await tell(12, { everyone: true })
  // An event of the test before may come late.
  await soon(() => expect(ear.heard.at(-1)).toBe('postback {"ids":[12]}'))
  expect(ear.heard).not.toContain('postback {"ids":[11]}')
  ear.leave()
})

test('a screen that does not read is disconnected, the others keep receiving [AUTH-12]', async () => {
  const open = async () =>
    Number(/tributary_live_screens (\d+)/.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1])
  await vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 60_000 })
  const deaf = httpRequest(`${server.url}/api/events`, { headers: { authorization: `Bearer ${admin.token}` } })
  deaf.on('response', (answer) => answer.pause())
  deaf.on('error', () => undefined)
  deaf.end()
  const ear = await listen(admin)
  await vi.waitFor(async () => expect(await open()).toBe(2), { timeout: 60_000 })
  const message = 'x'.repeat(7000)
  for (let round = 0; round < 40; round++)
    await publishAllLive(
      elsewhere.db,
      Array.from({ length: 50 }, (_, i) => ({
        topic: 'job' as const,
        payload: { job: message, id: `${round}.${i}`, state: 'running' as const },
        to: { everyone: true } as const,
      })),
    )
  await vi.waitFor(async () => expect(await open()).toBe(1), { timeout: 60_000 })
  await tell(13, { everyone: true })
  await soon(() => expect(ear.heard.at(-1)).toBe('postback {"ids":[13]}'))
  deaf.destroy()
  ear.leave()
})

test('open streams do not delay shutdown [SYS-04]', async () => {
  const ear = await listen(admin)
  await server.stop()
  await ear.ended
})
