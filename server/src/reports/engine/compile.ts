// Stage 3: from a query and its plan to the statements of a report run, in the order in which roll-up needs them.
import { ALL } from '@tributary/contract/limits'
import { dimensionSql, HUGE_DIMENSIONS } from '../model/dimension.ts'
import {
  compileFlat,
  compileFlatTop,
  compileTop,
  compileTree,
  type PageStatements,
  type RowStatement,
} from './compile-rows.ts'
import { compileFilteredTotal, compilePlayerCount } from './compile-totals.ts'
import type { Statement } from './params.ts'
import { type Plan, planReport } from './plan.ts'
import type { GroupId, ReportQuery } from './query.ts'
import type { LevelRanks } from './titles.ts'
import { compileUnallocatedSpend } from './unallocated-spend.ts'

/** Null in place of a statement: no fact can match, or there is nothing to ask. */
export interface ReportStatements {
  readonly levels: ReportQuery['levels']
  /** All rows of the page at once. Null also where the first level is huge. */
  readonly whole: RowStatement | null
  /** The rows of the page without inner levels, where `whole` is null or too large; null where `whole` is the only way. */
  readonly page: (() => PageStatements | null) | null
  /** The inner levels of these first-level groups: all of them, then fewer. The first statement that is not too large is told. */
  readonly inner: (groups: readonly GroupId[]) => readonly RowStatement[]
  readonly filteredTotal: RowStatement | null
  readonly playerCount: Statement | null
  /** `groups`: the innermost groups whose spend is unallocated, where they are known. */
  readonly unallocated: (groups: readonly (readonly GroupId[])[] | null) => Statement | null
}

export function compileReport(query: ReportQuery, plan: Plan, ranks: LevelRanks): ReportStatements {
  const rows = query.isFlat ? compileFlatRows(query, plan, ranks) : compileTreeRows(query, plan, ranks)
  return {
    ...rows,
    levels: query.levels,
    filteredTotal: compileFilteredTotal(query, plan),
    playerCount: compilePlayerCount(query, plan),
    unallocated: (groups) => compileUnallocatedSpend(query, plan, { groups, isWhole: query.metricFilters.length > 0 }),
  }
}

type RowStatements = Pick<ReportStatements, 'whole' | 'page' | 'inner'>

/** Flat rows have no inner levels: none is left out, however many there are. */
const compileFlatRows = (query: ReportQuery, plan: Plan, ranks: LevelRanks): RowStatements => ({
  whole: compileFlat(query, plan, ranks),
  page: () => compileFlatTop(query, plan, ranks),
  inner: () => [],
})

function compileTreeRows(query: ReportQuery, plan: Plan, ranks: LevelRanks): RowStatements {
  const [first] = query.levels
  const depth = query.levels.length
  const isHuge = first !== undefined && HUGE_DIMENSIONS.includes(first)
  return {
    whole: isHuge ? null : compileTree(query, plan, ranks, depth),
    page: depth > 1 || isHuge ? () => compileFirstLevel(query, plan, ranks, isHuge) : null,
    inner: (groups) => (first === undefined ? [] : compileInner(query, plan, ranks, groups)),
  }
}

function compileFirstLevel(query: ReportQuery, plan: Plan, ranks: LevelRanks, isHuge: boolean): PageStatements | null {
  // The innermost groups decide whether spend is unallocated, so they are grouped even though they are not told.
  const needsInner = plan.isSpendPlaceable && query.levels.length > 1
  const first = needsInner ? { query, plan } : cutLevels(query, plan, 1)
  const isPaged = query.metricFilters.length === 0 && query.limit !== ALL
  if (isHuge && isPaged && !needsInner) return compileTop(first.query, first.plan, ranks)
  const page = compileTree(first.query, first.plan, ranks, 1)
  return page === null ? null : { page, items: null, total: null }
}

function compileInner(query: ReportQuery, plan: Plan, ranks: LevelRanks, groups: readonly GroupId[]): RowStatement[] {
  const [first] = query.levels
  if (first === undefined) return []
  const chosen = { on: dimensionSql(first), operator: 'in', values: groups } as const
  const narrowed = { ...query, conditions: [...query.conditions, chosen], metricFilters: [], page: 1, limit: ALL }
  const all = query.levels.length
  // Without the innermost groups nobody knows which spend is unallocated: then no level is left out but all.
  const depths = Array.from({ length: all - 1 }, (_, cut) => all - cut).filter(
    (depth) => depth === all || !plan.isSpendPlaceable,
  )
  return depths.flatMap((depth) => {
    const cut = cutLevels(narrowed, plan, depth)
    return compileTree(cut.query, cut.plan, ranks, depth) ?? []
  })
}

/** The query of fewer levels, in which no group can carry entered spend. */
function cutLevels(query: ReportQuery, plan: Plan, depth: number): { query: ReportQuery; plan: Plan } {
  if (depth === query.levels.length) return { query, plan }
  const cut = { ...query, levels: query.levels.slice(0, depth) }
  return { query: cut, plan: { ...planReport(cut, cut.metrics), isSpendPlaceable: false } }
}
