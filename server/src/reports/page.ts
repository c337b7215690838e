// The rows of a page, as a tree or flat, with their names; and what is known of the whole beside them.
import { ALL } from '@tributary/contract/limits'
import { LEVELS } from '@tributary/contract/reports/choices'
import type { ReportRow } from '@tributary/contract/reports/general'
import { type DimensionName, dimensionOf } from '@tributary/contract/reports/traffic'
import type { Postgres } from '../postgres/client.ts'
import { compilePage } from './compile.ts'
import { compileFlat } from './compile-flat.ts'
import { type Derive, prepareDerive } from './derive.ts'
import { dimensionSql, HUGE } from './model/dimension.ts'
import { nestRows, readLevelTitles, readTitlesAt } from './nest.ts'
import { numbersOf } from './numbers.ts'
import type { Plan } from './plan.ts'
import type { Question, Viewer } from './question.ts'
import type { Run } from './run.ts'
import { nameGroup, rankTitles } from './titles.ts'
import { type FlatRow, readFlat, readTree, type Tree } from './tree.ts'

export interface Asked {
  readonly question: Question
  readonly plan: Plan
  readonly run: Run
  readonly postgres: Postgres
  readonly viewer: Viewer
}

export interface Page extends Omit<Tree, 'rows'> {
  readonly rows: readonly ReportRow[]
}

export const deriveFor = ({ question, plan }: Asked): Derive =>
  prepareDerive(question.metrics, numbersOf(plan, question))

export const readPage = (asked: Asked): Promise<Page> =>
  asked.question.isFlat ? readFlatPage(asked) : readTreePage(asked)

const EMPTY: Omit<Tree, 'rows'> = {
  total: [],
  items: 0,
  players: 0,
  isRateMissing: false,
  lostSpends: 0,
  lostGroups: [],
}

async function readTreePage(asked: Asked): Promise<Page> {
  const { question, postgres, viewer } = asked
  const tree = await readWholeTree(asked)
  const titles = await readLevelTitles(postgres, question.levels, tree.rows)
  return { ...tree, rows: nestRows(tree.rows, question, titles, viewer.language) }
}

/** The rows of the page with their children. Of a dimension with very many groups the children are read for the page alone. */
async function readWholeTree(asked: Asked): Promise<Tree> {
  const { question, plan, run, postgres } = asked
  const [first] = question.levels
  const depth = question.levels.length
  const isHuge = first !== undefined && depth > 1 && question.limit !== ALL && HUGE.includes(first)
  const ranks = first === undefined || question.sort?.by !== 'group' ? null : await readRanks(first, postgres)
  const names = numbersOf(plan, question)
  const read = (question: Question, depth: number, order: readonly number[] | null): Promise<Tree> => {
    const statement = compilePage(question, plan, depth, order)
    const empty = { ...EMPTY, rows: [], total: names.map(() => 0) }
    return statement === null
      ? Promise.resolve(empty)
      : run(statement, (rows) => readTree(rows, depth, names.length, deriveFor(asked)))
  }
  if (!isHuge) return read(question, depth, ranks)
  const page = await read(question, 1, ranks)
  const ids = page.rows.map(({ id }) => id)
  const chosen = { on: dimensionSql(first), operator: 'in', values: ids } as const
  const whole = await read(
    { ...question, conditions: [...question.conditions, chosen], limits: [], page: 1, limit: ALL },
    depth,
    null,
  )
  const children = new Map(whole.rows.map((row) => [row.id, row.children]))
  return { ...page, rows: page.rows.map((row) => ({ ...row, children: children.get(row.id) ?? [] })) }
}

async function readFlatPage(asked: Asked): Promise<Page> {
  const { question, plan, run, postgres } = asked
  const { levels } = question
  const names = numbersOf(plan, question)
  const ranks = await Promise.all(levels.map((level) => readRanks(level, postgres)))
  const statement = compileFlat(question, plan, ranks)
  if (statement === null) return { ...EMPTY, rows: [], total: names.map(() => 0) }
  const { flat, ...page } = await run(statement, (rows) =>
    readFlat(rows, levels.length, names.length, deriveFor(asked)),
  )
  return { ...page, rows: await nameFlat(flat, asked) }
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
