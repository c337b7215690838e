// Mounts the reports of the contract and passes caller, language and disconnect signal to `reports/`.

import { type Call, REPORT_BODY_LIMITS, type Report } from '@tributary/contract/call'
import type { BudgetRequest } from '@tributary/contract/reports/budget'
import { generalReportChanges, type ReportChangesRequest } from '@tributary/contract/reports/changes'
import { GENERAL_REPORT_NAMES, GENERAL_REPORTS, type GeneralReportName } from '@tributary/contract/reports/choices'
import type { CohortDrillRequest, CohortRequest } from '@tributary/contract/reports/cohort'
import { COHORT_REPORT_NAMES, COHORT_REPORTS, type CohortReportName } from '@tributary/contract/reports/cohort-choices'
import {
  type GeneralReportRequest,
  type GeneralReportRowsRequest,
  generalReportValues,
  type ReportNotificationQuery,
  type ReportValuesQuery,
  reportNotification,
} from '@tributary/contract/reports/general'
import {
  type CostRequest,
  type CostRowsRequest,
  costSheet,
  type DashboardQuery,
  type DashboardRequest,
  type DashboardRowsRequest,
  efficiencyChart,
  NEW_DEPOSIT_NAMES,
  type NewDepositName,
  type NewDepositRequest,
  type NewDepositRowsRequest,
  type NewStreamsRequest,
  type NewStreamsRowsRequest,
  topCountryChart,
  topPartnersChart,
} from '@tributary/contract/reports/kinds'
import { REPORTS } from '@tributary/contract/reports/registry'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { runForPerson } from '../clickhouse/client.ts'
import type { Viewer } from '../reports/engine/query.ts'
import { answerFilterValues } from '../reports/filter-values.ts'
import { notifiedPeriods, readFactsVersion, readNotification } from '../reports/freshness.ts'
import { answerBudget } from '../reports/kinds/budget.ts'
import { answerGeneralReportChanges } from '../reports/kinds/changes.ts'
import { answerCohort } from '../reports/kinds/cohort.ts'
import { answerCohortRows } from '../reports/kinds/cohort-rows.ts'
import { answerCostRows, answerCosts, exportCosts } from '../reports/kinds/costs.ts'
import { answerDashboard, answerDashboardRows, answerEfficiency, answerTop } from '../reports/kinds/dashboard.ts'
import { answerGeneralReportRows } from '../reports/kinds/drill-down.ts'
import { answerGeneralReport } from '../reports/kinds/general.ts'
import { answerNewDepositRows, answerNewDeposits } from '../reports/kinds/new-deposits.ts'
import { answerNewStreamRows, answerNewStreams } from '../reports/kinds/new-streams.ts'
import type { ServerModule } from '../server-module.ts'
import type { Services } from '../services.ts'
import type { ApiApp } from './app.ts'
import { disconnectSignal } from './connections.ts'
import { languageOf } from './error-reply.ts'
import { sendJson } from './json-reply.ts'
import { type ReportAnswer, TOOL_ANSWERS, titleOf } from './report-tool-answers.ts'
import { sendSheet } from './sheet-reply.ts'

// The casts are safe: the schema of each route has validated its body and query.
const ANSWERS: Readonly<Record<string, ReportAnswer>> = {
  ...TOOL_ANSWERS,
  ...Object.fromEntries(GENERAL_REPORT_NAMES.flatMap((name) => generalAnswers(name))),
  ...Object.fromEntries(COHORT_REPORT_NAMES.flatMap((name) => cohortAnswers(name))),
  [efficiencyChart.name]: ({ query, viewer, services, signal }) =>
    answerEfficiency(query as DashboardQuery, viewer, services, signal),
  [topPartnersChart.name]: ({ query, viewer, services, signal }) =>
    answerTop(query as DashboardQuery, 'partner', viewer, services, signal),
  [topCountryChart.name]: ({ query, viewer, services, signal }) =>
    answerTop(query as DashboardQuery, 'country', viewer, services, signal),
  dashboard: ({ body, viewer, services, signal }) =>
    answerDashboard(body as DashboardRequest, viewer, services, signal),
  dashboard_rows: ({ body, viewer, services, signal }) =>
    answerDashboardRows(body as DashboardRowsRequest, viewer, services, signal),
  cost_report: ({ body, viewer, services, signal }) => answerCosts(body as CostRequest, viewer, services, signal),
  cost_report_rows: ({ body, viewer, services, signal }) =>
    answerCostRows(body as CostRowsRequest, viewer, services, signal),
  [costSheet.name]: async ({ body, viewer, services, signal, reply }) => {
    const request = { ...(body as CostRequest), columns: [] }
    const title = titleOf('cost_report', viewer.language)
    return sendSheet(reply, await exportCosts({ request, viewer, title, signal }, services), 'xlsx')
  },
  budget_report: ({ body, viewer, services, signal }) => answerBudget(body as BudgetRequest, viewer, services, signal),
  ...Object.fromEntries(NEW_DEPOSIT_NAMES.flatMap((name) => newDepositAnswers(name))),
  new_streams: ({ body, viewer, services, signal }) =>
    answerNewStreams(body as NewStreamsRequest, viewer, services, signal),
  new_streams_rows: ({ body, viewer, services, signal }) =>
    answerNewStreamRows(body as NewStreamsRowsRequest, viewer, services, signal),
  [generalReportChanges.name]: ({ body, viewer, services, signal }) =>
    answerGeneralReportChanges(body as ReportChangesRequest, viewer, services, signal),
  [generalReportValues.name]: ({ query, viewer, services, signal }) =>
    answerFilterValues(query as ReportValuesQuery, viewer, services.clickhouse, signal),
  [reportNotification.name]: async ({ query, viewer, services: { postgres } }) => {
    const asked = query as ReportNotificationQuery
    const periods = notifiedPeriods(asked)
    // The version is read first: what is written afterwards changes it.
    const version = asked.version === undefined ? undefined : await readFactsVersion(postgres, periods)
    return {
      ...(await readNotification(postgres, viewer.language, periods)),
      ...(version !== undefined && { version }),
    }
  },
}

function generalAnswers(name: GeneralReportName): (readonly [string, ReportAnswer])[] {
  const variant = GENERAL_REPORTS[name]
  return [
    [
      name,
      ({ body, viewer, services, signal }) =>
        answerGeneralReport(body as GeneralReportRequest, viewer, services, signal, variant),
    ],
    [
      `${name}_rows`,
      ({ body, viewer, services, signal }) =>
        answerGeneralReportRows(body as GeneralReportRowsRequest, viewer, services, signal, variant),
    ],
  ]
}

function cohortAnswers(name: CohortReportName): (readonly [string, ReportAnswer])[] {
  const variant = COHORT_REPORTS[name]
  return [
    [
      name,
      ({ body, viewer, services, signal }) => answerCohort(body as CohortRequest, viewer, services, variant, signal),
    ],
    [
      `${name}_rows`,
      ({ body, viewer, services, signal }) =>
        answerCohortRows(body as CohortDrillRequest, viewer, services, variant, signal),
    ],
  ]
}

function newDepositAnswers(path: NewDepositName): (readonly [string, ReportAnswer])[] {
  const name = path.replace('/', '_')
  return [
    [
      name,
      ({ body, viewer, services, signal }) =>
        answerNewDeposits(body as NewDepositRequest, path, viewer, services, signal),
    ],
    [
      `${name}_rows`,
      ({ body, viewer, services, signal }) =>
        answerNewDepositRows(body as NewDepositRowsRequest, path, viewer, services, signal),
    ],
  ]
}

const viewerOf = (request: FastifyRequest): Viewer => ({
  role: request.person.role,
  partners: request.person.scope.partners,
  language: languageOf(request),
})

/** A call without a declared query accepts no parameters. */
const NO_QUERY = z.strictObject({})

export const reportModule: ServerModule = {
  name: 'reports',
  roles: ['api'],
  routes(app, services) {
    for (const report of REPORTS) mountReport(app, report, services)
  },
}

function mountReport(app: ApiApp, report: Report, services: Services): void {
  const own = {
    name: report.name,
    method: 'POST',
    path: report.path,
    access: report.access,
    body: report.request,
    answer: report.answer,
    isReading: true,
  } as const
  for (const call of [own, ...report.calls]) mountCall(app, call, report.name, services)
}

function mountCall(app: ApiApp, call: Call, tag: string, services: Services): void {
  const answer = ANSWERS[call.name]
  if (answer === undefined) throw new Error(`nothing answers ${call.name}`)
  const status = call.status ?? (call.answer === undefined && call.sheet !== true ? 204 : 200)
  app.route({
    method: call.method,
    url: `/${call.path}`,
    config: {
      access: call.access,
      isReading: call.isReading === true,
      bodyLimits: call.bodyLimits ?? REPORT_BODY_LIMITS,
    },
    // Answers are not validated again: a report may have a hundred thousand rows.
    serializerCompiler: () => JSON.stringify,
    schema: {
      operationId: call.name,
      tags: [tag],
      ...(call.params !== undefined && { params: call.params }),
      querystring: call.query ?? NO_QUERY,
      ...(call.body !== undefined && { body: call.body }),
      ...(call.answer !== undefined && { response: { [status]: call.answer } }),
    },
    async handler(request, reply) {
      void reply.status(status)
      const { params, query, body, person: user } = request
      const signal = disconnectSignal(reply)
      const input = { params, query, body, user, viewer: viewerOf(request), services, signal, reply }
      const result = await runForPerson(user.id, () => answer(input))
      return isObject(result) && result !== reply ? sendJson(reply, result) : result
    },
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
