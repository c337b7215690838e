// The general report as a sheet, exactly as it is seen: its levels, its columns and formulas, its order; read and written row by row.
import type { Language } from '@tributary/contract/language'
import { ALL } from '@tributary/contract/limits'
import type { ReportVariant } from '@tributary/contract/reports/choices'
import { formulaIdsIn, isFormulaKey } from '@tributary/contract/reports/column-name'
import type { ExportRequest, GeneralExportRequest } from '@tributary/contract/reports/export'
import { metricsIn } from '@tributary/contract/reports/formula'
import type { MetricKey, Metrics, ReportWarning } from '@tributary/contract/reports/general'
import { type DimensionName, dimensionOf, type MetricName, splitKey } from '@tributary/contract/reports/traffic'
import type { Clickhouse } from '../../clickhouse/client.ts'
import { isoOf } from '../../clickhouse/moment.ts'
import type { Sheet, SheetCell, SheetColumn, SheetRow } from '../../lib/sheet.ts'
import { compilePage, REPORT_SETTINGS } from '../engine/compile.ts'
import type { LevelRanks } from '../engine/compile-flat.ts'
import { readReportSetting } from '../engine/context.ts'
import { addNumbers, prepareDerive, type Whole } from '../engine/derive.ts'
import { readLimitedTotal } from '../engine/limited-total.ts'
import { meetsLimits } from '../engine/metric-filters.ts'
import type { Statement } from '../engine/params.ts'
import { parseQuestion } from '../engine/parse.ts'
import { planReport } from '../engine/plan.ts'
import type { OwnColumn, Question, Viewer } from '../engine/query.ts'
import { type GroupId, readTree, toWhole } from '../engine/read-rows.ts'
import { numbersOf } from '../engine/row-layout.ts'
import { prepareRun, type Run } from '../engine/run-statement.ts'
import { formatMoment, nameGroup, rankTitles, readTitles, type Title } from '../engine/titles.ts'
import { compileNotUsedSpend, type LostSpend, nameSpends, readSpendSums } from '../engine/unallocated-spend.ts'
import { isKnownLate, type ReportEngines } from '../kinds/general.ts'
import { chooseFormulas } from '../saved/formulas.ts'
import { COLUMN_WORDS, chooseColumns, type NumberColumn } from './columns.ts'
import { compileExport } from './compile-export.ts'

/** Rows that are named and written together: few enough to be gone with the next collection of young garbage. */
const BATCH = 500
const MAX_SECONDS = 600
/** The engine sorts and groups on disk beyond so many bytes. */
const ON_DISK = 32 * 1024 * 1024
const SETTINGS = {
  ...REPORT_SETTINGS,
  max_bytes_before_external_group_by: ON_DISK,
  max_bytes_before_external_sort: ON_DISK,
  max_bytes_ratio_before_external_group_by: 0,
  max_bytes_ratio_before_external_sort: 0,
  max_block_size: 8192,
} as const
/** Of single numbers: as text, because they may be more than a double holds. Rows of a stream are exact as they are. */
const AS_TEXT = { ...SETTINGS, output_format_json_quote_64bit_integers: 1 } as const

export interface ExportAsked<R = Omit<GeneralExportRequest, 'columns'>> {
  readonly request: R & ExportRequest
  readonly viewer: Viewer
  /** Of whom the formulas are. */
  readonly personId: number
  readonly title: string
  readonly signal?: AbortSignal | undefined
}

/** Columns of one's own that the file has, or is sorted by. */
export const formulasFor = (
  { request, viewer }: { request: ExportRequest & { sort?: { by: string } | undefined }; viewer: Viewer },
  { postgres }: ReportEngines,
): Promise<OwnColumn[]> =>
  chooseFormulas({ formulas: formulaIdsIn(request.columns), sort: request.sort }, viewer, postgres)

export async function exportGeneralReport(
  asked: ExportAsked,
  engines: ReportEngines,
  variant: ReportVariant,
): Promise<Sheet> {
  const { viewer, request } = asked
  const setting = await readReportSetting(engines.postgres)
  const formulas = await formulasFor(asked, engines)
  const whole = parseQuestion({ ...request, pagination: { page: 1, limit: ALL } }, viewer, setting, variant, formulas)
  const { currency, zone } = setting
  const columns = chooseColumns(request.columns, whole, { currency, language: viewer.language })
  return makeSheet(whole, columns, zone, asked, engines)
}

/** All rows of a question, as they are read. */
export async function makeSheet(
  whole: Question,
  columns: readonly NumberColumn[],
  zone: string,
  asked: Pick<ExportAsked, 'viewer' | 'title' | 'signal'>,
  engines: ReportEngines,
): Promise<Sheet> {
  const { signal } = asked
  const { language } = asked.viewer
  const { postgres, clickhouse } = engines
  const question = { ...whole, metrics: neededMetrics(whole, columns) }
  const plan = planReport(question, question.metrics)
  const names = numbersOf(plan, question)
  const derive = prepareDerive(question.metrics, names, question.formulas)
  const run = prepareRun(clickhouse, question, signal)
  const ranks = await readAllRanks(question, engines)
  const statements = compileExport(question, plan, ranks)
  const lostStatement = compileNotUsedSpend(question, plan, { isWhole: true })
  // One after the other: each of them may gather as many groups as the file has rows.
  const count = statements === null ? 0 : await run(statements.count, readCount, AS_TEXT)
  const limited = await readLimitedTotal(question, plan, run, derive, AS_TEXT)
  const told = limited?.total ?? (statements === null ? await readTotal() : null)
  const { lost, sum } = await addLost(told)
  const words = COLUMN_WORDS[language]
  const warnings = await readWarnings(question, run, clickhouse)
  return {
    title: asked.title,
    zone,
    total: count + lost + 1,
    columns: [
      ...question.levels.map(
        (level): SheetColumn => ({
          header: words.dimensions[level],
          kind: dimensionOf(level).value === 'day' ? 'day' : 'text',
        }),
      ),
      ...(question.levels.length === 0 ? [{ header: words.total, kind: 'text' } as const] : []),
      ...columns.map(({ header }): SheetColumn => ({ header, kind: 'number' })),
    ],
    batches: readBatches(),
    notes: [
      ...(question.knownAt === null ? [] : [`${words.known_on} ${formatMoment(isoOf(question.knownAt), zone)}`]),
      ...warnings.map((warning) => words.warnings[warning]),
    ],
  }

  async function* readBatches(): AsyncGenerator<readonly SheetRow[]> {
    const write = createRowWriter(question, columns, derive, language, engines)
    let total = sum
    for await (const rows of readPieces(statements?.rows ?? null)) {
      // Told with the rows that it is the sum of.
      const last = rows.at(-1)
      if (last?.level === 0) {
        total = numbersIn(last)
        rows.pop()
      }
      yield await write(rows)
    }
    for await (const rows of readLost()) yield rows.map((row) => lostRow(row, question, columns))
    const m = derive(total ?? names.map(() => 0))
    yield [[...groupCells(question.levels.length, words.total), ...columns.map(({ read }) => read(m))]]
  }

  /** Of a report without groups, or without facts. */
  async function readTotal(): Promise<readonly Whole[] | null> {
    const statement = compilePage({ ...question, limits: [] }, plan, 0, null)
    if (statement === null) return null
    return run(statement, (rows) => readTree(rows, 0, names.length, derive).total, AS_TEXT)
  }

  async function* readPieces(statement: Statement | null): AsyncGenerator<Record<string, unknown>[]> {
    if (statement === null) return
    const options = { settings: SETTINGS, maxSeconds: MAX_SECONDS, ...(signal !== undefined && { signal }) }
    let piece: Record<string, unknown>[] = []
    for await (const row of clickhouse.queryStream<Record<string, unknown>>(statement.sql, statement.params, options)) {
      piece.push(row)
      if (piece.length < BATCH) continue
      yield piece
      piece = []
    }
    if (piece.length > 0) yield piece
  }

  /** There may be one for each day of each stream. */
  async function* readLost(): AsyncGenerator<LostSpend[]> {
    for await (const piece of readPieces(lostStatement)) {
      const sums = readSpendSums(
        piece.map((row) => Object.values(row)),
        names,
      )
      const lost = await nameSpends(sums, derive, postgres, language)
      yield lost.filter(({ m }) => meetsLimits(m, question.limits))
    }
  }

  /** How many there are. Under conditions they are in the total as far as they meet them; without, they are in it already. */
  async function addLost(total: readonly Whole[] | null): Promise<{ lost: number; sum: readonly Whole[] | null }> {
    if (limited === null || total === null)
      return { lost: lostStatement === null ? 0 : await run(countOf(lostStatement), readCount, AS_TEXT), sum: total }
    let [lost, sum]: [number, readonly Whole[]] = [0, total]
    for await (const rows of readLost()) {
      lost += rows.length
      sum = addNumbers([sum, ...rows.map(({ numbers }) => numbers)])
    }
    return { lost, sum }
  }
}

/** Of everything that the report counts, as its answer tells them. */
async function readWarnings(question: Question, run: Run, clickhouse: Clickhouse): Promise<ReportWarning[]> {
  const alone = { ...question, levels: [], limits: [], formulas: [] }
  const plan = planReport(alone, alone.metrics)
  const names = numbersOf(plan, alone)
  const statement = compilePage(alone, plan, 0, null)
  const read = (rows: readonly unknown[][]) => readTree(rows, 0, names.length, () => ({})).isRateMissing
  return [
    ...(statement !== null && (await run(statement, read, AS_TEXT)) ? (['rate_missing'] as const) : []),
    ...((await isKnownLate(question, clickhouse)) ? (['known_late'] as const) : []),
  ]
}

const readCount = (rows: readonly unknown[][]): number => Number(rows[0]?.[0] ?? 0)
const countOf = ({ sql, params }: Statement): Statement => ({ sql: `select count() from (\n${sql}\n)`, params })

/** The first cell says what it is, the others of the levels are empty. */
const groupCells = (levels: number, title: string): SheetCell[] => [
  title,
  ...new Array<SheetCell>(Math.max(0, levels - 1)).fill(null),
]

const lostRow = ({ s, m }: LostSpend, { levels }: Question, columns: readonly NumberColumn[]): SheetRow => [
  ...groupCells(levels.length, s.title),
  ...columns.map(({ read }) => read(m)),
]

/** Those of the columns, of the order and of the conditions: nothing else is counted. */
function neededMetrics({ metrics, formulas, sort, limits }: Question, columns: readonly NumberColumn[]): MetricName[] {
  const keys: MetricKey[] = [
    ...limits.map(({ key }) => key),
    ...(sort === null || sort.by === 'group' || isFormulaKey(sort.by) ? [] : [sort.by]),
  ]
  const needed = new Set<MetricName>([
    // Clicks order what nobody has ordered; spend may have rows of its own.
    'cc',
    's',
    ...columns.flatMap(({ needs }) => needs),
    ...formulas.flatMap(({ node }) => metricsIn(node)),
    ...keys.map((key) => splitKey(key).metric),
  ])
  return metrics.filter((name) => needed.has(name))
}

async function readAllRanks({ sort, levels, isFlat }: Question, { postgres }: ReportEngines): Promise<LevelRanks> {
  if (sort?.by !== 'group' && !isFlat) return levels.map(() => null)
  return Promise.all(
    levels.map(async (level) => {
      const { entity } = dimensionOf(level)
      return entity === undefined ? null : rankTitles(postgres, entity)
    }),
  )
}

/** Titles are read once each, as they come. */
function createRowWriter(
  { levels }: Question,
  columns: readonly NumberColumn[],
  derive: (numbers: readonly Whole[]) => Metrics,
  language: Language,
  { postgres }: ReportEngines,
): (rows: readonly Record<string, unknown>[]) => Promise<SheetRow[]> {
  const titles = levels.map(() => new Map<number, Title>())
  const learn = async (level: DimensionName, depth: number, rows: readonly Record<string, unknown>[]) => {
    const { entity } = dimensionOf(level)
    const known = titles[depth]
    if (entity === undefined || known === undefined) return
    const ids = new Set<number>()
    for (const row of rows) if (Number(row.level) > depth) ids.add(Number(row[`g${depth + 1}`]))
    const missing = [...ids].filter((id) => !known.has(id))
    if (missing.length === 0) return
    for (const [id, title] of await readTitles(postgres, entity, missing)) known.set(id, title)
  }
  const groupCell = (row: Record<string, unknown>, level: DimensionName, depth: number): SheetCell => {
    if (Number(row.level) <= depth) return null
    const { value } = dimensionOf(level)
    const raw = row[`g${depth + 1}`]
    const id: GroupId = value === 'reference' ? Number(raw) : String(raw)
    return value === 'day' ? String(id) : nameGroup(level, id, titles[depth] ?? new Map(), language).title
  }
  return async (rows) => {
    await Promise.all(levels.map((level, depth) => learn(level, depth, rows)))
    return rows.map((row) => {
      const m = derive(numbersIn(row))
      return [...levels.map((level, depth) => groupCell(row, level, depth)), ...columns.map(({ read }) => read(m))]
    })
  }
}

// The shape of the statement's own select.
const numbersIn = ({ n }: Readonly<Record<string, unknown>>): Whole[] => (n as readonly unknown[]).map(toWhole)
