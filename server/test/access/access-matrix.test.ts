// The matrix: every route below /api by every kind of role, with its template, with no key and with each key alone; by a program with an API
// key; and by an admin who views as someone else, on the real server. access-expected.ts states what is expected, and by which rules.
// Which rows each sees is the matter of entities-scope.test.ts and access-foreign-rows.test.ts.
import { type AccessHolder, PERMISSION_NEEDS, PERMISSIONS, type Permission } from '@tributary/contract/access'
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { withNeeded } from '@tributary/contract/permission-tree'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ignore } from '../../src/lib/promises.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import type { ServerModule } from '../../src/server-module.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { CALL_ACCESS, ENTITY_ACCESS, ONLY_AT_A_SCREEN, READS_BY_POST } from './access-expected.ts'
import { DECLARED, isOpenTo, ROUTES, type Route } from './access-routes-table.ts'

interface Who {
  readonly name: string
  readonly holder: AccessHolder
  readonly bearer: () => string
  /** True for routes that are closed to this caller for a reason of its own. */
  isShut?(route: Route): boolean
}

const AT_ONCE = 12

let server: Server
/** Own keep-alive connections for tens of thousands of requests. */
let line: Pool
let partner: SignedIn
const people: Who[] = []
const mounted = new Set<string>()

const watchModule: ServerModule = {
  name: 'watch',
  roles: ['api'],
  routes(app) {
    app.addHook('onRoute', ({ method, url, config }) => {
      if (config?.access === 'public') return
      for (const one of [method].flat()) if (one !== 'HEAD') mounted.add(`${one} ${url.replace('/api/', '')}`)
    })
  },
}

const query = (text: string, values: unknown[] = []) => server.services.postgres.pool.query(text, values)
const give = (person: SignedIn, permissions: readonly Permission[]) =>
  query('update "user" set permissions = $2 where id = $1', [person.id, permissions])

beforeAll(async () => {
  server = await startTestApp({ modules: [watchModule, ...MODULES] })
  line = new Pool(server.url, { connections: AT_ONCE })
  const { id } = (await query("insert into partner (title) values ('Matrix') returning id")).rows[0]
  for (const role of ['ADMIN', 'TEAM_LEADER', 'MANAGER', 'PARTNER'] as const) {
    const { permissions } = (await query('select permissions from user_role where kind = $1 and built_in', [role]))
      .rows[0]
    for (const own of role === 'ADMIN' ? [permissions] : [permissions, []]) {
      const person = await signIn(server, role, role === 'PARTNER' ? id : null)
      await give(person, own)
      people.push({
        name: `${role} with ${own.length} keys`,
        holder: { role, permissions: own },
        bearer: () => person.token,
      })
    }
  }
  partner = await signIn(server, 'PARTNER', id)
})

afterAll(() => line.destroy())

async function ask(who: Who, method: string, path: string): Promise<number> {
  const isSending = method !== 'GET' && method !== 'DELETE'
  const { statusCode, body } = await line.request({
    method,
    path: `/api/${path}`,
    headers: { authorization: `Bearer ${who.bearer()}`, ...(isSending && { 'content-type': 'application/json' }) },
    // No call accepts this body: access is checked before it is read, so no report or export runs.
    body: isSending ? '{"no_such_field":1}' : null,
  })
  // A stream never ends by itself.
  if (path === 'events') body.on('error', ignore).destroy()
  else await body.dump()
  return statusCode
}

/** A closed route answers 403; an open one anything else, such as 404 or 422. */
async function findFault(who: Who, route: Route): Promise<string[]> {
  const { method, path, expected } = route
  const status = await ask(who, method, path)
  const isOpen = isOpenTo(expected, who.holder)
  const isRight =
    isOpen === undefined
      ? status === 404 || status === 403
      : (status !== 403) === (isOpen && who.isShut?.(route) !== true)
  return isRight && status < 500 ? [] : [`${method} ${path} as ${who.name}: ${status}, expected ${expected}`]
}

async function findFaults(whom: readonly Who[], routes: readonly Route[]): Promise<string[]> {
  const waiting = whom.flatMap((who) => routes.map((route) => [who, route] as const))
  const faults: string[] = []
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) faults.push(...(await findFault(...next)))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return faults
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort((a, b) => a.localeCompare(b))

test('every entity, call and report has a line in the table, and no line is obsolete [PERM-08]', () => {
  expect(sorted(Object.keys(ENTITY_ACCESS))).toEqual(sorted(ENTITY_NAMES))
  expect(sorted(Object.keys(CALL_ACCESS))).toEqual(sorted(DECLARED.map(({ name }) => name)))
})

test('the matrix lacks no route of the server [PERM-08]', () => {
  const asked = new Set(ROUTES.map(({ method, url }) => `${method} ${url}`))
  expect(sorted([...mounted].filter((route) => !asked.has(route)))).toEqual([])
})

test.each(ENTITY_NAMES)(
  '%s: each kind of role opens its routes and nothing else [PERM-02] [PERM-03] [PERM-08]',
  async (name) => {
    expect(
      await findFaults(
        people,
        ROUTES.filter((route) => route.of === name),
      ),
    ).toEqual([])
  },
)

test.each(ROUTES.filter(({ of }) => !(of in ENTITY_ACCESS)).map((route) => [route.of, route] as const))(
  'call %s: each kind of role opens its routes and nothing else [PERM-02] [PERM-08]',
  async (_name, route) => {
    expect(await findFaults(people, [route])).toEqual([])
  },
)

/** Each permission alone, and with those that it needs. PARTNER is in no list of roles, so every opened route was opened by the permission. */
const SETS = PERMISSIONS.flatMap((key) => (PERMISSION_NEEDS[key] === undefined ? [[key]] : [[key], withNeeded([key])]))

const partnerWith = (permissions: readonly Permission[]): AccessHolder => ({ role: 'PARTNER', permissions })
const opens = (expected: string, keys: readonly Permission[]): boolean => isOpenTo(expected, partnerWith(keys)) === true

async function findFaultsWith(name: string, permissions: readonly Permission[], routes: readonly Route[]) {
  await give(partner, permissions)
  const holder = partnerWith(permissions)
  return findFaults([{ name: `PARTNER with ${name}`, holder, bearer: () => partner.token }], routes)
}

test.each(SETS.map((keys) => [keys.join(' with '), keys] as const))(
  '%s opens the routes that name it, together with the permissions that it needs [PERM-01] [PERM-02] [PERM-08]',
  async (name, permissions) => {
    const naming = ROUTES.filter(({ expected }) => opens(expected, withNeeded(permissions)) && !opens(expected, []))
    expect(await findFaultsWith(name, permissions, naming)).toEqual([])
  },
)

// More permissions never open less, so a route that is closed to all of them together is closed to each.
test.each([...Map.groupBy(ROUTES, ({ expected }) => expected)].filter(([expected]) => !opens(expected, [])))(
  'routes for %s stay closed with all other permissions together [PERM-01] [PERM-02] [PERM-08]',
  async (expected, routes) => {
    const others = PERMISSIONS.filter((key) => !opens(expected, withNeeded([key])))
    expect(await findFaultsWith('all other keys', others, routes)).toEqual([])
  },
)

test('an admin’s API key opens everything of an admin except what needs a session [API-04] [PERM-08]', async () => {
  const owner = await signIn(server, 'ADMIN')
  const keys: string[] = []
  // One API key may call 600 times a minute.
  for (let start = 0; start < ROUTES.length; start += 400) {
    const answer = await owner.call('POST', 'api_key', { title: `Key ${start}`, expires_on: tomorrow() })
    keys.push(((await answer.json()) as { key: string }).key)
  }
  let calls = 0
  const program: Who = {
    name: 'an API key',
    holder: { role: 'ADMIN', permissions: ['FULL_ACCESS'] },
    bearer() {
      calls += 1
      return keys[calls % keys.length] ?? ''
    },
    isShut: ({ of }) => ONLY_AT_A_SCREEN.has(of),
  }
  expect(await findFaults([program], ROUTES)).toEqual([])
})

test('an admin who views as another user opens what that user may, and changes nothing [PERM-07] [PERM-08]', async () => {
  const admin = await signIn(server, 'ADMIN')
  const leader = people.find(({ holder }) => holder.role === 'TEAM_LEADER' && holder.permissions.length > 0)
  const { rows } =
    await query(`select id from "user" where role_id = (select id from user_role where kind = 'TEAM_LEADER' and built_in)
    and cardinality(permissions) > 0 limit 1`)
  if (leader === undefined) throw new Error('there is no team leader')
  expect((await admin.call('POST', `user/${rows[0].id}/view_as`)).status).toBe(204)
  const isReading = ({ method, of, url }: Route) => method === 'GET' || READS_BY_POST.has(of) || url.endsWith('/export')
  // This call would end viewing.
  const routes = ROUTES.filter(({ of }) => of !== 'profile_end_view')
  const onlooker: Who = {
    name: 'an onlooker',
    holder: leader.holder,
    bearer: () => admin.token,
    isShut: (route) => !isReading(route),
  }
  expect(await findFaults([onlooker], routes)).toEqual([])
  expect((await admin.call('DELETE', 'profile/view_as')).status).toBe(204)
})

const tomorrow = () => new Date(Date.now() + 86_400_000 * 2).toISOString().slice(0, 10)
