// Asks for the answer of a report without levels: what is asked settles first, the old answer stays until the new one is there.
import { useDebouncedValue } from '@mantine/hooks'
import type { RequestedFormulas } from '@tributary/contract/reports/general'
import { businessToday } from '../../state/profile-facts.ts'
import { createStoredValue, useStoredValue } from '../../state/stored-value.ts'
import { type ReportNotice, type ReportType, useReportNotice } from '../run/report-notice.tsx'
import type { RefreshControl, StatusLoad, ToldOfReport } from '../run/report-status.tsx'
import { useReportQuery } from '../run/use-report-query.ts'

const SETTLE_MS = 250

/** Seconds between refreshes; 0 = only by hand. */
const REFRESH_CHOICES = [0, 60] as const
const refreshEvery = createStoredValue<number>('report:refresh-plain', 60, (value): value is number =>
  (REFRESH_CHOICES as readonly unknown[]).includes(value),
)

interface Days {
  readonly dateFrom: string
  readonly dateTo: string
}

/** `filter` and whatever else the report is asked with. */
export interface PlainRequest {
  readonly filter: Days & Readonly<Record<string, unknown>>
  readonly pagination?: { readonly page: number; readonly limit: number }
  readonly formulas?: RequestedFormulas
}

interface PlainAsk<A> {
  readonly report: ReportType
  /** Below /api. */
  readonly path: string
  readonly request: PlainRequest
  readonly isAnswer: (value: unknown) => value is A
  readonly countEntries: (answer: A) => number
}

export interface PlainLoad<A extends ToldOfReport> extends StatusLoad {
  readonly answer: A | undefined
  readonly isStale: boolean
  readonly error: Error | null
  readonly notice: ReportNotice
  readonly refresh: RefreshControl
  /** Below /api. */
  readonly path: string
  /** What the answer was asked with. */
  readonly asked: PlainRequest
}

export function usePlainReport<A extends ToldOfReport>({ request, ...ask }: PlainAsk<A>): PlainLoad<A> {
  const text = JSON.stringify(request)
  const [settled] = useDebouncedValue(text, SETTLE_MS)
  // The text of the very request above.
  const asked = JSON.parse(settled) as typeof request
  const days = { dateFrom: asked.filter.dateFrom, dateTo: asked.filter.dateTo }
  const [seconds, setSeconds] = useStoredValue(refreshEvery)
  const query = useReportQuery({
    ...ask,
    request: asked,
    days,
    asked,
    isRunning: asked.filter.dateTo >= businessToday(),
    refreshSeconds: seconds,
  })
  const answer = query.data?.answer
  return {
    path: ask.path,
    answer,
    asked: query.data?.asked ?? asked,
    isStale: query.isPlaceholderData || text !== settled,
    isFetching: query.isFetching,
    error: query.data === undefined ? query.error : null,
    hasRefreshFailed: query.data !== undefined && query.isError,
    refetch: query.refetch,
    notice: useReportNotice(ask.report, days, answer?.built_at),
    refresh: { choices: REFRESH_CHOICES, seconds, setSeconds },
  }
}

/** Enough of the shape to be drawn. */
export const hasRows = (value: unknown): value is { rows: unknown[]; total: unknown } =>
  typeof value === 'object' && value !== null && 'rows' in value && Array.isArray(value.rows) && 'total' in value
