// Shared parts of fixed-shape reports: the request selects facts, while levels and metrics are fixed.
import type { FixedShapeCell, FixedShapeHeader } from '@tributary/contract/reports/kinds'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import type { ReportContext } from '../engine/context.ts'
import type { ReportResult } from '../engine/format.ts'
import type { ReportRequest } from '../engine/parse.ts'
import type { Freshness } from '../freshness.ts'
import { groupCondition } from './drill-down.ts'

export const FLAT_VARIANT = { isByClick: false, isFlat: true } as const

/** The header of every answer: period, freshness, currency and warnings. */
export const toHeader = (
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

/** Limits the request to the period of a cell, if the cell has one. Throws AppError `invalid` for an impossible period. */
export const narrowToPeriod = (
  request: ReportRequest,
  unit: DimensionName,
  { period }: Pick<FixedShapeCell, 'period'>,
) =>
  period === undefined
    ? request
    : { ...request, conditions: [...(request.conditions ?? []), groupCondition(unit, period, 'cell.period')] }
