// Answers the general report in its four variants: one report run, and the fields of the answer beside its rows.
import type { ReportVariant } from '@tributary/contract/reports/choices'
import type { GeneralReportAnswer, GeneralReportRequest } from '@tributary/contract/reports/general'
import type { Clickhouse } from '../../clickhouse/client.ts'
import { isoOf } from '../../clickhouse/statement.ts'
import { readLogStart } from '../../facts/watermark.ts'
import { openReportContext, type ReportEngines } from '../engine/context.ts'
import { capPage, paginateReport } from '../engine/format.ts'
import type { ReportQuery, Viewer } from '../engine/query.ts'
import { runReport } from '../engine/run-report.ts'
import { readFreshness } from '../freshness.ts'
import { chooseFormulas, formulaVersions } from '../saved/formulas.ts'

/** The list beside the rows has at most this many spends; the rows have all of them, page by page. */
const LISTED_SPENDS = 1000

export async function answerGeneralReport(
  request: GeneralReportRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
  variant?: ReportVariant,
): Promise<GeneralReportAnswer> {
  const [context, formulas, freshness] = await Promise.all([
    openReportContext(viewer, engines, signal, request.filter.knownAt),
    chooseFormulas(request, viewer, engines.postgres),
    readFreshness(engines.postgres),
  ])
  const pagination = capPage(request.pagination)
  const result = await runReport(
    { ...request, formulas, pagination, ...(variant !== undefined && { variant }) },
    context,
  )
  const { query } = result
  return {
    rows: result.rows,
    total: result.total,
    player_count: result.players,
    not_used_spend: result.unallocated.slice(0, LISTED_SPENDS).map(({ listItem: listed }) => listed),
    not_used_count: result.unallocated.length,
    items: result.items,
    pagination: paginateReport(request.pagination, result.items),
    period: {
      dateFrom: query.first.from,
      dateTo: query.first.to,
      secondDateFrom: query.second?.from ?? null,
      secondDateTo: query.second?.to ?? null,
    },
    built_at: new Date().toISOString(),
    ...freshness,
    currency: context.setting.currency,
    known_at: query.knownAt === null ? null : isoOf(query.knownAt),
    warnings: [
      ...(result.isRateMissing ? (['rate_missing'] as const) : []),
      ...((await isBeforeLog(query, engines.clickhouse)) ? (['known_late'] as const) : []),
      ...(result.deletedMonths.length > 0 ? (['clicks_deleted'] as const) : []),
      ...(result.areLevelsCut ? (['levels_cut'] as const) : []),
    ],
    deleted_months: result.deletedMonths,
    formulas: formulaVersions(formulas),
  }
}

/** True if the report is as known at a moment before the log of facts begins. */
export async function isBeforeLog({ knownAt }: Pick<ReportQuery, 'knownAt'>, clickhouse: Clickhouse): Promise<boolean> {
  if (knownAt === null) return false
  const begin = await readLogStart(clickhouse)
  return begin === null || new Date(isoOf(knownAt)) < begin
}
