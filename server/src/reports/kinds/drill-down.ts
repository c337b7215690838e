// Answers a drill-down: a page of the facts behind a number. The count or sum of all these facts equals the number.

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
import { isoOf } from '../../clickhouse/statement.ts'
import { NO_CLICK, NO_DAY } from '../../facts/columns.ts'
import { invalidField } from '../../lib/app-error.ts'
import {
  compileDrill,
  type Drill,
  drilledMetric,
  drillRowKind,
  ROW_COLUMNS,
  type SpendChoice,
} from '../engine/compile-drill.ts'
import { type ExactNumber, toExactNumber } from '../engine/components.ts'
import { openReportContext, type ReportContext, type ReportEngines } from '../engine/context.ts'
import { unlistedClickMonths } from '../engine/deleted-clicks.ts'
import { prepareDerive } from '../engine/derive.ts'
import { capPage, paginateReport } from '../engine/format.ts'
import { passesMetricFilters } from '../engine/metric-filters.ts'
import { checkKey, parseQuery } from '../engine/parse.ts'
import { type Plan, planReport } from '../engine/plan.ts'
import type { Condition, GroupId, PageRequest, ReportQuery, Viewer } from '../engine/query.ts'
import { createStatementRunner, type RunStatement } from '../engine/run-statement.ts'
import { canBeGroupId, readTitles, type Title } from '../engine/titles.ts'
import { compileUnallocatedSpend, readUnallocatedSpend, type SpendKey } from '../engine/unallocated-spend.ts'
import { dimensionSql } from '../model/dimension.ts'
import { readSumOfTerm, readTerm, type TermRow, termWriter, type WriteTerms } from './spend-terms.ts'

export async function answerGeneralReportRows(
  { filter, cfFilter, cell, pagination }: GeneralReportRowsRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
  variant?: ReportVariant,
): Promise<GeneralReportRowsAnswer> {
  const context = await openReportContext(viewer, engines, signal, filter.knownAt)
  const query = parseQuery({ filter, cfFilter, ...(variant !== undefined && { variant }) }, context)
  return answerCellRows(query, cell, pagination, context)
}

/** The facts behind a number of any report that `runReport` answers. Throws AppError like `checkKey`, and `invalid` for an impossible cell. */
export async function answerCellRows(
  query: ReportQuery,
  cell: ReportCell,
  pagination: PageRequest,
  context: ReportContext,
): Promise<GeneralReportRowsAnswer> {
  checkKey(cell.metric, query.metrics, query)
  const { metric, isSecond } = splitKey(cell.metric)
  const run = createStatementRunner(context, query)
  const drills = await cellDrills(query, cell, { metric: drilledMetric(metric), isSecond }, run)
  return answerDrills(drills, metric, pagination, run, context)
}

/** A page of the facts behind a number, with their count or sum, rounded as the report shows it. */
export async function answerDrills(
  drills: readonly Drill[],
  requested: MetricName,
  pagination: PageRequest,
  run: RunStatement,
  { postgres, viewer }: ReportContext,
): Promise<GeneralReportRowsAnswer> {
  const metric = drilledMetric(requested)
  const kind = drillRowKind(metric)
  const unit = metricOf(metric).unit === 'count' ? 1 : 10_000
  const hasClicks = ({ selection }: Drill) => kind === 'clicks' || selection.isByClick
  const shown = {
    kind,
    metric,
    made_of: [...(metricOf(requested).madeOf ?? [])] as MetricName[],
    deleted_months: [...new Set(drills.filter(hasClicks).flatMap(({ selection }) => unlistedClickMonths(selection)))],
  }
  const statements = compileDrill(drills, capPage(pagination))
  if (statements === null)
    return { ...shown, items: [], pagination: paginateReport(pagination, 0), total: 0, terms: [], terms_count: 0 }
  const [[count, total], rows, terms] = await Promise.all([
    run(statements.total, ([[count = 0, sum = 0] = []]) => [Number(count), toExactNumber(sum)] as const),
    run(statements.rows, (found) => found.map(nameColumns)),
    statements.terms === null ? [] : run(statements.terms, (found) => found.map(readSumOfTerm)),
  ])
  const writeTerms = await termWriter([...rows.flatMap((row) => row.terms), ...terms], viewer, postgres)
  return {
    ...shown,
    items: await nameRows(rows, kind, unit, writeTerms, postgres),
    pagination: paginateReport(pagination, count),
    total: unit === 1 ? Number(total) : asShown(total),
    terms: writeTerms(terms),
    terms_count: terms[0]?.terms ?? 0,
  }
}

/** The facts of a cell: those of its path, unallocated spend, or, for the total, those of all rows that pass the metric filters. */
async function cellDrills(
  query: ReportQuery,
  cell: ReportCell,
  { metric, isSecond }: { metric: MetricName; isSecond: boolean },
  run: RunStatement,
): Promise<Drill[]> {
  const plan = planReport(query, query.metrics)
  const first = isSecond && query.second !== null ? query.second : query.first
  const drill = (spend: SpendChoice, conditions: readonly Condition[] = []): Drill => ({
    metric,
    report: query,
    plan,
    selection: { ...query, first, second: null, conditions: [...query.conditions, ...conditions] },
    spend,
  })
  if (cell.nus !== undefined) return [drill({ which: 'unallocated', keys: [readSpendKey(cell.nus)] })]
  if (cell.path.length > 0)
    return [
      drill(
        { which: 'allocated' },
        cell.path.map((id, depth) => groupCondition(query.levels[depth], id, 'cell.path')),
      ),
    ]
  if (query.metricFilters.length === 0 || query.levels.length === 0) return [drill({ which: 'all' })]
  return [
    { ...drill({ which: 'allocated' }), filteredBy: query },
    drill({ which: 'unallocated', keys: await readUnallocatedKeys(query, plan, run) }),
  ]
}

/** Keys of the unallocated spend that passes the metric filters. */
async function readUnallocatedKeys(query: ReportQuery, plan: Plan, run: RunStatement): Promise<SpendKey[]> {
  const statement = compileUnallocatedSpend(query, plan, { isWhole: true })
  if (statement === null) return []
  const derive = prepareDerive({ metrics: query.metrics, second: query.second })
  const spends = await run(statement, readUnallocatedSpend)
  return spends
    .filter(({ components }) => passesMetricFilters(derive(components), query.metricFilters))
    .map(({ key }) => key)
}

/** Selects facts of one group. Throws AppError `invalid` on `field` if the id cannot be a group of the level. */
export function groupCondition(level: DimensionName | undefined, id: GroupId, field: string): Condition {
  if (level === undefined || !canBeGroupId(level, id)) throw invalidField(field, 'value_invalid')
  return { on: dimensionSql(level), operator: 'in', values: [id] }
}

/** Parses 'country:partner:stream:day', which is `SpendGroup.id`. */
function readSpendKey(nus: string): SpendKey {
  const [, country, partner, stream, day] = /^(\d{1,9}):(\d{1,9}):(\d{1,9}):([^:]+)$/.exec(nus) ?? []
  if (day === undefined || !isDay(day)) throw invalidField('cell.nus', 'value_invalid')
  return { country: Number(country), partner: Number(partner), stream: Number(stream), day }
}

/** Columns that refer to an entity, and its table. */
const REFERENCES = {
  partner: 'partner',
  offer: 'offer',
  stream: 'partner_stream',
  traffic_source: 'traffic_source',
  country: 'country',
} as const
type ReferenceName = keyof typeof REFERENCES

type TextColumns = Readonly<Record<Exclude<(typeof ROW_COLUMNS)[number], 'terms'>, string>>
type RowText = TextColumns & { readonly terms: readonly TermRow[] }

/** Maps the values of a row to the names of the columns, as text. */
function nameColumns(row: readonly unknown[]): RowText {
  const terms = row[ROW_COLUMNS.indexOf('terms')]
  // Every row has all columns of the statement.
  const texts = Object.fromEntries(ROW_COLUMNS.map((column, place) => [column, textOf(row[place])])) as TextColumns
  return { ...texts, terms: Array.isArray(terms) ? terms.map(readTerm) : [] }
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

async function nameRows(
  rows: readonly RowText[],
  kind: RowKind,
  unit: number,
  writeTerms: WriteTerms,
  postgres: ReportContext['postgres'],
): Promise<GeneralReportRowsAnswer['items']> {
  // A literal has exactly the keys of its type.
  const names = Object.keys(REFERENCES) as ReferenceName[]
  const readColumn = async (name: ReferenceName) =>
    [
      name,
      await readTitles(
        postgres,
        REFERENCES[name],
        rows.map((row) => Number(row[name])),
      ),
    ] as const
  const titles = new Map(await Promise.all(names.map(readColumn)))
  return rows.map((row) => {
    const named = names.map((name) => [name, referenceOf(titles.get(name), Number(row[name]))])
    return {
      day: row.day,
      // There is one entry for each name.
      ...(Object.fromEntries(named) as Record<ReferenceName, Reference | null>),
      site_id: row.site,
      value: round(Number(row.value) / unit),
      ...ownColumns(kind, row, writeTerms),
    }
  })
}

function ownColumns(kind: RowKind, row: RowText, writeTerms: WriteTerms): OwnColumns {
  const dayOrNull = (day: string) => (day === NO_DAY ? null : day)
  if (kind === 'clicks')
    return {
      id: row.fact,
      created_at: isoOf(row.at),
      sub_id: row.sub,
      promocode: row.promocode,
      ip_country: row.ip_country,
      uniqueness: row.is_unique === '1' ? 'unique' : 'duplicate',
      user_agent: row.user_agent,
    }
  const player = Number(row.player)
  if (kind === 'spends') {
    const terms = writeTerms(row.terms)
    return player === 0
      ? { type: 'entered', player: null, player_outer_id: null, terms }
      : { type: 'player', player, player_outer_id: row.outer_id, terms }
  }
  return {
    player,
    player_outer_id: row.outer_id,
    click_id: row.click === NO_CLICK ? null : row.click,
    sub_id: row.sub,
    promocode: row.promocode,
    registered_day: dayOrNull(row.registered_day),
    first_deposit_day: dayOrNull(row.first_deposit_day),
    qualification: row.qualification,
  }
}

type Shared = 'day' | 'partner' | 'offer' | 'stream' | 'traffic_source' | 'country' | 'site_id' | 'value'
type OwnColumns = Omit<ClickRow, Shared> | Omit<PlayerRow, Shared> | Omit<SpendRow, Shared>

type Reference = { id: number; title: string }

const referenceOf = (titles: ReadonlyMap<number, Title> | undefined, id: number): Reference | null =>
  id === 0 ? null : { id, title: titles?.get(id)?.title ?? `#${id}` }

const round = (value: number): number => Math.round(value * 10_000) / 10_000

/** Rounds ten-thousandths to the two decimals that reports show. */
const asShown = (sum: ExactNumber): number => Number(toCents(BigInt(sum))) / 100
