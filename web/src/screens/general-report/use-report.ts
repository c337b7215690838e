// Asks for the general report once changes have settled, and hears whether its data is being recomputed.
import { useDebouncedValue } from '@mantine/hooks'
import type { GeneralReportAnswer, ReportRow } from '@tributary/contract/reports/general'
import { useMemo } from 'react'
import { useFreshFormulas } from '../../reports/columns/use-formulas.ts'
import { type ReportNotice, useReportNotice } from '../../reports/run/report-notice.tsx'
import { useReportQuery } from '../../reports/run/use-report-query.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { createStoredValue, useStoredValue } from '../../state/stored-value.ts'
import { isFlatReport, useReportKind } from './report-kind.ts'
import { type ReportState, toRequest } from './report-state.ts'

const SETTLE_MS = 250

/** Seconds between refreshes; 0 = only by hand. */
export const REFRESH_CHOICES = [0, 10, 60] as const
const isRefreshChoice = (value: unknown): value is number => (REFRESH_CHOICES as readonly unknown[]).includes(value)
const refreshEvery = createStoredValue<number>('report:refresh', 10, isRefreshChoice)
export const useRefreshChoice = () => useStoredValue(refreshEvery)

export interface ReportLoad {
  readonly answer: GeneralReportAnswer | undefined
  /** What that answer was asked with. */
  readonly asked: ReportState
  /** The answer is to an older question. */
  readonly isStale: boolean
  readonly isFetching: boolean
  /** The answer to show never came. */
  readonly error: Error | null
  /** A refresh of an answer that is shown failed. */
  readonly hasRefreshFailed: boolean
  readonly refetch: () => void
  readonly notice: ReportNotice
}

export function useReport(state: ReportState): ReportLoad {
  const kind = useReportKind()
  const report = isFlatReport(kind) ? 'generalReportOld' : 'generalReport'
  const [refreshSeconds] = useRefreshChoice()
  const [settled] = useDebouncedValue(state, SETTLE_MS)
  const request = useMemo(() => toRequest(settled), [settled])
  const days = request.filter ?? {}
  const query = useReportQuery({
    report,
    path: kind,
    request,
    days,
    asked: settled,
    isRunning: state.knownAt === null && state.to >= businessToday(),
    refreshSeconds,
    isAnswer,
    countEntries: ({ rows }) => countRows(rows),
  })
  const answer = query.data?.answer
  useFreshFormulas({
    asked: request.formulas ?? [],
    answered: query.isPlaceholderData ? undefined : answer?.formulas,
    isFetching: query.isFetching,
    refetch: query.refetch,
  })
  return {
    answer,
    asked: query.data?.asked ?? settled,
    isStale: query.isPlaceholderData || state !== settled,
    isFetching: query.isFetching,
    error: query.data === undefined ? query.error : null,
    hasRefreshFailed: query.data !== undefined && query.isError,
    refetch: query.refetch,
    notice: useReportNotice(report, days, answer?.built_at),
  }
}

/** Enough of the shape to be drawn: what an older version has left in the browser is no answer. */
const isAnswer = (value: unknown): value is GeneralReportAnswer =>
  typeof value === 'object' &&
  value !== null &&
  'rows' in value &&
  Array.isArray(value.rows) &&
  'total' in value &&
  'period' in value &&
  'formulas' in value &&
  'sources' in value &&
  'watermark' in value

/** Rows of all levels. */
function countRows(rows: readonly ReportRow[]): number {
  let count = rows.length
  for (const { children } of rows) if (children) count += countRows(children)
  return count
}
