// The guard of every route below /api, and the API's documentation.
import { Writable } from 'node:stream'
import { ADMIN_ONLY, leadersOr } from '@tributary/contract/access'
import { CALL_NAMES, CALLS } from '@tributary/contract/calls/registry'
import { beforeAll, expect, test } from 'vitest'
import { accessModule } from '../../src/api/access-module.ts'
import { buildApp } from '../../src/api/app.ts'
import { createMetrics } from '../../src/api/health.ts'
import { createLog } from '../../src/lib/log.ts'
import { MODULES } from '../../src/modules.ts'
import { type Server, startServer } from '../../src/server.ts'
import type { ServerModule } from '../../src/server-module.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { createTestConfig } from '../support/harness.ts'
import { PASSWORD, send, signIn } from '../support/sign-in.ts'

let server: Server
let logged = ''
const routes: { method: string; url: string; isPublic: boolean }[] = []

const sampleModule: ServerModule = {
  name: 'sample',
  roles: ['api'],
  routes(app) {
    app.get('/sample/scope', { config: { access: 'everyone' } }, (request) => request.person.scope)
    app.post('/sample/admin', { config: { access: ADMIN_ONLY } }, () => ({ ok: true }))
    app.get('/sample/key', { config: { access: leadersOr('partners_edit') } }, () => ({ ok: true }))
    app.get('/sample/public', { config: { access: 'public' } }, (request) => request.person)
  },
}

const watchModule: ServerModule = {
  name: 'watch',
  roles: ['api'],
  routes(app) {
    app.addHook('onRoute', ({ method, url, config }) => {
      for (const one of [method].flat()) routes.push({ method: one, url, isPublic: config?.access === 'public' })
    })
  },
}

beforeAll(async () => {
  const config = await createTestConfig()
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  server = await startServer(config, createLog('trace', destination), {
    modules: [watchModule, ...MODULES, sampleModule],
  })
  atEndOfFile(() => server.stop())
})

test('every route rejects a request without a token with 401 before it reads anything [PERM-07]', async () => {
  const guarded = routes.filter((route) => !route.isPublic)
  expect(guarded.length).toBeGreaterThan(3)
  for (const { method, url } of guarded) {
    const path = url.replace(/:\w+/g, '1')
    for (const headers of [{}, { authorization: 'Bearer x.y.z' }]) {
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: '{"broken' }
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...body,
      })
      expect([method, url, answer.status]).toEqual([method, url, 401])
    }
  }
})

test('only signing in, password recovery, verifying a file and the documentation are public [PERM-07]', () => {
  const open = new Set(routes.filter((route) => route.isPublic).map((route) => route.url))
  const expected = [
    '/api/docs',
    '/api/docs/json',
    '/api/profile/recover_password_mail',
    '/api/profile/reset_password',
    '/api/sample/public',
    '/api/token',
    '/api/token/logout',
    '/api/token/refresh',
    '/api/verify',
  ]
  expect([...open].sort((a, b) => a.localeCompare(b))).toEqual(expected)
})

test('a route without declared access stops the start [PERM-07]', async () => {
  const careless: ServerModule = {
    name: 'careless',
    roles: ['api'],
    routes: (app) => void app.get('/careless', () => 'open'),
  }
  const services = { ...server.services, metrics: createMetrics() }
  await expect(buildApp(services, { modules: [accessModule, careless] })).rejects.toThrow(
    '/api/careless does not say who may call it',
  )
})

test('permissions open and close a route [PERM-02]', async () => {
  const admin = await signIn(server, 'ADMIN')
  const leader = await signIn(server, 'TEAM_LEADER')
  const manager = await signIn(server, 'MANAGER')
  const partner = await signIn(server, 'PARTNER')
  const statuses = async (method: string, path: string) =>
    Promise.all([admin, leader, manager, partner].map(async (who) => (await who.call(method, path)).status))
  expect(await statuses('POST', 'sample/admin')).toEqual([200, 403, 403, 403])
  expect(await statuses('GET', 'sample/key')).toEqual([200, 200, 200, 403])
  const refused = await partner.call('GET', 'sample/key')
  expect(await refused.json()).toMatchObject({
    code: 'forbidden',
    message: 'Access forbidden',
    request_id: expect.any(String),
  })
})

test('individual permissions override the template, and an edit permission needs its view permission [PERM-05]', async () => {
  const { db } = server.services.postgres
  const manager = await signIn(server, 'MANAGER')
  const set = (permissions: ('partners_edit' | 'partners_view')[]) =>
    db.updateTable('user').set({ permissions }).where('id', '=', manager.id).execute()
  await set(['partners_edit'])
  expect((await manager.call('GET', 'sample/key')).status).toBe(403)
  await set(['partners_edit', 'partners_view'])
  expect((await manager.call('GET', 'sample/key')).status).toBe(200)
  await set([])
  expect((await manager.call('GET', 'sample/key')).status).toBe(403)
})

test('scope is loaded for each request; the group filter is only for admins [PERM-06] [PERM-07]', async () => {
  const { pool } = server.services.postgres
  const admin = await signIn(server, 'ADMIN')
  const leader = await signIn(server, 'TEAM_LEADER')
  const { rows } =
    await pool.query(`with g as (insert into partner_group (title) values ('Fresh') returning id), p as (insert into partner (title) values ('Fresh') returning id)
    insert into partner_partner_group (partner_group_id, partner_id) select g.id, p.id from g, p returning partner_id, partner_group_id`)
  const { partner_id: partner, partner_group_id: group } = rows[0]
  const partners = async (who: typeof admin, filter?: string) => {
    const answer = await who.call(
      'GET',
      'sample/scope',
      undefined,
      filter === undefined ? {} : { 'group-filter': filter },
    )
    return answer.status === 200 ? ((await answer.json()) as { partners: unknown }).partners : answer.status
  }
  expect(await partners(leader)).toEqual([])
  await pool.query('insert into partner_group_team_leader (partner_group_id, user_id) values ($1, $2)', [
    group,
    leader.id,
  ])
  expect(await partners(leader)).toEqual([partner])
  expect(await partners(leader, '0')).toEqual([partner])
  expect(await partners(leader, 'nonsense')).toEqual([partner])
  expect(await partners(admin)).toBeNull()
  expect(await partners(admin, '0')).toBeNull()
  expect(await partners(admin, String(group))).toEqual([partner])
  expect(await partners(admin, '999999')).toEqual([])
  for (const filter of ['nonsense', '-1', '1 or 1=1', '9'.repeat(20)]) expect(await partners(admin, filter)).toBe(422)
})

test('every declared call rejects unknown input and is documented [PERM-07]', async () => {
  const admin = await signIn(server, 'ADMIN')
  const docs = (await (await send(server.url, 'GET', 'docs/json')).json()) as {
    openapi: string
    paths: Record<string, Record<string, { operationId: string; security?: unknown[] }>>
  }
  expect(docs.openapi).toMatch(/^3\.1/)
  for (const name of CALL_NAMES) {
    const call = CALLS[name]
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    const described = docs.paths[`/api/${path}`]?.[call.method.toLowerCase()]
    expect([name, described?.operationId, described?.security?.length ?? 'token']).toEqual([
      name,
      name,
      call.access === 'public' ? 0 : 'token',
    ])
    if (call.path.includes(':')) continue
    const query = `${call.path}?no_such_field=1`
    const refused = await admin.call(call.method, query, 'body' in call ? { no_such_field: 1 } : undefined)
    expect([name, refused.status]).toEqual([name, 422])
    expect(JSON.stringify(await refused.json())).toContain('no_such_field')
  }
  const page = await send(server.url, 'GET', 'docs')
  expect(page.headers.get('content-type')).toContain('text/html')
  const html = await page.text()
  expect(html).toContain('/api/token/refresh')
  expect(html).not.toMatch(/<script|https?:\/\//)
})

test('an internal error is answered without its text [PERM-07]', async () => {
  const answer = await send(server.url, 'GET', 'sample/public')
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('person')
})

test('no credential reaches the log, however detailed [AUTH-15]', async () => {
  const person = await signIn(server, 'MANAGER')
  await person.call('GET', `profile?token=${person.token}`)
  await send(server.url, 'POST', 'token?2fa=true', { email: person.email, password: `${PASSWORD}x`, code: '135790' })
  await send(server.url, 'POST', 'token?2fa=true', { email: person.email, password: PASSWORD, code: '135790' })
  await send(server.url, 'POST', 'token/refresh', { refreshToken: person.refreshToken })
  await send(server.url, 'POST', 'token/logout', {
    tokenData: { token: person.token, refreshToken: person.refreshToken },
  })
  expect(logged).toContain('/api/token')
  // Not as a part of a longer number, such as a time.
  expect(logged).not.toMatch(/(?<!\d)135790(?!\d)/)
  const secrets = [
    PASSWORD,
    person.token,
    person.refreshToken,
    person.secret,
    server.services.config.secret,
    person.refreshToken.split('.')[1] ?? '?',
  ]
  for (const secret of secrets) expect(logged.includes(secret)).toBe(false)
})
