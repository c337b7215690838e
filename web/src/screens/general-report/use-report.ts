// Asks for the report: once changes have settled, cancelling what is no longer wanted; the old answer stays until the new one is there.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { GeneralReportAnswer } from '@tributary/contract/reports/general'
import { useMemo } from 'react'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { businessToday } from '../../state/business-zone.ts'
import { createStoredValue, useStoredValue } from '../../state/stored-value.ts'
import { type ReportState, toRequest } from './report-state.ts'

const SETTLE_MS = 250
const KEEP_MS = 60_000

/** Seconds between refreshes; 0 = only by hand. */
export const REFRESH_CHOICES = [0, 10, 60] as const
export type RefreshChoice = (typeof REFRESH_CHOICES)[number]
const isRefreshChoice = (value: unknown): value is RefreshChoice =>
  (REFRESH_CHOICES as readonly unknown[]).includes(value)
const refreshEvery = createStoredValue<RefreshChoice>('report:refresh', 10, isRefreshChoice)
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
}

export function useReport(state: ReportState): ReportLoad {
  const [seconds] = useRefreshChoice()
  const [settled] = useDebouncedValue(state, SETTLE_MS)
  const request = useMemo(() => toRequest(settled), [settled])
  const isRunning = state.to >= businessToday()
  const query = useQuery({
    queryKey: keys.report('general_report', request),
    queryFn: async ({ signal }) => ({
      answer: await http.post<GeneralReportAnswer>('general_report', request, { signal }),
      asked: settled,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: isRunning && seconds > 0 ? seconds * 1000 : false,
    gcTime: KEEP_MS,
    // Comparing tens of thousands of rows costs more than drawing the few in sight.
    structuralSharing: false,
  })
  return {
    answer: query.data?.answer,
    asked: query.data?.asked ?? settled,
    isStale: query.isPlaceholderData || state !== settled,
    isFetching: query.isFetching,
    error: query.data === undefined ? query.error : null,
    hasRefreshFailed: query.data !== undefined && query.isError,
    refetch: () => void query.refetch(),
  }
}
