// The cost report: spend and results of each partner's stream by country and day. Spend alone makes a row appear.
import { COST_METRICS } from '@tributary/contract/reports/choices'
import type { GeneralReportRowsAnswer, ReportRow } from '@tributary/contract/reports/general'
import type { CostAnswer, CostRequest, CostRow, CostRowsRequest } from '@tributary/contract/reports/kinds'
import type { Sheet } from '../../lib/sheet.ts'
import { openReportContext, type ReportEngines } from '../engine/context.ts'
import { capPage, paginateReport } from '../engine/format.ts'
import { parseQuery, type ReportRequest } from '../engine/parse.ts'
import type { Viewer } from '../engine/query.ts'
import { runReport } from '../engine/run-report.ts'
import { chooseColumns } from '../export/columns.ts'
import { type ExportInput, formulasFor, makeSheet } from '../export/general-export.ts'
import { readFreshness } from '../freshness.ts'
import { chooseFormulas, formulaVersions } from '../saved/formulas.ts'
import { answerCellRows } from './drill-down.ts'
import { FLAT_VARIANT, narrowToPeriod, toHeader } from './fixed-shape.ts'

const SHAPE = { levels: ['partner', 'stream', 'country', 'day'], rowsBy: 'costs', metrics: COST_METRICS } as const

const requestOf = ({ filter, sort }: Pick<CostRequest, 'filter' | 'sort'>): ReportRequest => ({
  filter,
  sort,
  shape: SHAPE,
  variant: FLAT_VARIANT,
})

export async function answerCosts(
  request: CostRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<CostAnswer> {
  const [context, formulas, freshness] = await Promise.all([
    openReportContext(viewer, engines, signal),
    chooseFormulas(request, viewer, engines.postgres),
    readFreshness(engines.postgres),
  ])
  const pagination = capPage(request.pagination)
  const result = await runReport({ ...requestOf(request), formulas, pagination }, context)
  return {
    ...toHeader(result, context, freshness),
    rows: result.rows.flatMap(rowOf),
    total: result.total,
    items: result.items,
    pagination: paginateReport(request.pagination, result.items),
    formulas: formulaVersions(formulas),
  }
}

const rowOf = ({ g: partner, sg: stream, tg: country, fg: day, m }: ReportRow): CostRow[] =>
  partner === undefined || stream === undefined || country === undefined || day === undefined
    ? []
    : [{ partner, stream, country, day, m }]

export async function answerCostRows(
  { filter, cell, pagination }: CostRowsRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  const context = await openReportContext(viewer, engines, signal)
  const query = parseQuery(narrowToPeriod(requestOf({ filter }), 'day', cell), context)
  return answerCellRows(query, cell, pagination, context)
}

/** The sheet has all rows, then the total. */
export async function exportCosts(
  input: ExportInput<Omit<CostRequest, 'pagination'>>,
  engines: ReportEngines,
): Promise<Sheet> {
  const { request, viewer, signal, title } = input
  const context = await openReportContext(viewer, engines, signal)
  const query = parseQuery({ ...requestOf(request), formulas: await formulasFor(input, engines) }, context)
  const columns = chooseColumns(request.columns, query, { ...context.setting, language: viewer.language })
  return makeSheet(query, columns, title, context)
}
