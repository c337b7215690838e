// Rows and columns of a cohort table: the average first, then cohorts. Future periods are dashes, unfinished ones are hatched.

import type {
  CohortAnswer,
  CohortCell,
  CohortRow,
  CohortTotals,
  FlatCohortRow,
} from '@tributary/contract/reports/cohort'
import type { CohortMetric } from '@tributary/contract/reports/cohort-choices'
import type { Metrics, PartlyReported } from '@tributary/contract/reports/general'
import type { ReportWords } from '../../i18n/shape.ts'
import { formatCount } from '../../lib/number-format.ts'
import { type PivotColumn, textColumn } from '../../reports/table/pivot-column.ts'
import { formatNumber, incomeState, metricColumn } from '../../reports/table/report-columns.ts'

export interface CohortLine extends PartlyReported {
  readonly id: string
  readonly title: string
  /** First day of the cohort; null for the average and the total. */
  readonly cohort: string | null
  readonly group: { readonly id: number | string; readonly title: string } | null
  readonly size: number
  readonly cells: ReadonlyMap<number, CohortCell>
  readonly m: Metrics
  readonly payback: number | null
  /** The period of a line of the flat table. */
  readonly period: number | null
}

const cellsOf = (cells: readonly CohortCell[]) => new Map(cells.map((cell) => [cell.period, cell]))

const makeTotalsLine = (id: string, title: string, { size, cells, m, partial }: CohortTotals): CohortLine => ({
  id,
  title,
  cohort: null,
  group: null,
  size,
  cells: cellsOf(cells),
  m,
  ...(partial && { partial }),
  payback: null,
  period: null,
})

export const totalLine = (answer: CohortAnswer, title: string): CohortLine =>
  makeTotalsLine('total', title, answer.total)

export function linesOf(answer: CohortAnswer, average: string): CohortLine[] {
  const lines = answer.rows.map((row: CohortRow | FlatCohortRow): CohortLine => {
    const isFlat = 'period' in row
    const { cohort, group, size, m, partial } = row
    const base = { title: cohort.title, cohort: String(cohort.id), group, size, m, ...(partial && { partial }) }
    const id = JSON.stringify([row.cohort.id, row.group?.id, isFlat ? row.period : null])
    return isFlat
      ? { ...base, id, cells: cellsOf([row]), payback: null, period: row.period }
      : { ...base, id, cells: cellsOf(row.cells), payback: row.payback ?? null, period: null }
  })
  const isFlat = answer.rows.some((row) => 'period' in row)
  return isFlat || lines.length < 2 ? lines : [makeTotalsLine('average', average, answer.average), ...lines]
}

interface CohortColumnContext {
  readonly metric: CohortMetric
  readonly metrics: readonly CohortMetric[]
  readonly words: ReportWords
  readonly currency: string
  readonly isFlat: boolean
  /** The header above the columns of periods. */
  readonly unit: string
  readonly groupTitle: string | null
}

export function cohortColumns(
  answer: CohortAnswer,
  lines: readonly CohortLine[],
  facts: CohortColumnContext,
): PivotColumn<CohortLine>[] {
  const { words, groupTitle, metric, isFlat } = facts
  const size: PivotColumn<CohortLine> = {
    ...metricColumn<CohortLine>('size', facts, ({ size }) => ({ m: { size } })),
    // The average size is rounded, because players are whole.
    text: ({ size }) => formatCount(size),
  }
  const group =
    groupTitle === null ? [] : [textColumn<CohortLine>('group', groupTitle, ({ group }) => group?.title ?? null)]
  if (isFlat)
    return [
      ...group,
      textColumn<CohortLine>('period', facts.unit, ({ period }) => (period === null ? null : String(period))),
      size,
      ...facts.metrics.map(
        (name): PivotColumn<CohortLine> => ({
          ...metricColumn<CohortLine>(name, facts, (line) => line),
          mark: ({ cells, period }) => (period !== null && cells.get(period)?.state === 'partial' ? 'partial' : null),
        }),
      ),
    ]
  const scale = prepareHeat(lines, metric)
  const base = metricColumn<CohortLine>(metric, facts, (line) => line)
  const periods = Array.from({ length: answer.periods }, (_, period): PivotColumn<CohortLine> => {
    const cell = (line: CohortLine) => line.cells.get(period)
    return {
      ...base,
      key: `p${period}`,
      label: `${facts.unit} ${period}`,
      hint: '',
      text: (line) => formatNumber(metric, cell(line)?.m[metric]),
      ...(base.income && { income: (line) => incomeState(cell(line) ?? { m: {} }) }),
      heat: (line) => (line.cohort === null ? null : scale(cell(line)?.m[metric])),
      mark: (line) =>
        metric === 'roi' && line.payback === period ? 'turn' : cell(line)?.state === 'partial' ? 'partial' : null,
    }
  })
  const all: PivotColumn<CohortLine> = { ...base, key: 'all', hint: words.table.total }
  return [...group, size, all, ...periods]
}

/** Scales numbers of cohorts to heat. It ignores the extreme tenth, which would fade the rest. */
function prepareHeat(
  lines: readonly CohortLine[],
  metric: CohortMetric,
): (value: number | null | undefined) => number | null {
  const values = lines
    .filter(({ cohort }) => cohort !== null)
    .flatMap(({ cells }) => [...cells.values()].map(({ m }) => m[metric]))
    .filter((value) => typeof value === 'number')
    .toSorted((a, b) => a - b)
  const low = Math.min(0, values[0] ?? 0)
  const high = values[Math.floor(values.length * 0.9)] ?? 0
  return (value) => {
    if (value === null || value === undefined || value === 0 || high <= low) return null
    return Math.max(0, Math.min(1, (value - low) / (high - low)))
  }
}
