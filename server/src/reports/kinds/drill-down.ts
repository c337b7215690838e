// Drill-down: from a cell of the general report to a page of the facts that it is made of, whose count or sum is the number.

import { toCents } from '@tributary/contract/money'
import { isDay } from '@tributary/contract/period'
import type { ReportVariant } from '@tributary/contract/reports/choices'
import type {
  ClickRow,
  GeneralReportRowsAnswer,
  GeneralReportRowsRequest,
  PlayerRow,
  ReportCell,
  RowKind,
  SpendRow,
} from '@tributary/contract/reports/general'
import { type DimensionName, type MetricName, metricOf, splitKey } from '@tributary/contract/reports/traffic'
import { isoOf } from '../../clickhouse/moment.ts'
import { NO_CLICK, NO_DAY } from '../../facts/columns.ts'
import { invalidField } from '../../lib/app-error.ts'
import { compileRows, kindOfRows, ROW_COLUMNS, type Trace, tracedMetric } from '../engine/compile-drill.ts'
import { readReportSetting } from '../engine/context.ts'
import type { Whole } from '../engine/derive.ts'
import { isFittingId } from '../engine/fitting-id.ts'
import { checkKey, parseQuestion } from '../engine/parse.ts'
import { readPassing } from '../engine/passing.ts'
import { type Plan, planReport } from '../engine/plan.ts'
import type { Condition, Question, Viewer } from '../engine/query.ts'
import { type GroupId, toWhole } from '../engine/read-rows.ts'
import { pieceOf, tellPages } from '../engine/roll-up.ts'
import { prepareRun, type Run } from '../engine/run-statement.ts'
import { readTitles, type Title } from '../engine/titles.ts'
import type { SpendKey } from '../engine/unallocated-spend.ts'
import { dimensionSql } from '../model/dimension.ts'
import type { ReportEngines } from './general.ts'

export async function answerGeneralReportRows(
  request: GeneralReportRowsRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
  variant?: ReportVariant,
): Promise<GeneralReportRowsAnswer> {
  const { cell, pagination } = request
  const question = parseQuestion(request, viewer, await readReportSetting(engines.postgres), variant)
  return answerCellRows(question, cell, pagination, engines, signal)
}

/** The facts behind a number of any report that the engine answers. */
export async function answerCellRows(
  question: Question,
  cell: ReportCell,
  pagination: GeneralReportRowsRequest['pagination'],
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  checkKey(cell.metric, question.metrics, question)
  const asked = splitKey(cell.metric)
  const metric = tracedMetric(asked.metric)
  const plan = planReport(question, question.metrics)
  const run = prepareRun(engines.clickhouse, question, signal)
  const traces = await traceCell(question, plan, cell, metric, asked.isSecond, run)
  return answerTraces(traces, asked.metric, pagination, engines, run)
}

/** A page of the facts behind a number; and their count or sum, rounded as the report shows it. */
export async function answerTraces(
  traces: readonly Trace[],
  asked: MetricName,
  pagination: GeneralReportRowsRequest['pagination'],
  engines: ReportEngines,
  run: Run,
): Promise<GeneralReportRowsAnswer> {
  const metric = tracedMetric(asked)
  const kind = kindOfRows(metric)
  const unit = metricOf(metric).unit === 'count' ? 1 : 10_000
  const shown = { kind, metric, made_of: [...(metricOf(asked).madeOf ?? [])] as MetricName[] }
  const statements = compileRows(traces, pieceOf(pagination))
  if (statements === null) return { ...shown, items: [], pagination: tellPages(pagination, 0), total: 0 }
  const [[count, total], rows] = await Promise.all([
    run(statements.total, ([[count = 0, sum = 0] = []]) => [Number(count), toWhole(sum)] as const),
    run(statements.rows, (found) => found),
  ])
  return {
    ...shown,
    items: await nameRows(rows, kind, unit, engines),
    pagination: tellPages(pagination, count),
    total: unit === 1 ? Number(total) : asShown(total),
  }
}

/** What a cell means: the groups of its path, the spends that no group carries, or, for the total, all first-level rows. */
async function traceCell(
  question: Question,
  plan: Plan,
  cell: ReportCell,
  metric: MetricName,
  isSecond: boolean,
  run: Run,
): Promise<Trace[]> {
  const period = isSecond && question.second !== null ? question.second : question.first
  const narrow = (conditions: readonly Condition[]) => ({
    ...question,
    first: period,
    second: null,
    conditions: [...question.conditions, ...conditions],
  })
  const base = { metric, report: question, plan }
  if (cell.nus !== undefined)
    return [{ ...base, selection: narrow([]), spends: { which: 'lost', keys: [readSpendKey(cell.nus)] } }]
  if (cell.path.length > 0) {
    const conditions = cell.path.map((id, depth) => pathCondition(question.levels[depth], id))
    return [{ ...base, selection: narrow(conditions), spends: { which: 'placed' } }]
  }
  const [first] = question.levels
  if (question.limits.length === 0 || first === undefined)
    return [{ ...base, selection: narrow([]), spends: { which: 'all' } }]
  const { ids, keys } = await readPassing(question, plan, run)
  const lost: Trace = { ...base, selection: narrow([]), spends: { which: 'lost', keys } }
  if (question.isFlat) return [{ ...base, selection: narrow([]), spends: { which: 'placed' }, passing: question }, lost]
  const chosen: Condition = { on: dimensionSql(first), operator: 'in', values: ids }
  return [{ ...base, selection: narrow([chosen]), spends: { which: 'placed' } }, lost]
}

export function pathCondition(level: DimensionName | undefined, id: GroupId, field = 'cell.path'): Condition {
  if (level === undefined || !isFittingId(level, id)) throw invalidField(field, 'value_invalid')
  return { on: dimensionSql(level), operator: 'in', values: [id] }
}

function readSpendKey(nus: string): SpendKey {
  const [country, partner, stream, day, ...rest] = nus.split(':')
  const ids = [country, partner, stream].map((text) =>
    text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null,
  )
  const [first, second, third] = ids
  if (first == null || second == null || third == null || day === undefined || !isDay(day) || rest.length > 0)
    throw invalidField('cell.nus', 'value_invalid')
  return [first, second, third, day]
}

const REFERENCES = ['partner', 'offer', 'stream', 'traffic_source', 'country'] as const
const ENTITIES = {
  partner: 'partner',
  offer: 'offer',
  stream: 'partner_stream',
  traffic_source: 'traffic_source',
  country: 'country',
} as const

async function nameRows(
  rows: readonly unknown[][],
  kind: RowKind,
  unit: number,
  { postgres }: ReportEngines,
): Promise<GeneralReportRowsAnswer['items']> {
  const place = (column: (typeof ROW_COLUMNS)[number]) => ROW_COLUMNS.indexOf(column)
  const titles = await Promise.all(
    REFERENCES.map((name) =>
      readTitles(
        postgres,
        ENTITIES[name],
        rows.map((row) => Number(row[place(name)])),
      ),
    ),
  )
  return rows.map((row) => {
    const text = (column: (typeof ROW_COLUMNS)[number]) => textOf(row[place(column)])
    const [partner, offer, stream, traffic_source, country] = REFERENCES.map((name, index) =>
      referenceOf(titles[index], Number(row[place(name)])),
    )
    const shared = {
      day: text('day'),
      partner: partner ?? null,
      offer: offer ?? null,
      stream: stream ?? null,
      traffic_source: traffic_source ?? null,
      country: country ?? null,
      site_id: text('site'),
      value: round(Number(row[place('value')]) / unit),
    }
    return { ...shared, ...ownColumns(kind, text) }
  })
}

/** A scalar of the statement's own columns, as text. */
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function ownColumns(kind: RowKind, text: (column: (typeof ROW_COLUMNS)[number]) => string): OwnColumns {
  const dayOrNull = (column: 'registered_day' | 'first_deposit_day') => (text(column) === NO_DAY ? null : text(column))
  if (kind === 'clicks')
    return {
      id: text('fact'),
      created_at: isoOf(text('at')),
      sub_id: text('sub'),
      promocode: text('promocode'),
      ip_country: text('ip_country'),
      uniqueness: text('is_unique') === '1' ? 'unique' : 'duplicate',
      user_agent: text('user_agent'),
    }
  const player = Number(text('player'))
  if (kind === 'spends')
    return player === 0
      ? { type: 'entered', player: null, player_outer_id: null }
      : { type: 'player', player, player_outer_id: text('outer_id') }
  return {
    player,
    player_outer_id: text('outer_id'),
    click_id: text('click') === NO_CLICK ? null : text('click'),
    sub_id: text('sub'),
    promocode: text('promocode'),
    registered_day: dayOrNull('registered_day'),
    first_deposit_day: dayOrNull('first_deposit_day'),
    qualification: text('qualification'),
  }
}

type Shared = 'day' | 'partner' | 'offer' | 'stream' | 'traffic_source' | 'country' | 'site_id' | 'value'
type OwnColumns = Omit<ClickRow, Shared> | Omit<PlayerRow, Shared> | Omit<SpendRow, Shared>

function referenceOf(titles: ReadonlyMap<number, Title> | undefined, id: number): { id: number; title: string } | null {
  return id === 0 ? null : { id, title: titles?.get(id)?.title ?? `#${id}` }
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000

/** Ten-thousandths to the two decimals of a report. */
const asShown = (sum: Whole): number => Number(toCents(BigInt(sum))) / 100
