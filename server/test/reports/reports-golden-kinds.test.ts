// The statements of the reports that have a form of their own, as the engine gets them: each has a golden text, scope inside.

import { today } from '@tributary/contract/period'
import { cohortRequest } from '@tributary/contract/reports/cohort'
import { COHORT_REPORT_NAMES, COHORT_REPORTS } from '@tributary/contract/reports/cohort-choices'
import { costRequest, dashboardRequest, newDepositRequest, newStreamsRequest } from '@tributary/contract/reports/kinds'
import { REPORTS } from '@tributary/contract/reports/registry'
import { beforeAll, expect, test } from 'vitest'
import type { ReportEngines } from '../../src/reports/engine/context.ts'
import type { Viewer } from '../../src/reports/engine/query.ts'
import { answerCohort } from '../../src/reports/kinds/cohort.ts'
import { answerCosts } from '../../src/reports/kinds/costs.ts'
import { answerDashboard } from '../../src/reports/kinds/dashboard.ts'
import { answerNewDeposits } from '../../src/reports/kinds/new-deposits.ts'
import { answerNewStreams } from '../../src/reports/kinds/new-streams.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'
import { seedReports } from './reports-seed.ts'

let services: TestServices
const LEADER: Viewer = { role: 'TEAM_LEADER', partners: [1, 2], language: 'en' }
const days = { dateFrom: '2026-06-01', dateTo: '2026-06-30' }
const narrowed = { ...days, countries: { nin: [7] } }

beforeAll(async () => {
  services = await startTestServices()
  await seedReports(services)
})

const KINDS: Readonly<Record<string, (engines: ReportEngines) => Promise<unknown>>> = {
  ...Object.fromEntries(
    COHORT_REPORT_NAMES.map((name) => [
      name,
      (engines: ReportEngines) => {
        const filter = { ...narrowed, period: 'week', groupBy: 'manager', periods: 6 } as const
        const request = cohortRequest.parse({
          filter,
          cfFilter: { nd: { gte: 1 } },
          sort: { by: 'roi', desc: true },
          pagination: { page: 1, limit: 1 },
        })
        return answerCohort(request, LEADER, engines, COHORT_REPORTS[name])
      },
    ]),
  ),
  dashboard: (engines) => answerDashboard(dashboardRequest.parse({ filter: narrowed }), LEADER, engines),
  cost_report: (engines) =>
    answerCosts(costRequest.parse({ filter: narrowed, sort: { by: 'cfd', desc: true } }), LEADER, engines),
  'partner_report/new_deposit': (engines) =>
    answerNewDeposits(
      newDepositRequest.parse({ filter: { ...narrowed, period: 'month' } }),
      'partner_report/new_deposit',
      LEADER,
      engines,
    ),
  'partner_report/stream_report': (engines) =>
    answerNewDeposits(newDepositRequest.parse({ filter: narrowed }), 'partner_report/stream_report', LEADER, engines),
  new_streams: (engines) => answerNewStreams(newStreamsRequest.parse({ filter: narrowed }), LEADER, engines),
}

test('every report has its golden statements, here or among those of the general one [REP-15]', () => {
  // The budget plan runs statements of the general report.
  const own = REPORTS.map(({ path }) => path).filter((path) => !/^(general_report|budget_report)/.test(path))
  expect(own.toSorted()).toEqual(Object.keys(KINDS).toSorted())
})

test.each(Object.entries(KINDS))('%s [REP-06] [REP-07] [REP-08] [REP-09] [PERM-07]', async (path, ask) => {
  const { postgres, clickhouse } = services
  const now = today('Europe/Kyiv')
  const asked: string[] = []
  const table: typeof clickhouse.table = (sql, params, options) => {
    const values = JSON.stringify(params, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value === now ? '<today>' : value,
    )
    asked.push(`${sql};\n-- ${values}`)
    return clickhouse.table(sql, params, options)
  }
  await ask({ postgres, clickhouse: { ...clickhouse, table } })
  // Those that run side by side come in any order.
  const reports = asked.toSorted()
  expect(reports.every((sql) => sql.includes('partner_id in'))).toBe(true)
  await expect(`${reports.join('\n\n')}\n`).toMatchFileSnapshot(
    `../../src/reports/golden/${path.replace('/', '-')}.sql`,
  )
})
