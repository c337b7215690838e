// The engine of the general report, asked in a given shape: levels, numbers and what makes a row are the report's own, the narrowing is the person's.
import { ALL } from '@tributary/contract/limits'
import { reportFilterSchema } from '@tributary/contract/reports/filter'
import type { ReportSources } from '@tributary/contract/reports/general'
import type { KindCell, Told } from '@tributary/contract/reports/kinds'
import {
  type DimensionName,
  isVisibleTo,
  METRIC_NAMES,
  type MetricName,
  metricOf,
} from '@tributary/contract/reports/traffic'
import { readWatermark } from '../facts/watermark.ts'
import { readSourceAges } from './freshness.ts'
import { type ReadReport, type ReportEngines, readGeneralReport } from './kinds/general.ts'
import { pathCondition } from './kinds/general-rows.ts'
import type { RowsBy } from './model/part.ts'
import { parseSelection } from './parse.ts'
import type { Question, Viewer } from './question.ts'
import { type ReportSetting, readReportSetting } from './setting.ts'

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
  readonly told: { readonly watermark: string; readonly sources: ReportSources }
  readonly signal: AbortSignal | undefined
}

export async function prepareAsking(viewer: Viewer, engines: ReportEngines, signal?: AbortSignal): Promise<Asking> {
  const [setting, told] = await Promise.all([readReportSetting(engines.postgres), tellAges(engines)])
  return { viewer, engines, setting, told, signal }
}

/** Up to which moment everything is counted, and each source by itself. */
export async function tellAges({ postgres }: ReportEngines): Promise<Asking['told']> {
  const watermark = await readWatermark(postgres)
  const { clicks, players, spends } = await readSourceAges(postgres, watermark)
  return {
    watermark: new Date(Math.min(watermark.clicks.getTime(), watermark.record.getTime())).toISOString(),
    sources: { clicks: clicks.toISOString(), players: players.toISOString(), spends: spends.toISOString() },
  }
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

export function tell({ first }: Question, { setting, told }: Asking, isRateMissing: boolean): Told {
  return {
    period: { dateFrom: first.from, dateTo: first.to },
    built_at: new Date().toISOString(),
    ...told,
    currency: setting.currency,
    warnings: isRateMissing ? ['rate_missing'] : [],
  }
}

/** The question narrowed to a column, where columns are periods. */
export function atPeriod(question: Question, unit: DimensionName, { period }: Pick<KindCell, 'period'>): Question {
  if (period === undefined) return question
  return { ...question, conditions: [...question.conditions, pathCondition(unit, period, 'cell.period')] }
}
