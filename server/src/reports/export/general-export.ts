// Exports reports with levels, columns, formulas and order as on the screen. It reads and writes row by row.
import type { Language } from '@tributary/contract/language'
import type { ReportVariant } from '@tributary/contract/reports/choices'
import { formulaIdsIn, isFormulaKey } from '@tributary/contract/reports/column-name'
import type { ExportRequest, GeneralExportRequest } from '@tributary/contract/reports/export'
import { metricsIn } from '@tributary/contract/reports/formula'
import type { MetricKey, Metrics, PartlyReported, ReportWarning } from '@tributary/contract/reports/general'
import { type DimensionName, dimensionOf, type MetricName, splitKey } from '@tributary/contract/reports/traffic'
import { isoOf, type Settings } from '../../clickhouse/statement.ts'
import type { Sheet, SheetCell, SheetColumn, SheetRow } from '../../lib/sheet.ts'
import type { Postgres } from '../../postgres/client.ts'
import { compileTree } from '../engine/compile-rows.ts'
import { compileFilteredTotal, compilePlayerCount } from '../engine/compile-totals.ts'
import { addComponents, type Components } from '../engine/components.ts'
import { openReportContext, type ReportContext, type ReportEngines } from '../engine/context.ts'
import { missingClickMonths } from '../engine/deleted-clicks.ts'
import { type Derive, partlyReported, prepareDerive } from '../engine/derive.ts'
import { addSpendTitles } from '../engine/format.ts'
import { passesMetricFilters } from '../engine/metric-filters.ts'
import type { Statement } from '../engine/params.ts'
import { parseQuery } from '../engine/parse.ts'
import { planReport } from '../engine/plan.ts'
import type { Formula, GroupId, ReportQuery, Viewer } from '../engine/query.ts'
import { componentReader, NO_ROWS, readRows } from '../engine/read-rows.ts'
import { readFilteredTotal } from '../engine/roll-up.ts'
import { rowNames } from '../engine/row-layout.ts'
import { createStatementRunner, NUMBERS_AS_TEXT, REPORT_SETTINGS, type RunStatement } from '../engine/run-statement.ts'
import { formatMoment, readGroupTitles, readLevelRanks, type Title, toReportGroup } from '../engine/titles.ts'
import { compileUnallocatedSpend, readUnallocatedSpend, type UnallocatedSpend } from '../engine/unallocated-spend.ts'
import { isBeforeLog } from '../kinds/general.ts'
import { chooseFormulas } from '../saved/formulas.ts'
import { COLUMN_WORDS, chooseColumns, type NumberColumn } from './columns.ts'
import { compileExport } from './compile-export.ts'
import { hasIncome, incomeColumns } from './income-columns.ts'

/** Rows that are titled and written together. It is small, so that they die in the young generation of the garbage collector. */
const BATCH_ROWS = 500
const MAX_SECONDS = 600
/** Beyond this many bytes ClickHouse sorts and groups on disk. */
const MEMORY_BYTES = 32 * 1024 * 1024
const SETTINGS: Settings = {
  max_bytes_before_external_group_by: MEMORY_BYTES,
  max_bytes_before_external_sort: MEMORY_BYTES,
  max_bytes_ratio_before_external_group_by: 0,
  max_bytes_ratio_before_external_sort: 0,
  max_block_size: 8192,
}

export interface ExportInput<R = Omit<GeneralExportRequest, 'columns'>> {
  readonly request: R & ExportRequest
  readonly viewer: Viewer
  readonly title: string
  readonly signal?: AbortSignal | undefined
}

/** The formulas among the columns of the file, and the formula of its sort. */
export const formulasFor = (
  { request, viewer }: { request: ExportRequest & { sort?: { by: string } | undefined }; viewer: Viewer },
  { postgres }: ReportEngines,
): Promise<Formula[]> =>
  chooseFormulas({ formulas: formulaIdsIn(request.columns), sort: request.sort }, viewer, postgres)

export async function exportGeneralReport(
  input: ExportInput,
  engines: ReportEngines,
  variant: ReportVariant,
): Promise<Sheet> {
  const { viewer, title, signal } = input
  const { columns: names, formulas: _formulas, ...request } = input.request
  const context = await openReportContext(viewer, engines, signal, request.filter.knownAt)
  const formulas = await formulasFor(input, engines)
  const query = parseQuery({ ...request, variant, formulas }, context)
  const columns = chooseColumns(names, query, { ...context.setting, language: viewer.language })
  return makeSheet(query, columns, title, context)
}

/** A sheet that streams all rows of a query. */
export async function makeSheet(
  whole: ReportQuery,
  columns: readonly NumberColumn[],
  title: string,
  context: ReportContext,
): Promise<Sheet> {
  const { viewer, setting, postgres } = context
  const query = { ...whole, metrics: neededMetrics(whole, columns) }
  const plan = planReport(query, query.metrics)
  const derive = prepareDerive(query)
  const runStatement = createStatementRunner(context, query)
  // Numbers of these statements come as text, because a double may not hold them exactly. Streamed rows are exact anyway.
  const run: RunStatement = (statement, read) => runStatement(statement, read, { ...SETTINGS, ...NUMBERS_AS_TEXT })
  const ranks = await readLevelRanks(query, postgres, query.levels.length)
  const statements = compileExport(query, plan, ranks)
  const unallocated = compileUnallocatedSpend(query, plan, { isWhole: true })
  // Statements run one after the other, because each may need memory for as many groups as the file has rows.
  const count = statements === null ? 0 : await run(statements.count, readCount)
  const filtered = await readFilteredTotal(
    { filteredTotal: compileFilteredTotal(query, plan), playerCount: compilePlayerCount(query, plan) },
    run,
  )
  const { spends, total } = await countSpends()
  const words = COLUMN_WORDS[viewer.language]
  const { warnings, partial } = await readWarnings(query, run, context)
  const marks = incomeColumns(partial, columns, query, words)
  const numberCells = (m: Metrics, row: PartlyReported): SheetCell[] => [
    ...columns.map(({ read }) => read(m)),
    ...marks.map(({ cell }) => cell(m, row)),
  ]
  return {
    title,
    zone: setting.zone,
    total: count + spends + 1,
    columns: [
      ...query.levels.map(
        (level): SheetColumn => ({
          header: words.dimensions[level],
          kind: dimensionOf(level).value === 'day' ? 'day' : 'text',
        }),
      ),
      ...(query.levels.length === 0 ? [{ header: words.total, kind: 'text' } as const] : []),
      ...columns.map(({ header }): SheetColumn => ({ header, kind: 'number' })),
      ...marks.map(({ header }): SheetColumn => ({ header, kind: 'text' })),
    ],
    batches: readBatches(),
    notes: [
      ...(query.knownAt === null ? [] : [`${words.known_on} ${formatMoment(isoOf(query.knownAt), setting.zone)}`]),
      ...warnings.map((warning) => words.warnings[warning]),
      ...(marks.length === 0 ? [] : [words.income_report.note]),
    ],
  }

  /**
   * The number of rows of unallocated spend, and the total if it is known before the rows. With metric filters, only spend that passes them is
   * added to the total; without, the total already contains it.
   */
  async function countSpends(): Promise<{ spends: number; total: Components | null }> {
    if (filtered === null)
      return {
        spends: unallocated === null ? 0 : await run(countOf(unallocated), readCount),
        total: statements === null ? await readTotal() : null,
      }
    let [spends, total]: [number, Components] = [0, filtered.total]
    for await (const passing of readSpends()) {
      spends += passing.length
      total = addComponents([total, ...passing.map(({ components }) => components)])
    }
    return { spends, total }
  }

  /** The total of a report without levels, or without facts. */
  async function readTotal(): Promise<Components> {
    const statement = compileTree({ ...query, metricFilters: [] }, plan, ranks, 0)
    return statement === null ? {} : run(statement, (rows) => readRows(rows, statement.layout).total)
  }

  async function* readBatches(): AsyncGenerator<readonly SheetRow[]> {
    const readComponents = componentReader(rowNames(plan, query))
    const write = createRowWriter(query, derive, numberCells, viewer.language, postgres)
    let sum = total
    for await (const rows of streamPieces(statements?.rows ?? null, context)) {
      const read = rows.map((row): SummedRow => ({ ...row, components: readComponents(row.n as readonly unknown[]) }))
      // The statement of the rows returns the total as its last row.
      const last = read.at(-1)
      if (last !== undefined && Number(last.level) === 0) {
        sum = last.components
        read.pop()
      }
      yield await write(read)
    }
    for await (const spends of readSpends()) {
      const named = await addSpendTitles(spends, postgres, viewer.language)
      yield named.map(({ s, m }) => [...groupCells(query.levels.length, s.title), ...numberCells(m, {})])
    }
    const whole = sum ?? {}
    yield [[...groupCells(query.levels.length, words.total), ...numberCells(derive(whole), partlyReported(whole))]]
  }

  /** Streams unallocated spend that passes the metric filters, because there may be one for each stream and day. */
  async function* readSpends(): AsyncGenerator<(UnallocatedSpend & { m: Metrics })[]> {
    for await (const piece of streamPieces(unallocated, context)) {
      const spends = readUnallocatedSpend(piece.map((row) => Object.values(row)))
      const derived = spends.map((spend) => ({ ...spend, m: derive(spend.components) }))
      yield derived.filter(({ m }) => passesMetricFilters(m, query.metricFilters))
    }
  }
}

type StreamedRow = Record<string, unknown>

async function* streamPieces(
  statement: Statement | null,
  { clickhouse, signal }: ReportContext,
): AsyncGenerator<StreamedRow[]> {
  if (statement === null) return
  const settings = { ...REPORT_SETTINGS, ...SETTINGS }
  const options = { settings, maxSeconds: MAX_SECONDS, ...(signal !== undefined && { signal }) }
  let piece: StreamedRow[] = []
  for await (const row of clickhouse.queryStream<StreamedRow>(statement.sql, statement.params, options)) {
    piece.push(row)
    if (piece.length < BATCH_ROWS) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

/** Warnings over all facts that the report counts, and the periods in which income of some days is not reported. */
async function readWarnings(
  query: ReportQuery,
  run: RunStatement,
  { clickhouse }: ReportContext,
): Promise<{ warnings: ReportWarning[]; partial: PartlyReported }> {
  const alone = { ...query, levels: [], metricFilters: [], formulas: [] }
  const statement = compileTree(alone, planReport(alone, alone.metrics), [], 0)
  const { isRateMissing, total } =
    statement === null ? NO_ROWS : await run(statement, (rows) => readRows(rows, statement.layout))
  const warnings: ReportWarning[] = [
    ...(isRateMissing ? (['rate_missing'] as const) : []),
    ...((await isBeforeLog(query, clickhouse)) ? (['known_late'] as const) : []),
    ...(missingClickMonths(query, planReport(query, query.metrics)).length > 0 ? (['clicks_deleted'] as const) : []),
  ]
  return { warnings, partial: partlyReported(total) }
}

const readCount = (rows: readonly unknown[][]): number => Number(rows[0]?.[0] ?? 0)
const countOf = ({ sql, params }: Statement): Statement => ({ sql: `select count() from (\n${sql}\n)`, params })

/** The title in the first cell; the cells of the other levels are empty. */
const groupCells = (levels: number, title: string): SheetCell[] => [
  title,
  ...new Array<SheetCell>(Math.max(0, levels - 1)).fill(null),
]

/** The metrics that columns, sort and metric filters need. Others are not computed. */
function neededMetrics(
  { metrics, formulas, sort, metricFilters }: ReportQuery,
  columns: readonly NumberColumn[],
): MetricName[] {
  const keys: MetricKey[] = [
    ...metricFilters.map(({ key }) => key),
    ...(sort === null || sort.by === 'group' || isFormulaKey(sort.by) ? [] : [sort.by]),
  ]
  const needed = new Set<MetricName>([
    // The default order is by clicks, and rows of unallocated spend need spend.
    'cc',
    's',
    // Its null marks the rows without any reported day.
    ...(hasIncome(columns) ? (['income'] as const) : []),
    ...columns.flatMap(({ needs }) => needs),
    ...formulas.flatMap(({ node }) => metricsIn(node)),
    ...keys.map((key) => splitKey(key).metric),
  ])
  return metrics.filter((name) => needed.has(name))
}

type SummedRow = Readonly<Record<string, unknown>> & { readonly components: Components }

/** Reads each title only once, with its first row. */
function createRowWriter(
  { levels }: ReportQuery,
  derive: Derive,
  numberCells: (m: Metrics, row: PartlyReported) => SheetCell[],
  language: Language,
  postgres: Postgres,
): (rows: readonly SummedRow[]) => Promise<SheetRow[]> {
  const titles = levels.map(() => new Map<number, Title>())
  const learnTitles = async (level: DimensionName, depth: number, rows: readonly SummedRow[]): Promise<void> => {
    const levelTitles = titles[depth]
    if (levelTitles === undefined || dimensionOf(level).entity === undefined) return
    const ids = new Set<number>()
    for (const row of rows) if (Number(row.level) > depth) ids.add(Number(row[`g${depth + 1}`]))
    const missing = [...ids].filter((id) => !levelTitles.has(id))
    for (const [id, title] of await readGroupTitles(postgres, level, missing)) levelTitles.set(id, title)
  }
  const groupCell = (row: SummedRow, level: DimensionName, depth: number): SheetCell => {
    if (Number(row.level) <= depth) return null
    const { value } = dimensionOf(level)
    const raw = row[`g${depth + 1}`]
    const id: GroupId = value === 'reference' ? Number(raw) : String(raw)
    return value === 'day' ? String(id) : toReportGroup(level, id, titles[depth] ?? new Map(), language).title
  }
  return async (rows) => {
    await Promise.all(levels.map((level, depth) => learnTitles(level, depth, rows)))
    return rows.map((row) => [
      ...levels.map((level, depth) => groupCell(row, level, depth)),
      ...numberCells(derive(row.components), partlyReported(row.components)),
    ])
  }
}
