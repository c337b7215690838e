// The served API equals the declared one: every entity, call and report, by method and path, and nothing else. The agreed wire is listed here
// by hand, so that the registries cannot change it unnoticed.

import { isAllowed, PERMISSIONS, type Requirement, type RoleKind } from '@tributary/contract/access'
import { CALLS } from '@tributary/contract/calls/registry'
import { ENTITIES } from '@tributary/contract/entities/registry'
import { activeField, type Entity } from '@tributary/contract/entity'
import { REPORTS } from '@tributary/contract/reports/registry'
import { isWritable } from '@tributary/contract/validate'
import { beforeAll, describe, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import { type Server, startServer } from '../../src/server.ts'
import type { ServerModule } from '../../src/server-module.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { createTestConfig, log } from '../support/harness.ts'
import { send, signIn } from '../support/sign-in.ts'
import { DIRECTORY_CALLS } from './agreed-calls.ts'

/** The agreement on which clients rely. */
const AGREED_ENTITIES = [
  'traffic_source landing currency currency_rate country country_mapping advertiser advertiser_country default_landing',
  'product payment_model offer offer_partner offer_partner_tag partner partner_info partner_tag partner_stream',
  'partner_partner_group partner_group partner_group_manager partner_advertiser_affiliate user user_role player postback click',
  'partner_event_group event setting partner_spend google_parse_result payment_invoice partner_budget audit_log saved_view',
  'offer_partner_cost_history offer_partner_bl_deposit_history offer_partner_bl_period_history',
  'offer_partner_bet_requirement_history offer_partner_max_days_history',
].flatMap((line) => line.split(' '))
const AGREED_CALLS = [
  'POST token',
  'POST token/refresh',
  'POST token/logout',
  'GET profile',
  'PUT editing/{entity}/{id}',
  'DELETE editing/{entity}/{id}',
  'GET offer_partner/{id}/health',
  'GET visitor_sample',
  'POST file',
  'DELETE file/{id}',
  'PUT offer/activate/{id}',
  'PUT offer_partner/{id}/update_cost_history',
  'PUT offer_partner/{id}/update_bl_deposit_history',
  'PUT offer_partner/{id}/update_bl_period_history',
  'PUT offer_partner/{id}/update_bl_country_requirement',
  'GET partner_stream/{id}/validate_offer',
  'GET partner_stream/{id}/validate_traffic_source',
  'POST setting',
  'GET partner_info/{id}/check_duplicate',
  'POST partner_event_group/{id}/partner',
  'POST general_report',
  'POST general_report/rows',
  'POST general_report_click',
  'POST general_report_click_old',
  'POST general_report_old',
  'GET dashboard/efficiency_chart',
  'GET dashboard/top_country_chart',
  'GET dashboard/top_partners_chart',
  'POST cohort_analysis',
  'POST cohort_analysis_cumulative',
  'POST cohort_analysis_old',
  'POST partner_report/new_deposit',
  'POST partner_report/stream_report',
  'POST player_report/cost_report',
  'GET player_report/notification',
]
/** Answers with a stream, which contract/live describes. */
const STREAMS = ['GET events']
/** Routes outside the contract: health and the documentation. */
const BESIDE = ['GET docs', 'GET docs/json', 'GET health/live', 'GET health/ready']

interface Declared {
  method: string
  path: string
  access: Requirement | 'public'
}

const entities: readonly Entity[] = Object.values(ENTITIES)
const calls: readonly (Declared & { name: string; body?: unknown })[] = [
  ...Object.values(CALLS),
  ...REPORTS.flatMap((report) => [{ ...report, method: 'POST', body: report.request }, ...report.calls]),
]
const documented = (path: string): string => path.replace(/:(\w+)/g, '{$1}')
const byName = (a: string, b: string): number => a.localeCompare(b)
const isNobodys = (access: Requirement): boolean =>
  access !== 'everyone' && (access.roles ?? []).length + (access.permissions ?? []).length === 0

function operationsOf(entity: Entity): string[] {
  const { name, access } = entity
  const isSwitched = activeField(entity) !== null && entity.source !== 'clickhouse'
  const open = (method: string, path: string, requirement: Requirement) =>
    isNobodys(requirement) ? [] : [`${method} ${path}`]
  return [
    `GET ${name}`,
    ...open('GET', `${name}/export`, access.view),
    ...open('POST', `${name}/export`, access.view),
    ...(isSwitched ? open('PUT', `${name}/activate`, access.edit) : []),
    ...open('GET', `${name}/{id}`, access.view),
    ...open('POST', name, access.create),
    ...open('PUT', `${name}/{id}`, access.edit),
    ...open('PATCH', `${name}/{id}`, access.edit),
    ...open('DELETE', `${name}/{id}`, access.remove),
  ]
}

interface Schema {
  properties?: Record<string, unknown>
  required?: string[]
}
interface Operation {
  operationId?: string
  security?: unknown[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

let server: Server
let paths: Record<string, Record<string, Operation>>
const routes = new Set<string>()

const watchModule: ServerModule = {
  name: 'watch',
  roles: ['api'],
  routes(app) {
    app.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat())
        if (one !== 'HEAD') routes.add(`${one} ${documented(url.slice('/api/'.length))}`)
    })
  },
}

beforeAll(async () => {
  server = await startServer(await createTestConfig(), log, { modules: [watchModule, ...MODULES] })
  paths = ((await (await send(server.url, 'GET', 'docs/json')).json()) as { paths: typeof paths }).paths
  atEndOfFile(() => server.stop())
})

const declared = (): string[] => [
  ...STREAMS,
  ...entities.flatMap(operationsOf),
  ...calls.map(({ method, path }) => `${method} ${documented(path)}`),
]

function operation(method: string, path: string): Operation {
  const found = paths[`/api/${path}`]?.[method.toLowerCase()]
  if (found === undefined) throw new Error(`${method} ${path} is not documented`)
  return found
}
const bodyOf = ({ requestBody }: Operation): Schema => requestBody?.content['application/json']?.schema ?? {}
const answerOf = ({ responses }: Operation, status: number): Schema =>
  responses[status]?.content?.['application/json']?.schema ?? {}
const sorted = (names: Iterable<string>): string[] => [...names].sort(byName)

describe('what is served', () => {
  test('the documentation contains exactly the declared operations [API-01] [API-04]', () => {
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice('/api/'.length)}`),
    )
    expect(sorted(served)).toEqual(sorted(declared()))
  })

  test('every route below /api is documented [API-01] [API-04]', () => {
    const known = new Set([...declared(), ...BESIDE])
    expect([...routes].filter((route) => !known.has(route))).toEqual([])
    expect(declared().filter((operation) => !routes.has(operation))).toEqual([])
  })

  test('the agreed resources and calls exist, by name and method [API-01]', () => {
    expect(AGREED_ENTITIES.filter((name) => !(name in ENTITIES))).toEqual([])
    const all = new Set(declared())
    const served = (call: string): boolean => {
      const [method = '', path = ''] = call.split(' ')
      return paths[`/api/${path}`]?.[method.toLowerCase()] !== undefined && routes.has(call)
    }
    expect(DIRECTORY_CALLS.filter((call) => !all.has(call) || !served(call))).toEqual([])
    expect(AGREED_CALLS.filter((call) => !all.has(call))).toEqual([])
    expect(entities.filter(({ name }) => ENTITIES[name as keyof typeof ENTITIES]?.name !== name)).toEqual([])
  })

  test('operation ids are unique [API-04]', () => {
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    const given = ids.filter((id) => id !== undefined)
    expect(given.length).toBe(calls.length + STREAMS.length)
    expect(new Set(given).size).toBe(given.length)
  })
})

describe('what is described', () => {
  test.each(entities.map((entity) => [entity.name, entity] as const))(
    '%s: the fields of its rows and forms [API-04]',
    (name, entity) => {
      const row = answerOf(operation('GET', `${name}/{id}`), 200)
      const own = Object.keys(entity.fields)
      const common = entity.isLog ? ['id', 'created_at'] : ['id', 'created_at', 'updated_at', 'version']
      const readable = own.filter((field) => (entity.fields[field] as { writeOnly?: true }).writeOnly !== true)
      expect(sorted(Object.keys(row.properties ?? {}))).toEqual(
        sorted(new Set([...readable, ...common, ...(entity.hasActive ? ['active'] : [])])),
      )
      const writable = (creating: boolean) => own.filter((field) => isWritable(entity.fields[field] as never, creating))
      const extra = ['version', ...(entity.hasActive ? ['active'] : [])]
      if (!isNobodys(entity.access.create))
        expect(sorted(Object.keys(bodyOf(operation('POST', name)).properties ?? {}))).toEqual(
          sorted(new Set([...writable(true), ...extra])),
        )
      if (!isNobodys(entity.access.edit))
        expect(sorted(Object.keys(bodyOf(operation('PUT', `${name}/{id}`)).properties ?? {}))).toEqual(
          sorted(new Set([...writable(false), ...extra])),
        )
    },
  )

  test('a call with a body documents it, and every call is public or not as declared [API-04] [PERM-07]', () => {
    for (const call of calls) {
      const described = operation(call.method, documented(call.path))
      expect([call.name, described.operationId, described.security === undefined]).toEqual([
        call.name,
        call.name,
        call.access !== 'public',
      ])
      expect([call.name, bodyOf(described).properties !== undefined]).toEqual([call.name, call.body !== undefined])
    }
  })
})

describe('who may call', () => {
  const ROLES: readonly RoleKind[] = ['ADMIN', 'TEAM_LEADER', 'MANAGER', 'PARTNER']

  test.each(ROLES)(
    '%s: each call and report opens or is refused as declared, with and without permissions [PERM-02] [PERM-07]',
    async (role) => {
      const partner = role === 'PARTNER' ? await makePartner() : null
      const person = await signIn(server, role, partner)
      const all = PERMISSIONS.filter((key) => key !== 'FULL_ACCESS')
      for (const permissions of [[], all]) {
        await server.services.postgres.db.updateTable('user').set({ permissions }).where('id', '=', person.id).execute()
        for (const { name, method, path, access, body } of calls) {
          if (access === 'public') continue
          // An undeclared query parameter: the call is rejected by validation after its access was granted.
          const answer = await person.call(
            method,
            `${path.replace(/:\w+/, '999999')}?no_such=1`,
            body === undefined ? undefined : { no_such: 1 },
          )
          expect([name, permissions.length, answer.status]).toEqual([
            name,
            permissions.length,
            isAllowed(access, { role, permissions }) ? 422 : 403,
          ])
        }
      }
    },
  )

  test('an undeclared path or method does not exist for anybody [API-01]', async () => {
    const admin = await signIn(server, 'ADMIN')
    for (const { name, access } of entities) {
      for (const [method, path, requirement] of [
        ['POST', name, access.create],
        ['PUT', `${name}/1`, access.edit],
        ['PATCH', `${name}/1`, access.edit],
        ['DELETE', `${name}/1`, access.remove],
      ] as const)
        if (isNobodys(requirement) && !calls.some((call) => call.method === method && call.path === path)) {
          const answer = await admin.call(method, path, method === 'DELETE' ? undefined : {})
          expect([method, path, answer.status]).toEqual([method, path, 404])
        }
    }
    for (const [method, path] of [
      ['GET', 'no_such_thing'],
      ['POST', 'user/1'],
      ['GET', 'general_report'],
      ['PUT', 'token'],
      ['DELETE', 'profile'],
    ] as const) {
      const answer = await admin.call(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})
      expect([method, path, answer.status]).toEqual([method, path, 404])
      expect(await answer.json()).toMatchObject({
        code: 'not_found',
        message: expect.any(String),
        request_id: expect.any(String),
      })
    }
  })
})

async function makePartner(): Promise<number> {
  const { rows } = await server.services.postgres.pool.query<{ id: number }>(
    `insert into partner (title) values ('Contract') returning id`,
  )
  return rows[0]?.id ?? 0
}
