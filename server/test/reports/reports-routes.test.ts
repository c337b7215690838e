// The general report over HTTP: who may ask, what is refused by name, and the form of the answers.
import { GENERAL_REPORT_NAMES } from '@tributary/contract/reports/choices'
import type { GeneralReportAnswer, GeneralReportRowsAnswer, ReportRow } from '@tributary/contract/reports/general'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessModule } from '../../src/api/access-module.ts'
import { liveModule } from '../../src/api/live-module.ts'
import { reportModule } from '../../src/api/report-routes.ts'
import { createFreshnessAnnouncer } from '../../src/facts/watermark.ts'
import type { Server } from '../../src/server.ts'
import { done } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { listen } from '../support/live-ear.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { seedReports } from './reports-seed.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: [accessModule, liveModule, reportModule] })
  admin = await signIn(server, 'ADMIN')
  await seedReports(server.services)
})

const JUNE = { dateFrom: '2026-06-01', dateTo: '2026-06-30' }
const ask = (body: unknown, who = admin): Promise<Response> => who.call('POST', 'general_report', body)
const report = async (body: unknown, who = admin): Promise<GeneralReportAnswer> =>
  (await done(who, 'POST', 'general_report', body)) as unknown as GeneralReportAnswer

describe('the answer', () => {
  test('rows that meet the conditions have all their players, also those who were there before [REP-02]', async () => {
    const asked = { filter: { ...JUNE, groupBy: 'day', secondGroupBy: 'off' }, cfFilter: { nd: { lte: 0 } } }
    const days = await report(asked)
    expect(days.rows.map((row) => row.g?.title ?? row.s?.title)).toContain('02.06.2026')
    expect([days.rows.some((row) => row.g?.title === '01.06.2026'), days.player_count]).toEqual([false, 2])
    const flat = await admin.call('POST', 'general_report_old', asked)
    expect(await flat.json()).toMatchObject({ player_count: 2 })
  })

  test('of deposits alone nobody has bet, also where rows meet conditions [REP-01] [REP-02]', async () => {
    const filter = { ...JUNE, groupBy: 'day', secondGroupBy: 'off', activity: 'deposits' }
    const { total } = await report({ filter, cfFilter: { deposits: { gt: 0 } } })
    expect(total).toMatchObject({ deposits: 3, bets: 0, avg_bet: null })
  })

  test('has groups, children, totals, players and spend without a place [REP-01] [REP-02] [REP-05]', async () => {
    const answer = await report({ filter: JUNE })
    expect(answer.rows.map((row) => row.g?.title ?? row.s?.title)).toEqual([
      'Zebra',
      'apple',
      'NUS: Ukraine, South, s1, 02.06.2026',
    ])
    expect(answer.rows[0]?.children?.[0]?.sg?.title).toBe('Search')
    expect(answer.rows[0]?.m).toMatchObject({
      cc: 3,
      uc: 2,
      cr: 1,
      nd: 1,
      click_reg: 50,
      deposits: 3,
      deposits_amount: 150.12,
      avg_check: 50.04,
      bets: 33.34,
      avg_bet: 33.34,
      income: 40,
      s: 15.5,
      profit: 24.5,
      cfd: 15.5,
      roi: 158.06,
    })
    expect(answer.total).toMatchObject({ cc: 4, uc: 3, cr: 2, nd: 1, s: 22.5, roi: 77.78 })
    expect(answer).toMatchObject({ items: 3, player_count: 2, currency: 'EUR', warnings: [] })
    expect(answer.not_used_spend).toEqual([
      { country: 'Ukraine', partner: 'South', stream: 's1', date: '2026-06-02', price: 7, price_2: null },
    ])
  })

  test('compares with a second period [REP-03]', async () => {
    const answer = await report({
      filter: { dateFrom: '2026-06-02', dateTo: '2026-06-02', secondDateTo: '2026-06-01', secondGroupBy: 'off' },
    })
    expect(answer.period).toEqual({
      dateFrom: '2026-06-02',
      dateTo: '2026-06-02',
      secondDateFrom: '2026-06-01',
      secondDateTo: '2026-06-01',
    })
    expect(answer.rows[0]?.m).toMatchObject({
      cc: 1,
      cc_2: 2,
      avg_check: 25,
      avg_check_2: 100.12,
      avg_check_arrow: 'down',
      roi_arrow: 'up',
    })
  })

  test('pages first-level rows and sorts by number or title [REP-12]', async () => {
    const byTitle = await report({
      filter: JUNE,
      sort: { by: 'group', desc: false },
      pagination: { page: 1, limit: 1 },
    })
    expect(byTitle.rows.map((row) => row.g?.title)).toEqual(['apple'])
    expect(byTitle.pagination).toEqual({ page: 1, limit: 1, total: 3, maxPageNumber: 3 })
    const last = await report({ filter: JUNE, pagination: { page: 3, limit: 1 } })
    expect(last.rows.map((row) => row.s?.id)).toEqual(['1:2:2:2026-06-02'])
    const limited = await report({ filter: JUNE, cfFilter: { nd: { gte: 1 } } })
    expect(limited.rows).toHaveLength(1)
    expect(limited.total).toMatchObject({ cc: 3, s: 15.5 })
  })

  test('names days, weeks, months and what is not selected, in both languages [REP-05] [REP-17]', async () => {
    const months = await report({
      filter: { ...JUNE, groupBy: 'month', secondGroupBy: 'week', thirdGroupBy: 'day', fourthGroupBy: 'promocode' },
    })
    expect(months.rows[0]?.g).toEqual({
      id: '2026-06-01',
      title: 'June 2026',
      date: '2026-06-01',
      month: 6,
      month_title: 'June',
      year: 2026,
    })
    expect(months.rows[0]?.children?.[0]?.sg).toMatchObject({ id: '2026-06-01', week: 23, year: 2026 })
    expect(months.rows[0]?.children?.[0]?.children?.map((row) => row.tg?.id)).toEqual(['2026-06-01', '2026-06-02'])
    expect(months.rows[0]?.children?.[0]?.children?.[0]?.children?.[0]?.fg?.title).toBe('No promocode')
    const answer = await admin.call(
      'POST',
      'general_report',
      { filter: { ...JUNE, groupBy: 'landing' } },
      { 'accept-language': 'ru' },
    )
    expect(((await answer.json()) as GeneralReportAnswer).rows[0]?.g?.title).toBe('<не выбрано>')
  })
})

describe('the four ways of the report', () => {
  const askOf = async (name: string, body: unknown, who = admin): Promise<GeneralReportAnswer> => {
    const answer = await who.call('POST', name, body)
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as GeneralReportAnswer
  }

  test('flat rows are the innermost rows of the tree, side by side, their second group the day [REP-04] [REP-05]', async () => {
    for (const [tree, flat] of [
      ['general_report', 'general_report_old'],
      ['general_report_click', 'general_report_click_old'],
    ] as const) {
      const nested = await askOf(tree, { filter: { ...JUNE, secondGroupBy: 'day' }, pagination: { limit: -1 } })
      const plain = await askOf(flat, { filter: JUNE, pagination: { limit: -1 } })
      const leaves = nested.rows.flatMap((row): Partial<ReportRow>[] =>
        row.s === undefined ? (row.children ?? []).map((child) => ({ ...row, ...child })) : [row],
      )
      const order = (rows: readonly Partial<ReportRow>[]) =>
        rows
          .map(({ g, sg, tg, fg, s, m }) => JSON.stringify([g, sg, tg, fg, s, m]))
          .toSorted((a, b) => (a < b ? -1 : 1))
      expect(order(plain.rows)).toEqual(order(leaves))
      expect(plain.total).toEqual(nested.total)
      expect([plain.player_count, plain.not_used_spend]).toEqual([nested.player_count, nested.not_used_spend])
      const paged = await askOf(flat, { filter: JUNE, pagination: { page: 2, limit: 1 } })
      expect(paged.rows).toEqual([plain.rows[1]])
      expect(paged.pagination).toMatchObject({ total: plain.rows.length, maxPageNumber: plain.rows.length })
    }
  })

  test('by click a player counts on the day of the click, and not at all without one [REP-04]', async () => {
    const { clickhouse } = server.services
    const before = await askOf('general_report_click', { filter: JUNE })
    expect(before.total).toMatchObject({ cc: 4, cr: 0, income: 0, s: 12.5 })
    await clickhouse.exec(
      `insert into activity_fact (day, player_id, version, registrations, income, previous_day, click_id, partner_id, offer_id, outer_id)
       values ('2026-08-09', 90, 1, 1, 25, '1970-01-01', '01900000-0000-7000-8000-000000000003', 1, 9, 'late')`,
    )
    const after = await askOf('general_report_click', { filter: { ...JUNE, secondGroupBy: 'day' } })
    expect(after.rows[0]?.g?.title).toBe('Zebra')
    expect(after.rows[0]?.children?.[1]).toMatchObject({ sg: { id: '2026-06-02' }, m: { cr: 1, income: 25 } })
    const opened = await admin.call('POST', 'general_report_click/rows', {
      filter: JUNE,
      cell: { path: [1], metric: 'income' },
    })
    expect(await opened.json()).toMatchObject({ total: 25, items: [{ player_outer_id: 'late', day: '2026-06-02' }] })
    await clickhouse.exec('alter table activity_fact delete where player_id = 90 settings mutations_sync = 1')
  })

  test('a partner learns neither income nor other partners by any of them [PERM-07]', async () => {
    const partner = await signIn(server, 'PARTNER', 2)
    for (const name of GENERAL_REPORT_NAMES) {
      const answer = await askOf(name, { filter: JUNE }, partner)
      expect(answer.total.cc).toBe(1)
      expect(JSON.stringify(answer)).not.toMatch(/income|profit|roi|North/)
      expect((await partner.call('POST', name, { filter: JUNE, sort: { by: 'roi' } })).status).toBe(403)
      const opened = await partner.call('POST', `${name}/rows`, { filter: JUNE, cell: { path: [], metric: 'income' } })
      expect(opened.status).toBe(403)
    }
  })
})

describe('what a number is made of', () => {
  const rows = async (cell: unknown, filter: object = JUNE): Promise<GeneralReportRowsAnswer> => {
    const answer = await admin.call('POST', 'general_report/rows', { filter, cell })
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as GeneralReportRowsAnswer
  }

  test('opens as clicks, players, player days and spends [REP-13]', async () => {
    expect(await rows({ path: [1], metric: 'cc' })).toMatchObject({
      kind: 'clicks',
      total: 3,
      pagination: { total: 3 },
    })
    expect(await rows({ path: [1, 1], metric: 'uc' })).toMatchObject({ kind: 'clicks', total: 2 })
    expect(await rows({ path: [], metric: 'cr' })).toMatchObject({ kind: 'players', total: 2 })
    expect(await rows({ path: [1], metric: 'deposits_amount' })).toMatchObject({ kind: 'player_days', total: 150.12 })
    expect(await rows({ path: [1], metric: 's' })).toMatchObject({ kind: 'spends', total: 15.5 })
    expect(await rows({ path: [], metric: 's' })).toMatchObject({ kind: 'spends', total: 22.5 })
    expect(await rows({ nus: '1:2:2:2026-06-02', metric: 's' })).toMatchObject({ kind: 'spends', total: 7 })
    for (const metric of ['roi', 'profit'])
      expect(await rows({ path: [1], metric })).toMatchObject({ metric: 'income', made_of: ['income', 's'], total: 40 })
  })
})

describe('rejected requests', () => {
  test.each([
    ['an unknown filter field', { filter: { nonsense: 1 } }],
    ['an unknown operator', { filter: { offers: { gt: [1] } } }],
    ['reversed dates', { filter: { dateFrom: '2026-06-02', dateTo: '2026-06-01' } }],
    ['an unknown metric', { filter: JUNE, cfFilter: { luck: { gt: 1 } } }],
    ['an unknown sort', { filter: JUNE, sort: { by: 'luck' } }],
    ['a second period that was not asked for', { filter: JUNE, sort: { by: 'nd_2' } }],
    ['a date that does not exist', { filter: { dateFrom: '2026-02-30', dateTo: '2026-03-01' } }],
  ])('%s → 422 [REP-01]', async (_, body) => {
    const answer = await ask(body)
    expect(answer.status).toBe(422)
    expect(await answer.json()).toHaveProperty('formErrors')
  })

  test('what is wrong is named inside the filter that was sent [REP-01] [API-05]', async () => {
    const answer = await ask({ filter: { dateFrom: '0000-01-01', dateTo: '2026-06-01' } })
    const early = await ask({ filter: { ...JUNE, secondDateTo: '1900-01-01' } })
    expect(await answer.json()).toMatchObject({ formErrors: { filter: { dateFrom: ['Wrong date'] } } })
    expect(await early.json()).toMatchObject({ formErrors: { filter: { secondDateTo: ['Wrong date'] } } })
  })

  test('not 10,000 ids, nor 13 months [REP-01]', async () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => index)
    const answer = await report({ filter: { offers: ids, dateFrom: '2025-06-01', dateTo: '2026-06-30' } })
    expect(answer.total.cc).toBe(4)
  })
})

describe('roles', () => {
  test('a partner sees their own rows, and never income, profit, ROI or the advertiser [PERM-07]', async () => {
    const partner = await signIn(server, 'PARTNER', 2)
    const answer = await report({ filter: JUNE }, partner)
    expect(answer.rows.map((row) => row.g?.title ?? row.s?.title)).toEqual([
      'apple',
      'NUS: Ukraine, South, s1, 02.06.2026',
    ])
    expect(answer.total.cc).toBe(1)
    expect(JSON.stringify(answer)).not.toMatch(/income|profit|roi|North/)
    for (const body of [
      { filter: { ...JUNE, groupBy: 'advertiser' } },
      { filter: { ...JUNE, advertisers: [1] } },
      { filter: JUNE, sort: { by: 'income' } },
      { filter: JUNE, cfFilter: { roi: { gt: 1 } } },
    ])
      expect((await ask(body, partner)).status).toBe(403)
    const cell = await partner.call('POST', 'general_report/rows', {
      filter: JUNE,
      cell: { path: [], metric: 'income' },
    })
    expect(cell.status).toBe(403)
  })
})

test('a manager and a team leader see the partners that are theirs [PERM-07]', async () => {
  const { pool } = server.services.postgres
  const [manager, leader] = [await signIn(server, 'MANAGER'), await signIn(server, 'TEAM_LEADER')]
  await pool.query(`insert into partner_group (id, title) values (1, 'Group')`)
  await pool.query('insert into partner_partner_group (id, partner_id, partner_group_id) values (1, 2, 1)')
  await pool.query('insert into partner_group_manager (partner_partner_group_id, user_id) values (1, $1)', [manager.id])
  await pool.query('insert into partner_group_team_leader (partner_group_id, user_id) values (1, $1)', [leader.id])
  for (const person of [manager, leader]) {
    const answer = await report({ filter: JUNE }, person)
    expect(answer.rows.map((row) => row.g?.title ?? row.s?.title)).toEqual([
      'apple',
      'NUS: Ukraine, South, s1, 02.06.2026',
    ])
    expect(answer.total).toMatchObject({ cc: 1, cr: 1, income: 0, s: 7 })
    const rows = await person.call('POST', 'general_report/rows', { filter: JUNE, cell: { path: [1], metric: 'cc' } })
    expect(await rows.json()).toMatchObject({ items: [], total: 0 })
  }
})

test('values of a filter are looked up within scope [REP-01] [PERM-07]', async () => {
  const answer = await admin.call('GET', 'general_report/values?field=siteId&query=site')
  expect(await answer.json()).toMatchObject({ options: [{ id: 'site1' }, { id: 'site2' }], pagination: { total: 2 } })
  const partner = await signIn(server, 'PARTNER', 2)
  const own = await partner.call('GET', 'general_report/values?field=siteId')
  expect(await own.json()).toMatchObject({ options: [{ id: 'site2' }], pagination: { total: 1 } })
})

test('the question is documented, field by field [REP-01]', async () => {
  const answer = await admin.call('GET', 'docs/json')
  expect(answer.status).toBe(200)
  const text = JSON.stringify(await answer.json())
  for (const word of [
    '/api/general_report',
    '/api/general_report/rows',
    '/api/general_report/values',
    'secondGroupBy',
    'geoCountry',
    'cfFilter',
  ])
    expect(text).toContain(word)
})

describe('how current the data is', () => {
  const read = async (query = '', language = 'en') =>
    (
      await admin.call('GET', `player_report/notification?report=generalReport${query}`, undefined, {
        'accept-language': language,
      })
    ).json()
  const CURRENT = { update_base_line: '', update_report_data: '', update_spend: '' }
  const wait = (kind: string, key: number): Promise<unknown> =>
    server.services.postgres.pool.query(
      `insert into outbox (kind, key, cause, created_at) values ($1, $2, 'test', now() - interval '1 minute')`,
      [kind, key],
    )
  const empty = (): Promise<unknown> => server.services.postgres.pool.query('delete from outbox')

  test('the notification names what is recomputed in the days of the filter [REP-10]', async () => {
    await empty()
    expect(await read()).toEqual(CURRENT)
    expect(await read('&dateFrom=2026-06-01&version=1')).toEqual({ ...CURRENT, version: expect.any(String) })
    await wait('spend', 999_999)
    expect(await read()).toEqual({ ...CURRENT, update_spend: 'Agent spend data is being updated' })
    await empty()
    await server.services.postgres.pool.query(
      `insert into partner_spend (id, stream_id, country_id, date, sum, currency_id) values (71, 1, 1, '2026-06-30', 5, 1);
       insert into player (id, advertiser_id, registered_at) values (71, 1, '2026-05-31T21:30:00Z');
       delete from outbox`,
    )
    await wait('spend', 71)
    await wait('player', 71)
    const own = { ...CURRENT, update_report_data: 'Deposit data is being updated' }
    expect(await read('&dateFrom=2026-06-01&dateTo=2026-06-30&advertisers[]=1')).toEqual({
      ...own,
      update_spend: 'Agent spend data is being updated',
    })
    expect(await read('&dateFrom=2021-01-01&dateTo=2021-01-31')).toEqual(CURRENT)
    expect(
      await read('&dateFrom=2021-01-01&dateTo=2021-01-31&secondDateFrom=2026-06-01&secondDateTo=2026-06-30'),
    ).not.toEqual(CURRENT)
    await wait('link', 1)
    expect(await read('&dateFrom=2021-01-01&dateTo=2021-01-31')).toEqual({
      ...CURRENT,
      update_base_line: 'Baseline data is being updated',
    })
    const refused = await admin.call('GET', 'player_report/notification?report=generalReport&dateFrom=yesterday')
    expect(refused.status).toBe(422)
  })

  test('each source shows the moment up to which it is counted [REP-10]', async () => {
    await empty()
    const clear = await report({ filter: JUNE })
    expect(Date.parse(clear.sources.spends)).toBeGreaterThan(Date.now() - 60_000)
    await wait('spend', 1)
    const behind = await report({ filter: JUNE })
    expect(behind.sources.players > behind.sources.spends).toBe(true)
    await empty()
  })

  test('live events announce the begin and the end of a recomputation [REP-10]', async () => {
    const ear = await listen(admin, 'report_cache')
    const announce = createFreshnessAnnouncer(server.services.postgres)
    await empty()
    await announce()
    await wait('spend', 1)
    await announce()
    await announce()
    await empty()
    await announce()
    await expect.poll(() => ear.heard).toEqual(['report_cache {}', 'report_cache {}'])
    ear.leave()
  })

  test('a rebuild concerns everything, in the language of the person [REP-10] [I18N-02]', async () => {
    await server.services.postgres.pool.query(`insert into facts_rebuild (reason) values ('test')`)
    expect(Object.values((await read('', 'ru')) as object)).toEqual([
      'Данные базлайна обновляются',
      'Данные депозитов обновляются',
      'Данные расходов агентов обновляются',
    ])
    await server.services.postgres.pool.query('delete from facts_rebuild')
  })
})
