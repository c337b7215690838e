// A report of few groups: the engine gives the sums of each source, and levels, total, order and page are worked out here. Planning those costs
// the engine more time than the facts of such a report. Whether groups are few is guessed beforehand; a wrong guess costs a statement.

import { daysBetween } from '@tributary/contract/period'
import { type DateDimension, DIMENSION_NAMES, dimensionOf, isDateDimension } from '@tributary/contract/reports/traffic'
import { sql } from 'kysely'
import { isTooLarge } from '../clickhouse/failure.ts'
import type { Postgres } from '../postgres/client.ts'
import { factsSql, finish, groupsSql } from './compile.ts'
import { compileUnion } from './compile-source.ts'
import type { Derive } from './derive.ts'
import type { ColumnName } from './model/column.ts'
import { dimensionSql } from './model/dimension.ts'
import { Params, type Statement } from './params.ts'
import { periodsOf } from './periods.ts'
import type { Plan } from './plan.ts'
import type { Question, Selection } from './question.ts'
import type { Run } from './run.ts'
import { sumUp } from './sum-up.ts'
import type { Tree } from './tree.ts'

/** Groups of facts that are summed up here in some milliseconds. */
export const FEW_GROUPS = 10_000
/** Each source has rows of its own. */
const ROWS_CAP = 3 * FEW_GROUPS

/** Entities whose rows are the groups of a column of facts. */
const ENTITIES: ReadonlyMap<ColumnName, string> = new Map(
  DIMENSION_NAMES.flatMap((name) => {
    const [on, { entity }] = [dimensionSql(name), dimensionOf(name)]
    return on.kind === 'column' && entity !== undefined ? [[on.column, entity] as const] : []
  }),
)

/** Days from the start of one group of dates to that of the next, at least. */
const DATES: ReadonlyMap<ColumnName, number> = new Map<DateDimension, number>([
  ['day', 1],
  ['week', 7],
  ['month', 28],
])

/** How many groups a column can make, as far as that is known without looking at facts. */
function mostOf(column: ColumnName, selection: Selection, sizes: ReadonlyMap<string, number>): number {
  const length = DATES.get(column)
  if (length !== undefined)
    return periodsOf(selection).reduce((sum, { from, to }) => sum + Math.floor(daysBetween(from, to) / length) + 2, 0)
  const chosen = selection.conditions.flatMap((condition) =>
    condition.on.kind === 'column' && condition.on.column === column && condition.operator === 'in'
      ? [condition.values.length]
      : [],
  )
  // Facts without any are one group more.
  return Math.min((sizes.get(ENTITIES.get(column) ?? '') ?? Number.POSITIVE_INFINITY) + 1, ...chosen)
}

const KEPT_MS = 60_000
const counted = new WeakMap<Postgres, { sizes: ReadonlyMap<string, number>; at: number }>()

/** Rows of each entity that groups point to. A guess may be a minute old. */
async function readSizes(postgres: Postgres): Promise<ReadonlyMap<string, number>> {
  const known = counted.get(postgres)
  const now = performance.now()
  if (known !== undefined && now - known.at < KEPT_MS) return known.sizes
  const counts = [...new Set(ENTITIES.values())].map(
    (entity) => sql`select ${entity} as entity, (select count(*)::int from ${sql.table(entity)}) as size`,
  )
  const { rows } = await sql<{ entity: string; size: number }>`${sql.join(counts, sql` union all `)}`.execute(
    postgres.db,
  )
  const sizes = new Map(rows.map(({ entity, size }) => [entity, size]))
  counted.set(postgres, { sizes, at: now })
  return sizes
}

async function areFew(question: Question, plan: Plan, postgres: Postgres, most: number): Promise<boolean> {
  if (plan.columns.some((column) => !ENTITIES.has(column) && !DATES.has(column))) return false
  const sizes = await readSizes(postgres)
  return plan.columns.reduce((product, column) => product * mostOf(column, question, sizes), 1) <= most
}

/** One row, as `sumUp` reads it. Null when no fact can be meant; too large with more groups of facts than are summed up here. */
export function compileFew(question: Question, plan: Plan): Statement | null {
  const params = new Params()
  const union = compileUnion(question, plan, params)
  if (union === null) return null
  const groups = [...groupsSql(question), ...(question.second === null ? [] : ['in1', 'in2'])]
  const beside = [...(plan.parts.includes('entered_spend') ? ['facts.n_entered_spend'] : []), 'facts.n_traffic']
  const numbers = `arrayConcat(facts.n, [${beside.join(', ')}])`
  const columns = [
    ...groups.map((group) => `groupArray(${group})`),
    `groupArray(length(facts.n) + ${beside.length})`,
    `groupArrayArray(${numbers})`,
    'max(facts.n_rate_missing)',
  ]
  const sql = `select ${columns.join(', ')}\nfrom ${factsSql(union, plan)}
having throwIf(count() > ${ROWS_CAP}, 'too many groups') = 0`
  return finish(sql, params, question)
}

interface Asked {
  readonly question: Question
  readonly plan: Plan
  readonly run: Run
  readonly postgres: Postgres
  /** More groups are left to the engine. */
  readonly fewGroups: number
}

/** The page as `compilePage` would have it; null when there may be, or are, more groups than are summed up here. */
export async function readFew(
  { question, plan, run, postgres, fewGroups }: Asked,
  depth: number,
  derive: Derive,
  ranks: readonly number[] | null,
): Promise<Tree | null> {
  if (!(await areFew(question, plan, postgres, fewGroups)) || !isOrderKnown(question, ranks)) return null
  const statement = compileFew(question, plan)
  if (statement === null) return null
  try {
    return await run(statement, (rows) => sumUp(rows[0] ?? [], question, plan, depth, derive, ranks))
  } catch (error) {
    if (isTooLarge(error)) return null
    throw error
  }
}

/** Texts are put into their order by the engine alone. */
function isOrderKnown({ levels: [first], sort }: Question, ranks: readonly number[] | null): boolean {
  return first === undefined || sort?.by !== 'group' || isDateDimension(first) || ranks !== null
}
