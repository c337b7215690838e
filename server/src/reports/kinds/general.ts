// The general report from question to answer: which statements run, in which order, and how their answers become one.

import { ALL } from '@tributary/contract/limits'
import type { ReportVariant } from '@tributary/contract/reports/choices'
import type { GeneralReportAnswer, GeneralReportRequest, Metrics, ReportRow } from '@tributary/contract/reports/general'
import type { Clickhouse } from '../../clickhouse/client.ts'
import { isoOf } from '../../clickhouse/moment.ts'
import { readBegin } from '../../facts/log-begin.ts'
import type { Postgres } from '../../postgres/client.ts'
import { readReportSetting } from '../engine/context.ts'
import { addNumbers, type Whole } from '../engine/derive.ts'
import { countPlayers, readLimitedTotal } from '../engine/limited-total.ts'
import { meetsLimits } from '../engine/metric-filters.ts'
import { findMonthSums } from '../engine/month-sums.ts'
import { parseQuestion } from '../engine/parse.ts'
import { planReport } from '../engine/plan.ts'
import type { Question, Viewer } from '../engine/query.ts'
import { type Asked, deriveFor, type Page, pieceOf, readPage, tellPages } from '../engine/roll-up.ts'
import { numbersOf } from '../engine/row-layout.ts'
import { prepareRun } from '../engine/run-statement.ts'
import { compileNotUsedSpend, type LostSpend, nameSpends, readSpendSums } from '../engine/unallocated-spend.ts'
import { readAges } from '../freshness.ts'
import { chooseFormulas, tellFormulas } from '../saved/formulas.ts'

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
  variant?: ReportVariant,
): Promise<GeneralReportAnswer> {
  const { postgres, clickhouse } = engines
  const [setting, formulas, ages] = await Promise.all([
    readReportSetting(postgres),
    chooseFormulas(request, viewer, postgres),
    readAges(postgres),
  ])
  const question = parseQuestion(request, viewer, setting, variant, formulas)
  const { rows, total, lost, items, players, isRateMissing, areLevelsCut } = await readGeneralReport(
    // All that one answer holds; the pages say whether there is more.
    { ...question, ...pieceOf(question) },
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
    pagination: tellPages(question, items),
    period: {
      dateFrom: question.first.from,
      dateTo: question.first.to,
      secondDateFrom: question.second?.from ?? null,
      secondDateTo: question.second?.to ?? null,
    },
    built_at: new Date().toISOString(),
    ...ages,
    currency: setting.currency,
    known_at: question.knownAt === null ? null : isoOf(question.knownAt),
    warnings: [
      ...(isRateMissing ? (['rate_missing'] as const) : []),
      ...((await isKnownLate(question, clickhouse)) ? (['known_late'] as const) : []),
      ...(areLevelsCut ? (['levels_cut'] as const) : []),
    ],
    formulas: tellFormulas(formulas),
  }
}

export async function isKnownLate({ knownAt }: Pick<Question, 'knownAt'>, clickhouse: Clickhouse): Promise<boolean> {
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
  readonly areLevelsCut: boolean
}

/** The page that a question asks for. */
export async function readGeneralReport(
  wanted: Question,
  viewer: Viewer,
  { postgres, clickhouse }: ReportEngines,
  signal: AbortSignal | undefined,
): Promise<ReadReport> {
  const plan = planReport(wanted, wanted.metrics)
  const question = wanted.isFlat
    ? wanted
    : { ...wanted, sums: await findMonthSums({ postgres, clickhouse }, wanted, plan, signal) }
  const asked: Asked = {
    question,
    plan,
    run: prepareRun(clickhouse, question, signal, question.isFlat ? RAW : {}),
    postgres,
    viewer,
  }
  const { page, lost, total, players } = await readReport(asked)
  return {
    rows: [...page.rows, ...pageOfLost(lost, page.items, question)],
    total: deriveFor(asked)(total),
    lost,
    items: page.items + lost.length,
    players,
    isRateMissing: page.isRateMissing,
    areLevelsCut: page.areLevelsCut,
  }
}

/** Flat reports read every click itself, not its roll-up, nor the sums of months. */
const RAW = { optimize_use_projections: 0 } as const

interface Read {
  readonly page: Page
  readonly lost: readonly LostSpend[]
  readonly total: readonly Whole[]
  readonly players: number
}

async function readReport(asked: Asked): Promise<Read> {
  const { question, plan, run } = asked
  const page = await readPage(asked)
  const [lost, limited] = await Promise.all([
    page.lostSpends === 0 ? [] : readLost(asked, page),
    readLimitedTotal(question, plan, run, deriveFor(asked)),
  ])
  const counted = limited ?? (await countPlayers(question, plan, run))
  const total = limited === null ? page.total : addNumbers([limited.total, ...lost.map(({ numbers }) => numbers)])
  return { page, lost, total, players: (counted ?? page).players }
}

async function readLost(asked: Asked, { lostSpends, lostGroups }: Page): Promise<LostSpend[]> {
  const { question, plan, run, postgres, viewer } = asked
  const areNamed = plan.isSpendPlaceable && lostSpends === lostGroups.length
  const statement = compileNotUsedSpend(question, plan, {
    groups: areNamed ? lostGroups : null,
    isWhole: question.limits.length > 0,
  })
  if (statement === null) return []
  const names = numbersOf(plan, question)
  const sums = await run(statement, (rows) => readSpendSums(rows, names))
  const lost = await nameSpends(sums, deriveFor(asked), postgres, viewer.language)
  return lost.filter(({ m }) => meetsLimits(m, question.limits))
}

/** Rows of entered spend alone stand after the others and are paged with them. */
function pageOfLost(lost: readonly LostSpend[], before: number, { page, limit }: Question): ReportRow[] {
  const rows = lost.map(({ s, m }) => ({ s, m }))
  if (limit === ALL) return rows
  const start = (page - 1) * limit - before
  return rows.slice(Math.max(0, start), Math.max(0, start + limit))
}
