// Loads the general report for a state.
import type { GeneralReportAnswer, ReportRow } from '@tributary/contract/reports/general'
import { createRefresh, type ReportLoad, useReportLoad } from '../../reports/run/use-report-query.ts'
import { isFlatReport, useReportKind } from './report-kind.ts'
import { type ReportState, toRequest } from './report-state.ts'

const REFRESH = createRefresh('report:refresh', 10, [0, 10, 60])

export type GeneralReportLoad = ReportLoad<GeneralReportAnswer, ReportState>

export function useReport(state: ReportState): GeneralReportLoad {
  const kind = useReportKind()
  return useReportLoad({
    report: isFlatReport(kind) ? 'generalReportOld' : 'generalReport',
    path: kind,
    state,
    requestOf: toRequest,
    isPast: state.knownAt !== null,
    refresh: REFRESH,
    isAnswer,
    countEntries: ({ rows }) => countRows(rows),
  })
}

/** Checks only the parts that rendering needs; older versions may have stored other shapes in the browser. */
const isAnswer = (value: unknown): value is GeneralReportAnswer =>
  typeof value === 'object' &&
  value !== null &&
  'rows' in value &&
  Array.isArray(value.rows) &&
  ['total', 'period', 'formulas', 'sources', 'watermark'].every((key) => key in value)

/** Counts rows of all levels. */
const countRows = (rows: readonly ReportRow[]): number =>
  rows.reduce((count, { children = [] }) => count + countRows(children), rows.length)
