// The cohort reports from question to answer: plain, cumulative and flat, out of the same sums.

import { paginate } from '@tributary/contract/list-query'
import type { CohortAnswer, CohortRequest, CohortRow, FlatCohortRow } from '@tributary/contract/reports/cohort'
import type { CohortVariant } from '@tributary/contract/reports/cohort-choices'
import type { ReportGroup } from '@tributary/contract/reports/general'
import { dimensionOf } from '@tributary/contract/reports/traffic'
import { readReportSetting } from '../engine/context.ts'
import type { Whole } from '../engine/derive.ts'
import { readTitlesAt } from '../engine/format.ts'
import type { Viewer } from '../engine/query.ts'
import { type GroupId, toWhole } from '../engine/read-rows.ts'
import { prepareRun, type Run } from '../engine/run-statement.ts'
import { nameGroup, rankTitles } from '../engine/titles.ts'
import { readAges } from '../freshness.ts'
import { type CohortQuestion, cohortPieceOf, parseCohort } from './cohort-query.ts'
import { type CohortSums, prepareTable, sizeOf } from './cohort-table.ts'
import { COHORT_NUMBERS, compileCohort, compileCohortTotals, planCohort } from './compile-cohort.ts'
import type { ReportEngines } from './general.ts'

export async function answerCohort(
  request: CohortRequest,
  viewer: Viewer,
  engines: ReportEngines,
  variant: CohortVariant,
  signal?: AbortSignal,
): Promise<CohortAnswer> {
  const { postgres, clickhouse } = engines
  const [setting, ages] = await Promise.all([readReportSetting(postgres), readAges(postgres)])
  const asked = parseCohort(request, viewer, setting, variant)
  const piece = cohortPieceOf(asked)
  const question = { ...asked, ...piece }
  const { from, to } = question.selection.first
  const run = prepareRun(clickhouse, { ...question.selection, first: { from, to: question.today } }, signal)
  const { rows, items } = await readRows(question, run, engines)
  const sums = items > rows.length ? await readTotals(question, run) : rows
  const table = prepareTable(question)
  const named = await nameRows(rows, question, viewer, engines)
  const total = table.totalsOf(sums)
  return {
    rows: question.isFlat ? named.flatMap(flatten) : named,
    total,
    average: table.averageOf(sums),
    periods: total.cells.length,
    items,
    // Whoever asks for all, or for a longer page, and gets a part is told of the other pages.
    pagination:
      items > piece.limit ? paginate(piece.page, piece.limit, items) : paginate(asked.page, asked.limit, items),
    period: { dateFrom: from, dateTo: to },
    built_at: new Date().toISOString(),
    ...ages,
    currency: setting.currency,
    warnings: sums.some(isRateMissing) ? ['rate_missing'] : [],
  }
}

interface GroupSums extends CohortSums {
  readonly group: GroupId
}

async function readRows(
  question: CohortQuestion,
  run: Run,
  { postgres }: ReportEngines,
): Promise<{ rows: GroupSums[]; items: number }> {
  const [level] = question.selection.levels
  const entity = level === undefined || question.sort?.by !== 'group' ? undefined : dimensionOf(level).entity
  const statement = compileCohort(
    question,
    planCohort(question),
    entity === undefined ? null : await rankTitles(postgres, entity),
  )
  if (statement === null) return { rows: [], items: 0 }
  return run(statement, (found) => ({
    items: Number(found[0]?.[0] ?? 0),
    rows: found.map(([, cohort, group, cells]) => {
      // The shape of the statement's own select.
      const read = (cells as unknown[][]).map(([period, ...numbers]) => [Number(period), numbers.map(toWhole)] as const)
      const sums = { cohort: String(cohort), group: group as GroupId, groups: 1, periods: new Map(read) }
      return { ...sums, groups: sizeOf(sums) > 0 ? 1 : 0 }
    }),
  }))
}

/** Beyond the page only the cohorts are needed, each with all its groups together. */
async function readTotals(question: CohortQuestion, run: Run): Promise<CohortSums[]> {
  const statement = compileCohortTotals(question, planCohort(question))
  if (statement === null) return []
  return run(statement, (found) =>
    found.map(([cohort, groups, ...sums]) => {
      const periods = new Map<number, Whole[]>()
      for (const [place] of COHORT_NUMBERS.entries()) {
        const [keys, values] = sums[place] as [number[], unknown[]]
        for (const [at, period] of keys.entries()) {
          const numbers = periods.get(period) ?? COHORT_NUMBERS.map((): Whole => 0)
          numbers[place] = toWhole(values[at])
          periods.set(period, numbers)
        }
      }
      return { cohort: String(cohort), groups: Number(groups), periods }
    }),
  )
}

const isRateMissing = ({ periods }: CohortSums): boolean =>
  [...periods.values()].some((numbers) => Number(numbers.at(-1) ?? 0) > 0)

async function nameRows(
  rows: readonly GroupSums[],
  question: CohortQuestion,
  viewer: Viewer,
  { postgres }: ReportEngines,
): Promise<CohortRow[]> {
  const [level] = question.selection.levels
  const ids = new Set(rows.map(({ group }) => group).filter((id) => typeof id === 'number'))
  const titles = level === undefined ? new Map() : await readTitlesAt(postgres, level, ids)
  const table = prepareTable(question)
  const isRoiSeen = question.isCumulative && question.metrics.includes('roi')
  return rows.map((sums) => {
    const group: ReportGroup | null = level === undefined ? null : nameGroup(level, sums.group, titles, viewer.language)
    const cells = table.cellsOf(sums)
    return {
      cohort: nameGroup(question.unit, sums.cohort, new Map(), viewer.language),
      group,
      size: sizeOf(sums),
      cells,
      m: table.wholeOf(sums),
      ...(isRoiSeen && { payback: cells.find(({ m }) => (m.roi ?? -1) >= 0)?.period ?? null }),
    }
  })
}

const flatten = ({ cohort, group, size, cells }: CohortRow): FlatCohortRow[] =>
  cells.map((cell) => ({ cohort, group, size, ...cell }))
