// Mounts the reports of the contract and passes the caller, language and disconnect signal to `reports/`.

import { type Call, REPORT_BODY_LIMITS, type Report } from '@tributary/contract/call'
import { generalReportChanges, type ReportChangesRequest } from '@tributary/contract/reports/changes'
import { GENERAL_REPORT_NAMES, GENERAL_REPORTS, type GeneralReportName } from '@tributary/contract/reports/choices'
import type { CohortRequest, CohortRowsRequest } from '@tributary/contract/reports/cohort'
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
import { notifiedPeriods, readNotification } from '../reports/freshness.ts'
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
  [efficiencyChart.name]: (request, services, signal) =>
    answerEfficiency(request.query as DashboardQuery, viewerOf(request), services, signal),
  [topPartnersChart.name]: (request, services, signal) =>
    answerTop(request.query as DashboardQuery, 'partner', viewerOf(request), services, signal),
  [topCountryChart.name]: (request, services, signal) =>
    answerTop(request.query as DashboardQuery, 'country', viewerOf(request), services, signal),
  dashboard: (request, services, signal) =>
    answerDashboard(request.body as DashboardRequest, viewerOf(request), services, signal),
  dashboard_rows: (request, services, signal) =>
    answerDashboardRows(request.body as DashboardRowsRequest, viewerOf(request), services, signal),
  cost_report: (request, services, signal) =>
    answerCosts(request.body as CostRequest, viewerOf(request), services, signal),
  cost_report_rows: (request, services, signal) =>
    answerCostRows(request.body as CostRowsRequest, viewerOf(request), services, signal),
  [costSheet.name]: async (request, services, signal, reply) => {
    const viewer = viewerOf(request)
    const input = { request: { ...(request.body as CostRequest), columns: [] }, viewer }
    const title = titleOf('cost_report', viewer.language)
    return sendSheet(reply, await exportCosts({ ...input, title, signal }, services), 'xlsx')
  },
  ...Object.fromEntries(NEW_DEPOSIT_NAMES.flatMap((name) => newDepositAnswers(name))),
  new_streams: (request, services, signal) =>
    answerNewStreams(request.body as NewStreamsRequest, viewerOf(request), services, signal),
  new_streams_rows: (request, services, signal) =>
    answerNewStreamRows(request.body as NewStreamsRowsRequest, viewerOf(request), services, signal),
  [generalReportChanges.name]: (request, services, signal) =>
    answerGeneralReportChanges(request.body as ReportChangesRequest, viewerOf(request), services, signal),
  [generalReportValues.name]: (request, services, signal) =>
    answerFilterValues(request.query as ReportValuesQuery, viewerOf(request), services.clickhouse, signal),
  [reportNotification.name]: (request, services) =>
    readNotification(services.postgres, languageOf(request), notifiedPeriods(request.query as ReportNotificationQuery)),
}

function generalAnswers(name: GeneralReportName): (readonly [string, ReportAnswer])[] {
  const variant = GENERAL_REPORTS[name]
  return [
    [
      name,
      (request, services, signal) =>
        answerGeneralReport(request.body as GeneralReportRequest, viewerOf(request), services, signal, variant),
    ],
    [
      `${name}_rows`,
      (request, services, signal) =>
        answerGeneralReportRows(request.body as GeneralReportRowsRequest, viewerOf(request), services, signal, variant),
    ],
  ]
}

function cohortAnswers(name: CohortReportName): (readonly [string, ReportAnswer])[] {
  const variant = COHORT_REPORTS[name]
  return [
    [
      name,
      (request, services, signal) =>
        answerCohort(request.body as CohortRequest, viewerOf(request), services, variant, signal),
    ],
    [
      `${name}_rows`,
      (request, services, signal) =>
        answerCohortRows(request.body as CohortRowsRequest, viewerOf(request), services, variant, signal),
    ],
  ]
}

function newDepositAnswers(path: NewDepositName): (readonly [string, ReportAnswer])[] {
  const name = path.replace('/', '_')
  return [
    [
      name,
      (request, services, signal) =>
        answerNewDeposits(request.body as NewDepositRequest, path, viewerOf(request), services, signal),
    ],
    [
      `${name}_rows`,
      (request, services, signal) =>
        answerNewDepositRows(request.body as NewDepositRowsRequest, path, viewerOf(request), services, signal),
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
      const result = await runForPerson(request.person.id, () =>
        answer(request, services, disconnectSignal(reply), reply),
      )
      return isObject(result) && result !== reply ? sendJson(reply, result) : result
    },
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
