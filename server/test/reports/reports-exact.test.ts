// Reports are exact: sums too big for a double, and what is divided is rounded once.
import { GENERAL_REPORTS } from '@tributary/contract/reports/choices'
import { cohortRequest } from '@tributary/contract/reports/cohort'
import { COHORT_REPORTS } from '@tributary/contract/reports/cohort-choices'
import { generalReportRequest } from '@tributary/contract/reports/general'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../src/reports/engine/query.ts'
import { answerCohort } from '../../src/reports/kinds/cohort.ts'
import { answerGeneralReportRows } from '../../src/reports/kinds/drill-down.ts'
import { answerGeneralReport } from '../../src/reports/kinds/general.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'

let services: TestServices
const ADMIN: Viewer = { role: 'ADMIN', partners: null, language: 'en' }

beforeAll(async () => {
  services = await startTestServices()
})

test('sums beyond the whole numbers of a double are exact to the cent [REP-02] [REP-15]', async () => {
  const columns = ['day', 'player_id', 'version', 'is_deleted', 'offer_id', 'deposits_count', 'deposits', 'income']
  const row = (player: number, offer: number, deposits: string, income: string) => [
    '2026-06-01',
    player,
    1,
    0,
    offer,
    1,
    deposits,
    income,
  ]
  await services.clickhouse.insert('activity_fact', columns, [
    row(1, 1, '9007199254740.9923', '9007199254740.9923'),
    row(2, 1, '0.0199', '-9007199254740.9922'),
    row(3, 2, '0.01', '0.005'),
  ])
  const request = generalReportRequest.parse({
    filter: { dateFrom: '2026-06-01', dateTo: '2026-06-30', secondGroupBy: 'off' },
  })
  const answer = await answerGeneralReport(request, ADMIN, services)
  const byOffer = new Map(answer.rows.map((one) => [one.g?.id, one.m]))
  expect(byOffer.get(1)).toMatchObject({
    deposits: 2,
    deposits_amount: 9007199254741.01,
    avg_check: 4503599627370.51,
    income: 0,
  })
  expect(byOffer.get(2)).toMatchObject({ deposits_amount: 0.01, income: 0.01, cfd: null, roi: null })
})

test('sums of which the total alone is beyond them, or what is behind a number, are exact too [REP-02] [REP-06] [REP-13]', async () => {
  const columns = ['day', 'player_id', 'version', 'offer_id', 'outer_id', 'registrations', 'registered_day', 'deposits']
  const day = '2023-05-01'
  const row = (player: number, offer: number, deposits: string) => [
    day,
    player,
    1,
    offer,
    `rich${player}`,
    1,
    day,
    deposits,
  ]
  await services.clickhouse.insert('activity_fact', columns, [
    row(970_001, 97, '600000000000.0049'),
    row(970_002, 97, '600000000000.0001'),
    row(980_001, 98, '9007199254740.9923'),
    row(980_002, 98, '0.0326'),
  ])
  await services.clickhouse.insert(
    'spend_fact',
    ['spend_id', 'version', 'day', 'offer_id', 'partner_id', 'sum'],
    [1, 2].map((spend) => [970_000 + spend, 1, '2023-05-02', 97, 1, '60000000000000']),
  )
  const days = { dateFrom: day, dateTo: '2023-05-31', secondGroupBy: 'off' } as const
  const byPlayer = { ...days, groupBy: 'player_outer_id', offers: [97] } as const
  for (const variant of [GENERAL_REPORTS.general_report, GENERAL_REPORTS.general_report_old])
    for (const cfFilter of [{}, { deposits_amount: { gte: 1 } }, { s: { gte: 1 } }]) {
      const request = generalReportRequest.parse({ filter: byPlayer, cfFilter })
      const { total } = await answerGeneralReport(request, ADMIN, services, undefined, variant)
      const shown = {
        deposits_amount: 's' in cfFilter ? 0 : 1_200_000_000_000.01,
        s: 'deposits_amount' in cfFilter ? 0 : 1.2e14,
      }
      expect({ cfFilter, variant, ...total }).toMatchObject({ cfFilter, variant, ...shown })
    }
  const cohorts = cohortRequest.parse({ filter: { dateFrom: day, dateTo: day, periods: 1, offers: [97] } })
  const { total } = await answerCohort(cohorts, ADMIN, services, COHORT_REPORTS.cohort_analysis)
  expect(total).toMatchObject({ size: 2, m: { deposits_amount: 1_200_000_000_000.01 } })
  const byOffer = generalReportRequest.parse({ filter: { ...days, groupBy: 'offer', offers: [98] } })
  const [{ m } = { m: {} }] = (await answerGeneralReport(byOffer, ADMIN, services)).rows
  const cell = { path: [98], metric: 'deposits_amount' as const }
  const opened = await answerGeneralReportRows({ ...byOffer, cell }, ADMIN, services)
  expect([m.deposits_amount, opened.total]).toEqual([9007199254741.02, 9007199254741.02])
})

test('the average of cohorts is rounded once: their sum by their number [REP-06] [REP-15]', async () => {
  const columns = [
    'day',
    'player_id',
    'version',
    'offer_id',
    'registrations',
    'registered_day',
    'deposits',
    'deposits_count',
  ]
  const day = '2022-05-01'
  // 0.045 by two is 0.02; 0.05 by two would be 0.03. 201 by 200 is 1.01, which is a hair less as a double.
  await services.clickhouse.insert('activity_fact', columns, [
    [day, 990_001, 1, 101, 1, day, '0.02', 1],
    [day, 990_002, 1, 102, 1, day, '0.025', 1],
  ])
  await services.clickhouse.exec(
    `insert into activity_fact (day, player_id, version, offer_id, registrations, registered_day, deposits_count)
    select toDate('2021-05-01'), 995000 + number, 1, 2000 + least(number, 199), 1, toDate('2021-05-01'), 1 from numbers(201)`,
  )
  const averageOf = async (from: string) => {
    const request = cohortRequest.parse({ filter: { dateFrom: from, dateTo: from, periods: 1, groupBy: 'offer' } })
    return (await answerCohort(request, ADMIN, services, COHORT_REPORTS.cohort_analysis)).average
  }
  expect(await averageOf(day)).toMatchObject({
    size: 1,
    m: { deposits_amount: 0.02 },
    cells: [{ m: { deposits_amount: 0.02 } }],
  })
  expect(await averageOf('2021-05-01')).toMatchObject({
    size: 1.01,
    m: { deposits: 1.01 },
    cells: [{ m: { players: 1.01 } }],
  })
})

test('spend without a partner offer is unallocated under every dimension that only a partner offer has [REP-02] [SPD-03]', async () => {
  const day = '2024-03-05'
  // A player of no partner offer makes a row '<not selected>' under each of these groupings.
  await services.clickhouse.insert(
    'activity_fact',
    ['day', 'player_id', 'version', 'advertiser_id', 'registrations', 'registered_day'],
    [[day, 960_001, 1, 0, 1, day]],
  )
  await services.clickhouse.insert(
    'spend_fact',
    ['spend_id', 'version', 'day', 'partner_id', 'stream_id', 'country_id', 'sum'],
    [[960_001, 1, day, 96, 96, 96, '7.5']],
  )
  const groupings = [
    'offer',
    'advertiser',
    'product',
    'payment_model',
    'affiliate_id',
    'traffic_source',
    'site_id',
    'sub_id',
    'site_id_sub_id',
  ] as const
  const variants = Object.values(GENERAL_REPORTS)
  // Half of the variants under each grouping: the other half under the next.
  for (const [place, groupBy] of groupings.entries())
    for (const variant of variants.filter((_, index) => index % 2 === place % 2)) {
      const filter = { dateFrom: day, dateTo: day, groupBy, secondGroupBy: 'off' } as const
      const request = generalReportRequest.parse({ filter })
      const answer = await answerGeneralReport(request, ADMIN, services, undefined, variant)
      const [lost] = answer.rows.filter((row) => row.s !== undefined)
      const shown = { groupBy, listed: answer.not_used_spend.map(({ price }) => price), total: answer.total.s }
      expect(shown).toEqual({ groupBy, listed: [7.5], total: 7.5 })
      const cell = { path: [], nus: String(lost?.s?.id), metric: 's' as const }
      const opened = await answerGeneralReportRows({ ...request, cell }, ADMIN, services, undefined, variant)
      expect({ groupBy, value: opened.total, rows: opened.items.length }).toEqual({ groupBy, value: 7.5, rows: 1 })
    }
  const carried = generalReportRequest.parse({
    filter: { dateFrom: day, dateTo: day, groupBy: 'day', secondGroupBy: 'off' },
  })
  const answer = await answerGeneralReport(carried, ADMIN, services)
  expect([answer.rows.map(({ m }) => m.s), answer.not_used_spend]).toEqual([[7.5], []])
})
