// Exports reports without levels as on the screen: cohorts, new deposits, new streams, the dashboard. Cohorts may be many, so they are read
// page by page; the other reports fit into one answer.

import { ALL } from '@tributary/contract/limits'
import type { BudgetRequest } from '@tributary/contract/reports/budget'
import { GENERAL_REPORT_NAMES, GENERAL_REPORTS } from '@tributary/contract/reports/choices'
import type { CohortAnswer, CohortRequest } from '@tributary/contract/reports/cohort'
import { COHORT_REPORT_NAMES, COHORT_REPORTS, type CohortReportName } from '@tributary/contract/reports/cohort-choices'
import type { Metrics, PartlyReported, ReportWarning } from '@tributary/contract/reports/general'
import {
  type ChartPoint,
  type CostRequest,
  type DashboardRequest,
  NEW_DEPOSIT_NAMES,
  NEW_DEPOSIT_REPORTS,
  type NewDepositName,
  type NewDepositRequest,
  type NewDepositRow,
  type NewStreamsRequest,
} from '@tributary/contract/reports/kinds'
import { isVisibleTo, METRIC_NAMES, type MetricName, metricOf } from '@tributary/contract/reports/traffic'
import type { Sheet, SheetCell, SheetColumn, SheetRow } from '../../lib/sheet.ts'
import { openReportContext, type ReportEngines, readReportSetting } from '../engine/context.ts'
import type { Viewer } from '../engine/query.ts'
import { answerCohort } from '../kinds/cohort.ts'
import { parseCohort } from '../kinds/cohort-query.ts'
import { exportCosts } from '../kinds/costs.ts'
import { answerDashboard } from '../kinds/dashboard.ts'
import { answerNewDeposits } from '../kinds/new-deposits.ts'
import { answerNewStreams } from '../kinds/new-streams.ts'
import { exportBudget } from './budget-export.ts'
import { COLUMN_WORDS, chooseColumns, type NumberColumn } from './columns.ts'
import { type ExportInput, exportGeneralReport, formulasFor } from './general-export.ts'
import { incomeColumns } from './income-columns.ts'

const text = (header: string): SheetColumn => ({ header, kind: 'text' })
const number = (header: string): SheetColumn => ({ header, kind: 'number' })
const day = (header: string): SheetColumn => ({ header, kind: 'day' })

function makeAnswerSheet(
  { title, viewer }: ExportInput<unknown>,
  answer: AnswerWarnings,
  zone: string,
  columns: readonly SheetColumn[],
  rows: readonly SheetRow[],
  notes: readonly string[] = [],
): Sheet {
  const all = [...warningNotes(answer, viewer), ...notes]
  return { title, zone, columns, total: rows.length, batches: oneBatch(rows), notes: all }
}

type AnswerWarnings = { readonly warnings: readonly ReportWarning[] }
const warningNotes = ({ warnings }: AnswerWarnings, { language }: Viewer): string[] =>
  warnings.map((warning) => COLUMN_WORDS[language].warnings[warning])

async function* oneBatch(rows: readonly SheetRow[]): AsyncGenerator<readonly SheetRow[]> {
  await Promise.resolve()
  yield rows
}

/** The metrics that the role may see. */
const visibleMetrics = (names: readonly MetricName[], { viewer }: ExportInput<unknown>) => ({
  metrics: names.filter((name) => isVisibleTo(metricOf(name), viewer.role)),
  second: null,
})

/** The number columns of a report with one period, and those that mark rows whose income is not fully reported. */
function numberLayout(columns: readonly NumberColumn[], total: PartlyReported, { language }: Viewer) {
  const words = COLUMN_WORDS[language]
  const marks = incomeColumns(total, columns, { second: null }, words)
  return {
    columns: [...columns.map(({ header }) => number(header)), ...marks.map(({ header }) => text(header))],
    cells: (m: Metrics, row: PartlyReported): SheetCell[] => [
      ...columns.map(({ read }) => read(m)),
      ...marks.map(({ cell }) => cell(m, row)),
    ],
    notes: marks.length === 0 ? [] : [words.income_report.note],
  }
}
type NumberLayout = ReturnType<typeof numberLayout>

export async function exportCohort(
  input: ExportInput<Omit<CohortRequest, 'pagination'>>,
  engines: ReportEngines,
  name: CohortReportName,
): Promise<Sheet> {
  const { request, viewer, signal } = input
  const context = await openReportContext(viewer, engines, signal)
  const { setting } = context
  const variant = COHORT_REPORTS[name]
  const query = parseCohort(request, context, variant)
  const wanted = request.columns.length === 0 && !variant.isFlat ? ['players'] : request.columns
  const words = COLUMN_WORDS[viewer.language]
  const format = { currency: setting.currency, language: viewer.language }
  const columns = chooseColumns(wanted, { metrics: query.metrics, second: null }, format)
  const pages = readCohortPages(request, (page) => answerCohort(page, viewer, engines, variant, signal))
  const begun = await pages.next()
  if (begun.done === true) throw new Error('a cohort report has no answer')
  const answer = begun.value
  const [level] = query.selection.levels
  const groups = level === undefined ? [] : [text(words.dimensions[level])]
  const first = [text(words.cohort), ...groups]
  const blank = groups.map((): SheetCell => null)
  const layout = numberLayout(columns, answer.total, viewer)
  const form = variant.isFlat
    ? flatCohort(layout, first, blank, words)
    : wideCohort(answer, columns, first, blank, words)
  return {
    title: input.title,
    zone: setting.zone,
    columns: form.columns,
    total: form.countOf(answer),
    batches: writeCohort(answer, pages, form),
    notes: [...warningNotes(answer, viewer), ...layout.notes],
  }
}

/** All pages, each with as many rows as one answer can hold. */
async function* readCohortPages(
  request: Omit<CohortRequest, 'pagination'>,
  readPage: (request: CohortRequest) => Promise<CohortAnswer>,
): AsyncGenerator<CohortAnswer, undefined> {
  const first = await readPage({ ...request, pagination: { page: 1, limit: ALL } })
  yield first
  const { limit, maxPageNumber } = first.pagination
  for (let page = 2; page <= maxPageNumber; page++) yield readPage({ ...request, pagination: { page, limit } })
}

interface CohortLayout {
  readonly columns: readonly SheetColumn[]
  /** The number of rows of the file, derived from the first page; may be an upper bound. */
  readonly countOf: (answer: CohortAnswer) => number
  readonly above: (answer: CohortAnswer) => readonly SheetRow[]
  readonly rows: (answer: CohortAnswer) => readonly SheetRow[]
  readonly total: (answer: CohortAnswer) => SheetRow
}

async function* writeCohort(
  answer: CohortAnswer,
  others: AsyncGenerator<CohortAnswer, undefined>,
  { above, rows, total }: CohortLayout,
): AsyncGenerator<readonly SheetRow[]> {
  yield [...above(answer), ...rows(answer)]
  for await (const other of others) yield rows(other)
  yield [total(answer)]
}

function wideCohort(
  { periods }: CohortAnswer,
  columns: readonly NumberColumn[],
  first: readonly SheetColumn[],
  blank: readonly SheetCell[],
  words: Words,
): CohortLayout {
  const isOne = columns.length === 1
  const headers = columns.flatMap(({ header }) => [
    number(header),
    ...Array.from({ length: periods }, (_, period) => number(isOne ? String(period) : `${header} · ${period}`)),
  ])
  const cells = ({ cells, m }: { cells: CohortAnswer['total']['cells']; m: Metrics }): SheetCell[] => {
    const known = new Map(cells.map((cell) => [cell.period, cell.m]))
    const at = Array.from({ length: periods }, (_, period) => known.get(period))
    return columns.flatMap(({ read }) => [
      read(m),
      ...at.map((numbers) => (numbers === undefined ? null : read(numbers))),
    ])
  }
  return {
    columns: [...first, number(words.metrics.size), ...headers],
    countOf: ({ items }) => items + (items < 2 ? 1 : 2),
    above: ({ items, average }) => (items < 2 ? [] : [[words.average, ...blank, average.size, ...cells(average)]]),
    rows: (answer) =>
      answer.rows.flatMap((row): SheetRow[] =>
        'period' in row
          ? []
          : [[row.cohort.title, ...(row.group === null ? [] : [row.group.title]), row.size, ...cells(row)]],
      ),
    total: ({ total }) => [words.total, ...blank, total.size, ...cells(total)],
  }
}

type Words = (typeof COLUMN_WORDS)['en'] | (typeof COLUMN_WORDS)['ru']

function flatCohort(
  numbers: NumberLayout,
  first: readonly SheetColumn[],
  blank: readonly SheetCell[],
  words: Words,
): CohortLayout {
  return {
    columns: [...first, number(words.period), number(words.metrics.size), ...numbers.columns],
    // With several pages this is an upper bound: a row has at most one cell per period.
    countOf: ({ rows, items, periods, pagination }) =>
      (pagination.maxPageNumber === 1 ? rows.length : items * periods) + 1,
    above: () => [],
    rows: ({ rows }) =>
      rows.flatMap((row): SheetRow[] => {
        if (!('period' in row)) return []
        const group = row.group === null ? [] : [row.group.title]
        return [[row.cohort.title, ...group, row.period, row.size, ...numbers.cells(row.m, row)]]
      }),
    total: ({ total }) => [words.total, ...blank, null, total.size, ...numbers.cells(total.m, total)],
  }
}

async function exportNewDeposits(
  input: ExportInput<NewDepositRequest>,
  engines: ReportEngines,
  name: NewDepositName,
): Promise<Sheet> {
  const { viewer, request, signal } = input
  const [{ zone }, answer] = await Promise.all([
    readReportSetting(engines.postgres),
    answerNewDeposits(request, name, viewer, engines, signal),
  ])
  const { dimensions, metrics, total } = COLUMN_WORDS[viewer.language]
  // The partner is always the first column.
  const groups = NEW_DEPOSIT_REPORTS[name].filter((group) => group !== 'partner')
  const numbers = (row: Pick<NewDepositRow, 'cells' | 'total'>): SheetCell[] => [
    row.total,
    ...answer.periods.map(({ date }) => row.cells[date] ?? 0),
  ]
  return makeAnswerSheet(
    input,
    answer,
    zone,
    [
      text(dimensions.partner),
      ...groups.map((group) => text(dimensions[group])),
      number(`${metrics.nd}, ${total.toLowerCase()}`),
      ...answer.periods.map(({ title }) => number(title)),
    ],
    [
      ...answer.rows.map(
        (row): SheetRow => [row.partner.title, ...groups.map((group) => row[group]?.title ?? null), ...numbers(row)],
      ),
      [total, ...groups.map((): SheetCell => null), ...numbers(answer.total)],
    ],
  )
}

async function exportNewStreams(input: ExportInput<NewStreamsRequest>, engines: ReportEngines): Promise<Sheet> {
  const { viewer, request, signal } = input
  const { zone, currency } = await readReportSetting(engines.postgres)
  const format = { currency, language: viewer.language }
  const formulas = await formulasFor(input, engines)
  const columns = chooseColumns(request.columns, { ...visibleMetrics(METRIC_NAMES, input), formulas }, format)
  const wanted = { ...request, formulas: formulas.map(({ id }) => id) }
  const answer = await answerNewStreams(wanted, viewer, engines, signal)
  const { dimensions, total, first_day } = COLUMN_WORDS[viewer.language]
  const numbers = numberLayout(columns, answer.total, viewer)
  return makeAnswerSheet(
    input,
    answer,
    zone,
    [text(dimensions.stream), day(first_day), text(dimensions.partner), text(dimensions.manager), ...numbers.columns],
    [
      ...answer.rows.map(
        (row): SheetRow => [
          row.stream.title,
          row.first_day,
          row.partner.title,
          row.manager.title,
          ...numbers.cells(row.m, row),
        ],
      ),
      [total, null, null, null, ...numbers.cells(answer.total, answer.total)],
    ],
    numbers.notes,
  )
}

/** The points of all charts, one chart below the other: all traffic, top partners, top countries; then the total. */
async function exportDashboard(input: ExportInput<DashboardRequest>, engines: ReportEngines): Promise<Sheet> {
  const { viewer, request, signal } = input
  const { zone, currency } = await readReportSetting(engines.postgres)
  const answer = await answerDashboard(request, viewer, engines, signal)
  const format = { currency, language: viewer.language }
  const wanted = request.columns.length === 0 ? [answer.metric] : request.columns
  const columns = chooseColumns(wanted, visibleMetrics(METRIC_NAMES, input), format)
  const { dimensions, total, all } = COLUMN_WORDS[viewer.language]
  const numbers = numberLayout(columns, answer.total, viewer)
  const lines = (partner: string, country: string, points: readonly ChartPoint[]): SheetRow[] =>
    points.map((point) => [partner, country, point.date, ...numbers.cells(point.m, point)])
  return makeAnswerSheet(
    input,
    answer,
    zone,
    [text(dimensions.partner), text(dimensions.country), day(dimensions[request.filter.period]), ...numbers.columns],
    [
      ...lines(all, all, answer.points),
      ...answer.partners.flatMap(({ group, points }) => lines(group.title, all, points)),
      ...answer.countries.flatMap(({ group, points }) => lines(all, group.title, points)),
      [total, null, null, ...numbers.cells(answer.total, answer.total)],
    ],
    numbers.notes,
  )
}

type Exporter = (input: ExportInput<unknown>, engines: ReportEngines) => Promise<Sheet>

/** Exporters by the report's path. The schema of the report must have checked the request. */
export const EXPORTERS: Readonly<Record<string, Exporter>> = {
  ...Object.fromEntries(
    GENERAL_REPORT_NAMES.map((name): [string, Exporter] => [
      name,
      (input, engines) => exportGeneralReport(input as ExportInput, engines, GENERAL_REPORTS[name]),
    ]),
  ),
  ...Object.fromEntries(
    COHORT_REPORT_NAMES.map((name): [string, Exporter] => [
      name,
      (input, engines) => exportCohort(input as ExportInput<Omit<CohortRequest, 'pagination'>>, engines, name),
    ]),
  ),
  ...Object.fromEntries(
    NEW_DEPOSIT_NAMES.map((name): [string, Exporter] => [
      name,
      (input, engines) => exportNewDeposits(input as ExportInput<NewDepositRequest>, engines, name),
    ]),
  ),
  cost_report: (input, engines) => exportCosts(input as ExportInput<Omit<CostRequest, 'pagination'>>, engines),
  new_streams: (input, engines) => exportNewStreams(input as ExportInput<NewStreamsRequest>, engines),
  'budget_report/report': (input, engines) => exportBudget(input as ExportInput<BudgetRequest>, engines),
  dashboard: (input, engines) => exportDashboard(input as ExportInput<DashboardRequest>, engines),
}
