// Hostile requests: oversized or deep bodies, prototype pollution, regular-expression bombs, paths as ids, formulas, forged headers.
import { Script } from 'node:vm'
import { CALLS } from '@tributary/contract/calls/registry'
import { ENTITY_NAMES, type EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { checkField, isWritable, maxLength } from '@tributary/contract/validate'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authService, createAuthService } from '../../src/access/auth-service.ts'
import { accessModule } from '../../src/api/access-module.ts'
import { buildApp } from '../../src/api/app.ts'
import { createMetrics } from '../../src/api/health.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, idsOf } from '../support/entity-calls.ts'
import { entityOf } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { readSheet } from '../support/sheet-file.ts'
import { makePerson, type SignedIn, send, signIn, stopClock } from '../support/sign-in.ts'
import { makeTwoSides, NARROW, type TwoSides } from '../support/two-sides.ts'
import { ROUTES, takesOrdinaryBody } from './access-routes-table.ts'

let server: Server
let admin: SignedIn
let sides: TwoSides
let line: Pool

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  sides = await makeTwoSides(server, admin)
  line = new Pool(server.url, { connections: 8 })
})

afterAll(() => line.destroy())

type Answer = { status: number; text: string }

async function sendRaw(method: string, path: string, body: string | null = null): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${admin.token}`,
    ...(body !== null && { 'content-type': 'application/json' }),
  }
  const answer = await line.request({ method, path: `/api/${path}`, headers, body })
  return { status: answer.statusCode, text: await answer.body.text() }
}

/** Every route that reads a body once, including public ones such as signing in. */
const READING = [
  ...new Map(
    [
      ...ROUTES.filter(({ method, expected }) => method !== 'GET' && method !== 'DELETE' && expected !== '-'),
      ...['token?2fa=true', 'token/refresh', 'token/logout', 'profile/recover_password_mail'].map((path) => ({
        method: 'POST',
        path,
        of: path,
      })),
    ]
      .filter(({ of }) => takesOrdinaryBody(of))
      .map(({ method, path }) => [`${method} ${path}`, { method, path }] as const),
  ).values(),
]

/** Some of them: all routes have the same parser, which other bodies prove for every route. */
const SOME = READING.filter(({ path }, place) => place % 12 === 0 || path.startsWith('token'))

async function faultsOf(body: string, isRight: (answer: Answer) => boolean, routes = READING): Promise<string[]> {
  const waiting = [...routes]
  const faults: string[] = []
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const answer = await sendRaw(next.method, next.path, body)
      if (!isRight(answer)) faults.push(`${next.method} ${next.path}: ${answer.status} ${answer.text.slice(0, 120)}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return faults
}

test('every route rejects a body of more than a megabyte before it is read [API-05]', async () => {
  expect(await faultsOf(`{"title":"${'x'.repeat(1_050_000)}"}`, ({ status }) => status === 413)).toEqual([])
})

test.each([
  ['80,000 members', `{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join()}}`],
  ['500,000 items', `{"ids":[${'1,'.repeat(500_000)}1]}`],
  ['400,000 levels', `{"a":${'['.repeat(400_000)}`],
])('a body of %s is not parsed [API-05]', async (_, body) => {
  expect(await faultsOf(body, ({ status, text }) => status === 413 && text.length < 300, SOME)).toEqual([])
})

test.each([
  'token?2fa=true',
  'token/refresh',
  'token/logout',
  'profile/recover_password_mail',
  'profile/reset_password?token=x',
  'nothing',
])('without a token, POST %s takes 16 kB and 100 members at most [API-05]', async (path) => {
  const ask = async (body: string): Promise<number> => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${server.url}/api/${path}`, { method: 'POST', headers, body })).status
  }
  const kilobytes = (count: number): string => JSON.stringify({ a: 'x'.repeat(count * 1024) })
  const small = await ask(kilobytes(15))
  expect(small).toBe(path === 'nothing' ? 404 : 422)
  expect(await ask(kilobytes(16))).toBe(413)
  const members = (count: number): string => `{"a":[${'1,'.repeat(count - 2)}1]}`
  expect(await ask(members(100))).toBe(small)
  expect(await ask(members(101))).toBe(413)
})

const DEEP = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
const KEYS = ['title', 'state', 'filter', 'request', 'permissions', 'ids', 'email', 'password', 'lines']

test('a body just below the limit is rejected for its content, however deep it is [API-05]', async () => {
  const refused = ({ status }: Answer) => status >= 400 && status < 500
  expect(await faultsOf(`{"list":"offer","title":${DEEP},"state":[]}`, refused, SOME)).toEqual([])
  const long = JSON.stringify(Object.fromEntries(KEYS.map((key) => [key, 'x'.repeat(30_000)])))
  expect(await faultsOf(long, refused)).toEqual([])
  const kept = await sendRaw('POST', 'saved_view', `{"list":"offer","title":"Deep","state":${DEEP}}`)
  expect([kept.status, refused(kept)]).toEqual([kept.status, true])
  expect((await send(server.url, 'GET', 'health/live')).status).toBe(200)
})

test.each([
  '{"__proto__":{"polluted":1}}',
  '{"title":"x","filter":{"__proto__":{"polluted":1}}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"state":{"constructor":{"prototype":{"polluted":1}}}}',
  '{"\\u005f_proto__":{"polluted":1}}',
])('no route takes a body that is meant for the prototype: %s [API-05]', async (body) => {
  const isRight = ({ status, text }: Answer) => status === 400 && text.includes('bad_request')
  expect(await faultsOf(body, isRight, body.startsWith('{"__proto__"') ? READING : SOME)).toEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__proto__.polluted'])(
  'no list knows a field called %s [API-05]',
  async (key) => {
    for (const name of ENTITY_NAMES) {
      for (const query of [`filter[${key}]=1`, `filter[${key}][in][]=1`, `order[${key}]=ASC`, `${key}=1`]) {
        const { status } = await sendRaw('GET', `${name}?${query}`)
        expect([name, query, status]).toEqual([name, query, 422])
      }
      const { status } = await sendRaw('GET', `${name}/export?columns[]=${key}`)
      expect([name, key, status]).toEqual([name, key, 422])
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  },
)

/** Texts that make backtracking patterns run far longer than any time-out. */
const LONG = 40_000
const STALLING = [
  `${'a'.repeat(LONG)}!`,
  `${'a.'.repeat(LONG / 2)}@`,
  `a@${'a-'.repeat(LONG / 2)}`,
  `https://${'a.'.repeat(LONG / 2)} `,
  `${'{'.repeat(LONG)}`,
  `${'{click_id'.repeat(LONG / 10)}`,
  `${'0'.repeat(LONG)}x`,
  `${' '.repeat(LONG)}x`,
  `${'%_'.repeat(LONG / 2)}`,
]

const writableFields = (name: EntityName): string[] =>
  Object.entries(entityOf(name).fields).flatMap(([key, field]) =>
    ['text', 'texts', 'decimal', 'date', 'choice'].includes(field.kind) && isWritable(field, true) ? [key] : [],
  )

test('no text stalls the check of a field [API-05]', async () => {
  for (const name of ENTITY_NAMES) {
    const texts = writableFields(name)
    if (texts.length === 0) continue
    for (const stalling of STALLING) {
      const body = JSON.stringify(Object.fromEntries(texts.map((key) => [key, stalling])))
      const { status } = await sendRaw('POST', name, body)
      // An API key needs only a title, and this text is a valid one after trimming.
      const isWhole = name === 'api_key' && stalling.trim() === 'x'
      expect([name, stalling.slice(0, 20), status]).toEqual([
        name,
        stalling.slice(0, 20),
        isWhole ? 201 : expect.toBeOneOf([400, 404, 413, 422]),
      ])
    }
  }
})

/** Ambiguous patterns backtrack through all readings of such a text when its last character does not match. */
const REPEATED = [
  'a',
  'a.',
  'a-',
  'a@a.',
  'a@a-',
  'https://a.',
  'https://a/%',
  '{click_id}',
  '{',
  '0',
  '0,',
  '1.',
  ' a',
]

test('no text of a field’s maximum length stalls its check [API-05]', () => {
  const fields = ENTITY_NAMES.flatMap((name) => Object.values<Field>(entityOf(name).fields))
  const texts = fields.flatMap((field): [Field, number][] => {
    if (field.kind === 'text') return [[field, maxLength(field)]]
    return ['decimal', 'date', 'datetime', 'uuid'].includes(field.kind) ? [[field, 255]] : []
  })
  const checkAll = (): void => {
    for (const [field, max] of texts)
      for (const piece of REPEATED)
        for (const end of ['!', ' ', 'é'])
          checkField(field, `${piece.repeat(Math.ceil(max / piece.length)).slice(0, max - 1)}${end}`)
  }
  Object.assign(globalThis, { checkAll })
  // A stalled check blocks the whole process, so it runs in a script with a time-out.
  new Script('checkAll()').runInThisContext({ timeout: 60_000 })
  expect(texts.length).toBeGreaterThan(100)
})

test('no text stalls a search or a filter, and pattern characters are literal [API-05] [LIST-08]', async () => {
  const { pool } = server.services.postgres
  await pool.query("insert into landing (title, value) values (repeat('a', 255), repeat('a', 255))")
  const stalling = [
    `${'%a'.repeat(60)}b`,
    `${'_'.repeat(200)}b`,
    `${'a%'.repeat(60)}`,
    `${'\\'.repeat(199)}`,
    `${'(a+)+'.repeat(40)}$`,
  ]
  for (const name of ENTITY_NAMES) {
    const path = entityOf(name).list.filters.find((key) => entityOf(name).fields[key]?.kind === 'text')
    for (const text of stalling) {
      const value = encodeURIComponent(text)
      const queries = [`query=${value}`, ...(path === undefined ? [] : [`filter[${path}][like]=${value}`])]
      for (const query of queries) {
        const answer = await sendRaw('GET', `${name}?${query}`)
        expect([name, text.slice(0, 12), answer.status]).toEqual([
          name,
          text.slice(0, 12),
          expect.toBeOneOf([200, 422]),
        ])
      }
    }
  }
  const { body } = await ask(admin, 'GET', `landing?filter[title][like]=${encodeURIComponent('%a%a')}`)
  expect(body.items).toEqual([])
})

const PATHS = [
  '..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '....%2f%2fetc',
  '..%5c..%5cetc',
  '%00',
  '1%2f..%2f2',
  '%2fetc%2fpasswd',
]

test('an id that is a path opens no file, on any route [API-05]', async () => {
  const taking = ROUTES.filter(({ url, method }) => url.includes(':id') && method !== 'PUT' && method !== 'PATCH')
  for (const { method, url, expected } of taking) {
    if (expected === '-') continue
    for (const path of PATHS) {
      const where = url.replace(':entity', 'offer').replace(':id', path)
      const suffix = url.startsWith('report/get_file') ? '?field=source' : ''
      const { status, text } = await sendRaw(method, `${where}${suffix}`, method === 'POST' ? '{}' : null)
      expect([method, where, status]).toEqual([method, where, expect.toBeOneOf([400, 404, 422])])
      expect(text).not.toContain('root:')
    }
  }
})

test('no export of any list writes a text that runs as a formula [LIST-12]', async () => {
  const { pool } = server.services.postgres
  const { own } = sides
  let neutralised = 0
  for (const name of ENTITY_NAMES) {
    const id = own.rows[name]
    const entity = entityOf(name)
    if (id === undefined || entity.source === 'clickhouse') continue
    const texts = Object.entries(entity.fields).flatMap(([key, field]) =>
      field.kind === 'text' &&
      ['plain', 'long', 'url', 'words', 'token', undefined].includes(field.format) &&
      field.writeOnly !== true
        ? [key]
        : [],
    )
    const shown: string[] = []
    for (const [index, key] of texts.entries()) {
      const formula = `${'=+-@'[index % 4]}1+1|calc`
      // Constrained columns cannot contain a formula, so their exports cannot either.
      await pool
        .query(`update ${name === 'user' ? '"user"' : name} set ${key} = left($2, coalesce($3, 255)) where id = $1`, [
          id,
          formula,
          null,
        ])
        .then(() => shown.push(key))
        .catch(() => undefined)
    }
    for (const format of ['csv', 'xlsx']) {
      const columns = shown.map((key) => `&columns[]=${key}`).join('')
      const answer = await admin.call('GET', `${name}/export?format=${format}&filter[id]=${id}${columns}`)
      expect([name, answer.status]).toEqual([name, 200])
      const { header, rows } = await readSheet(answer)
      for (const cell of [header, ...rows].flat()) {
        if (typeof cell !== 'string' || /^-?\d+(\.\d+)?$/.test(cell)) continue
        expect([name, cell]).toEqual([name, expect.not.stringMatching(/^[=+\-@\t\r]/)])
        if (cell.startsWith("'")) neutralised += 1
      }
    }
  }
  expect(neutralised).toBeGreaterThan(20)
})

test('a group filter of a user who is not an admin adds no rows [PERM-06] [PERM-07]', async () => {
  const { own, foreign, people } = sides
  for (const role of NARROW) {
    const person = people.get(role)
    if (person === undefined) throw new Error(`nobody is ${role}`)
    for (const filter of [String(foreign.group.id), '0', '-1', 'nonsense', `${own.group.id}, ${foreign.group.id}`]) {
      const { status, body } = await ask(person, 'GET', 'partner_stream?limit=-1&lookup=1', undefined, {
        'group-filter': filter,
      })
      expect([role, filter, status]).toEqual([role, filter, 200])
      const ids = (body.options as { id: number }[]).map(({ id }) => id)
      expect([role, ids.includes(foreign.rows.partner_stream ?? 0)]).toEqual([role, false])
      expect([role, ids.includes(own.rows.partner_stream ?? 0)]).toEqual([role, true])
    }
  }
  const both = { 'group-filter': `${own.group.id}, ${foreign.group.id}` }
  expect((await ask(admin, 'GET', 'partner', undefined, both)).status).toBe(422)
  const narrowed = await ask(admin, 'GET', 'partner?limit=-1', undefined, { 'group-filter': String(own.group.id) })
  expect(idsOf(narrowed.body)).not.toContain(foreign.pool.net.partner.id)
})

test.each([
  [0, 'the connection’s own', '192.0.2.50'],
  [1, 'the one that the proxy has added', '198.51.100.9'],
])('with %i proxies of one’s own the address is %s [AUTH-14]', async (trustProxy, _which, address) => {
  stopClock()
  const { services } = server
  const own = { ...services, metrics: createMetrics(), config: { ...services.config, trustProxy } }
  authService.fill(own, createAuthService(services.config.secret, services.postgres))
  const app = await buildApp(own, { modules: [accessModule] })
  const { email } = await makePerson(server, 'MANAGER')
  const statuses: number[] = []
  await services.postgres.pool.query('delete from access_attempt')
  for (let round = 0; round < 34; round++) {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/token?2fa=true',
      remoteAddress: '192.0.2.50',
      // The sender chooses the first entry, so it differs in every request.
      headers: {
        'x-forwarded-for': `10.9.8.${round}, 198.51.100.9`,
        'x-real-ip': `10.9.8.${round}`,
        forwarded: `for=10.9.8.${round}`,
      },
      payload: { email: round === 0 ? email : `guess-${round}@tributary.test`, password: 'Wrong.Horse1' },
    })
    statuses.push(reply.statusCode)
  }
  await app.close()
  expect([statuses.filter((status) => status === 400).length, statuses.at(-1)]).toEqual([30, 429])
  const { rows } = await services.postgres.pool.query(
    "select after ->> 'ip' as ip from audit_log where action = 'access' order by id desc limit 1",
  )
  expect(rows[0].ip).toBe(address)
})

test('an export has at most 200 columns, in the address and in the body [API-05] [LIST-12]', async () => {
  const path = (count: number): string => `product/export?${'columns[]=title&'.repeat(count)}format=csv`
  expect((await sendRaw('GET', path(200))).status).toBe(200)
  expect((await sendRaw('GET', path(201))).status).toBe(422)
  const columns = Array.from({ length: 201 }, () => 'title')
  expect((await sendRaw('POST', 'product/export', JSON.stringify({ ids: [], columns }))).status).toBe(422)
})

test('refreshing is limited per IP, and the answer says how long to wait [API-05]', async () => {
  const statuses: number[] = []
  let last = await send(server.url, 'POST', 'token/refresh', { refreshToken: 'x' })
  // Earlier tests have used a part of the limit, or all of it.
  while (last.status !== 429 && statuses.length <= CALLS.token_refresh.callsPerMinute) {
    statuses.push(last.status)
    last = await send(server.url, 'POST', 'token/refresh', { refreshToken: 'x' })
  }
  expect(statuses.filter((status) => status !== 401)).toEqual([])
  expect(last.status).toBe(429)
  expect(await last.json()).toMatchObject({ code: 'too_many_requests', retry_after: expect.any(Number) })
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await admin.call('GET', 'profile')).status).toBe(200)
})
