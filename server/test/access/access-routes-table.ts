// Every route below /api with whom it is open to, by the table of access-expected.ts: what the matrix walks through.
import { type AccessHolder, PERMISSIONS, type RoleKind } from '@tributary/contract/access'
import type { Call } from '@tributary/contract/call'
import { CALLS } from '@tributary/contract/calls/registry'
import { ENTITIES, ENTITY_NAMES, type EntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { REPORTS } from '@tributary/contract/reports/registry'
import { CALL_ACCESS, ENTITY_ACCESS, KEY_NEEDS } from './access-expected.ts'

export interface Route {
  readonly method: string
  /** As it is mounted, below /api. */
  readonly url: string
  /** As it is asked for; of nothing that exists. */
  readonly path: string
  readonly expected: string
  /** The entity or call that it belongs to. */
  readonly of: string
}

const KINDS: Readonly<Record<string, RoleKind>> = { A: 'ADMIN', L: 'TEAM_LEADER', M: 'MANAGER', P: 'PARTNER' }
const NO_SUCH_ID = '999999999'

/** Every call that is declared beside the generic ones, of reports too. */
export const DECLARED: readonly Call[] = [
  ...(Object.values(CALLS) as readonly Call[]),
  ...REPORTS.flatMap((report): readonly Call[] => [
    { name: report.name, method: 'POST', path: report.path, access: report.access },
    ...report.calls,
  ]),
]

const fill = (url: string, id = NO_SUCH_ID): string => url.replace(/:\w+/g, id)

function routesOf(name: EntityName): Route[] {
  const { source }: Entity = ENTITIES[name]
  const [view = '-', lookup = '-', create = '-', edit = '-', remove = '-'] = (ENTITY_ACCESS[name] ?? '').split(' ')
  const ownPost = DECLARED.find((call) => call.method === 'POST' && call.path === name)
  const row = `${name}/:id`
  const single = source === 'clickhouse' ? '00000000-0000-7000-8000-000000000000' : NO_SUCH_ID
  const route = (method: string, url: string, expected: string, query = ''): Route => ({
    method,
    url,
    path: `${fill(url, method === 'GET' ? single : NO_SUCH_ID)}${query}`,
    expected,
    of: name,
  })
  return [
    route('GET', name, view, '?limit=10'),
    route('GET', name, lookup, '?lookup=1'),
    route('GET', row, view),
    route('GET', `${name}/export`, view, '?limit=1'),
    route('POST', `${name}/export`, view),
    // Where an entity has its own call for this route, the table of calls has its line.
    ...(ownPost === undefined ? [route('POST', name, create)] : []),
    route('PUT', row, edit),
    route('PATCH', row, edit),
    route('PUT', `${name}/activate`, edit, '?activate=1'),
    route('DELETE', row, remove),
  ]
}

export const ROUTES: readonly Route[] = [
  ...ENTITY_NAMES.flatMap(routesOf),
  ...DECLARED.filter(({ access }) => access !== 'public').map(
    ({ name, method, path }): Route => ({
      method,
      url: path,
      path: fill(path),
      expected: CALL_ACCESS[name] ?? '-',
      of: name,
    }),
  ),
  { method: 'GET', url: 'events', path: 'events', expected: 'E', of: 'events' },
]

/** False for calls that receive a file, declare a larger body, or ignore the body. */
export function takesOrdinaryBody(name: string): boolean {
  const call = DECLARED.find((one) => one.name === name)
  return call === undefined || (call.upload === undefined && call.bodyLimits === undefined && call.body !== undefined)
}

/** The rule of keys, stated a second time as the tables are. */
function holds(permissions: readonly string[], key: string): boolean {
  const needed = KEY_NEEDS[key]
  return (
    permissions.includes('FULL_ACCESS') ||
    (permissions.includes(key) && (needed === undefined || holds(permissions, needed)))
  )
}

/** Undefined where there is no such route for anybody. */
export function isOpenTo(expected: string, { role, permissions }: AccessHolder): boolean | undefined {
  if (expected === '-') return undefined
  if (expected === 'E') return true
  const [allowed = '', never = ''] = expected.split('!')
  const [roles = '', ...keys] = allowed.split('+')
  for (const key of keys)
    if (!(PERMISSIONS as readonly string[]).includes(key)) throw new Error(`no key is called ${key}`)
  if (never.split('').some((sign) => KINDS[sign] === role)) return false
  return roles.split('').some((sign) => KINDS[sign] === role) || keys.some((key) => holds(permissions, key))
}
