// The matrix: every kind of role, with its template and with no key at all, against every generic route, call and report, on the real server.
// What is expected, and by which rules, is told in access-expected.ts. Which rows each sees is the matter of entities-scope.test.ts.
import {
  type Holder,
  isAllowed,
  PERMISSIONS,
  type Permission,
  type Requirement,
  type RoleKind,
} from '@tributary/contract/access'
import type { Call } from '@tributary/contract/call'
import { CALLS } from '@tributary/contract/calls/registry'
import { ENTITIES, ENTITY_NAMES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { REPORT_CALLS } from '@tributary/contract/reports/kinds'
import { REPORTS } from '@tributary/contract/reports/registry'
import { beforeAll, expect, test } from 'vitest'
import { PARTS } from '../src/parts.ts'
import type { Server } from '../src/server.ts'
import { CALL_ACCESS, ENTITY_ACCESS } from './access-expected.ts'
import { startTestApp } from './harness.ts'
import { type SignedIn, signIn } from './sign-in.ts'

interface Who {
  readonly name: string
  readonly person: SignedIn
  readonly holder: Holder
}

const KINDS: Readonly<Record<string, RoleKind>> = { A: 'ADMIN', L: 'TEAM_LEADER', M: 'MANAGER', P: 'PARTNER' }
const NO_SUCH_ID = 999_999_999

let server: Server
const people: Who[] = []

/** Every call that is declared beside the generic ones, of reports too. */
const DECLARED: readonly Call[] = [
  ...(Object.values(CALLS) as readonly Call[]),
  ...REPORT_CALLS,
  ...REPORTS.flatMap((report): readonly Call[] => [
    { name: report.name, method: 'POST', path: report.path, access: report.access },
    ...report.calls,
  ]),
]

beforeAll(async () => {
  server = await startTestApp({ parts: PARTS })
  const { pool } = server.services.postgres
  const partner = (await pool.query("insert into partner (title) values ('Matrix') returning id")).rows[0].id
  for (const role of Object.values(KINDS)) {
    const { permissions } = (await pool.query('select permissions from user_role where kind = $1 and built_in', [role]))
      .rows[0]
    for (const own of role === 'ADMIN' ? [permissions] : [permissions, []]) {
      const person = await signIn(server, role, role === 'PARTNER' ? partner : null)
      await pool.query('update "user" set permissions = $2 where id = $1', [person.id, own])
      people.push({ name: `${role} with ${own.length} keys`, person, holder: { role, permissions: own } })
    }
  }
})

function readExpected(text: string): Requirement | 'public' | 'nobody' {
  if (text === 'E') return 'everyone'
  if (text === 'public') return 'public'
  if (text === '-') return 'nobody'
  const [roles = '', ...keys] = text.split('+')
  for (const key of keys)
    if (!(PERMISSIONS as readonly string[]).includes(key)) throw new Error(`no key is called ${key}`)
  return { roles: roles.split('').flatMap((sign) => KINDS[sign] ?? []), permissions: keys as Permission[] }
}

async function probe({ person }: Who, method: string, path: string): Promise<number> {
  const body = method === 'GET' || method === 'DELETE' ? undefined : {}
  const answer = await person.call(method, path, body)
  // A stream goes on for as long as it is read.
  await answer.body?.cancel()
  return answer.status
}

/** 403 for whom it is closed; anything else for whom it is open: what they ask for is not there, or not well said. */
async function check(method: string, path: string, expected: string): Promise<void> {
  const requirement = readExpected(expected)
  const wrong: string[] = []
  const answers = await Promise.all(people.map(async (who) => ({ who, status: await probe(who, method, path) })))
  for (const { who, status } of answers) {
    const isOpen = requirement === 'public' || (requirement !== 'nobody' && isAllowed(requirement, who.holder))
    const isRight =
      requirement === 'nobody' ? status === 404 || status === 403 : isOpen ? status !== 403 : status === 403
    if (!isRight || status >= 500) wrong.push(`${method} ${path} as ${who.name}: ${status}, expected ${expected}`)
  }
  expect(wrong).toEqual([])
}

test('every entity, call and report has its line in the table, and no line is left over [PERM-08]', () => {
  expect(Object.keys(ENTITY_ACCESS).sort((a, b) => a.localeCompare(b))).toEqual(
    [...ENTITY_NAMES].sort((a, b) => a.localeCompare(b)),
  )
  const names = DECLARED.map(({ name }) => name)
  expect(Object.keys(CALL_ACCESS).sort((a, b) => a.localeCompare(b))).toEqual(names.sort((a, b) => a.localeCompare(b)))
})

const path = (name: string, rest = '') => `${name}${rest}`

test.each(ENTITY_NAMES)(
  '%s: each kind of role opens what it may and nothing else [PERM-02] [PERM-03] [PERM-08]',
  async (name) => {
    const { source }: Entity = ENTITIES[name]
    const [view = '-', lookup = '-', create = '-', edit = '-', remove = '-'] = (ENTITY_ACCESS[name] ?? '').split(' ')
    const single = source === 'clickhouse' ? '00000000-0000-7000-8000-000000000000' : NO_SUCH_ID
    await check('GET', path(name, '?limit=10'), view)
    await check('GET', path(name, `/${single}`), view)
    await check('GET', path(name, '/export?limit=1'), view)
    await check('GET', path(name, '?lookup=1'), lookup)
    const ownPost = DECLARED.find((call) => call.method === 'POST' && call.path === name)
    await check('POST', name, ownPost === undefined ? create : (CALL_ACCESS[ownPost.name] ?? '-'))
    await check('PUT', path(name, `/${NO_SUCH_ID}`), edit)
    await check('PUT', path(name, '/activate'), edit)
    await check('PATCH', path(name, `/${NO_SUCH_ID}`), edit)
    await check('DELETE', path(name, `/${NO_SUCH_ID}`), remove)
  },
)

test.each(DECLARED.filter(({ access }) => access !== 'public').map((call) => [call.name, call] as const))(
  'call %s: each kind of role opens what it may and nothing else [PERM-02] [PERM-08]',
  async (name, call) => {
    await check(call.method, call.path.replace(/:\w+/g, String(NO_SUCH_ID)), CALL_ACCESS[name] ?? '-')
  },
)
