// Costs: what each partner's stream cost in each country on each day, and what came of it. Spend makes a row by itself here.
import { ALL } from '@tributary/contract/limits'
import { COST_METRICS } from '@tributary/contract/reports/choices'
import type { GeneralReportRowsAnswer } from '@tributary/contract/reports/general'
import type { CostAnswer, CostRequest, CostRow, CostRowsRequest } from '@tributary/contract/reports/kinds'
import type { Sheet } from '../../lib/sheet.ts'
import type { OwnColumn, Question, Viewer } from '../engine/query.ts'
import { pieceOf, tellPages } from '../engine/roll-up.ts'
import { chooseColumns } from '../export/columns.ts'
import { type ExportAsked, formulasFor, makeSheet } from '../export/general-export.ts'
import { chooseFormulas, tellFormulas } from '../saved/formulas.ts'
import { answerCellRows } from './drill-down.ts'
import { type Asking, ask, atPeriod, prepareAsking, shapeQuestion, tell } from './fixed-shape.ts'
import type { ReportEngines } from './general.ts'

const LEVELS = ['partner', 'stream', 'country', 'day'] as const

export async function answerCosts(
  request: CostRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<CostAnswer> {
  const asking = await prepareAsking(viewer, engines, signal)
  const formulas = await chooseFormulas(request, viewer, engines.postgres)
  const question = questionOf(request, asking, pieceOf(request.pagination), formulas)
  const { rows, total, items, isRateMissing } = await ask(question, asking)
  return {
    ...tell(question, asking, isRateMissing),
    rows: rows.flatMap(rowOf),
    total,
    items,
    pagination: tellPages(request.pagination, items),
    formulas: tellFormulas(formulas),
  }
}

function questionOf(
  { filter, sort }: Pick<CostRequest, 'filter' | 'sort'>,
  asking: Asking,
  { page, limit }: { page: number; limit: number },
  formulas: readonly OwnColumn[] = [],
): Question {
  const shape = {
    levels: LEVELS,
    rowsBy: 'costs',
    metrics: COST_METRICS,
    isFlat: true,
    formulas,
    sort: sort ?? null,
    page,
    limit,
  } as const
  return shapeQuestion(filter, shape, asking)
}

const rowOf = ({
  g,
  sg,
  tg,
  fg,
  m,
}: { [L in 'g' | 'sg' | 'tg' | 'fg']?: CostRow['day'] } & Pick<CostRow, 'm'>): CostRow[] =>
  g === undefined || sg === undefined || tg === undefined || fg === undefined
    ? []
    : [{ partner: g, stream: sg, country: tg, day: fg, m }]

const WHOLE = { page: 1, limit: ALL } as const

export async function answerCostRows(
  { filter, cell, pagination }: CostRowsRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  const asking = await prepareAsking(viewer, engines, signal)
  const question = atPeriod(questionOf({ filter }, asking, WHOLE), 'day', cell)
  return answerCellRows(question, cell, pagination, engines, signal)
}

/** All rows, and the total after them. */
export async function exportCosts(
  asked: ExportAsked<Omit<CostRequest, 'pagination'>>,
  engines: ReportEngines,
): Promise<Sheet> {
  const { request, viewer, signal } = asked
  const asking = await prepareAsking(viewer, engines, signal)
  const { zone, currency } = asking.setting
  const question = questionOf(request, asking, WHOLE, await formulasFor(asked, engines))
  const columns = chooseColumns(request.columns, question, { currency, language: viewer.language })
  return makeSheet(question, columns, zone, asked, engines)
}
