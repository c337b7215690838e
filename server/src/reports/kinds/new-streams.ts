// Streams whose first click, registration or deposit lies in the period, and what they have brought since.
import { laterDay, today } from '@tributary/contract/period'
import type { GeneralReportRowsAnswer, ReportRow } from '@tributary/contract/reports/general'
import type {
  NewStreamRow,
  NewStreamsAnswer,
  NewStreamsRequest,
  NewStreamsRowsRequest,
} from '@tributary/contract/reports/kinds'
import { Params, type Statement } from '../engine/params.ts'
import { EVER } from '../engine/periods.ts'
import type { OwnColumn, Question, Viewer } from '../engine/query.ts'
import { prepareRun } from '../engine/run-statement.ts'
import { dimensionSql } from '../model/dimension.ts'
import { chooseFormulas, tellFormulas } from '../saved/formulas.ts'
import { answerCellRows } from './drill-down.ts'
import { type Asking, ask, atPeriod, prepareAsking, shapeQuestion, tell } from './fixed-shape.ts'
import type { ReportEngines } from './general.ts'

interface Prepared {
  readonly asking: Asking
  /** The days in which first days lie. */
  readonly asked: Question
  /** What those streams have brought since. */
  readonly question: Question
  readonly first: ReadonlyMap<number, string>
}

export async function prepareNewStreams(
  filter: NewStreamsRequest['filter'],
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
  formulas: readonly OwnColumn[] = [],
): Promise<Prepared> {
  const asking = await prepareAsking(viewer, engines, signal)
  const asked = shapeQuestion(
    filter,
    { levels: ['manager', 'partner', 'stream'], rowsBy: 'anything', isFlat: true, formulas },
    asking,
  )
  const since = { from: asked.first.from, to: laterDay(asked.first.to, today(asking.setting.zone)) }
  const run = prepareRun(engines.clickhouse, { ...asked, first: { from: EVER.from, to: since.to } }, signal)
  const first = await run(
    compileFirstDays(asked),
    (found) => new Map(found.map(([id, day]) => [Number(id), String(day)])),
  )
  const chosen = { on: dimensionSql('stream'), operator: 'in', values: [...first.keys()] } as const
  return { asking, asked, question: { ...asked, first: since, conditions: [...asked.conditions, chosen] }, first }
}

export async function answerNewStreams(
  request: NewStreamsRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<NewStreamsAnswer> {
  const formulas = await chooseFormulas(request, viewer, engines.postgres)
  const prepared = await prepareNewStreams(request.filter, viewer, engines, signal, formulas)
  const { asking, asked, question, first } = prepared
  const { rows, total, isRateMissing } = await ask(question, asking)
  return {
    ...tell(asked, asking, isRateMissing),
    rows: rows
      .flatMap((row) => rowOf(row, first))
      .toSorted((a, b) => (a.first_day < b.first_day ? 1 : a.first_day > b.first_day ? -1 : 0)),
    total,
    formulas: tellFormulas(formulas),
  }
}

export async function answerNewStreamRows(
  { filter, cell, pagination }: NewStreamsRowsRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  const { question } = await prepareNewStreams(filter, viewer, engines, signal)
  return answerCellRows(atPeriod(question, 'day', cell), cell, pagination, engines, signal)
}

/** [stream, first day] of those whose first day lies in the period, in scope. A stream's first day does not depend on filters. */
export function compileFirstDays({ first, partners }: Question): Statement {
  const params = new Params()
  const scope = partners === null ? '' : ` and partner_id in ${params.named('scope', 'Array(UInt32)', partners)}`
  const sql = `select stream_id, min(first_day) as day from (
select stream_id, min(day) as first_day from click where is_click = 1 and stream_id != 0${scope} group by stream_id
union all
select stream_id, min(day) as first_day from activity_fact final where is_deleted = 0 and stream_id != 0 and (registrations > 0 or deposits_count > 0)${scope} group by stream_id
) group by stream_id
having day between ${params.named('from1', 'Date', first.from)} and ${params.named('to1', 'Date', first.to)}`
  return { sql, params: params.values }
}

function rowOf({ g, sg, tg, m }: ReportRow, first: ReadonlyMap<number, string>): NewStreamRow[] {
  const day = first.get(Number(tg?.id))
  return g === undefined || sg === undefined || tg === undefined || day === undefined
    ? []
    : [{ manager: g, partner: sg, stream: tg, first_day: day, m }]
}
