// Rules of entities other than offers and partner offers: settings, events, groups and managers, contacts, invoices, budgets; codes of
// rejections; and repeated creations.

import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { DEFAULT_ZONE, today } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import { columnOf, fieldsOf, isOwned } from '../../src/entities/engine/model/model.ts'
import type { Server } from '../../src/server.ts'
import {
  ask,
  completeNetwork,
  done,
  ENTITY_MODULES,
  type Json,
  linkOf,
  makeNetwork,
  makeSpendGround,
  type Network,
  refused,
  unique,
} from '../support/entity-calls.ts'
import { entityOf, makePool, makeRow } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { makePerson, type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
let net: Network

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  await makePerson(server, 'MANAGER')
  net = await makeNetwork(admin)
})

test('settings are one row: read as a list, saved by PUT and by POST, checked, never deleted [ENT-23]', async () => {
  const list = await done(admin, 'GET', 'setting?limit=-1&order[active]=DESC', undefined, {})
  expect(list.items).toMatchObject([
    {
      id: 1,
      active: true,
      business_time_zone: 'Europe/Kyiv',
      server_time_zone: 'Etc/GMT-6',
      daily_spend_parsing_time: '03:00',
      monthly_spend_parsing_day: 1,
    },
  ])
  const changed = await done(admin, 'PUT', 'setting/1', {
    daily_spend_parsing_time: '05:30',
    monthly_spend_parsing_day: 2,
    monthly_spend_parsing_time: '06:00',
    players_api_retrieval_time: '01:15',
    agency_spend_percentage: '12.5',
    report_currency: net.currency.id,
  })
  expect(changed).toMatchObject({ daily_spend_parsing_time: '05:30', agency_spend_percentage: '12.5000' })
  expect(await done(admin, 'POST', 'setting', { uniqueness_hours: 12 })).toMatchObject({ id: 1, uniqueness_hours: 12 })
  expect((await ask(admin, 'DELETE', 'setting/1')).status).toBe(404)
  expect(
    await refused(admin, 'PUT', 'setting/1', {
      business_time_zone: 'Mars/Olympus',
      server_time_zone: 'europe/kyiv',
      daily_spend_parsing_time: '24:00',
      monthly_spend_parsing_day: 31,
      uniqueness_hours: null,
    }),
  ).toEqual({
    business_time_zone: ['There is no such time zone'],
    server_time_zone: ['There is no such time zone'],
    daily_spend_parsing_time: ['Enter a time of day, such as 09:30'],
    monthly_spend_parsing_day: ['No more than 28'],
    uniqueness_hours: ['This field is required'],
  })
  for (const role of ['TEAM_LEADER', 'MANAGER', 'PARTNER'] as const) {
    const person = await signIn(server, role, role === 'PARTNER' ? net.partner.id : null)
    expect((await ask(person, 'GET', 'setting')).status, role).toBe(403)
    expect((await ask(person, 'POST', 'setting', {})).status, role).toBe(403)
  }
})

test('an event has one name for a partner and one for all; groups give names to several [ENT-07] [TRK-10]', async () => {
  const name = unique('ev').replace(' ', '')
  await done(admin, 'POST', 'event', { name, parameter_name: 'all' })
  const own = await done(admin, 'POST', 'event', { name, partner: net.partner.id, parameter_name: 'goal' })
  expect(await refused(admin, 'POST', 'event', { name, parameter_name: 'twice' })).toEqual({ name: ['Already exists'] })
  expect(await refused(admin, 'POST', 'event', { name: 'a b', parameter_name: '' })).toEqual({
    name: ['Must not contain a space or a comma'],
    parameter_name: ['This field is required'],
  })
  const group = await done(admin, 'POST', 'partner_event_group', { title: unique('Shared'), events: [own.id] })
  const given = await done(admin, 'POST', `partner_event_group/${group.id}/partner`, { partner: net.partner.id })
  expect(given.partners).toMatchObject([{ id: net.partner.id }])
  const again = await done(admin, 'POST', `partner_event_group/${group.id}/partner`, { partner: net.partner.id })
  expect(again.version).toBe(given.version)
  expect(await refused(admin, 'POST', `partner_event_group/${group.id}/partner`, { partner: 999_999 })).toEqual({
    partners: ['This record does not exist'],
  })
  expect(await done(admin, 'PUT', `partner_event_group/${group.id}`, { partners: [] })).toMatchObject({ partners: [] })
})

test('managers are enabled people with the role Manager, in a group; one is the main one [ENT-18] [ENT-19]', async () => {
  const manager = await makePerson(server, 'MANAGER')
  const leader = await makePerson(server, 'TEAM_LEADER')
  const off = await makePerson(server, 'MANAGER')
  await server.services.postgres.pool.query('update "user" set enabled = false where id = $1', [off.id])
  expect(await refused(admin, 'POST', 'partner_group_manager', { user: manager.id })).toEqual({
    partner_partner_group: ['Add the partner to a group first'],
  })
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Team') })
  const member = await done(admin, 'POST', 'partner_partner_group', {
    partner: net.partner.id,
    partner_group: group.id,
  })
  const body = { partner_partner_group: member.id }
  for (const user of [leader.id, admin.id, off.id])
    expect(await refused(admin, 'POST', 'partner_group_manager', { ...body, user })).toEqual({
      user: ['Only people with the role Manager who are enabled can manage partners'],
    })
  const made = await done(admin, 'POST', 'partner_group_manager', { ...body, user: manager.id, is_main: true })
  const picker = await done(admin, 'GET', 'user?lookup=1&limit=-1&filter[role.kind]=MANAGER&filter[enabled]=1')
  const offered = (picker.options as Json[]).map(({ id }) => id)
  expect(offered).toContain(manager.id)
  for (const id of [leader.id, admin.id, off.id]) expect(offered).not.toContain(id)
  const whole = await done(admin, 'GET', `partner_group/${group.id}`)
  expect(whole).toMatchObject({
    partners: [{ id: net.partner.id }],
    managers: [{ id: manager.id }],
    partner_partner_groups: [
      { partner: { id: net.partner.id }, managers: [{ user: { id: manager.id }, is_main: true }] },
    ],
  })
  await done(admin, 'PUT', `partner_group_manager/${made.id}`, { is_main: false })
  expect((await ask(admin, 'DELETE', `partner_group_manager/${made.id}`)).status).toBe(204)
})

test('a partner group has its partners, managers, offers and leaders, and is edited as a whole [ENT-19]', async () => {
  const { partner } = await makeNetwork(admin)
  const [leader, manager] = [await makePerson(server, 'TEAM_LEADER'), await makePerson(server, 'MANAGER')]
  const group = await done(admin, 'POST', 'partner_group', {
    title: unique('Whole'),
    type: 'media',
    status: 'open',
    team_leaders: [leader.id],
    team_leader_for_analysts: leader.id,
    crm_department_id: '77',
    offers: [net.offer.id],
    partner_partner_groups: [{ partner: partner.id, managers: [{ user: manager.id }] }],
  })
  expect(group).toMatchObject({
    partners: [{ id: partner.id }],
    managers: [{ id: manager.id }],
    crm_department_id: '77',
  })
  const { items } = await done(
    admin,
    'GET',
    `partner_group?filter[managers]=${manager.id}&filter[partners]=${partner.id}`,
  )
  expect(items).toMatchObject([{ id: group.id }])
  const reply = await ask(admin, 'DELETE', `partner_group/${group.id}`)
  const referring = expect.arrayContaining([expect.objectContaining({ entity: 'partner_partner_group', total: 1 })])
  expect(reply).toMatchObject({ status: 409, body: { references: referring } })
})

test('a partner group is led only by team leaders, whichever side is edited [ENT-19]', async () => {
  const [leader, second, manager] = [
    await makePerson(server, 'TEAM_LEADER'),
    await makePerson(server, 'TEAM_LEADER'),
    await makePerson(server, 'MANAGER'),
  ]
  const refused = await ask(admin, 'POST', 'partner_group', {
    title: unique('Led'),
    team_leaders: [leader.id, manager.id],
    team_leader_for_analysts: admin.id,
  })
  expect(refused.status).toBe(422)
  expect(refused.body.formErrors).toEqual({
    team_leaders: ['Only people with the role Team leader can lead a group'],
    team_leader_for_analysts: ['Only people with the role Team leader can lead a group'],
  })
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Led'), team_leaders: [leader.id] })
  for (const body of [{ team_leaders: [manager.id] }, { team_leader_for_analysts: manager.id }])
    expect(await ask(admin, 'PATCH', `partner_group/${group.id}`, body)).toMatchObject({ status: 422 })
  // A current leader may have got another role since; the group can still be changed.
  await server.services.postgres.pool.query(
    `update "user" set role_id = (select min(id) from user_role where kind = 'MANAGER') where id = $1`,
    [leader.id],
  )
  const kept = await done(admin, 'PATCH', `partner_group/${group.id}`, { team_leaders: [leader.id, second.id] })
  expect(kept).toMatchObject({ team_leaders: expect.arrayContaining([{ id: second.id, title: expect.anything() }]) })
})

test('a contact that another partner has is found, and only visible partners are named [ENT-18]', async () => {
  const other = await makeNetwork(admin)
  const value = `${unique('Box').replace(' ', '')}@mail.test`
  const own = await done(admin, 'POST', 'partner_info', { partner: net.partner.id, type: 'email', value })
  const answer = () => done(admin, 'GET', `partner_info/${own.id}/check_duplicate`)
  expect(await answer()).toEqual({ duplicates: [], others: 0 })
  await done(admin, 'POST', 'partner_info', { partner: other.partner.id, type: 'telegram', value })
  expect(await answer()).toEqual({ duplicates: [], others: 0 })
  await done(admin, 'POST', 'partner_info', { partner: other.partner.id, type: 'email', value: value.toUpperCase() })
  expect(await answer()).toEqual({
    duplicates: [{ partner: { id: other.partner.id, title: other.partner.title } }],
    others: 0,
  })
  const manager = await signIn(server, 'MANAGER')
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Own') })
  const managers = [{ user: manager.id }]
  await done(admin, 'POST', 'partner_partner_group', { partner: net.partner.id, partner_group: group.id, managers })
  expect(await done(manager, 'GET', `partner_info/${own.id}/check_duplicate`)).toEqual({ duplicates: [], others: 1 })
  const foreign = await done(admin, 'GET', `partner_info?filter[partner]=${other.partner.id}`, undefined, {})
  const [row] = foreign.items as Json[]
  expect((await ask(manager, 'GET', `partner_info/${row?.id}/check_duplicate`)).status).toBe(404)
})

test('another payment model keeps agency spend, and the answer says so in both languages [ENT-12]', async () => {
  const day = today(DEFAULT_ZONE)
  const ground = await makeSpendGround(admin, ['2026-02-01', day])
  const { offer, partner } = ground.net
  // The model of a past day stays, so that its spend does.
  await done(admin, 'POST', 'partner_spend', ground.spend)
  const entered = await done(admin, 'POST', 'partner_spend', { ...ground.spend, date: day })
  const changed = await done(admin, 'PUT', `offer/${offer.id}`, { payment_model: 1 })
  expect(changed.notices).toEqual([
    { code: 'agent_spend_kept', message: expect.stringMatching(/any more: 1\. .* remove them by hand$/) },
  ])
  const readLeft = () => done(admin, 'GET', `partner_spend/missing?partner=${partner.id}&month=2026-01`)
  expect(await readLeft()).toMatchObject({
    left: [{ id: entered.id, date: day, sum: '10.0000', partner: { id: partner.id }, model: expect.any(String) }],
    left_count: 1,
  })
  // A range of a past day changes the model of that day, too.
  const { items } = await done(admin, 'GET', `offer_payment_model_history?filter[offer]=${offer.id}`)
  const past = (items as Json[]).find(({ date_to: to }) => to !== null)
  const moved = await done(admin, 'PUT', `offer_payment_model_history/${past?.id}`, { value: 1 })
  expect(moved.notices).toEqual([{ code: 'agent_spend_kept', message: expect.stringContaining('any more: 2.') }])
  expect(await readLeft()).toMatchObject({ left_count: 2 })
  const russian = await ask(admin, 'PUT', `offer/${offer.id}`, { payment_model: 2 }, { 'accept-language': 'ru' })
  expect(russian.body.notices).toContainEqual({
    code: 'agent_spend_kept',
    message: expect.stringContaining('удалите их вручную'),
  })
  expect(await done(admin, 'GET', `partner_spend/${entered.id}`)).toMatchObject({ sum: '10.0000' })
  expect(await done(admin, 'PUT', `offer/${offer.id}`, { cost: '51' })).not.toHaveProperty('notices')
})

test('a rejected partner offer lists all reasons at once, by code, with the row to correct [ENT-15] [API-05]', async () => {
  const bare = await makeNetwork(admin)
  await done(admin, 'PUT', `advertiser_country/${bare.presence.id}`, { media_id: null })
  await done(admin, 'PUT', `offer/${bare.offer.id}`, { state: 'unapproved', active: false })
  await done(admin, 'PUT', `partner/${bare.partner.id}`, { state: 'unapproved' })
  const reply = await ask(admin, 'POST', 'offer_partner', linkOf(bare))
  expect(reply.status).toBe(422)
  const at = (entity: string, id: number) => expect.objectContaining({ mend: { entity, id } })
  expect(reply.body.reasons).toEqual([
    expect.objectContaining({ field: 'offer', code: 'offer_not_approved', message: expect.any(String) }),
    expect.objectContaining({ field: 'offer', code: 'offer_inactive' }),
    expect.objectContaining({ field: 'offer', code: 'media_id_missing' }),
    expect.objectContaining({ field: 'partner', code: 'partner_not_approved' }),
  ])
  expect(reply.body.reasons).toEqual([
    at('offer', bare.offer.id),
    at('offer', bare.offer.id),
    at('advertiser', bare.advertiser.id),
    at('partner', bare.partner.id),
  ])
})

test('budgets have a month, invoices a period and their partner, spends the report currency [SPD-05] [SPD-06]', async () => {
  const of = { advertiser: net.advertiser.id, country: net.country.id, planned: '100' }
  for (const day of ['2026-03-17', '2026-03-31', '2026-03-1', '2026-03-01T00:00', '2026-02-30'])
    expect(await refused(admin, 'POST', 'budget', { ...of, month: day }), day).toEqual({ month: ['Wrong date'] })
  expect(await done(admin, 'POST', 'budget', { ...of, month: '2026-03-01' })).toMatchObject({ month: '2026-03-01' })
  expect(await refused(admin, 'POST', 'budget', { ...of, month: '2026-03' })).toEqual({ month: ['Already exists'] })
  const { id } = await done(admin, 'POST', 'budget', { ...of, month: '2026-04' })
  const listed = await done(admin, 'GET', `budget?filter[advertiser]=${of.advertiser}&filter[month]=2026-04`)
  expect(listed.items).toMatchObject([{ id, month: '2026-04-01' }])
  expect(await refused(admin, 'POST', 'budget', { ...of, month: '2026-13' })).toEqual({ month: ['Wrong date'] })
  await done(admin, 'PUT', 'setting/1', { report_currency: net.currency.id })
  const ground = await makeSpendGround(admin, ['2026-03-02', '2026-03-03'])
  const spend = { stream: ground.net.stream.id, country: ground.net.country.id, date: '2026-03-02', sum: '5' }
  expect(await done(admin, 'POST', 'partner_spend', spend)).toMatchObject({
    currency: { id: net.currency.id },
    source: 'manual',
  })
  expect(await refused(admin, 'POST', 'partner_spend', spend)).toEqual({ date: ['Already exists'] })
  await done(admin, 'PUT', 'setting/1', { report_currency: null })
  const { items } = await done(admin, 'GET', 'currency?filter[value]=EUR')
  const euro = (items as Json[])[0] ?? (await done(admin, 'POST', 'currency', { title: unique('Euro'), value: 'EUR' }))
  expect(await done(admin, 'POST', 'partner_spend', { ...spend, date: '2026-03-03' })).toMatchObject({
    currency: { id: euro.id },
  })
})

test('a creation sent twice with one key creates one row; the key belongs to that creation only [API-05]', async () => {
  const body = { title: unique('Once') }
  const key = { 'idempotency-key': unique('key').replace(' ', '-') }
  const [one, two] = await Promise.all([
    ask(admin, 'POST', 'landing', { ...body, value: 'a' }, key),
    ask(admin, 'POST', 'landing', { ...body, value: 'a' }, key),
  ])
  expect([one.status, two.status]).toEqual([201, 201])
  expect(one.body.id).toBe(two.body.id)
  const { pagination } = await done(admin, 'GET', `landing?filter[title]=${encodeURIComponent(body.title)}`)
  expect(pagination).toMatchObject({ total: 1 })
  expect(await ask(admin, 'POST', 'landing', { ...body, value: 'b' }, key)).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  const failing = { 'idempotency-key': unique('key').replace(' ', '-') }
  expect((await ask(admin, 'POST', 'landing', { title: '' }, failing)).status).toBe(422)
  expect((await ask(admin, 'POST', 'landing', { ...body, value: 'c' }, failing)).status).toBe(201)
})

const isOpen = (requirement: unknown): boolean =>
  requirement === 'everyone' || ((requirement as { roles?: unknown[] }).roles ?? []).length > 0
const BUILT_IN_ROLES = 4
const MADE = ENTITY_NAMES.filter((name) => isOpen(entityOf(name).access.create))

test.each(MADE)('%s: rows that it refers to are not deleted, and the answer names it [ENT-25]', async (name) => {
  const pool = makePool(admin)
  // Other rows of the network refer to the same rows.
  await completeNetwork(pool.make)
  const row = await makeRow(pool, name)
  const whole = await done(admin, 'GET', `${name}/${row.id}`)
  for (const [field, declared] of fieldsOf(entityOf(name))) {
    if (declared.kind !== 'reference' || isOwned(entityOf(name), field, declared)) continue
    const target = whole[field] as { id: number } | null
    if (target === null || !isOpen(entityOf(declared.to).access.remove)) continue
    const reply = await ask(admin, 'DELETE', `${declared.to}/${target.id}`)
    expect([field, reply.status], JSON.stringify(reply.body)).toEqual([field, 409])
    // Built-in roles cannot be deleted, even without references.
    const isBuiltIn = reply.body.references === undefined && target.id <= BUILT_IN_ROLES && declared.to === 'user_role'
    if (isBuiltIn) continue
    const references = reply.body.references as { entity: string; items: { id: number }[] }[]
    const named = references.find(({ entity }) => entity === name)
    expect(
      named?.items.map(({ id }) => id),
      field,
    ).toContain(row.id)
  }
})

/** Rows that mean nothing without the one they refer to: keys, counts, logs, and the partners of a close. */
const DELETED_WITH_OTHERS = [
  'api_key.user_id',
  'click_rejection.offer_id',
  'click_rejection.offer_partner_id',
  'click_rejection.partner_id',
  'google_parse_result.partner_id',
  'period_close_partner.partner_id',
]

test('a row is deleted with another one only if it belongs to that one [ENT-25]', async () => {
  const { rows } = await server.services.postgres.pool.query<{ place: string }>(`
    select c.conrelid::regclass || '.' || a.attname as place from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.confdeltype = 'c'`)
  const deleting = new Set(rows.map(({ place }) => place))
  const deletedWithOthers = ENTITY_NAMES.flatMap((name) =>
    [...fieldsOf(entityOf(name))].flatMap(([field, declared]) => {
      if (declared.kind !== 'reference' || isOwned(entityOf(name), field, declared)) return []
      const place = `${name}.${columnOf(field, declared)}`
      return deleting.has(place) ? [place] : []
    }),
  )
  expect(deletedWithOthers.toSorted()).toEqual(DELETED_WITH_OTHERS)
})
