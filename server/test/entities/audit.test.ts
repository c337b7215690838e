// Every change is in the audit log, is shown on its row, and can be restored.

import { randomUUID } from 'node:crypto'
import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { DEFAULT_ZONE, dayOf, formatMonth } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { watchAudit } from '../support/audit-watch.ts'
import {
  ask,
  done,
  ENTITY_MODULES,
  type Json,
  linkOf,
  makeNetwork,
  makeOffer,
  type Network,
  nextCode,
  refused,
  unique,
} from '../support/entity-calls.ts'
import { entityOf, makePool, makeRow, otherValue } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { makePerson, type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
let net: Network
let watch: Awaited<ReturnType<typeof watchAudit>>

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  watch = await watchAudit(server.services.postgres.pool)
  admin = await signIn(server, 'ADMIN')
  await makePerson(server, 'MANAGER')
  net = await makeNetwork(admin)
})

const sql = (text: string) => server.services.postgres.pool.query(text)

const historyOf = async (name: string, id: number, query = ''): Promise<HistoryEntry[]> =>
  (await done(admin, 'GET', `audit_log/history/${name}/${id}${query}`)).items as HistoryEntry[]

const told = (entries: readonly HistoryEntry[], entity: string, field: string) =>
  entries
    .filter((entry) => entry.entity === entity)
    .flatMap(({ action, changes }) =>
      changes.filter((change) => change.field === field).map(({ before, after }) => [action, before, after]),
    )

const isOpen = (requirement: unknown): boolean =>
  requirement === 'everyone' || ((requirement as { roles?: unknown[] }).roles ?? []).length > 0

const WHOLE = ENTITY_NAMES.filter((name) => {
  const { create, edit, remove } = entityOf(name).access
  return [create, edit, remove].every(isOpen)
})

const MARKS = new Set(['notices', 'version', 'updated_at'])
const withoutMarks = (row: Json): unknown =>
  JSON.parse(JSON.stringify(row, (key, value: unknown) => (MARKS.has(key) ? undefined : value)))

test.each(WHOLE)('%s: its history shows each change, and each can be restored [ENT-24]', async (name) => {
  const made = await makeRow(makePool(admin), name)
  const [field, value] = otherValue(name) ?? ['', undefined]
  await done(admin, 'PUT', `${name}/${made.id}`, { [field]: value })
  const entries = (await historyOf(name, made.id)).filter((entry) => entry.entity === name)
  expect(entries).toMatchObject([
    { action: 'update', user: { id: admin.id }, entity_id: made.id, restorable: true },
    { action: 'create', user: { id: admin.id }, entity_id: made.id, restorable: true },
  ])
  expect(entries[0]?.changes.map((change) => change.field)).toEqual([field])
  expect(entries[1]?.changes.length).toBeGreaterThan(0)
  const back = await done(admin, 'POST', `audit_log/${entries[1]?.id}/restore`, {})
  expect(withoutMarks(back)).toEqual(withoutMarks(made))
  await done(admin, 'DELETE', `${name}/${made.id}`)
  const gone = (await historyOf(name, made.id)).find((entry) => entry.entity === name)
  expect(gone).toMatchObject({ action: 'delete', cause: `delete ${name}` })
  const revived = await done(admin, 'POST', `audit_log/${gone?.id}/restore`, {})
  expect(withoutMarks(revived)).toEqual(withoutMarks(made))
  expect(revived.version).toBeGreaterThan(made.version)
  expect((await historyOf(name, made.id)).find((entry) => entry.entity === name)).toMatchObject({
    action: 'create',
    cause: `restore ${gone?.id}`,
  })
})

test('the history of a partner offer contains its postbacks, terms and landings, by title, in pages [ENT-24]', async () => {
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net))
  await done(admin, 'PUT', `offer_partner/${link.id}`, {
    landings: [net.landing.id],
    cost_history: [{ value: '12', date_from: '2026-01-01' }],
  })
  const entries = await historyOf('offer_partner', link.id)
  expect(told(entries, 'offer_partner', 'landings')).toEqual([
    ['update', [], [expect.objectContaining({ id: net.landing.id, title: net.landing.title })]],
  ])
  expect(told(entries, 'offer_partner', 'offer')).toEqual([
    ['create', null, expect.objectContaining({ title: net.offer.title })],
  ])
  expect(told(entries, 'offer_partner_cost_history', 'value')).toEqual([['create', null, '12.0000']])
  expect(told(entries, 'offer_partner_postback', 'kind')).toEqual([['create', null, 'main']])
  const first = await done(admin, 'GET', `audit_log/history/offer_partner/${link.id}?limit=1`)
  expect(first).toMatchObject({ has_more: true, items: [{ id: entries[0]?.id }] })
  expect((await historyOf('offer_partner', link.id, `?limit=50&before=${entries[0]?.id}`)).map(({ id }) => id)).toEqual(
    entries.slice(1).map(({ id }) => id),
  )
})

test('spends, budgets and report entries are named by what tells them apart, also when only a figure was logged or they are gone [ENT-24]', async () => {
  const pool = makePool(admin)
  const titleOf = (row: Json, field: string) => String((row[field] as Json).title)
  const dayText = (day: unknown) => String(day).split('-').reverse().join('.')
  const spend = await makeRow(pool, 'partner_spend')
  const stream = await done(admin, 'GET', `partner_stream/${(spend.stream as Json).id}`)
  const budget = await makeRow(pool, 'budget')
  const part = await makeRow(pool, 'partner_budget')
  const entry = await makeRow(pool, 'player_report')
  const monthText = (day: unknown) => formatMonth(String(day), 'en')
  const site = typeof spend.site_id === 'string' ? [spend.site_id] : []
  const names: Record<string, [Json, string[]]> = {
    partner_spend: [
      spend,
      [titleOf(stream, 'partner'), String(stream.title), titleOf(spend, 'country'), ...site, dayText(spend.date)],
    ],
    budget: [budget, [titleOf(budget, 'advertiser'), titleOf(budget, 'country'), monthText(budget.month)]],
    partner_budget: [
      part,
      [titleOf(part, 'partner'), titleOf(part, 'advertiser'), titleOf(part, 'country'), monthText(part.month)],
    ],
    player_report: [entry, [titleOf(entry, 'player'), dayText(entry.report_date)]],
  }
  // As an import does: the entry of the log has the changed figures alone.
  await sql(`update player_report set income = coalesce(income, 0) + 1 where id = ${entry.id}`)
  for (const [name, [row, parts]] of Object.entries(names)) {
    await done(admin, 'DELETE', `${name}/${row.id}`)
    const entries = (await historyOf(name, row.id)).filter(({ entity }) => entity === name)
    expect(entries.map(({ title }) => title)).toEqual(entries.map(() => parts.join(' · ')))
    const { items } = await done(admin, 'GET', `audit_log?filter[entity]=${name}&filter[entity_id]=${row.id}`)
    expect((items as Json[]).map(({ record }) => record)).toEqual(entries.map(() => parts.join(' · ')))
  }
})

test('a change from the other side of a many-to-many field is shown on both rows [ENT-24]', async () => {
  const { offer } = await makeNetwork(admin)
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Group'), offers: [offer.id] })
  await done(admin, 'PUT', `partner_group/${group.id}`, { offers: [] })
  const reference = expect.objectContaining({ id: group.id, title: group.title })
  expect(told(await historyOf('offer', offer.id), 'offer', 'partner_groups')).toEqual([
    ['update', [reference], []],
    ['update', [], [reference]],
  ])
})

test('managers of a partner are in the history of the partner, also a main manager who is replaced [ENT-24]', async () => {
  const [one, two] = [await makePerson(server, 'MANAGER'), await makePerson(server, 'MANAGER')]
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Led') })
  const { partner } = await makeNetwork(admin)
  const member = await done(admin, 'POST', 'partner_partner_group', {
    partner: partner.id,
    partner_group: group.id,
    managers: [{ user: one.id, is_main: true }],
  })
  await done(admin, 'PUT', `partner_partner_group/${member.id}`, { managers: [{ user: two.id, is_main: true }] })
  const { managers } = await done(admin, 'GET', `partner_partner_group/${member.id}`)
  expect((managers as Json[]).map(({ is_main }) => is_main)).toEqual([false, true])
  const changes = told(await historyOf('partner', partner.id), 'partner_group_manager', 'is_main')
  expect(changes).toEqual([
    ['create', null, true],
    ['update', true, false],
    ['create', null, true],
  ])
})

test('a deleted row is restored with its collections, under the same ids and codes [ENT-24]', async () => {
  const { advertiser, offer, partner, ...rest } = await makeNetwork(admin)
  const link = await done(admin, 'POST', 'offer_partner', linkOf({ advertiser, offer, partner, ...rest }))
  await done(admin, 'DELETE', `offer_partner/${link.id}`)
  const [gone] = (await historyOf('offer_partner', link.id)).filter(({ entity }) => entity === 'offer_partner')
  const revived = await done(admin, 'POST', `audit_log/${gone?.id}/restore`, {})
  expect(revived).toMatchObject({ id: link.id, uuid: link.uuid, partner_link: link.partner_link })
  expect((revived.postbacks as Json[]).map(({ id, uuid }) => [id, uuid])).toEqual(
    (link.postbacks as Json[]).map(({ id, uuid }) => [id, uuid]),
  )
  await done(admin, 'DELETE', `offer_partner/${link.id}`)
  await done(admin, 'DELETE', `offer/${offer.id}`)
  await done(admin, 'DELETE', `advertiser/${advertiser.id}`)
  const entries = await historyOf('advertiser', advertiser.id)
  expect(told(entries, 'advertiser_country', 'media_id')[0]).toEqual(['delete', 'm-77', null])
  const entry = entries.find(({ entity, action }) => entity === 'advertiser' && action === 'delete')
  const again = await done(admin, 'POST', `audit_log/${entry?.id}/restore`, {})
  for (const field of ['countries', 'default_landings', 'allowed_landings'])
    expect(
      (again[field] as Json[]).map(({ id }) => id),
      field,
    ).toEqual((advertiser[field] as Json[]).map(({ id }) => id))
})

test('the state before the first known change can be restored, too [ENT-24]', async () => {
  const { pool } = server.services.postgres
  await pool.query("begin; set local tributary.seed = 'yes'; insert into product (title) values ('Seeded'); commit")
  const { id } = (await pool.query("select id from product where title = 'Seeded'")).rows[0] as { id: number }
  await done(admin, 'PUT', `product/${id}`, { title: unique('Renamed') })
  const [entry] = await historyOf('product', id)
  expect(await done(admin, 'POST', `audit_log/${entry?.id}/restore`, { side: 'before' })).toMatchObject({
    title: 'Seeded',
  })
})

test('rules are checked again: a state that could not be saved is not restored, with the reason [ENT-24]', async () => {
  const product = await done(admin, 'POST', 'product', { title: unique('Old name') })
  await done(admin, 'PUT', `product/${product.id}`, { title: unique('New name') })
  await done(admin, 'POST', 'product', { title: product.title })
  const [, created] = await historyOf('product', product.id)
  expect(await refused(admin, 'POST', `audit_log/${created?.id}/restore`, {})).toEqual({
    title: ['This title is already in use'],
  })
  const deleted = await done(
    admin,
    'POST',
    'offer_partner',
    linkOf(net, { stream: net.stream.id, site_id: unique('s').replace(' ', ''), offer: (await makeNetworkOffer()).id }),
  )
  await done(admin, 'DELETE', `offer_partner/${deleted.id}`)
  await done(admin, 'PUT', `partner/${net.partner.id}`, { state: 'unapproved' })
  const [gone] = (await historyOf('offer_partner', deleted.id)).filter(({ entity }) => entity === 'offer_partner')
  expect(await refused(admin, 'POST', `audit_log/${gone?.id}/restore`, {})).toMatchObject({
    partner: ['The partner is not approved'],
  })
  await done(admin, 'PUT', `partner/${net.partner.id}`, { state: 'approved' })
})

const makeNetworkOffer = async (): Promise<Json> => (await makeNetwork(admin)).offer

test('partners never read the log; staff read it for rows in their scope, and restore what they may edit [ENT-24] [PERM-07]', async () => {
  const entries = await historyOf('partner', net.partner.id)
  const partner = await signIn(server, 'PARTNER', net.partner.id)
  const manager = await signIn(server, 'MANAGER')
  const paths = [
    `audit_log/history/partner/${net.partner.id}`,
    `audit_log/${entries[0]?.id}/changes`,
    'audit_log',
    `audit_log/${entries[0]?.id}`,
  ]
  for (const path of paths) expect((await ask(partner, 'GET', path)).status, path).toBe(403)
  expect((await ask(partner, 'POST', `audit_log/${entries[0]?.id}/restore`, {})).status).toBe(403)
  expect((await ask(manager, 'GET', paths[0] ?? '')).status).toBe(404)
  expect((await ask(manager, 'POST', `audit_log/${entries[0]?.id}/restore`, {})).status).toBe(404)
  expect((await ask(manager, 'GET', `audit_log/history/advertiser/${net.advertiser.id}`)).status).toBe(403)
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Seen') })
  await done(admin, 'POST', 'partner_partner_group', {
    partner: net.partner.id,
    partner_group: group.id,
    managers: [{ user: manager.id }],
  })
  expect((await ask(manager, 'GET', paths[0] ?? '')).status).toBe(200)
  expect((await ask(manager, 'GET', paths[1] ?? '')).body).toMatchObject({ entity: 'partner', restorable: true })
})

test('the log is filtered by row, user, action, request and period, and contains no secret [ENT-24] [AUTH-15]', async () => {
  const product = await done(admin, 'POST', 'product', { title: unique('Logged') })
  const list = async (...params: string[]): Promise<Json[]> =>
    (await done(admin, 'GET', `audit_log?${params.join('&')}`, undefined, {})).items as Json[]
  const [entry] = await list('filter[entity]=product', `filter[entity_id]=${product.id}`)
  expect(entry).toMatchObject({ action: 'create', entity: 'product', user: { id: admin.id }, cause: 'create product' })
  expect(entry).toMatchObject({ record: product.title, changed: 'Active: Yes' })
  const today = dayOf(Date.parse(String(entry?.at)), DEFAULT_ZONE)
  for (const params of [
    [`filter[user]=${admin.id}`],
    ['filter[action]=create'],
    ['filter[user][gt]=0'],
    [`filter[request_id]=${String(entry?.request_id)}`],
    [`filter[at][bwn]=${today}|${today}`, 'filter[entity]=product'],
  ])
    expect(
      (await list(...params, 'limit=-1')).map(({ id }) => id),
      params.join(),
    ).toContain(entry?.id)
  await sql(
    `insert into audit_log (action, entity, entity_id, cause) values ('update', 'product', ${Number(product.id)}, 'postback')`,
  )
  const ofPeople = await list('filter[entity]=product', `filter[entity_id]=${product.id}`, 'filter[user][gt]=0')
  expect(ofPeople.map(({ cause }) => cause)).toEqual(['create product'])
  const minute = Temporal.Instant.from(String(entry?.at)).toZonedDateTimeISO(DEFAULT_ZONE).toPlainDateTime()
  const textOf = (at: Temporal.PlainDateTime) => at.toString({ smallestUnit: 'minute' }).replace('T', ' ')
  const within = (from: Temporal.PlainDateTime, to: Temporal.PlainDateTime) =>
    list(`filter[at][bwn]=${textOf(from)}|${textOf(to)}`, `filter[request_id]=${String(entry?.request_id)}`)
  expect(await within(minute, minute)).toHaveLength(1)
  expect(await within(minute.subtract({ minutes: 9 }), minute.subtract({ minutes: 1 }))).toEqual([])
  expect(await list('filter[at][bwn]=2020-01-01|2020-01-02')).toEqual([])
  const leaked = await server.services.postgres.pool.query(
    `select 1 from audit_log where (before::text || after::text) ~ '(password|totp|refresh_hash|argon2)'`,
  )
  expect(leaked.rows).toEqual([])
})

test('the log names a partner offer and its rows by partner, offer and site, and a new or deleted record by its values [ENT-24]', async () => {
  const own = await makeNetwork(admin)
  const link = await done(admin, 'POST', 'offer_partner', linkOf(own, { sub_id: 'sub-of-log' }))
  const name = [own.partner.title, own.offer.title, link.site_id].join(' · ')
  const entryOf = async (entity: string, action: string): Promise<Json | undefined> =>
    (
      (await done(admin, 'GET', `audit_log?filter[entity]=${entity}&filter[action]=${action}&limit=1`)).items as Json[]
    )[0]
  const made = await entryOf('offer_partner', 'create')
  expect(made?.record).toBe(name)
  expect(made?.changed).toContain(`Stream: ${String(own.stream.title)}`)
  expect(made?.changed).not.toMatch(/Partner: |Offer: |Site/)
  await done(admin, 'PUT', `offer_partner/${link.id}`, { sub_id: 'other' })
  expect(await entryOf('offer_partner', 'update')).toMatchObject({
    record: name,
    changed: 'Sub ID: sub-of-log → other',
  })
  const tag = await done(admin, 'POST', 'offer_partner_tag', { title: unique('Tag') })
  await done(admin, 'DELETE', `offer_partner_tag/${tag.id}`)
  expect(await entryOf('offer_partner_tag', 'delete')).toMatchObject({ record: tag.title, changed: 'Active: Yes' })
})

const mark = randomUUID().slice(0, 8)
const undo = (person: SignedIn, ...requests: string[]) => person.call('POST', 'audit_log/undo', { requests })
const change = async (method: string, path: string, body: object | undefined, id: string): Promise<void> =>
  expect((await admin.call(method, path, body, { 'x-request-id': id })).status, path).toBeLessThan(300)

test('what a request has changed or deleted is undone at once: fields, many-to-many fields, collections, dated terms, bulk acts [ENT-24]', async () => {
  const own = await makeNetwork(admin)
  const offer = await makeOffer(admin, own, { cost: 40 })
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Group') })
  const link = await done(admin, 'POST', 'offer_partner', linkOf({ ...own, offer }))
  const rows = [`offer/${offer.id}`, `offer_partner/${link.id}`, `partner_group/${group.id}`]
  const readAll = () => Promise.all(rows.map(async (row) => withoutMarks(await done(admin, 'GET', row))))
  const before = await readAll()
  await change(
    'PATCH',
    `offer/${offer.id}`,
    { title: unique('Renamed'), cost: 45, partner_groups: [group.id] },
    `undo-1-${mark}`,
  )
  await change(
    'PATCH',
    `offer_partner/${link.id}`,
    { landings: [own.landing.id], cost_history: [{ value: '12', date_from: '2026-01-01' }] },
    `undo-2-${mark}`,
  )
  await change('PUT', 'offer/activate?activate=0', { ids: [offer.id], exclusive: false, filter: '' }, `undo-3-${mark}`)
  expect(await readAll()).not.toEqual(before)
  expect((await undo(admin, `undo-1-${mark}`, `undo-2-${mark}`, `undo-3-${mark}`)).status).toBe(200)
  expect(await readAll()).toEqual(before)
  await change('DELETE', `offer_partner/${link.id}`, undefined, `undo-4-${mark}`)
  expect(await (await undo(admin, `undo-4-${mark}`)).json()).toMatchObject({ restored: expect.any(Number) })
  expect(await readAll()).toEqual(before)
})

test('only own requests are undone, and none whose rows have changed since [ENT-24]', async () => {
  const other = await signIn(server, 'ADMIN')
  const product = await done(admin, 'POST', 'product', { title: unique('Product') })
  await change('PATCH', `product/${product.id}`, { title: unique('Second') }, `undo-5-${mark}`)
  expect((await undo(other, `undo-5-${mark}`)).status).toBe(404)
  expect((await undo(admin, 'undo-unknown')).status).toBe(404)
  expect((await undo(admin)).status).toBe(422)
  await done(other, 'PATCH', `product/${product.id}`, { title: unique('Third') })
  const late = await undo(admin, `undo-5-${mark}`)
  expect([late.status, await late.text()]).toEqual([422, expect.stringContaining('Something else has changed since')])
  await sql(`update audit_log set at = now() - interval '61 minutes' where request_id = 'undo-5-${mark}'`)
  expect((await undo(admin, `undo-5-${mark}`)).status).toBe(404)
})

test('a new record is deleted by its undo, unless others refer to it, it has got more rows, or nobody may delete it [ENT-24]', async () => {
  const title = unique('New')
  await change('POST', 'currency', { title, value: 'XTS' }, `undo-7-${mark}`)
  const [currency] = (await done(admin, 'GET', `currency?filter[title][like]=${title}`)).items as Json[]
  const country = await done(admin, 'POST', 'country', { title, code: nextCode(), currency: currency?.id })
  expect((await undo(admin, `undo-7-${mark}`)).status).toBe(409)
  await done(admin, 'DELETE', `country/${country.id}`)
  expect((await undo(admin, `undo-7-${mark}`)).status).toBe(200)
  expect((await ask(admin, 'GET', `currency/${currency?.id}`)).status).toBe(404)

  await change('POST', 'partner', { title }, `undo-8-${mark}`)
  const [partner] = (await done(admin, 'GET', `partner?filter[title][like]=${title}`)).items as Json[]
  await done(admin, 'POST', 'partner_stream', { partner: partner?.id, title })
  expect((await undo(admin, `undo-8-${mark}`)).status).toBe(422)

  const person = { full_name: title, email: `${title.replaceAll(' ', '.')}@example.test`, role: 1 }
  await change('POST', 'user', person, `undo-9-${mark}`)
  expect((await undo(admin, `undo-9-${mark}`)).status).toBe(422)
})

test('every change by requests in this file has its entry in the same transaction [ENT-24]', async () => {
  expect(await watch.unaudited()).toEqual([])
})

test('the moment of creation of an entry is that of the change, and is found by the same index [ENT-24]', async () => {
  const { rows: entries } = await sql('select at, created_at from audit_log')
  expect(entries.length).toBeGreaterThan(0)
  for (const { at, created_at } of entries) expect(created_at).toEqual(at)
  const planOf = async (column: string): Promise<unknown> =>
    (await sql(`explain (costs off) select id from audit_log where ${column} > now() order by ${column}, id`)).rows
  expect(await planOf('created_at')).toEqual(await planOf('at'))
})
