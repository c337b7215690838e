// Creates, reads, changes and deletes every entity of the registry over HTTP.

import { CALLS } from '@tributary/contract/calls/registry'
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { operatorsOf, SORTABLE_KINDS } from '@tributary/contract/filter'
import { ORDER_CAP } from '@tributary/contract/limits'
import type { Operator } from '@tributary/contract/list-query'
import { addDays } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import { fieldsOf } from '../../src/entities/engine/model/model.ts'
import type { Server } from '../../src/server.ts'
import { ask, DETAILED, done, ENTITY_MODULES, idsOf, type Json, linkOf, makeNetwork } from '../support/entity-calls.ts'
import { entityOf, makeBody, makePool, makeRow, otherValue } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { makePerson, type SignedIn, signIn } from '../support/sign-in.ts'
import { INSERTS } from '../support/two-sides.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  await makePerson(server, 'MANAGER')
})

const isOpen = (requirement: unknown): boolean =>
  requirement === 'everyone' || ((requirement as { roles?: unknown[] }).roles ?? []).length > 0

const MADE_BY_HAND = ENTITY_NAMES.filter((name) => isOpen(entityOf(name).access.create))
const NOT_MADE = ENTITY_NAMES.filter((name) => !isOpen(entityOf(name).access.create))
/** Entities with a call of their own instead of the generic one. */
const posted: readonly string[] = Object.values(CALLS).flatMap(({ method, path }) => (method === 'POST' ? [path] : []))
const readonlyRows = NOT_MADE.filter((name) => name !== 'click')

const list = (name: string, ...params: string[]): Promise<Json> =>
  done(admin, 'GET', `${name}?${['limit=-1', ...params].join('&')}`, undefined, {})

test.each(MADE_BY_HAND)(
  '%s is made, read, changed, refused when stale, looked up and deleted [API-01] [API-03]',
  async (name) => {
    const pool = makePool(admin)
    const body = await makeBody(pool, name)
    const { notices: _, ...made } = await done(admin, 'POST', name, body)
    expect(made).toMatchObject({ version: 1, ...(entityOf(name).hasActive && { active: true }) })
    for (const [key, value] of Object.entries(body)) expectStored(name, key, value, made[key])
    const read = await done(admin, 'GET', `${name}/${made.id}`)
    expect(read).toEqual(made)
    if (isOpen(entityOf(name).access.edit)) await expectChanged(name, read)
    const options = await ask(admin, 'GET', `${name}?lookup=1&filter[id]=${made.id}`, undefined, {})
    if (isOpen(entityOf(name).access.lookup))
      expect(options.body.options).toMatchObject([{ id: made.id, title: expect.any(String) }])
    else expect(options.status).toBe(403)
    if (isOpen(entityOf(name).access.edit)) await expectAudited(name, made.id)
    if (!isOpen(entityOf(name).access.remove)) return
    expect((await ask(admin, 'DELETE', `${name}/${made.id}`)).status).toBe(204)
    expect((await ask(admin, 'GET', `${name}/${made.id}`)).status).toBe(404)
    expect((await ask(admin, 'DELETE', `${name}/${made.id}`)).status).toBe(404)
  },
)

async function expectChanged(name: string, made: Json): Promise<void> {
  expect(await done(admin, 'PUT', `${name}/${made.id}`, made), 'sent back as it was read').toEqual(made)
  const [field, value] = otherValue(name) ?? ['', undefined]
  const changed = await done(admin, 'PUT', `${name}/${made.id}`, { [field]: value, version: 1 })
  expect(changed.version).toBe(2)
  expectStored(name, field, value, changed[field])
  const stale = await ask(admin, 'PATCH', `${name}/${made.id}`, { [field]: value, version: 1 })
  expect(stale).toMatchObject({ status: 409, body: { code: 'stale', current: { id: made.id, version: 2 } } })
  expect(await done(admin, 'PATCH', `${name}/${made.id}`, { [field]: value, version: 2 })).toMatchObject({
    version: 2,
  })
}

function expectStored(name: string, key: string, sent: unknown, read: unknown): void {
  const field = fieldsOf(entityOf(name)).get(key)
  const where = `${name}.${key}`
  if (field?.kind === 'reference') expect(read, where).toMatchObject({ id: sent, title: expect.any(String) })
  else if (field?.kind === 'references')
    expect(
      (read as Json[]).map(({ id }) => id),
      where,
    ).toEqual(sent)
  else if (field?.kind === 'text' && field.writeOnly) expect(read, where).toBeUndefined()
  else if (field?.kind === 'decimal') expect(Number(read), where).toBe(Number(sent))
  else expect(read, where).toEqual(sent)
}

async function expectAudited(name: string, id: number): Promise<void> {
  const statement =
    'select action, user_id, request_id is not null as signed, before, after from audit_log where entity = $1 and entity_id = $2 order by id'
  const { rows } = await server.services.postgres.pool.query(statement, [name, id])
  expect(rows).toMatchObject([
    { action: 'create', user_id: admin.id, signed: true, before: null, after: { id, version: 1 } },
    { action: 'update', before: { id, version: 1 }, after: { id, version: 2 } },
  ])
}

test.each(NOT_MADE.filter((name) => !posted.includes(name)))('%s cannot be created by a request', async (name) => {
  expect((await ask(admin, 'POST', name, { title: 'x' })).status).toBe(404)
})

test.each(MADE_BY_HAND)('%s is found by all of its filters [LIST-08] [API-02]', async (name) => {
  const row = await makeRow(makePool(admin), name)
  const other = await makeRow(makePool(admin), name)
  await checkFilters(name, row)
  const both = idsOf(await list(name, `filter[id][in][]=${row.id}`, `filter[id][in][]=${other.id}`))
  expect(new Set(both)).toEqual(new Set([row.id, other.id]))
})

const isSorted = ({ kind, unsorted, unfiltered }: Field): boolean =>
  SORTABLE_KINDS.has(kind) && unsorted !== true && unfiltered !== true

// entities-query.test.ts tests the order of rows by kind of field and length of path.
test.each(ENTITY_NAMES)('%s is sorted by all of its columns, and by nothing else [API-02]', async (name) => {
  const paths = ['id', ...entityOf(name).list.columns]
  const known = new Set(idsOf(await list(name)))
  const sorted = paths.filter((path) => isSorted(endOf(name, path)))
  for (let start = 0; start < sorted.length; start += ORDER_CAP) {
    const some = sorted
      .slice(start, start + ORDER_CAP)
      .map((path, place) => `order[${path}]=${place % 2 ? 'DESC' : 'ASC'}`)
    expect(new Set(idsOf(await list(name, ...some))), some.join()).toEqual(known)
  }
  for (const path of paths.filter((one) => !isSorted(endOf(name, one)))) {
    const reply = await ask(admin, 'GET', `${name}?order[${path}]=ASC`)
    expect([reply.status, Object.keys(reply.body.formErrors as object)]).toEqual([422, [`order[${path}]`]])
  }
})

test('rows that only the product creates are listed and filtered, too [LIST-08] [API-02]', async () => {
  const net = await makeNetwork(admin)
  const { pool } = server.services.postgres
  const player = `insert into player (outer_id, advertiser_id, partner_id, registered_at, first_deposit_amount, click_id, site_id)
    values ('outer-77', $1, $2, '2026-05-05T10:00:00Z', 12.5, '0198c000-0000-7000-8000-000000000001', 'site') returning id`
  await pool.query(player, [net.advertiser.id, net.partner.id])
  const postback = `insert into postback (direction, status, method, event_type, partner_id, deposit_sum, site_id, click_id, player_outer_id)
    values ('in', 'accepted', 'GET', 'reg', $1, 5, 'site', 'c', 'outer-77')`
  await pool.query(postback, [net.partner.id])
  const parsed = `insert into google_parse_result (partner_id, file_id, spend_month, status) values ($1, 'sheet-1', '2026-04-01', 'success')`
  await pool.query(parsed, [net.partner.id])
  await pool.query(
    `with plan as (insert into budget (advertiser_id, country_id, month, planned) values ($1, $2, '2026-04-01', 10) returning id)
      insert into budget_version (budget_id, reason, planned_before, active_before, planned) select id, 'why', 9, true, 10 from plan`,
    [net.advertiser.id, net.country.id],
  )
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net))
  await pool.query(
    `with close as (insert into period_close (month, closed_at, closed_by_id, known_at) values ('2026-04', now(), $1, now()) returning id),
      closed as (insert into period_close_partner (period_close_id, month, partner_id) select id, '2026-04', $2 from close),
      entry as (insert into ledger_entry (partner_id, earned_month, booked_month, offer_partner_id, stream_id, advertiser_id, kind, currency_id,
          amount, source, known_at, period_close_id)
        select $2, '2026-04', '2026-04', l.id, l.stream_id, $3, 'rs', l.currency_id, 2.5, 'close', now(), close.id
        from close, offer_partner l where l.id = $4 returning id)
      insert into ledger_item (ledger_entry_id, day, base, rate, amount) select id, '2026-04-01', 10, 25, 2.5 from entry`,
    [admin.id, net.partner.id, net.advertiser.id, link.id],
  )
  const expires_on = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await done(admin, 'POST', 'api_key', { title: 'Script', expires_on })
  await pool.query(
    "insert into report (type, file_name, status, rows, warnings) values ('file', 'f-77.csv', 'success', 3, 0)",
  )
  await pool.query(
    `insert into click_rejection (created_at, reason, partner_id, url, ip) values (now(), 'link_inactive', $1, '/c/x', '192.0.2.7')`,
    [net.partner.id],
  )
  for (const name of [
    'partner_billing',
    'statement',
    'payment_invoice',
    'payment_invoice_line',
    'payment',
    'crm_attempt',
  ])
    await pool.query(INSERTS[name] ?? '', [net.partner.id, net.advertiser.id])
  for (const name of readonlyRows) {
    const [row] = (await list(name)).items as Json[]
    expect(row, name).toBeDefined()
    if (row === undefined) continue
    expect(await done(admin, 'GET', `${name}/${row.id}`, undefined, {})).toEqual(row)
    await checkFilters(name, row)
  }
})

const filtersOf = (name: string): Set<string> =>
  new Set(['id', ...(entityOf(name).hasActive ? ['active'] : []), 'created_at', ...entityOf(name).list.filters])

function endOf(name: string, path: string): Field {
  const [head = '', ...rest] = path.split('.')
  const field = fieldsOf(entityOf(name)).get(head)
  if (field === undefined) throw new Error(`${name} has no ${head}`)
  if (rest.length === 0) return field
  return endOf(field.kind === 'children' ? field.of : 'to' in field ? field.to : '', rest.join('.'))
}

/** The value at the end of a path; it loads referenced rows. */
async function valueAt(name: string, row: Json, path: string): Promise<unknown> {
  const [head = '', ...rest] = path.split('.')
  const whole = head in row ? row : await done(admin, 'GET', `${name}/${row.id}`, undefined, DETAILED)
  const value = whole[head]
  if (rest.length === 0) return value
  const field = fieldsOf(entityOf(name)).get(head)
  const target = field?.kind === 'children' ? field.of : field !== undefined && 'to' in field ? field.to : ''
  const next = (Array.isArray(value) ? value[0] : value) as Json | null | undefined
  if (next === null || next === undefined) return null
  return valueAt(target, await done(admin, 'GET', `${target}/${next.id}`), rest.join('.'))
}

/** Rows whose title is no text are not found by a part of it. */
const isFoundByText = (field: Field): boolean =>
  field.kind !== 'reference' || fieldsOf(entityOf(field.to)).get(entityOf(field.to).title)?.kind === 'text'

const operatorsAt = (name: string, path: string) =>
  operatorsOf(endOf(name, path)).filter((operator) => operator !== 'like' || isFoundByText(endOf(name, path)))

const OPERATORS = ['eq', 'in', 'nin', 'bwn', 'like', 'gt'] as const

/** Identifies how a filter becomes SQL: the kind of its field and of the fields on its path. */
function shapeOf(name: string, path: string): string {
  const [head = '', ...rest] = path.split('.')
  const field = fieldsOf(entityOf(name)).get(head)
  if (field === undefined) throw new Error(`${name} has no ${head}`)
  const format = field.kind === 'text' ? (field.format ?? 'plain') : ''
  if (rest.length === 0) return `${entityOf(name).source} ${field.kind} ${format} ${field.required === true}`
  const target = field.kind === 'children' ? field.of : 'to' in field ? field.to : ''
  return `${field.kind} > ${shapeOf(target, rest.join('.'))}`
}

/** Shapes whose operators were tested one by one. */
const asked = new Set<string>()

/** Tests all filters of an entity at once, and every operator of shapes that no earlier entity had. */
async function checkFilters(name: string, row: Json): Promise<void> {
  const all: string[] = []
  for (const path of filtersOf(name)) {
    const value = await valueAt(name, row, path)
    const first = Array.isArray(value) ? value[0] : value
    if (first === null || first === undefined) continue
    const filters = operatorsAt(name, path).map((operator) => toFilter(name, path, operator, first as Value))
    all.push(...filters.flatMap(([param, isFound]) => (isFound ? [param] : [])))
    if (asked.has(shapeOf(name, path))) continue
    asked.add(shapeOf(name, path))
    for (const [param, isFound] of filters)
      expect(idsOf(await list(name, param)).includes(row.id), `${name}?${param}`).toBe(isFound)
    await expectOthersRefused(name, path)
  }
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const some = all.slice(start, start + AT_ONCE)
    expect(idsOf(await list(name, ...some)), `${name}?${some.join('&')}`).toContain(row.id)
  }
}

/** Stays below the longest allowed URL. */
const AT_ONCE = 40

async function expectOthersRefused(name: string, path: string): Promise<void> {
  for (const operator of OPERATORS.filter((one) => !operatorsAt(name, path).includes(one))) {
    const param = `filter[${path}][${operator}]`
    const reply = await ask(admin, 'GET', `${name}?${param}=1|2`)
    expect([reply.status, Object.keys(reply.body.formErrors as object)]).toEqual([422, [param]])
  }
}

type Value = Json | string | number | boolean

/** A condition, and whether the row with this value meets it. */
function toFilter(name: string, path: string, operator: Operator, value: Value): [string, boolean] {
  const field = endOf(name, path)
  if (typeof value === 'object') return describeFilter(path, operator, String(value.id), field, value)
  const text = field.kind === 'boolean' ? (value === true ? '1' : '0') : String(value)
  return describeFilter(path, operator, text, field, value)
}

function describeFilter(
  path: string,
  operator: Operator,
  text: string,
  field: Field,
  value: unknown,
): [string, boolean] {
  const encoded = encodeURIComponent(text)
  switch (operator) {
    case 'eq':
      return [`filter[${path}]=${encoded}`, true]
    case 'in':
      return [`filter[${path}][in][]=${encoded}`, true]
    case 'nin':
      return [`filter[${path}][nin]=${encoded}`, false]
    case 'bwn':
      return [`filter[${path}][bwn]=${encoded}|${encoded}`, true]
    case 'like': {
      const title = field.kind === 'reference' ? String((value as Json).title) : text
      return [`filter[${path}][like]=${encodeURIComponent(title.slice(0, 6).toUpperCase())}`, true]
    }
    case 'gt':
      return [`filter[${path}][gt]=${encodeURIComponent(lessThan(text, field))}`, true]
  }
}

function lessThan(text: string, field: Field): string {
  if (field.kind === 'date') return addDays(text, -1)
  if (field.kind === 'datetime') return new Date(Date.parse(text) - 5000).toISOString()
  return String(Number(text) - 1)
}
