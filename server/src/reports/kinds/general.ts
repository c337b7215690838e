// The general report from question to answer: which statements run, in which order, and how their answers become one.
import { ALL } from '@tributary/contract/limits'
import { paginate } from '@tributary/contract/list-query'
import type { GeneralReportAnswer, GeneralReportRequest, Metrics, ReportRow } from '@tributary/contract/reports/general'
import { dimensionOf } from '@tributary/contract/reports/traffic'
import type { Clickhouse } from '../../clickhouse/client.ts'
import { readBegin } from '../../facts/log-begin.ts'
import { readWatermark } from '../../facts/watermark.ts'
import type { Postgres } from '../../postgres/client.ts'
import { compileLimitedTotal, compilePage, numbersOf } from '../compile.ts'
import { compilePlayerCount, needsPlayerCount } from '../compile-player-count.ts'
import { addNumbers, type Derive, prepareDerive, type Whole } from '../derive.ts'
import { readSourceAges } from '../freshness.ts'
import { meetsLimits } from '../meets.ts'
import { dimensionSql, HUGE } from '../model/dimension.ts'
import { nestRows, readLevelTitles } from '../nest.ts'
import { compileNotUsedSpend, type LostSpend, readNotUsedSpend } from '../not-used-spend.ts'
import { parseQuestion } from '../parse.ts'
import { readPassing } from '../passing.ts'
import { type Plan, planReport } from '../plan.ts'
import type { Question, Viewer } from '../question.ts'
import { prepareRun, type Run } from '../run.ts'
import { readReportSetting } from '../setting.ts'
import { rankTitles } from '../titles.ts'
import { readTree, type Tree } from '../tree.ts'

/** The list beside the rows is for a look; all of it is in the rows, page by page. */
const LISTED_SPENDS = 1000

export interface ReportEngines {
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
}

export async function answerGeneralReport(
  request: GeneralReportRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<GeneralReportAnswer> {
  const { postgres, clickhouse } = engines
  const [setting, watermark] = await Promise.all([readReportSetting(postgres), readWatermark(postgres)])
  const ages = await readSourceAges(postgres, watermark)
  const question = parseQuestion(request, viewer, setting)
  const { rows, total, lost, items, players, isRateMissing } = await readGeneralReport(
    question,
    viewer,
    engines,
    signal,
  )
  return {
    rows,
    total,
    player_count: players,
    not_used_spend: lost.slice(0, LISTED_SPENDS).map(({ used }) => used),
    items,
    pagination: paginate(question.page, question.limit, items),
    period: {
      dateFrom: question.first.from,
      dateTo: question.first.to,
      secondDateFrom: question.second?.from ?? null,
      secondDateTo: question.second?.to ?? null,
    },
    built_at: new Date().toISOString(),
    watermark: new Date(Math.min(watermark.clicks.getTime(), watermark.record.getTime())).toISOString(),
    sources: {
      clicks: ages.clicks.toISOString(),
      players: ages.players.toISOString(),
      spends: ages.spends.toISOString(),
    },
    currency: setting.currency,
    known_at: question.knownAt === null ? null : isoOf(question.knownAt),
    warnings: [
      ...(isRateMissing ? (['rate_missing'] as const) : []),
      ...((await isKnownLate(question, clickhouse)) ? (['known_late'] as const) : []),
    ],
  }
}

const isoOf = (text: string): string => `${text.replace(' ', 'T')}Z`

async function isKnownLate({ knownAt }: Question, clickhouse: Clickhouse): Promise<boolean> {
  if (knownAt === null) return false
  const begin = await readBegin(clickhouse)
  return begin === null || new Date(isoOf(knownAt)) < begin
}

export interface ReadReport {
  /** Named, in order, those of entered spend alone at the end. */
  readonly rows: ReportRow[]
  readonly total: Metrics
  readonly lost: readonly LostSpend[]
  readonly items: number
  readonly players: number
  readonly isRateMissing: boolean
}

/** The page that a question asks for. */
export async function readGeneralReport(
  question: Question,
  viewer: Viewer,
  { postgres, clickhouse }: ReportEngines,
  signal: AbortSignal | undefined,
): Promise<ReadReport> {
  const asked: Asked = {
    question,
    plan: planReport(question, question.metrics),
    run: prepareRun(clickhouse, question, signal),
    postgres,
    viewer,
  }
  const { tree, lost, total, players } = await readReport(asked)
  const titles = await readLevelTitles(postgres, question.levels, tree.rows)
  const rows = nestRows(tree.rows, question, titles, viewer.language)
  return {
    rows: [...rows, ...pageOfLost(lost, tree.items, question)],
    total: deriveFor(asked)(total),
    lost,
    items: tree.items + lost.length,
    players,
    isRateMissing: tree.isRateMissing,
  }
}

interface Asked {
  readonly question: Question
  readonly plan: Plan
  readonly run: Run
  readonly postgres: Postgres
  readonly viewer: Viewer
}

interface Read {
  readonly tree: Tree
  readonly lost: readonly LostSpend[]
  readonly total: readonly Whole[]
  readonly players: number
}

const deriveFor = ({ question, plan }: Asked): Derive => prepareDerive(question.metrics, numbersOf(plan, question))

async function readReport(asked: Asked): Promise<Read> {
  const { question, plan, run } = asked
  const tree = await readPage(asked)
  const limited = compileLimitedTotal(question, plan)
  const [lost, limitedTotal, players] = await Promise.all([
    tree.lostSpends === 0 ? [] : readLost(asked, tree),
    limited === null
      ? null
      : run(limited, (rows) => readTree(rows, 0, numbersOf(plan, question).length, deriveFor(asked))),
    countPlayers(asked),
  ])
  const total =
    limitedTotal === null ? tree.total : addNumbers([limitedTotal.total, ...lost.map(({ numbers }) => numbers)])
  return { tree, lost, total, players: players ?? limitedTotal?.players ?? tree.players }
}

/** Null when the total of the page, or of the rows that meet the conditions, knows it. */
async function countPlayers({ question, plan, run }: Asked): Promise<number | null> {
  if (!needsPlayerCount(question)) return null
  const [first] = question.levels
  const isLimited = first !== undefined && question.limits.length > 0
  const passing = isLimited ? (await readPassing(question, plan, run)).ids : null
  const chosen =
    isLimited && passing !== null ? [{ on: dimensionSql(first), operator: 'in', values: passing } as const] : []
  const statement = compilePlayerCount({ ...question, conditions: [...question.conditions, ...chosen] })
  return statement === null ? 0 : run(statement, (rows) => Number(rows[0]?.[0] ?? 0))
}

const EMPTY_TREE: Tree = {
  rows: [],
  total: [],
  items: 0,
  players: 0,
  isRateMissing: false,
  lostSpends: 0,
  lostGroups: [],
}

/** The rows of the page with their children. Of a dimension with very many groups the children are read for the page alone. */
async function readPage(asked: Asked): Promise<Tree> {
  const { question, plan, run, postgres } = asked
  const [first] = question.levels
  const depth = question.levels.length
  const isHuge = first !== undefined && depth > 1 && question.limit !== ALL && HUGE.includes(first)
  const ranks = await readRanks(question, postgres)
  const read = (question: Question, depth: number, order: readonly number[] | null): Promise<Tree> => {
    const statement = compilePage(question, plan, depth, order)
    const names = numbersOf(plan, question)
    const empty = { ...EMPTY_TREE, total: names.map(() => 0) }
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

async function readRanks({ sort, levels }: Question, postgres: Postgres): Promise<number[] | null> {
  const [first] = levels
  const entity = first === undefined ? undefined : dimensionOf(first).entity
  if (sort?.by !== 'group' || entity === undefined) return null
  return rankTitles(postgres, entity)
}

async function readLost(asked: Asked, { lostSpends, lostGroups }: Tree): Promise<LostSpend[]> {
  const { question, plan, run, postgres, viewer } = asked
  const areNamed = plan.isSpendPlaceable && lostSpends === lostGroups.length
  const statement = compileNotUsedSpend(question, plan, {
    groups: areNamed ? lostGroups : null,
    isWhole: question.limits.length > 0,
  })
  if (statement === null) return []
  const rows = await run(statement, (found) => found)
  const lost = await readNotUsedSpend(rows, numbersOf(plan, question), deriveFor(asked), postgres, viewer.language)
  return lost.filter(({ m }) => meetsLimits(m, question.limits))
}

/** Rows of entered spend alone stand after the others and are paged with them. */
function pageOfLost(lost: readonly LostSpend[], before: number, { page, limit }: Question): ReportRow[] {
  const rows = lost.map(({ s, m }) => ({ s, m }))
  if (limit === ALL) return rows
  const start = (page - 1) * limit - before
  return rows.slice(Math.max(0, start), Math.max(0, start + limit))
}
