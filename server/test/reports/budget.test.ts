// Budgets: states and permissions, versions with reasons, copying a month, and scope of the report.

import type { BudgetAnswer } from '@tributary/contract/reports/budget'
import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, idsOf, type Json, refused, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { readSheet } from '../support/sheet-file.ts'
import { type SignedIn, send, signIn } from '../support/sign-in.ts'
import { makeTwoSides, type TwoSides } from '../support/two-sides.ts'

let server: Server
let admin: SignedIn
let sides: TwoSides
let euro: number

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  euro = (await done(admin, 'POST', 'currency', { title: unique('Euro'), value: 'EUR' })).id
  await done(admin, 'PUT', 'setting/1', { report_currency: euro })
  sides = await makeTwoSides(server, admin)
})

/** Each test uses a cell of its own. */
async function makeBudget(month: string, planned = '1000', more: object = {}): Promise<Json> {
  const advertiser = await done(admin, 'POST', 'advertiser', {
    title: unique('Advertiser'),
    default_domain: 'https://a.test',
    default_currency: euro,
  })
  const body = { advertiser: advertiser.id, country: sides.own.pool.net.country.id, month: `${month}-01`, planned }
  return done(admin, 'POST', 'budget', { ...body, ...more })
}

const readReport = async (person: SignedIn, body: object, headers?: Record<string, string>): Promise<BudgetAnswer> =>
  (await done(person, 'POST', 'budget_report/report', body, headers)) as unknown as BudgetAnswer

const idOf = (row: Json, field: string): number => (row[field] as Json).id
const findRow = ({ rows }: BudgetAnswer, budget: Json) =>
  rows.find((row) => row.advertiser_id === idOf(budget, 'advertiser'))

test('a budget is drafted, proposed by its planner and approved by an admin with a session [MON-10] [PERM-03]', async () => {
  const leader = sides.people.get('TEAM_LEADER')
  if (leader === undefined) throw new Error('nobody leads')
  const budget = await makeBudget('2026-05')
  expect(budget).toMatchObject({ state: 'draft', currency: { id: euro } })
  const ids = { ids: [budget.id] }
  const state = async () => (await done(admin, 'GET', `budget_report/report/${budget.id}`)).state
  expect(await ask(admin, 'PUT', 'budget_report/approve', ids)).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  expect(await ask(leader, 'PUT', 'budget_report/propose', ids)).toMatchObject({ status: 404 })
  expect(await done(admin, 'PUT', 'budget_report/propose', ids)).toEqual({ changed: 1 })
  expect(await ask(admin, 'PUT', 'budget_report/propose', ids)).toMatchObject({ status: 409 })
  expect(await ask(leader, 'PUT', 'budget_report/approve', ids)).toMatchObject({ status: 403 })
  await done(admin, 'PUT', 'budget_report/withdraw', ids)
  expect(await state()).toBe('draft')
  await done(admin, 'PUT', 'budget_report/propose', ids)
  const { key } = await done(admin, 'POST', 'api_key', { title: unique('Key') })
  const byKey = await send(server.url, 'PUT', 'budget_report/approve', ids, { authorization: `Bearer ${String(key)}` })
  expect(byKey.status).toBe(403)
  expect(await state()).toBe('proposed')
  expect(await done(admin, 'PUT', 'budget_report/approve', ids)).toEqual({ changed: 1 })
  expect(await done(admin, 'GET', `budget/${budget.id}`)).toMatchObject({
    state: 'approved',
    approved_by: { id: admin.id },
    approved_at: expect.any(String),
  })
  // Either all budgets change or none.
  const other = await makeBudget('2026-05')
  expect(await ask(admin, 'PUT', 'budget_report/propose', { ids: [other.id, budget.id] })).toMatchObject({
    status: 409,
  })
  expect(await done(admin, 'GET', `budget/${other.id}`)).toMatchObject({ state: 'draft' })
  expect(await ask(admin, 'PUT', 'budget_report/propose', { ids: [other.id, 2_000_000_000] })).toMatchObject({
    status: 404,
  })
  expect(await refused(admin, 'PUT', `budget/${other.id}`, { state: 'approved' })).toHaveProperty('state')
})

test('a change of an approved budget needs a reason, is stored as a version, and needs approval again [MON-10]', async () => {
  const budget = await makeBudget('2026-06')
  const path = `budget_report/report/${budget.id}`
  const ids = { ids: [budget.id] }
  await done(admin, 'PATCH', path, { planned: '1500' })
  await done(admin, 'PUT', 'budget_report/propose', ids)
  await done(admin, 'PUT', 'budget_report/approve', ids)
  const versions = async () => (await done(admin, 'GET', `budget_version?filter[budget]=${budget.id}`)).items as Json[]
  expect(await versions()).toEqual([])
  expect(await refused(admin, 'PATCH', path, { planned: '2000' })).toEqual({ reason: ['This field is required'] })
  expect(await refused(admin, 'PATCH', path, { planned: '2000', reason: '  ' })).toHaveProperty('reason')
  expect(await refused(admin, 'PATCH', path, { active: false })).toHaveProperty('reason')
  expect(await refused(admin, 'PATCH', path, { month: '2026-07-01', reason: 'later' })).toHaveProperty('month')
  expect(await ask(admin, 'DELETE', path)).toMatchObject({ status: 409 })
  // The same month and amount are no change.
  expect(await done(admin, 'PATCH', path, { planned: '1500', month: '2026-06' })).toMatchObject({
    state: 'approved',
  })
  const changed = await done(admin, 'PATCH', path, { planned: '2000', reason: 'A new brand starts' })
  expect(changed).toMatchObject({ planned: '2000.0000', state: 'proposed', approved_by: null })
  expect(changed).not.toHaveProperty('reason')
  expect(await versions()).toMatchObject([
    {
      reason: 'A new brand starts',
      user: { id: admin.id },
      planned_before: '1500.0000',
      planned: '2000.0000',
      approved_by: { id: admin.id },
    },
  ])
  // So do changes before it is approved again, as a draft, too.
  expect(await refused(admin, 'PATCH', path, { planned: '2100' })).toHaveProperty('reason')
  await done(admin, 'PUT', 'budget_report/withdraw', ids)
  expect(await refused(admin, 'PATCH', path, { planned: '2100' })).toHaveProperty('reason')
  expect(await refused(admin, 'PATCH', path, { active: false })).toHaveProperty('reason')
  const again = await done(admin, 'PATCH', path, { planned: '2100', reason: 'One more' })
  expect(again).toMatchObject({ state: 'draft' })
  expect(await versions()).toMatchObject([
    { reason: 'One more', planned_before: '2000.0000', planned: '2100.0000', approved_by: null },
    { reason: 'A new brand starts' },
  ])
  expect(await ask(admin, 'PATCH', path, { planned: '1', version: 1 })).toMatchObject({
    status: 409,
    body: { code: 'stale' },
  })
  expect(await ask(admin, 'DELETE', path)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(await refused(admin, 'PATCH', path, { month: '2026-07-01', reason: 'later' })).toHaveProperty('month')
  expect(await versions()).toHaveLength(2)
  const draft = await makeBudget('2026-06')
  await done(admin, 'DELETE', `budget/${draft.id}`)
})

test('a plan of a month that is over is taken with a notice [MON-10]', async () => {
  const budget = await makeBudget('2024-05')
  expect(budget.notices).toEqual([
    {
      code: 'budget_month_over',
      message: expect.stringContaining('May 2024 is over: this plan is kept for comparison'),
    },
  ])
})

test('the network’s plan is shown to those who see all partners, and changed by them alone [PERM-07] [MON-10]', async () => {
  const budget = await makeBudget('2026-08')
  const { advertiser, country, month } = budget
  for (const role of ['TEAM_LEADER', 'MANAGER'] as const) {
    const person = sides.people.get(role)
    if (person === undefined) throw new Error(`nobody is ${role}`)
    await server.services.postgres.pool.query('update "user" set permissions = permissions || $2 where id = $1', [
      person.id,
      ['budget_report_view', 'budget_report_edit'],
    ])
    expect(await done(person, 'GET', 'budget')).toMatchObject({ items: [] })
    expect(await done(person, 'GET', 'budget_report/report')).toMatchObject({ items: [] })
    for (const path of [`budget/${budget.id}`, `budget_report/report/${budget.id}`])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect((await ask(person, method, path, method === 'PATCH' ? { planned: '1' } : undefined)).status).toBe(404)
    const copy = { advertiser: (advertiser as Json).id, country: (country as Json).id, month, planned: '5' }
    expect(await refused(person, 'POST', 'budget', { ...copy, month: '2026-09-01' })).toHaveProperty('planned')
  }
  expect(await done(admin, 'GET', `budget/${budget.id}`)).toMatchObject({ planned: '1000.0000', version: 1 })
})

test('the previous month is copied with a percentage to cells without a budget [MON-09]', async () => {
  const one = await makeBudget('2025-02', '1000.55')
  const two = await makeBudget('2025-02', '300')
  const taken = await makeBudget('2025-02', '50')
  const cell = { advertiser: idOf(taken, 'advertiser'), country: idOf(taken, 'country') }
  await done(admin, 'POST', 'budget', { ...cell, month: '2025-03-01', planned: '7' })
  const part = {
    advertiser: idOf(one, 'advertiser'),
    country: idOf(one, 'country'),
    month: '2025-02-01',
    planned: '400',
  }
  await done(admin, 'POST', 'partner_budget', { ...part, partner: sides.own.pool.net.partner.id })
  // A plan that stays gets no parts either.
  const own = { ...part, ...cell, planned: '20', partner: sides.own.pool.net.partner.id }
  await done(admin, 'POST', 'partner_budget', own)
  expect(await done(admin, 'POST', 'budget_report/copy', { month: '2025-03', percent: '-10' })).toEqual({
    created: 2,
    kept: 1,
  })
  expect(await done(admin, 'POST', 'budget_report/copy', { month: '2025-03', percent: '-10' })).toEqual({
    created: 0,
    kept: 3,
  })
  const { items } = await done(admin, 'GET', 'budget_report/report?filter[month]=2025-03-01&limit=-1')
  const plannedOf = (budget: Json) =>
    (items as Json[]).find((row) => idOf(row, 'advertiser') === idOf(budget, 'advertiser'))
  expect(plannedOf(one)).toMatchObject({ planned: '900.5000', state: 'draft' })
  expect(plannedOf(two)).toMatchObject({ planned: '270.0000' })
  expect(plannedOf(taken)).toMatchObject({ planned: '7.0000' })
  const parts = await done(admin, 'GET', 'partner_budget?filter[month]=2025-03-01')
  expect(parts.items).toMatchObject([{ planned: '360.0000' }])
  expect(await refused(admin, 'POST', 'budget_report/copy', { month: '2025-13' })).toEqual({ month: ['Wrong date'] })
  expect(await refused(admin, 'POST', 'budget_report/copy', { month: '2025-03', percent: '-101' })).toHaveProperty(
    'percent',
  )
})

test('of two copies of a month at once the second finds every cell taken [MON-09]', async () => {
  for (const planned of ['10', '20', '30']) {
    const one = await makeBudget('2025-05', planned)
    const part = { advertiser: idOf(one, 'advertiser'), country: idOf(one, 'country'), month: '2025-05-01', planned }
    await done(admin, 'POST', 'partner_budget', { ...part, partner: sides.own.pool.net.partner.id })
  }
  const copies = await Promise.all(
    [0, 1, 2].map(() => done(admin, 'POST', 'budget_report/copy', { month: '2025-06', percent: '0' })),
  )
  expect(copies.map(({ created, kept }) => JSON.stringify([created, kept])).toSorted()).toEqual([
    '[0,3]',
    '[0,3]',
    '[3,0]',
  ])
})

test('planned is in its own currency, at the rate of the first day of the month; without a rate it is unknown [MON-10] [SPD-05]', async () => {
  const dollar = await done(admin, 'POST', 'currency', { title: unique('Dollar'), value: 'USD' })
  const zloty = await done(admin, 'POST', 'currency', { title: unique('Zloty'), value: 'PLN' })
  for (const [date, rate] of [
    ['2024-01-20', '0.5'],
    ['2024-02-02', '0.9'],
  ])
    await done(admin, 'POST', 'currency_rate', { currency: dollar.id, date, rate })
  const known = await makeBudget('2024-02', '100.99', { currency: dollar.id })
  const unknown = await makeBudget('2024-02', '100', { currency: zloty.id })
  const answer = await readReport(admin, { month: '2024-02' })
  expect(answer).toMatchObject({ days: 29, complete_days: 29, currency: 'EUR', warnings: ['rate_missing'] })
  expect(answer.burn_up).toHaveLength(29)
  // 50.495 is floored.
  expect(findRow(answer, known)).toMatchObject({
    budget: '50',
    actual_budget: '0',
    free_budget: '50',
    groups: [
      {
        budget: {
          id: known.id,
          budget: '50',
          planned: '100.9900',
          currency: { value: 'USD' },
          state: 'draft',
          version: 1,
        },
      },
    ],
  })
  expect(findRow(answer, unknown)).toMatchObject({ budget: null, free_budget: null, warnings: ['rate_missing'] })
})

test('parts above their budget, and the months that the report accepts [SPD-05] [MON-10]', async () => {
  const budget = await makeBudget('2024-05', '100')
  const part = { advertiser: idOf(budget, 'advertiser'), country: idOf(budget, 'country'), month: '2024-05-01' }
  const [one, two] = [sides.own.pool.net.partner.id, sides.foreign.pool.net.partner.id]
  await done(admin, 'POST', 'partner_budget', { ...part, partner: one, planned: '60' })
  const other = await done(admin, 'POST', 'partner_budget', { ...part, partner: two, planned: '40' })
  const warnings = async () => findRow(await readReport(admin, { filter: { date: '2024-05-17' } }), budget)?.warnings
  expect(await warnings()).toEqual([])
  await done(admin, 'PUT', `partner_budget/${other.id}`, { planned: '40.01' })
  expect(await warnings()).toEqual(['parts_above_plan'])
  const empty = await readReport(admin, { month: '2031-01' })
  expect(empty).toMatchObject({ rows: [], period: null, complete_days: 0, burn_up: [], not_used_spend: [] })
  for (const body of [
    { month: '2024-5' },
    { month: '0000-01' },
    { month: '9999-12' },
    { month: '1500-01' },
    { filter: { date: '9999-12-31' } },
    { filter: { date: '2024-02-30' } },
    { filter: { advertisers: [1] } },
    { filter: { warning: 'mood' } },
  ])
    expect((await ask(admin, 'POST', 'budget_report/report', body)).status).toBe(422)
})

test('a filtered view plans with the parts of its partners only, by role, group header and filter [PERM-06] [PERM-07]', async () => {
  const budget = await makeBudget('2024-08', '1000')
  const part = { advertiser: idOf(budget, 'advertiser'), country: idOf(budget, 'country'), month: '2024-08-01' }
  const { own, foreign } = sides
  await done(admin, 'POST', 'partner_budget', { ...part, partner: own.pool.net.partner.id, planned: '300' })
  await done(admin, 'POST', 'partner_budget', { ...part, partner: foreign.pool.net.partner.id, planned: '200' })
  const month = '2024-08'
  const plannedOf = async (person: SignedIn, filter: object = {}, headers?: Record<string, string>) => {
    const answer = await readReport(person, { month, filter }, headers)
    return [answer.is_narrowed, answer.total.budget, answer.rows[0]?.groups[0]?.budget.id ?? null]
  }
  expect(await plannedOf(admin)).toEqual([false, '1000', budget.id])
  expect(await plannedOf(admin, { partnerGroups: [own.group.id] })).toEqual([true, '300', null])
  expect(await plannedOf(admin, { partners: [foreign.pool.net.partner.id] })).toEqual([true, '200', null])
  const both = { partners: [foreign.pool.net.partner.id], partnerGroups: [own.group.id] }
  expect(await plannedOf(admin, both)).toEqual([true, null, null])
  expect(await plannedOf(admin, {}, { 'group-filter': String(foreign.group.id) })).toEqual([true, '200', null])
  for (const role of ['TEAM_LEADER', 'MANAGER'] as const) {
    const person = sides.people.get(role)
    if (person === undefined) throw new Error(`there is no ${role}`)
    expect(await plannedOf(person)).toEqual([true, '300', null])
    expect(await plannedOf(person, { partners: [foreign.pool.net.partner.id] })).toEqual([true, null, null])
    const text = JSON.stringify(await readReport(person, { month }))
    expect(text).not.toContain(String(foreign.pool.net.partner.title))
  }
  const partner = sides.people.get('PARTNER')
  if (partner === undefined) throw new Error('there is no partner')
  expect((await ask(partner, 'POST', 'budget_report/report', { month })).status).toBe(403)
})

test('rows are sorted by the filter’s sortBy, largest first unless told otherwise [SPD-05]', async () => {
  const [small, large] = [await makeBudget('2023-05', '100'), await makeBudget('2023-05', '900')]
  const orderOf = async (filter: object): Promise<number[]> => {
    const { rows, not_used_count } = await readReport(admin, { month: '2023-05', filter })
    expect(not_used_count).toBe(0)
    return rows.map((row) => row.advertiser_id)
  }
  const order = [large, small].map((budget) => idOf(budget, 'advertiser'))
  expect(await orderOf({ sortBy: 'budget' })).toEqual(order)
  expect(await orderOf({ sortBy: 'budget', sortDesc: false })).toEqual(order.toReversed())
  expect(await refused(admin, 'POST', 'budget_report/report', { filter: { sortBy: 'mood' } })).toHaveProperty('filter')
})

test('the plan is exported to a file with its total at the end [SPD-05] [MON-09]', async () => {
  const budget = await makeBudget('2023-04', '321')
  const file = await admin.call(
    'POST',
    'budget_report/report/export',
    { month: '2023-04', format: 'csv' },
    { 'accept-language': 'ru' },
  )
  expect(file.status).toBe(200)
  const { header, rows } = await readSheet(file)
  expect(header.slice(0, 5)).toEqual(['Рекламодатель', 'Страна', 'Партнёр', 'План, EUR', 'Факт, EUR'])
  const title = (budget.advertiser as Json).title
  expect(rows.filter(([name]) => name === title)).toHaveLength(2)
  expect(rows.at(-1)?.[0]).toBe('Итого')
})

test('countries without plan and spend are listed on request [SPD-05]', async () => {
  const advertiser = sides.own.pool.net.advertiser.id
  const find = async (showCountriesNoSpend: boolean) =>
    (await readReport(admin, { month: '2023-01', filter: { showCountriesNoSpend } })).rows.find(
      (row) => row.advertiser_id === advertiser,
    )
  expect(await find(false)).toBeUndefined()
  expect((await find(true))?.groups.map((group) => group.budget.id)).toEqual([null])
  expect(idsOf(await done(admin, 'GET', 'budget_report/report?limit=10'))).toEqual(expect.any(Array))
})

test('a closed month is read-only: for all its budgets, for a partner’s part once that partner’s month is closed [MON-10] [MON-02]', async () => {
  const { pool } = server.services.postgres
  const [month, open] = ['2024-05', '2024-06']
  const budget = await makeBudget(month)
  const proposed = await makeBudget(month)
  await done(admin, 'PUT', 'budget_report/propose', { ids: [proposed.id] })
  const cell = { advertiser: idOf(budget, 'advertiser'), country: idOf(budget, 'country'), planned: '5' }
  const partner = sides.own.pool.net.partner.id
  const part = await done(admin, 'POST', 'partner_budget', { ...cell, partner, month: `${month}-01` })
  const { rows } = await pool.query<{ id: number }>(
    `insert into period_close (month, partner_group_id, closed_at, closed_by_id, known_at)
      select $1, id, now(), $2, now() from partner_group limit 1 returning id`,
    [month, admin.id],
  )
  const close = rows[0]?.id
  await pool.query('insert into period_close_partner (period_close_id, month, partner_id) values ($1, $2, $3)', [
    close,
    month,
    partner,
  ])
  const isClosed = async (method: string, path: string, body?: object) =>
    expect(await ask(admin, method, path, body), `${method} ${path}`).toMatchObject({
      status: 409,
      body: { code: 'period_closed' },
    })
  // Closed for a group: its partners' parts stay, the network's plan is still open.
  await isClosed('PATCH', `partner_budget/${part.id}`, { planned: '6' })
  await isClosed('DELETE', `partner_budget/${part.id}`)
  await done(admin, 'PATCH', `budget/${budget.id}`, { planned: '1100' })
  expect(await readReport(admin, { month })).toMatchObject({ is_closed: false })
  await pool.query('update period_close set partner_group_id = null where id = $1', [close])
  expect(await readReport(admin, { month })).toMatchObject({ is_closed: true })
  await isClosed('POST', 'budget', { ...cell, month: `${month}-01` })
  await isClosed('PATCH', `budget/${budget.id}`, { planned: '1200' })
  await isClosed('PATCH', `budget_report/report/${budget.id}`, { month: `${open}-01` })
  await isClosed('DELETE', `budget/${budget.id}`)
  await isClosed('PUT', 'budget_report/propose', { ids: [budget.id] })
  await isClosed('PUT', 'budget_report/approve', { ids: [proposed.id] })
  await isClosed('POST', 'budget_report/copy', { month })
  const later = await makeBudget(open)
  await isClosed('PATCH', `budget/${later.id}`, { month: `${month}-01` })
  await pool.query('update period_close set reopened_at = now() where id = $1', [close])
  await done(admin, 'PATCH', `budget/${budget.id}`, { planned: '1200' })
})
