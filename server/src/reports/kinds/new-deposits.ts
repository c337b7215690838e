// New deposits by day, week or month: of each partner, or of each stream with its traffic source and country.
import { LEVELS } from '@tributary/contract/reports/choices'
import type { GeneralReportRowsAnswer, ReportGroup, ReportRow } from '@tributary/contract/reports/general'
import {
  NEW_DEPOSIT_REPORTS,
  type NewDepositAnswer,
  type NewDepositGroup,
  type NewDepositName,
  type NewDepositRequest,
  type NewDepositRow,
  type NewDepositRowsRequest,
} from '@tributary/contract/reports/kinds'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import type { Question, Viewer } from '../engine/query.ts'
import { nameGroup } from '../engine/titles.ts'
import { cohortOf, stepFrom } from './cohort-query.ts'
import { answerCellRows } from './drill-down.ts'
import { type Asking, ask, atPeriod, prepareAsking, shapeQuestion, tell } from './fixed-shape.ts'
import type { ReportEngines } from './general.ts'
import { ownersOf } from './stream-owner.ts'

export async function answerNewDeposits(
  { filter: { period, ...narrowing } }: NewDepositRequest,
  name: NewDepositName,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<NewDepositAnswer> {
  const asking = await prepareAsking(viewer, engines, signal)
  const question = questionOf(narrowing, period, name, asking)
  const { rows: found, isRateMissing } = await ask(question, asking)
  const gathered = gather(found, NEW_DEPOSIT_REPORTS[name])
  const streams = gathered.flatMap(({ stream }) => (stream === undefined ? [] : [Number(stream.id)]))
  const ownerOf = await ownersOf(engines.postgres, streams, viewer.language)
  const rows = gathered.map((row) => ({ ...row, partner: row.partner ?? ownerOf(Number(row.stream?.id ?? 0)) }))
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

function questionOf(narrowing: object, period: DimensionName, name: NewDepositName, asking: Asking): Question {
  const levels = [...NEW_DEPOSIT_REPORTS[name], period]
  return shapeQuestion(narrowing, { levels, rowsBy: 'deposits', metrics: ['nd'], isFlat: true }, asking)
}

export async function answerNewDepositRows(
  { filter: { period, ...narrowing }, cell, pagination }: NewDepositRowsRequest,
  name: NewDepositName,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  const question = questionOf(narrowing, period, name, await prepareAsking(viewer, engines, signal))
  return answerCellRows(atPeriod(question, period, cell), cell, pagination, engines, signal)
}

type Gathered = Partial<Record<NewDepositGroup, ReportGroup>> & Pick<NewDepositRow, 'cells' | 'total'>

/** The cells of the same groups as one row, in the order in which they came. */
function gather(found: readonly ReportRow[], groups: readonly NewDepositGroup[]): Gathered[] {
  const rows = new Map<string, Gathered>()
  for (const cell of found) {
    const path = LEVELS.map((level) => cell[level])
    const date = path[groups.length]?.date
    if (date === undefined) continue
    const named = groups.map((group, depth) => [group, path[depth]] as const)
    const key = named.map(([, group]) => group?.id).join(' ')
    const row = rows.get(key) ?? { ...Object.fromEntries(named), cells: {}, total: 0 }
    rows.set(key, row)
    row.cells[date] = (row.cells[date] ?? 0) + (cell.m.nd ?? 0)
    row.total += cell.m.nd ?? 0
  }
  return [...rows.values()]
}
