// Answers the report of new streams: streams whose first click, registration or deposit lies in the period, with their results since then.
import { laterDay, today } from '@tributary/contract/period'
import type { GeneralReportRowsAnswer, ReportRow } from '@tributary/contract/reports/general'
import type {
  NewStreamRow,
  NewStreamsAnswer,
  NewStreamsRequest,
  NewStreamsRowsRequest,
} from '@tributary/contract/reports/kinds'
import { deletedConditions } from '../../facts/clicks/deleted-clicks.ts'
import { openReportContext, type ReportContext, type ReportEngines } from '../engine/context.ts'
import { ALL_DAYS, Params, type Statement } from '../engine/params.ts'
import { parseQuery, type ReportRequest } from '../engine/parse.ts'
import type { ReportQuery, Viewer } from '../engine/query.ts'
import { runReport } from '../engine/run-report.ts'
import { createStatementRunner } from '../engine/run-statement.ts'
import { readFreshness } from '../freshness.ts'
import { dimensionSql } from '../model/dimension.ts'
import { chooseFormulas, formulaVersions } from '../saved/formulas.ts'
import { answerCellRows } from './drill-down.ts'
import { FLAT_VARIANT, narrowToPeriod, toHeader } from './fixed-shape.ts'

const SHAPE = { levels: ['manager', 'partner', 'stream'], rowsBy: 'anything' } as const

interface NewStreams {
  /** The query over the days that must contain a stream's first day. */
  readonly query: ReportQuery
  /** The request for the results of those streams since then. */
  readonly request: ReportRequest
  readonly firstDays: ReadonlyMap<number, string>
}

async function findNewStreams(filter: NewStreamsRequest['filter'], context: ReportContext): Promise<NewStreams> {
  const request: ReportRequest = { filter, shape: SHAPE, variant: FLAT_VARIANT }
  const query = parseQuery(request, context)
  const period = { from: query.first.from, to: laterDay(query.first.to, today(context.setting.zone)) }
  const run = createStatementRunner(context, { ...query, first: { from: ALL_DAYS.from, to: period.to } })
  const firstDays = await run(
    compileFirstDays(query),
    (rows) => new Map(rows.map(([id, day]) => [Number(id), String(day)])),
  )
  const found = { on: dimensionSql('stream'), operator: 'in', values: [...firstDays.keys()] } as const
  return { query, request: { ...request, period, conditions: [found] }, firstDays }
}

export async function answerNewStreams(
  request: NewStreamsRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<NewStreamsAnswer> {
  const [context, formulas, freshness] = await Promise.all([
    openReportContext(viewer, engines, signal),
    chooseFormulas(request, viewer, engines.postgres),
    readFreshness(engines.postgres),
  ])
  const found = await findNewStreams(request.filter, context)
  const { rows, total, isRateMissing } = await runReport({ ...found.request, formulas }, context)
  return {
    ...toHeader({ query: found.query, isRateMissing }, context, freshness),
    rows: rows
      .flatMap((row) => toRow(row, found.firstDays))
      .toSorted((a, b) => (a.first_day < b.first_day ? 1 : a.first_day > b.first_day ? -1 : 0)),
    total,
    formulas: formulaVersions(formulas),
  }
}

export async function answerNewStreamRows(
  { filter, cell, pagination }: NewStreamsRowsRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  const context = await openReportContext(viewer, engines, signal)
  const { request } = await findNewStreams(filter, context)
  return answerCellRows(parseQuery(narrowToPeriod(request, 'day', cell), context), cell, pagination, context)
}

/** Rows [stream, first day] of streams in scope whose first day lies in the first period. Filters must not change a first day. */
function compileFirstDays({ first, partners, deletedClicks }: ReportQuery): Statement {
  const params = new Params()
  const scope = partners === null ? '' : ` and partner_id in ${params.bindAs('scope', 'Array(UInt32)', partners)}`
  const { days } = deletedConditions(deletedClicks)
  const deleted =
    days === null
      ? ''
      : `select stream_id, min(day) as first_day from click_day where ${days} and stream_id != 0${scope} group by stream_id
union all
`
  const sql = `select stream_id, min(first_day) as day from (
${deleted}select stream_id, min(day) as first_day from click where is_click = 1 and stream_id != 0${scope} group by stream_id
union all
select stream_id, min(day) as first_day from activity_fact final where is_deleted = 0 and stream_id != 0 and (registrations > 0 or deposits_count > 0)${scope} group by stream_id
) group by stream_id
having day between ${params.bindAs('from1', 'Date', first.from)} and ${params.bindAs('to1', 'Date', first.to)}`
  return { sql, params: params.values }
}

function toRow({ g, sg, tg, m, partial }: ReportRow, first: ReadonlyMap<number, string>): NewStreamRow[] {
  const day = first.get(Number(tg?.id))
  return g === undefined || sg === undefined || tg === undefined || day === undefined
    ? []
    : [{ manager: g, partner: sg, stream: tg, first_day: day, m, ...(partial && { partial }) }]
}
