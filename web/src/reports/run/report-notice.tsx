// Whether anything that a report is made of is being recomputed: asked before each fetch and while it goes on, told again when it has ended.

import { CloseButton, Loader } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { REPORT_TYPES, ReportNotification } from '@tributary/contract/reports/general'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useLive } from '../../data/live.ts'
import { createStoredValue } from '../../state/stored-value.ts'
import classes from './report-notice-bar.module.css'

// Above a report: that something is being recomputed and the numbers may be inaccurate; later, that it is done and the report should be loaded again.
export function ReportNoticeBar({ notice, onReload }: { notice: ReportNotice; onReload: () => void }) {
  const { t } = useTranslation('reports')
  if (notice.updating.length > 0)
    return (
      <div className={`${classes.bar} ${classes.updating}`} role="status">
        <Loader size={14} aria-hidden />
        <span>
          <strong>{notice.updating.join('. ')}.</strong> {t(($) => $.notice.inaccurate)}
        </span>
      </div>
    )
  if (!notice.isUpdated) return null
  return (
    <div className={classes.bar} role="status">
      <IconRefresh size={15} aria-hidden />
      <span>
        <strong>{t(($) => $.notice.updated)}</strong>
      </span>
      <button type="button" className={classes.reload} onClick={onReload}>
        {t(($) => $.notice.reload)}
      </button>
      <CloseButton size="sm" aria-label={t(($) => $.notice.close)} onClick={notice.dismiss} />
    </div>
  )
}

export type ReportType = (typeof REPORT_TYPES)[number]

/** The days that the report is about; absent ends are today. */
export interface NoticedDays {
  readonly dateFrom?: string | undefined
  readonly dateTo?: string | undefined
  readonly secondDateFrom?: string | undefined
  readonly secondDateTo?: string | undefined
}

export const NOTICE_KEY = 'report-notice'
const ASK_AGAIN_MS = 3000

export const noticeQuery = (report: ReportType, { dateFrom, dateTo, secondDateFrom, secondDateTo }: NoticedDays) =>
  queryOptions({
    queryKey: [NOTICE_KEY, report, dateFrom, dateTo, secondDateFrom, secondDateTo],
    queryFn: ({ signal }) =>
      http.get<ReportNotification>('player_report/notification', {
        query: { report, dateFrom, dateTo, secondDateFrom, secondDateTo },
        signal,
      }),
    staleTime: 0,
  })

/** What is being recomputed, in sentences; none when everything is current. */
export const sentencesOf = (notice: ReportNotification | undefined): string[] =>
  notice === undefined ? [] : Object.values(notice).filter((sentence) => sentence !== '')

/** What this browser knows of the state of a report's data. */
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
  /** Something was recomputed since the answer that is shown was asked for. */
  readonly isUpdated: boolean
  readonly dismiss: () => void
}

/** `builtAt` is when the answer that is shown was built: a newer one makes an announcement needless. */
export function useReportNotice(report: ReportType, days: NoticedDays, builtAt: string | undefined): ReportNotice {
  const { data, refetch } = useQuery({
    ...noticeQuery(report, days),
    refetchInterval: ({ state }) => (sentencesOf(state.data).length > 0 ? ASK_AGAIN_MS : false),
  })
  const ask = () => void refetch()
  useLive('report_cache', ask, ask)
  const updating = sentencesOf(data)
  const isUpdating = data === undefined ? null : updating.length > 0
  // The build that was on the screen while something was recomputed; it stays old until another one comes.
  const [outdated, setOutdated] = useState<string | null>(null)
  const [wasUpdating, setWasUpdating] = useState(false)
  if (isUpdating !== null && isUpdating !== wasUpdating) {
    setWasUpdating(isUpdating)
    if (!isUpdating) setOutdated(builtAt ?? null)
  }
  // Follows browser storage, where the state of each report's data is kept for the next visit.
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
    dismiss: () => setOutdated(null),
  }
}
