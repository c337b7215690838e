// Income that an advertiser has not reported yet: unknown, not 0, in rows, totals, orders, conditions, other reports and files.
import type { CohortAnswer, CohortRow } from '@tributary/contract/reports/cohort'
import type { GeneralReportAnswer, ReportRow } from '@tributary/contract/reports/general'
import type { DashboardAnswer, EfficiencyAnswer } from '@tributary/contract/reports/kinds'
import { parseCsv } from 'hucre/csv'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { accessModule } from '../../src/api/access-module.ts'
import { reportModule } from '../../src/api/report-routes.ts'
import type { Server } from '../../src/server.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { seedReports } from './reports-seed.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: [accessModule, reportModule] })
  admin = await signIn(server, 'ADMIN')
  await seedReports(server.services)
})

const record = (sql: string, values: unknown[] = []) => server.services.postgres.pool.query(sql, values)

/** Facts are on the first two days of June; the advertiser has reported the first one. */
beforeEach(async () => {
  await record('delete from reported_income')
  await record(
    `insert into reported_income (advertiser_id, day, reported_at) values (1, '2026-06-01', '2026-06-02 06:00Z')`,
  )
})

const JUNE = { dateFrom: '2026-06-01', dateTo: '2026-06-30', secondGroupBy: 'off' }
async function ask<A = GeneralReportAnswer>(body: object, path = 'general_report', who = admin): Promise<A> {
  const answer = await who.call('POST', path, body)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as A
}
const told = ({ m, partial }: Pick<ReportRow, 'm' | 'partial'>) => [m.income, m.profit, m.roi, partial]

test('a cell without any reported day is blank; others and the total sum the reported days and are marked [REP-02] [REP-15]', async () => {
  const { rows, total } = await ask({ filter: { ...JUNE, groupBy: 'offer' } })
  expect(rows[0]).toMatchObject({
    g: { title: 'Zebra' },
    partial: ['income'],
    m: { income: 40, s: 15.5, profit: 24.5 },
  })
  expect(rows[1]).toMatchObject({ g: { title: 'apple' }, m: { cc: 1, cr: 1, s: 0 } })
  expect(told(rows[1] ?? { m: {} })).toEqual([null, null, null, ['income']])
  expect(total).toMatchObject({ income: 40, profit: 17.5, partial: ['income'] })
  const days = await ask({ filter: { ...JUNE, groupBy: 'day' } })
  expect(days.rows.map(told)).toEqual([
    [0, -10, -100, undefined],
    [null, null, null, ['income']],
  ])
  const children = await ask({ filter: { ...JUNE, groupBy: 'offer', secondGroupBy: 'day' } })
  expect(children.rows[0]?.children?.map(told)).toEqual(days.rows.map(told))
})

test('spend that no row carries awaits no income [REP-02]', async () => {
  const { rows } = await ask({ filter: JUNE })
  expect(rows.filter(({ s }) => s !== undefined).map(told)).toEqual([[0, -7, -100, undefined]])
})

test('an advertiser that never reported has no known income, and one that reported later days has [REP-02]', async () => {
  await record('delete from reported_income')
  expect(told({ m: (await ask({ filter: JUNE })).total, partial: ['income'] })).toEqual([null, null, null, ['income']])
  await record(`insert into reported_income (advertiser_id, day) values (1, '2026-06-09')`)
  const { rows, total } = await ask({ filter: JUNE })
  expect([total.partial, ...rows.map(({ partial }) => partial)]).toEqual([undefined, undefined, undefined, undefined])
  expect(total).toMatchObject({ income: 40 })
})

test('each period has its own mark [REP-03]', async () => {
  const second = { secondDateFrom: '2026-06-02', secondDateTo: '2026-06-02' }
  const { total } = await ask({ filter: { ...JUNE, dateTo: '2026-06-01', ...second } })
  expect(total).toMatchObject({ income: 0, income_2: null, profit_2: null, roi_2: null, partial: ['income_2'] })
  expect(total.roi_arrow).toBeNull()
})

test('unknown numbers come last in either order and meet no condition, like formulas over them [REP-02] [REP-14]', async () => {
  const formula = await admin.call('POST', 'report_formula', { title: 'Half', expression: 'profit / 2', unit: 'money' })
  const { id } = (await formula.json()) as { id: number }
  const key = `formula:${id}`
  for (const by of ['income', 'profit', key])
    for (const desc of [true, false])
      for (const path of ['general_report', 'general_report_old']) {
        const filter = { ...JUNE, groupBy: 'offer', ...(path.endsWith('old') && { secondGroupBy: 'partner' }) }
        const { rows } = await ask({ filter, sort: { by, desc }, formulas: [id] }, path)
        expect([by, desc, path, rows.map(({ g }) => g?.title).filter(Boolean)]).toEqual([
          by,
          desc,
          path,
          ['Zebra', 'apple'],
        ])
        expect(rows.find(({ g }) => g?.title === 'apple')?.m).toMatchObject({ [key]: null })
      }
  const { rows } = await ask({ filter: JUNE, cfFilter: { income: { lt: 1000 } } })
  expect(rows.map(({ g }) => g?.title).filter(Boolean)).toEqual(['Zebra'])
})

test('a report as known earlier knows the reports of then [REP-15]', async () => {
  await record(
    `insert into reported_income (advertiser_id, day, reported_at) values (1, '2026-06-02', '2026-06-03 06:00Z')`,
  )
  const known = async (knownAt: string) => told({ m: (await ask({ filter: { ...JUNE, knownAt } })).total })[0]
  expect((await ask({ filter: JUNE })).total.partial).toBeUndefined()
  const { total } = await ask({ filter: { ...JUNE, knownAt: '2026-06-02T12:00:00Z' } })
  expect(total.partial).toEqual(['income'])
  expect(await known('2026-06-02T05:00:00Z')).toBeNull()
})

test('by click, the day of the fact decides, not that of the click [REP-04]', async () => {
  const { clickhouse } = server.services
  await clickhouse.exec(
    `insert into activity_fact (day, player_id, version, bets, previous_day, click_id, partner_id, offer_id, advertiser_id, outer_id)
     values ('2026-08-09', 90, 1, 1, '1970-01-01', '01900000-0000-7000-8000-000000000001', 1, 1, 1, 'late')`,
  )
  const { rows } = await ask({ filter: { ...JUNE, groupBy: 'day' } }, 'general_report_click')
  expect(rows[0]).toMatchObject({ g: { id: '2026-06-01' }, m: { income: 0 }, partial: ['income'] })
  await clickhouse.exec('alter table activity_fact delete where player_id = 90 settings mutations_sync = 1')
})

test('cohorts and the dashboard say so as well [REP-06] [REP-09]', async () => {
  const { rows, total } = await ask<CohortAnswer>(
    { filter: { dateFrom: '2026-06-01', dateTo: '2026-06-02', period: 'day', periods: 2 } },
    'cohort_analysis',
  )
  const [first, second] = rows as CohortRow[]
  expect(first?.cells.map(({ m, partial }) => [m.income, partial])).toEqual([
    [0, undefined],
    [null, ['income']],
  ])
  expect([second?.m.income, second?.partial, total.m.income, total.partial]).toEqual([null, ['income'], 40, ['income']])
  const chart = await admin.call('GET', 'dashboard/efficiency_chart?period=day&dateFrom=2026-06-01&dateTo=2026-06-02')
  const { points, total: all } = (await chart.json()) as EfficiencyAnswer
  expect(points.map(({ m, partial }) => [m.income, partial])).toEqual([
    [0, undefined],
    [null, ['income']],
  ])
  expect(all).toMatchObject({ income: 40, partial: ['income'] })
})

test('the dashboard compares income over the days that all advertisers have reported [REP-09] [REP-03]', async () => {
  const filter = { period: 'day', dateFrom: '2026-06-01', dateTo: '2026-06-02' }
  const second = { secondDateFrom: '2026-05-30', secondDateTo: '2026-05-31' }
  const alone = await ask<DashboardAnswer>({ filter }, 'dashboard')
  expect(alone.reported).toBeUndefined()
  const { total, reported } = await ask<DashboardAnswer>({ filter: { ...filter, ...second } }, 'dashboard')
  expect(total).toMatchObject({ income: 40, partial: ['income'] })
  const day = { dateFrom: '2026-06-01', dateTo: '2026-06-01', secondDateFrom: '2026-05-30', secondDateTo: '2026-05-30' }
  expect(reported).toMatchObject({ ...day, total: { income: 0, income_2: 0, profit: -10 } })
  expect(reported?.total.partial).toBeUndefined()
  await record(`insert into reported_income (advertiser_id, day) values (1, '2026-06-09')`)
  expect((await ask<DashboardAnswer>({ filter: { ...filter, ...second } }, 'dashboard')).reported).toBeUndefined()
  await record('delete from reported_income')
  expect((await ask<DashboardAnswer>({ filter: { ...filter, ...second } }, 'dashboard')).reported).toBeUndefined()
})

test('a file marks its rows and explains the marks [REP-14]', async () => {
  const file = async (columns: string[], path = 'general_report') => {
    const body = { filter: { ...JUNE, groupBy: 'offer' }, columns, format: 'csv' }
    const text = await (await admin.call('POST', `${path}/export`, body)).text()
    return parseCsv(text.replace(/^\ufeff/, '')).map((row) => row.map((cell) => String(cell ?? '')))
  }
  const [head, ...rows] = await file(['profit'])
  expect(head).toEqual(['Offer', 'Profit, EUR', 'Income reported'])
  expect(rows.slice(0, 2)).toEqual([
    ['Zebra', '24.5', 'partial'],
    ['apple', '', 'not reported'],
  ])
  expect(rows.find(([title]) => title === 'Total')).toEqual(['Total', '17.5', 'partial'])
  expect(rows.at(-1)?.[0]).toMatch(/^Income of some days is not reported yet/)
  expect((await file(['cc']))[0]).toEqual(['Offer', 'Clicks'])
  await record(`update reported_income set day = '2026-06-02'`)
  expect((await file(['profit']))[0]).toEqual(['Offer', 'Profit, EUR'])
})

test('reports of a PARTNER do not say which income is reported [PERM-07]', async () => {
  const partner = await signIn(server, 'PARTNER', 2)
  expect(JSON.stringify(await ask({ filter: JUNE }, 'general_report', partner))).not.toMatch(/income|partial/)
})

test('entries of player reports and answers of the players API note the days that they report [API-02]', async () => {
  await record('delete from reported_income')
  await record(`insert into player (id, outer_id, advertiser_id) values (901, 'noted', 1)`)
  await record(
    `insert into player_report (player_id, report_date, income, currency_id) values (901, '2026-06-03', 5, 1), (901, '2026-06-04', 0, 1)`,
  )
  await record(
    `insert into players_report_api (report_date, advertiser_id, status) values ('2026-06-05', 1, 'waiting')`,
  )
  await record(`insert into players_report_api (report_date, advertiser_id, status, requested_site_ids)
    values ('2026-06-06', 1, 'success', '{s1}'), ('2026-06-07', 1, 'failed', '{}')`)
  const days = async () =>
    (await record('select day from reported_income order by day')).rows.map(({ day }: { day: string }) => day)
  expect(await days()).toEqual(['2026-06-03', '2026-06-04'])
  await record(`update players_report_api set status = 'success' where report_date = '2026-06-05'`)
  expect(await days()).toEqual(['2026-06-03', '2026-06-04', '2026-06-05'])
})
