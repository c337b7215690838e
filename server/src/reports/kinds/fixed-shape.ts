// Fixed-shape reports: levels, metrics and what makes a row belong to the report; the request only narrows facts.
import type { FixedShapeCell, FixedShapeHeader } from '@tributary/contract/reports/kinds'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import type { ReportContext } from '../engine/context.ts'
import type { ReportResult } from '../engine/format.ts'
import type { ReportRequest } from '../engine/parse.ts'
import type { Freshness } from '../freshness.ts'
import { groupCondition } from './drill-down.ts'

export const FLAT = { isByClick: false, isFlat: true } as const

/** What every answer says about itself. */
export const headerOf = (
  { query: { first }, isRateMissing }: Pick<ReportResult, 'query' | 'isRateMissing'>,
  { setting }: ReportContext,
  freshness: Freshness,
): FixedShapeHeader => ({
  period: { dateFrom: first.from, dateTo: first.to },
  built_at: new Date().toISOString(),
  ...freshness,
  currency: setting.currency,
  warnings: isRateMissing ? ['rate_missing'] : [],
})

/** The request narrowed to the column of a cell, where columns are periods. */
export const atPeriod = (request: ReportRequest, unit: DimensionName, { period }: Pick<FixedShapeCell, 'period'>) =>
  period === undefined
    ? request
    : { ...request, conditions: [...(request.conditions ?? []), groupCondition(unit, period, 'cell.period')] }
