// New deposits by day, week or month: of each partner, or of each stream with its traffic source and country.
import type { GeneralReportRowsAnswer, ReportGroup, ReportRow } from '@tributary/contract/reports/general'
import type {
  NewDepositAnswer,
  NewDepositRequest,
  NewDepositRow,
  NewDepositRowsRequest,
} from '@tributary/contract/reports/kinds'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import { cohortOf, stepFrom } from '../cohort-question.ts'
import type { Question, Viewer } from '../question.ts'
import { type Asking, ask, atPeriod, prepareAsking, shapeQuestion, tell } from '../shaped.ts'
import { nameGroup } from '../titles.ts'
import type { ReportEngines } from './general.ts'
import { answerCellRows } from './general-rows.ts'
import { ownersOf } from './stream-owner.ts'

export async function answerNewDeposits(
  { filter: { period, ...narrowing } }: NewDepositRequest,
  isByStream: boolean,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<NewDepositAnswer> {
  const asking = await prepareAsking(viewer, engines, signal)
  const question = questionOf(narrowing, period, isByStream, asking)
  const { rows: found, isRateMissing } = await ask(question, asking)
  const streams = isByStream ? found.map(({ g }) => Number(g?.id ?? 0)) : []
  const owners = await ownersOf(engines.postgres, streams, viewer.language)
  const rows = gather(found, isByStream, owners)
  const cells: Record<string, number> = {}
  for (const row of rows)
    for (const [date, count] of Object.entries(row.cells)) cells[date] = (cells[date] ?? 0) + count
  const { from, to } = question.first
  const periods: NewDepositAnswer['periods'] = []
  for (let date = cohortOf(period, from); date <= to; date = stepFrom(period, date, 1))
    periods.push({ date, title: nameGroup(period, date, new Map(), viewer.language).title })
  return {
    ...tell(question, asking, isRateMissing),
    periods,
    rows: rows.toSorted((a, b) => b.total - a.total),
    total: { cells, total: rows.reduce((sum, row) => sum + row.total, 0) },
  }
}

function questionOf(narrowing: object, period: DimensionName, isByStream: boolean, asking: Asking): Question {
  const levels = isByStream
    ? (['stream', 'traffic_source', 'country', period] as const)
    : (['partner', period] as const)
  return shapeQuestion(narrowing, { levels, rowsBy: 'deposits', metrics: ['nd'], isFlat: true }, asking)
}

export async function answerNewDepositRows(
  { filter: { period, ...narrowing }, cell, pagination }: NewDepositRowsRequest,
  isByStream: boolean,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  const question = questionOf(narrowing, period, isByStream, await prepareAsking(viewer, engines, signal))
  return answerCellRows(atPeriod(question, period, cell), cell, pagination, engines, signal)
}

/** Rows come group by group, so that those of one partner or stream stand together. */
function gather(
  found: readonly ReportRow[],
  isByStream: boolean,
  owners: ReadonlyMap<number, { partner: ReportGroup }>,
): NewDepositRow[] {
  const rows = new Map<string, NewDepositRow>()
  for (const { g, sg, tg, fg, m } of found) {
    const date = (isByStream ? fg : sg)?.date
    if (g === undefined || date === undefined) continue
    const key = isByStream ? [g.id, sg?.id, tg?.id].join(' ') : String(g.id)
    const known = rows.get(key) ?? makeRow(isByStream, g, sg, tg, owners)
    rows.set(key, known)
    known.cells[date] = (known.cells[date] ?? 0) + (m.nd ?? 0)
    known.total += m.nd ?? 0
  }
  return [...rows.values()]
}

function makeRow(
  isByStream: boolean,
  g: ReportGroup,
  sg: ReportGroup | undefined,
  tg: ReportGroup | undefined,
  owners: ReadonlyMap<number, { partner: ReportGroup }>,
): NewDepositRow {
  if (!isByStream) return { partner: g, cells: {}, total: 0 }
  const partner = owners.get(Number(g.id))?.partner ?? { id: 0, title: '–' }
  return {
    partner,
    stream: g,
    ...(sg !== undefined && { traffic_source: sg }),
    ...(tg !== undefined && { country: tg }),
    cells: {},
    total: 0,
  }
}
