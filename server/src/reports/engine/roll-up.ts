// The rows of a page, as a tree or flat, with their names; and what is known of the whole beside them.
import { ALL, ALL_CAP } from '@tributary/contract/limits'
import { type Pagination, paginate } from '@tributary/contract/list-query'
import { LEVELS } from '@tributary/contract/reports/choices'
import type { ReportRow } from '@tributary/contract/reports/general'
import { type DimensionName, dimensionOf } from '@tributary/contract/reports/traffic'
import { isTooLarge } from '../../clickhouse/failure.ts'
import type { Settings } from '../../clickhouse/statement.ts'
import type { Postgres } from '../../postgres/client.ts'
import { dimensionSql, HUGE } from '../model/dimension.ts'
import { compilePage, compileTop, LEAVES_CAP, type PageStatements } from './compile.ts'
import { compileFlat, compileManyFlat, type LevelRanks } from './compile-flat.ts'
import { type Derive, prepareDerive } from './derive.ts'
import { nestRows, readLevelTitles, readTitlesAt } from './format.ts'
import { type Plan, planReport } from './plan.ts'
import type { Question, Viewer } from './query.ts'
import { type Flat, type FlatRow, readFlat, readTree, type Tree } from './read-rows.ts'
import { numbersOf } from './row-layout.ts'
import type { Run } from './run-statement.ts'
import { nameGroup, rankTitles } from './titles.ts'

export interface Asked {
  readonly question: Question
  readonly plan: Plan
  readonly run: Run
  readonly postgres: Postgres
  readonly viewer: Viewer
}

export interface Page extends Omit<Tree, 'rows'> {
  readonly rows: readonly ReportRow[]
  /** The innermost levels are left out: there are more of their groups than one answer holds. */
  readonly areLevelsCut: boolean
}

export const deriveFor = ({ question, plan }: Asked): Derive =>
  prepareDerive(question.metrics, numbersOf(plan, question), question.formulas)

export const readPage = (asked: Asked): Promise<Page> =>
  asked.question.isFlat ? readFlatPage(asked) : readTreePage(asked)

/** Whoever asks for all and gets a part is told of the other pages. */
export const tellPages = ({ page, limit }: Pick<Question, 'page' | 'limit'>, items: number): Pagination =>
  limit === ALL && items > ALL_CAP ? paginate(1, ALL_CAP, items) : paginate(page, limit, items)

/** The pages of an answer that are read at once: of all, as many as one piece holds. */
export const pieceOf = ({ page, limit }: Pick<Question, 'page' | 'limit'>): { page: number; limit: number } =>
  limit === ALL ? { page: 1, limit: ALL_CAP } : { page, limit }

async function readTreePage(asked: Asked): Promise<Page> {
  const { question, postgres, viewer } = asked
  const { depth, ...tree } = await readWholeTree(asked)
  const shown = { ...question, levels: question.levels.slice(0, depth) }
  const titles = await readLevelTitles(postgres, shown.levels, tree.rows)
  const rows = nestRows(tree.rows, shown, titles, viewer.language)
  return { ...tree, rows, areLevelsCut: depth < question.levels.length }
}

/**
 * The rows of the page with their children, down to `depth`. The children are read for the page alone where the first dimension has very many
 * groups, or all of them together are too many; where those of the page still are, its innermost levels are left out.
 */
async function readWholeTree(asked: Asked): Promise<Tree & { depth: number }> {
  const { question, plan } = asked
  const [first] = question.levels
  const depth = question.levels.length
  const isHuge = beginsHuge(question)
  if (first === undefined || (depth === 1 && !isHuge)) return { ...(await readLevels(asked, depth)), depth }
  if (!isHuge) {
    const tree = await orNull(readLevels(asked, depth))
    if (tree !== null) return { ...tree, depth }
  }
  const page = await readFirstLevel(asked)
  const chosen = { on: dimensionSql(first), operator: 'in', values: page.rows.map(({ id }) => id) } as const
  const conditions = [...question.conditions, chosen]
  const narrowed = { ...asked, question: { ...question, conditions, limits: [], page: 1, limit: ALL } }
  for (let levels = depth; levels > 1; levels--) {
    // Where spend has a place is decided by the innermost groups: without them no other number than that of the page can be told.
    if (levels < depth && plan.isSpendPlaceable) break
    const whole = await orNull(readLevels(cutTo(levels, narrowed), levels))
    if (whole === null) continue
    const children = new Map(whole.rows.map((row) => [row.id, row.children]))
    return { ...page, rows: page.rows.map((row) => ({ ...row, children: children.get(row.id) ?? [] })), depth: levels }
  }
  return { ...page, depth: 1 }
}

const beginsHuge = ({ levels: [first] }: Question): boolean => first !== undefined && HUGE.includes(first)

/** Fewer levels of a report in which no group can carry entered spend. */
function cutTo(depth: number, asked: Asked): Asked {
  const { question } = asked
  if (depth === question.levels.length) return asked
  const cut = { ...question, levels: question.levels.slice(0, depth) }
  return { ...asked, question: cut, plan: { ...planReport(cut, cut.metrics), isSpendPlaceable: false } }
}

/** So many groups of facts are tried before a report with more than one level is found too large. */
const GROUPS_TRIED = 5 * LEAVES_CAP
/** Only where groups of facts are those of the report: others may be many more than the groups that they become. */
const BAIL_OUT = { max_rows_to_group_by: GROUPS_TRIED, group_by_overflow_mode: 'throw' } as const
const bailOutOf = (plan: Plan, depth: number): Settings => (depth > 1 && plan.maps.length === 0 ? BAIL_OUT : {})

async function readLevels(asked: Asked, depth: number): Promise<Tree> {
  const { question, plan, run } = asked
  const names = numbersOf(plan, question)
  const ranks = await readSortRanks(asked)
  const statement = compilePage(question, plan, depth, ranks)
  const read = (rows: readonly unknown[][]) => readTree(rows, depth, names.length, deriveFor(asked))
  return statement === null ? read([]) : run(statement, read, bailOutOf(plan, depth))
}

async function readSortRanks({ question, postgres }: Asked): Promise<number[] | null> {
  const [first] = question.levels
  return first === undefined || question.sort?.by !== 'group' ? null : readRanks(first, postgres)
}

/** With the numbers of the total in the order of the whole report: dates among the levels make another one. */
async function readFirstLevel(asked: Asked): Promise<Tree> {
  const { question, plan } = asked
  // Where entered spend may have a place, the innermost groups say which.
  const isWhole = plan.isSpendPlaceable && question.levels.length > 1
  const first = isWhole ? asked : cutTo(1, asked)
  const isPaged = question.limits.length === 0 && question.limit !== ALL
  const tree = await (beginsHuge(question) && isPaged && !isWhole ? readTop(first) : readLevels(first, 1))
  const names = numbersOf(first.plan, first.question)
  return { ...tree, total: numbersOf(plan, question).map((name) => tree.total[names.indexOf(name)] ?? 0) }
}

async function readTop(asked: Asked): Promise<Tree> {
  const { question, plan } = asked
  const [names, derive] = [numbersOf(plan, question), deriveFor(asked)]
  const read = (rows: readonly unknown[][]) => readTree(rows, 1, names.length, derive)
  const top = compileTop(question, plan, await readSortRanks(asked))
  if (top === null) return read([])
  const [page, items, total] = await readStatements(top, asked, read)
  return { ...total, rows: page.rows, items }
}

/** Null instead of a tree that is too large. */
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isTooLarge(error)) return null
    throw error
  }
}

async function readFlatPage(asked: Asked): Promise<Page> {
  const { question, plan, run, postgres } = asked
  const { levels } = question
  const names = numbersOf(plan, question)
  const ranks = await Promise.all(levels.map((level) => readRanks(level, postgres)))
  const statement = compileFlat(question, plan, ranks)
  const read = (rows: readonly unknown[][]) => readFlat(rows, levels.length, names.length, deriveFor(asked))
  const one = statement === null ? read([]) : await orNull(run(statement, read, bailOutOf(plan, levels.length)))
  const { flat, ...page } = one ?? (await readManyFlat(asked, ranks, read))
  return { ...page, rows: await nameFlat(flat, asked), areLevelsCut: false }
}

/** Nothing has to be left out: rows that stand alone are told page by page, however many there are. */
async function readManyFlat(
  asked: Asked,
  ranks: LevelRanks,
  read: (rows: readonly unknown[][]) => Flat,
): Promise<Flat> {
  const { question, plan } = asked
  const statements = compileManyFlat(question, plan, ranks)
  if (statements === null) return read([])
  const [page, items, total] = await readStatements(statements, asked, read)
  return { ...total, flat: page.flat, items }
}

async function readStatements<P>(
  statements: PageStatements,
  asked: Asked,
  read: (rows: readonly unknown[][]) => P,
): Promise<[P, number, Tree]> {
  const { question, plan, run } = asked
  const names = numbersOf(plan, question)
  const whole = (rows: readonly unknown[][]) => readTree(rows, 0, names.length, deriveFor(asked))
  return Promise.all([
    run(statements.page, read),
    run(statements.items, (rows) => Number(rows[0]?.[0] ?? 0)),
    statements.total === null ? whole([]) : run(statements.total, whole),
  ])
}

/** One row with all its groups side by side. */
async function nameFlat(flat: readonly FlatRow[], { question, postgres, viewer }: Asked): Promise<ReportRow[]> {
  const titles = await Promise.all(
    question.levels.map((level, depth) => {
      const ids = flat.map((row) => row.ids[depth]).filter((id) => typeof id === 'number')
      return readTitlesAt(postgres, level, new Set(ids))
    }),
  )
  return flat.map(({ ids, m }) => {
    const groups = question.levels.map((level, depth) => [
      LEVELS[depth],
      nameGroup(level, ids[depth] ?? '', titles[depth] ?? new Map(), viewer.language),
    ])
    return { ...Object.fromEntries(groups), m }
  })
}

/** Ids of the level's entity in the order of their titles; null when its groups have none. */
async function readRanks(level: DimensionName, postgres: Postgres): Promise<number[] | null> {
  const { entity } = dimensionOf(level)
  return entity === undefined ? null : rankTitles(postgres, entity)
}
