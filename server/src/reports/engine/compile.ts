// Stage 3 of a report run: compiles a query and its plan to the statements that `rollUp` runs.
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

/** A statement is null when no fact can match, or when it is not needed. */
export interface ReportStatements {
  readonly levels: ReportQuery['levels']
  /** All rows of the page at once. Null also if the first level is huge. */
  readonly whole: RowStatement | null
  /** The rows of the page without inner levels, in case `whole` is null or too large; null if there is no alternative to `whole`. */
  readonly page: (() => PageStatements | null) | null
  /** Rows of these first-level groups with all inner levels, then with fewer. The first statement that is not too large is used. */
  readonly inner: (groups: readonly GroupId[]) => readonly RowStatement[]
  readonly filteredTotal: RowStatement | null
  readonly playerCount: Statement | null
  /** `groups`: the innermost groups with unallocated spend; null if they are unknown. */
  readonly unallocated: (groups: readonly (readonly GroupId[])[] | null) => Statement | null
}

/** Stage 3 of a report run: compiles the plan to the statements of rows, totals, players and unallocated spend. */
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

/** Flat rows have no inner levels that could be omitted. */
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
  // The innermost groups decide whether spend is unallocated, so they are grouped even though they are not returned.
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
  // Unallocated spend is known only with the innermost groups, so either all inner levels are read or none.
  const depths = Array.from({ length: all - 1 }, (_, cut) => all - cut).filter(
    (depth) => depth === all || !plan.isSpendPlaceable,
  )
  return depths.flatMap((depth) => {
    const cut = cutLevels(narrowed, plan, depth)
    return compileTree(cut.query, cut.plan, ranks, depth) ?? []
  })
}

/** The query with fewer levels. Its groups carry no entered spend. */
function cutLevels(query: ReportQuery, plan: Plan, depth: number): { query: ReportQuery; plan: Plan } {
  if (depth === query.levels.length) return { query, plan }
  const cut = { ...query, levels: query.levels.slice(0, depth) }
  return { query: cut, plan: { ...planReport(cut, cut.metrics), isSpendPlaceable: false } }
}
