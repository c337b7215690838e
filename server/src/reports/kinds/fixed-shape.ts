// The engine of the general report, asked in a given shape: levels, numbers and what makes a row are the report's own, the narrowing is the person's.
import { ALL } from '@tributary/contract/limits'
import { reportFilterSchema } from '@tributary/contract/reports/filter'
import type { KindCell, Told } from '@tributary/contract/reports/kinds'
import {
  type DimensionName,
  isVisibleTo,
  METRIC_NAMES,
  type MetricName,
  metricOf,
} from '@tributary/contract/reports/traffic'
import { type ReportSetting, readReportSetting } from '../engine/context.ts'
import { parseSelection } from '../engine/parse.ts'
import type { Question, Viewer } from '../engine/query.ts'
import { type Ages, readAges } from '../freshness.ts'
import type { RowsBy } from '../model/part.ts'
import { pathCondition } from './drill-down.ts'
import { type ReadReport, type ReportEngines, readGeneralReport } from './general.ts'

export interface Shape {
  readonly levels: readonly DimensionName[]
  readonly rowsBy: RowsBy
  /** Absent: the columns of the general report. Those that the role may not see are left out. */
  readonly metrics?: readonly MetricName[]
  readonly isFlat?: boolean
  readonly formulas?: Question['formulas']
  readonly sort?: Question['sort']
  readonly page?: number
  readonly limit?: number
}

export interface Asking {
  readonly viewer: Viewer
  readonly engines: ReportEngines
  readonly setting: ReportSetting
  readonly ages: Ages
  readonly signal: AbortSignal | undefined
}

export async function prepareAsking(viewer: Viewer, engines: ReportEngines, signal?: AbortSignal): Promise<Asking> {
  const [setting, ages] = await Promise.all([readReportSetting(engines.postgres), readAges(engines.postgres)])
  return { viewer, engines, setting, ages, signal }
}

const OFF = { groupBy: 'off', secondGroupBy: 'off', thirdGroupBy: 'off', fourthGroupBy: 'off' } as const

/** `narrowing`: fields of the report filter that the schema of the report has let through. */
export function shapeQuestion(narrowing: object, shape: Shape, { viewer, setting }: Asking): Question {
  const metrics = shape.metrics ?? METRIC_NAMES
  return {
    ...parseSelection({ ...reportFilterSchema.parse(OFF), ...narrowing }, viewer, setting),
    levels: shape.levels,
    rowsBy: shape.rowsBy,
    metrics: metrics.filter((name) => isVisibleTo(metricOf(name), viewer.role)),
    formulas: shape.formulas ?? [],
    limits: [],
    isFlat: shape.isFlat ?? false,
    sort: shape.sort ?? null,
    page: shape.page ?? 1,
    limit: shape.limit ?? ALL,
  }
}

export const ask = (question: Question, { viewer, engines, signal }: Asking): Promise<ReadReport> =>
  readGeneralReport(question, viewer, engines, signal)

export function tell({ first }: Question, { setting, ages }: Asking, isRateMissing: boolean): Told {
  return {
    period: { dateFrom: first.from, dateTo: first.to },
    built_at: new Date().toISOString(),
    ...ages,
    currency: setting.currency,
    warnings: isRateMissing ? ['rate_missing'] : [],
  }
}

/** The question narrowed to a column, where columns are periods. */
export function atPeriod(question: Question, unit: DimensionName, { period }: Pick<KindCell, 'period'>): Question {
  if (period === undefined) return question
  return { ...question, conditions: [...question.conditions, pathCondition(unit, period, 'cell.period')] }
}
