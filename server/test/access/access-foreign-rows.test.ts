// Access to foreign rows by id: every call with an id, every route with many ids, every reference in a body. Each is called with a visible
// row, which must succeed, and with a foreign one, which must look as if it did not exist.
import type { Permission, RoleKind } from '@tributary/contract/access'
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { activeField } from '@tributary/contract/entity'
import { permissionsOf } from '@tributary/contract/permission-tree'
import { isWritable } from '@tributary/contract/validate'
import { Client } from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, refused } from '../support/entity-calls.ts'
import { entityOf, makeBody } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { readSheet } from '../support/sheet-file.ts'
import { PASSWORD, type SignedIn, signIn } from '../support/sign-in.ts'
import { makeTwoSides, NARROW, SCOPED, type Side, seesForeign } from '../support/two-sides.ts'
import { CALL_ACCESS, ENTITY_ACCESS } from './access-expected.ts'
import { DECLARED, isOpenTo } from './access-routes-table.ts'

let server: Server
let admin: SignedIn
let own: Side
let foreign: Side

interface Narrowed {
  readonly name: string
  readonly role: RoleKind
  readonly permissions: readonly Permission[]
  readonly headers: Record<string, string>
  readonly person: SignedIn
}
const narrowed: Narrowed[] = []

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  const sides = await makeTwoSides(server, admin)
  ;({ own, foreign } = sides)
  for (const role of NARROW) {
    const person = sides.people.get(role)
    if (person === undefined) throw new Error(`nobody is ${role}`)
    const permissions = permissionsOf(role)
    // Grants every permission of the role, because this file tests rows only.
    await server.services.postgres.pool.query('update "user" set permissions = $2 where id = $1', [
      person.id,
      permissions,
    ])
    narrowed.push({ name: role, role, permissions, headers: {}, person })
  }
  const headers = { 'group-filter': String(own.group.id) }
  narrowed.push({ name: 'ADMIN of a group', role: 'ADMIN', permissions: ['FULL_ACCESS'], headers, person: admin })
})

const by = async ({ person, headers }: Narrowed, method: string, path: string, body?: unknown) =>
  ask(person, method, path, body, headers)
const isOpenFor = ({ role, permissions }: Narrowed, expected: string) =>
  isOpenTo(expected, { role, permissions }) === true

interface Attempt {
  readonly query?: string
  readonly body?: unknown
}
/** The entity of the row, and further input that the call needs to succeed. */
type Aim = readonly [entity: string, attempt?: Attempt]
const SCREEN = '0f0e0d0c-0b0a-4908-8706-050403020100'
const TERMS = { value: 7, date_from: '2031-01-01' }

/** 409: the row is in a state in which the call does nothing. 422: the partner's sheet is not set up. */
const DONE = [200, 201, 204, 409, 422]

/** Calls whose `:id` is a row that belongs to a partner. */
const AIMS: Readonly<Record<string, Aim>> = {
  editing_renew: ['offer_partner', { body: { screen: SCREEN } }],
  editing_leave: ['offer_partner', { query: `?screen=${SCREEN}` }],
  audit_log_entry: ['audit_log'],
  audit_log_history: ['offer_partner'],
  audit_log_restore: ['audit_log', { body: {} }],
  offer_partner_test_event: ['offer_partner', { body: { params: {} } }],
  offer_partner_test_link: ['offer_partner', { body: {} }],
  offer_partner_health: ['offer_partner'],
  offer_partner_update_bl_country_requirement: ['offer_partner', { body: { country_requirement: true } }],
  offer_partner_update_bl_deposit_history: ['offer_partner', { body: TERMS }],
  offer_partner_update_bl_period_history: ['offer_partner', { body: TERMS }],
  offer_partner_update_cost_history: ['offer_partner', { body: TERMS }],
  ledger_entry_changes: ['ledger_entry'],
  partner_billing_read: ['partner'],
  partner_ledger: ['partner'],
  partner_billing_write: ['partner', { body: { current_password: PASSWORD } }],
  partner_billing_confirm: ['partner', { body: { current_password: PASSWORD } }],
  partner_billing_reveal: ['partner', { body: { current_password: PASSWORD } }],
  partner_info_check_duplicate: ['partner_info'],
  partner_partner_group_parse_sheet: ['partner_partner_group', { body: {} }],
  partner_partner_group_preview_sheet: ['partner_partner_group', { body: {} }],
  partner_partner_group_sheet_mapping: ['partner_partner_group', { body: { mapping: null } }],
  partner_stream_validate_offer: ['partner_stream', { query: '?offer=1' }],
  partner_stream_validate_traffic_source: ['partner_stream', { query: '?traffic_source=1' }],
  partner_test_postback: ['partner', { body: { url: 'https://203.0.113.9/', method: 'GET' } }],
  payment_invoice_correct: ['payment_invoice', { body: {} }],
  payment_invoice_line_items: ['payment_invoice_line'],
  payment_invoice_send: ['payment_invoice', { body: {} }],
  payment_invoice_void: ['payment_invoice', { body: { reason: 'wrong' } }],
  payment_reverse: ['payment', { body: { reason: 'wrong' } }],
  statement_approve: ['statement', { body: {} }],
  statement_dispute: ['statement', { body: { reason: 'wrong' } }],
  statement_pdf: ['statement'],
  statement_resolve: ['statement', { body: {} }],
  statement_void: ['statement', { body: { reason: 'wrong' } }],
  statement_xlsx: ['statement'],
  player_timeline: ['player'],
  postback_story: ['postback'],
  user_end_sessions: ['user'],
  user_invite: ['user'],
  user_reset_two_factor: ['user'],
  user_view_as: ['user'],
}

/** Calls whose `:id` is a directory row, which all permitted users share. */
const SHARED = [
  'budget_report_patch',
  'budget_report_read',
  'budget_report_remove',
  'budget_report_update',
  'offer_activate',
  'partner_event_group_add_partner',
  'report_cancel',
  'report_get_file',
  'period_close_reopen',
]
/** Calls whose `:id` is a row that belongs to one user. */
const PERSONAL = [
  'file_remove',
  'partner_spend_import_take',
  'profile_end_session',
  'report_formula_delete',
  'report_formula_update',
  'saved_report_delete',
  'saved_report_schedule',
  'saved_report_send',
  'saved_report_unschedule',
  'saved_report_update',
]

test('every call with an id is tested here [PERM-08]', () => {
  const sorted = (names: readonly string[]) => [...names].sort((a, b) => a.localeCompare(b))
  // `integration_update` has the name of an integration instead of an id.
  const taking = DECLARED.filter(({ path }) => path.includes(':id')).map(({ name }) => name)
  expect(sorted([...Object.keys(AIMS), ...SHARED, ...PERSONAL])).toEqual(sorted(taking))
})

async function idOf(side: Side, entity: string): Promise<number> {
  if (entity !== 'audit_log') return side.rows[entity] ?? 0
  const { rows } = await server.services.postgres.pool.query(
    "select max(id) as id from audit_log where entity = 'offer_partner' and entity_id = $1",
    [side.rows.offer_partner],
  )
  return rows[0].id
}

test.each(Object.entries(AIMS).map(([name, [entity, attempt]]) => ({ name, entity, attempt: attempt ?? {} })))(
  '$name answers for visible rows, and 404 for foreign ones [PERM-07] [PERM-08]',
  async ({ name, entity, attempt }) => {
    const call = DECLARED.find((one) => one.name === name)
    const [mine, theirs] = [await idOf(own, entity), await idOf(foreign, entity)]
    const pathTo = (id: number) =>
      `${(call?.path ?? '').replace(':entity', entity).replace(':id', String(id))}${attempt.query ?? ''}`
    const answers: Record<string, number[]> = {}
    const expected: Record<string, unknown[]> = {}
    for (const who of narrowed) {
      const isOpen = isOpenFor(who, CALL_ACCESS[name] ?? '-')
      const method = call?.method ?? ''
      answers[who.name] = [
        (await by(who, method, pathTo(theirs), attempt.body)).status,
        (await by(who, method, pathTo(mine), attempt.body)).status,
      ]
      // Permissions on the row itself may restrict it further: a partner does not edit partner offers.
      expected[who.name] = isOpen ? [expect.toBeOneOf([403, 404]), expect.toBeOneOf([...DONE, 403])] : [403, 403]
      // The group filter of an admin never narrows money documents.
      const isWhole = /^(statement|payment|partner_ledger|ledger_entry)/.test(name)
      if (who.role === 'ADMIN') expected[who.name] = [isWhole ? expect.toBeOneOf(DONE) : 404, expect.toBeOneOf(DONE)]
      if (who.role === 'ADMIN' && isWhole) continue
      if (name === 'user_view_as' && who.role === 'ADMIN') await admin.call('DELETE', 'profile/view_as')
      if (answers[who.name]?.[1] !== 403) expect([who.name, answers[who.name]?.[0]]).toEqual([who.name, 404])
    }
    expect(answers).toEqual(expected)
  },
)

test('rows of one user are hidden from all others, whatever their role [PERM-07] [PERM-08]', async () => {
  const state = { search: {}, request: { filter: {} } }
  const make = async (path: string, body: unknown): Promise<string> =>
    String((await done(admin, 'POST', path, body)).id)
  const saved = { report: 'general_report', title: 'Mine', state }
  const view = { list: 'offer', title: 'Mine', state: {} }
  const [report, formula, key, look] = [
    await make('saved_report', saved),
    await make('report_formula', { title: 'Mine', expression: 'uc + nd', unit: 'count' }),
    await make('api_key', { title: 'Mine', expires_on: '2027-01-01' }),
    await make('saved_view', view),
  ]
  const form = new FormData()
  form.set('file', new Blob(['x']), 'mine.xls')
  const authorization = { authorization: `Bearer ${admin.token}` }
  const sent = await fetch(`${server.url}/api/file`, { method: 'POST', headers: authorization, body: form })
  const { id: file } = (await sent.json()) as { id: string }
  const { items } = (await done(admin, 'GET', 'profile/sessions')) as unknown as { items: { id: string }[] }
  const attacks: [string, string, unknown?][] = [
    ['PUT', `saved_report/${report}`, saved],
    ['DELETE', `saved_report/${report}`],
    ['PUT', `saved_report/${report}/schedule`, { every: 'day', at_time: '07:00' }],
    ['DELETE', `saved_report/${report}/schedule`],
    ['POST', `saved_report/${report}/send`, {}],
    ['PUT', `report_formula/${formula}`, { title: 'Theirs', expression: 'uc', unit: 'count' }],
    ['DELETE', `report_formula/${formula}`],
    ['GET', `api_key/${key}`],
    ['PUT', `api_key/${key}`, { title: 'Theirs' }],
    ['DELETE', `api_key/${key}`],
    ['GET', `saved_view/${look}`],
    ['PUT', `saved_view/${look}`, { title: 'Theirs' }],
    ['DELETE', `saved_view/${look}`],
    ['POST', `partner_spend/import/${file}`],
    ['DELETE', `file/${file}`],
    ['DELETE', `profile/sessions/${items[0]?.id}`],
  ]
  const second = await signIn(server, 'ADMIN')
  const strangers = [...narrowed.filter(({ role }) => role !== 'ADMIN').map(({ person }) => person), second]
  for (const [method, path, body] of attacks) {
    for (const person of strangers) {
      // Formulas are shared by staff, and admins may change them.
      if (person === second && path.startsWith('report_formula')) continue
      expect([method, path, (await ask(person, method, path, body)).status]).toEqual([
        method,
        path,
        expect.toBeOneOf([403, 404]),
      ])
    }
  }
  expect((await done(admin, 'GET', `saved_view/${look}`)).title).toBe('Mine')
  expect((await ask(admin, 'DELETE', `file/${file}`)).status).toBe(204)
})

const ROUTED = SCOPED.filter((name) => entityOf(name).scope.by !== 'linked')

test.each(ROUTED)(
  '%s: what takes many ids leaves out those that are out of sight [PERM-07] [PERM-08]',
  async (name) => {
    const [view = '-', , , edit = '-'] = (ENTITY_ACCESS[name] ?? '').split(' ')
    const [mine, theirs] = [own.rows[name] ?? 0, foreign.rows[name] ?? 0]
    const entity = entityOf(name)
    for (const who of narrowed.filter(({ role }) => !seesForeign(role, name))) {
      const chosen = { ids: [theirs, mine], format: 'csv', columns: ['id'] }
      const idsIn = async (answer: Response) => (await readSheet(answer)).rows.map(([id]) => Number(id))
      const posted = await who.person.call('POST', `${name}/export`, chosen, who.headers)
      const all = await who.person.call('GET', `${name}/export?format=csv&columns[]=id`, undefined, who.headers)
      if (isOpenFor(who, view)) {
        expect([who.name, await idsIn(posted)]).toEqual([who.name, [mine]])
        const ids = await idsIn(all)
        expect([who.name, ids.includes(mine), ids.includes(theirs)]).toEqual([who.name, true, false])
        const rest = await who.person.call(
          'POST',
          `${name}/export`,
          { ...chosen, ids: [mine], exclusive: true },
          who.headers,
        )
        expect([who.name, (await idsIn(rest)).includes(theirs)]).toEqual([who.name, false])
      } else expect([who.name, posted.status, all.status]).toEqual([who.name, 403, 403])
      if (activeField(entity) === null || edit === '-') continue
      const switched = await by(who, 'PUT', `${name}/activate?activate=0`, { ids: [theirs] })
      if (isOpenFor(who, edit)) expect([who.name, switched.body]).toMatchObject([who.name, { changed: 0, absent: 1 }])
      else expect([who.name, switched.status]).toEqual([who.name, 403])
    }
  },
)

// A group refers to staff only, whom all staff see.
test.each(ROUTED.filter((name) => name !== 'partner_group' && (ENTITY_ACCESS[name] ?? '').split(' ')[3] !== '-'))(
  '%s: no reference leads an own row to a foreign one [PERM-07]',
  async (name) => {
    const fields = Object.entries(entityOf(name).fields).filter(
      ([, field]) => field.kind === 'reference' && isWritable(field, false) && (SCOPED as string[]).includes(field.to),
    )
    const theirs = await makeBody(foreign.pool, name)
    for (const who of narrowed) {
      if (!isOpenFor(who, (ENTITY_ACCESS[name] ?? '').split(' ')[3] ?? '-')) continue
      for (const [key, field] of fields) {
        if (theirs[key] == null || field.kind !== 'reference' || seesForeign(who.role, field.to)) continue
        const { status, body } = await by(who, 'PUT', `${name}/${own.rows[name]}`, { [key]: theirs[key] })
        // The error must name the field, not only say that the row would be out of scope afterwards.
        const named = status === 422 ? Object.keys(body.formErrors as object).includes(key) : status === 403
        expect([who.name, key, status, named]).toEqual([who.name, key, status, true])
      }
    }
  },
)

test('ids in bodies and queries of other calls reach no foreign row [PERM-07] [PERM-08]', async () => {
  const { pool } = server.services.postgres
  const { rows } = await pool.query('select outer_id from player where id = $1', [foreign.rows.player])
  for (const who of narrowed) {
    const resent = await by(who, 'POST', 'postback_export/resent_postbacks', {
      ids: [foreign.rows.postback],
      dry_run: true,
    })
    expect([who.name, resent.status === 403 ? 0 : resent.body.count]).toEqual([who.name, 0])
    const resolved = await by(who, 'PUT', 'player/bulk_update', {
      ids: [foreign.rows.player],
      payment_resolution: 'approved',
    })
    if (resolved.status !== 403)
      expect([who.name, resolved.body]).toEqual([who.name, { updated: 0, unchanged: 0, skipped: 0 }])
    const found = await by(who, 'GET', `trace?id=${rows[0].outer_id}`)
    if (found.status === 200)
      expect([who.name, found.body]).toMatchObject([who.name, { player: null, click: null, matches: [], entries: [] }])
    else expect([who.name, found.status]).toEqual([who.name, 404])
    const sheet = await who.person.call(
      'GET',
      `postback_export/xlsx?filter[id]=${foreign.rows.postback}`,
      undefined,
      who.headers,
    )
    expect([who.name, (await readSheet(sheet)).rows]).toEqual([who.name, []])
    const used = await by(
      who,
      'GET',
      `partner_stream/${own.rows.partner_stream}/validate_offer?offer=1&offer_partner=${foreign.rows.offer_partner}`,
    )
    expect([who.name, used.status]).toEqual([who.name, expect.toBeOneOf([200, 404, 422])])
    expect(JSON.stringify(used.body)).not.toContain(String(foreign.pool.net.partner.title))
  }
})

/**
 * The answer of `work` and its SQL statements about a table: the same statements take the same time. Background work of the product may add
 * others.
 */
async function watch<T>(table: string, work: () => Promise<T>): Promise<{ answer: T; statements: string[] }> {
  const asked = vi.spyOn(Client.prototype, 'query')
  const answer = await work()
  const texts = asked.mock.calls.map(([query]: unknown[]) =>
    typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : String(query),
  )
  asked.mockRestore()
  const statements = [...new Set(texts.filter((text) => text.includes(`"${table}" as t`)))]
  return { answer, statements: statements.sort((a, b) => a.localeCompare(b)) }
}

/** The group filter of an admin narrows their lists alone. */
const MONEY_DOCUMENTS =
  /^(statement|payment|payment_invoice|payment_invoice_line|crm_attempt|adjustment|ledger_entry|ledger_item|period_close)$/

test('a foreign row and a row that never existed get the same answer after the same work [PERM-07]', async () => {
  const strip = ({ status, body }: { status: number; body: Json }) => ({ status, ...body, request_id: '' })
  for (const who of narrowed) {
    for (const name of ENTITY_NAMES.filter((one) => one in foreign.rows)) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        if (seesForeign(who.role, name) || (who.role === 'ADMIN' && MONEY_DOCUMENTS.test(name))) continue
        const body = method === 'PUT' ? {} : undefined
        const tryOn = (id: number) => watch(name, () => by(who, method, `${name}/${id}`, body))
        const [hidden, absent] = [await tryOn(foreign.rows[name] ?? 0), await tryOn(2_000_000_000)]
        expect(hidden.statements).toEqual(absent.statements)
        expect([who.name, method, name, strip(hidden.answer)]).toEqual([who.name, method, name, strip(absent.answer)])
      }
    }
    const link = { partner: foreign.pool.net.partner.id, stream: foreign.pool.net.stream.id }
    const none = { partner: 2_000_000_000, stream: 2_000_000_000 }
    const path = 'offer_partner'
    const [hidden, absent] = [await by(who, 'POST', path, link), await by(who, 'POST', path, none)]
    expect(strip(hidden)).toEqual(strip(absent))
  }
})

/** Names that no request may set: internal columns, permissions, owners, flags of the product. */
const SECRET_FIELDS =
  'id created_at updated_at role_id role permissions partner_id partner user_id user created_by password_hash totp_secret is_admin built_in enabled scope uuid constructor toString'

test.each(ENTITY_NAMES.filter((name) => !/^(-| *- )/.test((ENTITY_ACCESS[name] ?? '').split(' ').slice(2).join(' '))))(
  '%s: a body sets only the fields that may be set [PERM-07] [API-05]',
  async (name) => {
    const entity = entityOf(name)
    const [, , create = '-'] = (ENTITY_ACCESS[name] ?? '').split(' ')
    if (create === '-' || name === 'setting') return
    const settable = (key: string) => {
      const field = Object.hasOwn(entity.fields, key) ? entity.fields[key] : undefined
      return field !== undefined && isWritable(field, true)
    }
    const keys = [...SECRET_FIELDS.split(' '), ...Object.keys(entity.fields)].filter((key) => !settable(key))
    // A reply lists at most 20 issues, including those of missing fields.
    for (let from = 0; from < keys.length; from += 8) {
      const some = keys.slice(from, from + 8)
      const body = Object.fromEntries(some.map((key) => [key, 1]))
      const errors = (await refused(admin, 'POST', name, body)) as Record<string, unknown>
      expect(some.filter((key) => !Object.hasOwn(errors, key))).toEqual([])
    }
  },
)
