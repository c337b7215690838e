// Reports whether data of a report is being recomputed: checked before each fetch, repeated while it lasts, announced when it ends.

import { queryOptions, useQuery } from '@tanstack/react-query'
import type { REPORT_TYPES, ReportNotification } from '@tributary/contract/reports/general'
import { useEffect, useState } from 'react'
import { http } from '../../data/http.ts'
import { useLive } from '../../data/live.ts'
import { createStoredValue } from '../../state/stored-value.ts'

export type ReportType = (typeof REPORT_TYPES)[number]

/** The period of the report; absent ends are today. */
export interface NoticedDays {
  readonly dateFrom?: string | undefined
  readonly dateTo?: string | undefined
  readonly secondDateFrom?: string | undefined
  readonly secondDateTo?: string | undefined
}

const NOTICE_KEY = 'report-notice'
const RECHECK_MS = 3000

export const noticeQuery = (report: ReportType, { dateFrom, dateTo, secondDateFrom, secondDateTo }: NoticedDays) =>
  queryOptions({
    queryKey: [NOTICE_KEY, report, dateFrom, dateTo, secondDateFrom, secondDateTo],
    queryFn: ({ signal }) =>
      http.get<ReportNotification>('player_report/notification', {
        query: { report, dateFrom, dateTo, secondDateFrom, secondDateTo, version: '1' },
        signal,
      }),
    staleTime: 0,
  })

/** Sentences about ongoing recomputations; empty if everything is current. */
export function sentencesOf(notice: ReportNotification | undefined): string[] {
  if (notice === undefined) return []
  const { update_base_line, update_report_data, update_spend } = notice
  return [update_base_line, update_report_data, update_spend].filter((sentence) => sentence !== '')
}

/** The stored state of a report's data in this browser. */
interface CacheRecord {
  readonly built_at: string | null
  readonly state: 'current' | 'updating'
  readonly widget2_closed?: true
}

const isRecords = (value: unknown): value is Readonly<Record<string, CacheRecord>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const records = createStoredValue<Readonly<Record<string, CacheRecord>>>('report:cache', {}, isRecords)

export interface ReportNotice {
  /** Non-empty: the numbers may be inaccurate. */
  readonly updating: readonly string[]
  /** A recomputation ended after the shown answer was requested. */
  readonly isUpdated: boolean
}

/** `builtAt` is the build time of the shown answer; an answer that was built later clears the announcement. */
export function useReportNotice(report: ReportType, days: NoticedDays, builtAt: string | undefined): ReportNotice {
  const { data, refetch } = useQuery({
    ...noticeQuery(report, days),
    refetchInterval: ({ state }) => (sentencesOf(state.data).length > 0 ? RECHECK_MS : false),
  })
  const recheck = () => void refetch()
  useLive('report_cache', recheck, recheck)
  const updating = sentencesOf(data)
  const isUpdating = data === undefined ? null : updating.length > 0
  // The build time of the answer shown during a recomputation; it is outdated until another answer arrives.
  const [outdated, setOutdated] = useState<string | null>(null)
  const [wasUpdating, setWasUpdating] = useState(false)
  if (isUpdating !== null && isUpdating !== wasUpdating) {
    setWasUpdating(isUpdating)
    if (!isUpdating) setOutdated(builtAt ?? null)
  }
  // Stores the state of the report's data in the browser for the next visit.
  useEffect(() => {
    if (isUpdating === null) return
    const record: CacheRecord = isUpdating
      ? { built_at: builtAt ?? null, state: 'updating' }
      : { built_at: builtAt ?? null, state: 'current', widget2_closed: true }
    records.set({ ...records.get(), [report]: record })
  }, [report, isUpdating, builtAt])
  return {
    updating,
    isUpdated: isUpdating === false && outdated !== null && outdated === builtAt,
  }
}
