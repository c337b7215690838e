// Loads the general report of the state on the screen.
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

/** Enough of the shape to be drawn; older versions may have left other answers in the browser. */
const isAnswer = (value: unknown): value is GeneralReportAnswer =>
  typeof value === 'object' &&
  value !== null &&
  'rows' in value &&
  Array.isArray(value.rows) &&
  ['total', 'period', 'formulas', 'sources', 'watermark'].every((key) => key in value)

/** Rows of all levels. */
const countRows = (rows: readonly ReportRow[]): number =>
  rows.reduce((count, { children = [] }) => count + countRows(children), rows.length)
