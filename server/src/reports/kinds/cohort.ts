// Answers the cohort reports (plain, cumulative and flat) from the same sums.
import { paginate } from '@tributary/contract/list-query'
import type { CohortAnswer, CohortRequest, CohortRow, FlatCohortRow } from '@tributary/contract/reports/cohort'
import type { CohortVariant } from '@tributary/contract/reports/cohort-choices'
import type { ReportGroup } from '@tributary/contract/reports/general'
import { type ComponentKey, type ExactNumber, toExactNumber } from '../engine/components.ts'
import { openReportContext, type ReportContext, type ReportEngines } from '../engine/context.ts'
import type { GroupId, Viewer } from '../engine/query.ts'
import { componentReader } from '../engine/read-rows.ts'
import { createStatementRunner, type RunStatement } from '../engine/run-statement.ts'
import { rankTitles, readGroupTitles, toReportGroup } from '../engine/titles.ts'
import { readFreshness } from '../freshness.ts'
import { type CohortQuery, capCohortPage, parseCohort } from './cohort-query.ts'
import { type CohortSums, cohortSize, prepareTable } from './cohort-table.ts'
import { COHORT_NUMBERS, COHORT_SUMS, compileCohort, compileCohortTotals, planCohort } from './compile-cohort.ts'

export async function answerCohort(
  request: CohortRequest,
  viewer: Viewer,
  engines: ReportEngines,
  variant: CohortVariant,
  signal?: AbortSignal,
): Promise<CohortAnswer> {
  const [context, freshness] = await Promise.all([
    openReportContext(viewer, engines, signal),
    readFreshness(engines.postgres),
  ])
  const requested = parseCohort(request, context, variant)
  const page = capCohortPage(requested)
  const query = { ...requested, ...page }
  const { from, to } = query.selection.first
  const run = createStatementRunner(context, { ...query.selection, first: { from, to: query.today } })
  const { rows, items } = await readPage(query, run, context)
  const sums = items > rows.length ? await readCohorts(query, run) : rows
  const table = prepareTable(query)
  const named = await nameRows(rows, query, context)
  const total = table.totals(sums)
  return {
    rows: query.isFlat ? named.flatMap(flatten) : named,
    total,
    average: table.average(sums),
    periods: total.cells.length,
    items,
    // If one answer cannot hold the requested page, the pagination lists the further pages.
    pagination:
      items > page.limit ? paginate(page.page, page.limit, items) : paginate(requested.page, requested.limit, items),
    period: { dateFrom: from, dateTo: to },
    built_at: new Date().toISOString(),
    ...freshness,
    currency: context.setting.currency,
    warnings: sums.some(({ isRateMissing }) => isRateMissing) ? ['rate_missing'] : [],
  }
}

interface GroupSums extends CohortSums {
  readonly group: GroupId
}

async function readPage(
  query: CohortQuery,
  run: RunStatement,
  { postgres }: ReportContext,
): Promise<{ rows: GroupSums[]; items: number }> {
  const [level] = query.selection.levels
  const ranks = level !== undefined && query.sort?.by === 'group' ? await rankTitles(postgres, level) : null
  const statement = compileCohort(query, planCohort(query), ranks)
  if (statement === null) return { rows: [], items: 0 }
  return run(statement, (found) => ({
    items: Number(found[0]?.[0] ?? 0),
    // `compileCohort` returns these columns.
    rows: found.map(([, cohort, group, cells]) => readRow(String(cohort), group as GroupId, cells as unknown[][])),
  }))
}

const readCell = componentReader(COHORT_NUMBERS)

function readRow(cohort: string, group: GroupId, cells: readonly unknown[][]): GroupSums {
  const periods = new Map(cells.map(([period, ...numbers]) => [Number(period), readCell(numbers)]))
  const isRateMissing = cells.some((cell) => Number(cell.at(-1)) > 0)
  return { cohort, group, groups: cohortSize({ periods }) > 0 ? 1 : 0, periods, isRateMissing }
}

/** The sums of all cohorts over all pages, each with its groups merged. */
async function readCohorts(query: CohortQuery, run: RunStatement): Promise<CohortSums[]> {
  const statement = compileCohortTotals(query, planCohort(query))
  if (statement === null) return []
  return run(statement, (found) =>
    found.map(([cohort, groups, ...sums]) => {
      const periods = new Map<number, Partial<Record<ComponentKey, ExactNumber>>>()
      for (const [place, name] of COHORT_SUMS.entries()) {
        const [keys, values] = sums[place] as [number[], unknown[]]
        for (const [at, period] of keys.entries()) {
          const components = periods.get(period) ?? {}
          components[name] = toExactNumber(values[at])
          periods.set(period, components)
        }
      }
      const [, missing] = sums.at(-1) as [number[], unknown[]]
      const isRateMissing = missing.some((count) => Number(count) > 0)
      return { cohort: String(cohort), groups: Number(groups), periods, isRateMissing }
    }),
  )
}

async function nameRows(
  rows: readonly GroupSums[],
  query: CohortQuery,
  { viewer, postgres }: ReportContext,
): Promise<CohortRow[]> {
  const [level] = query.selection.levels
  const ids = rows.map(({ group }) => group)
  const titles = level === undefined ? new Map() : await readGroupTitles(postgres, level, ids)
  const table = prepareTable(query)
  const showsPayback = query.isCumulative && query.metrics.includes('roi')
  return rows.map((sums) => {
    const group: ReportGroup | null =
      level === undefined ? null : toReportGroup(level, sums.group, titles, viewer.language)
    const cells = table.toCells(sums)
    return {
      cohort: toReportGroup(query.unit, sums.cohort, new Map(), viewer.language),
      group,
      size: cohortSize(sums),
      cells,
      ...table.rowNumbers(sums),
      ...(showsPayback && { payback: cells.find(({ m }) => (m.roi ?? -1) >= 0)?.period ?? null }),
    }
  })
}

const flatten = ({ cohort, group, size, cells }: CohortRow): FlatCohortRow[] =>
  cells.map((cell) => ({ cohort, group, size, ...cell }))
