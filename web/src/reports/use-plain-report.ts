// Asks for the answer of a report without levels: what is asked settles first, the old answer stays until the new one is there.
import { useDebouncedValue } from '@mantine/hooks'
import { businessToday } from '../state/business-zone.ts'
import type { ReportType } from './report-notice.ts'
import { useReportQuery } from './use-report-query.ts'

const SETTLE_MS = 250
const REFRESH_SECONDS = 60

interface Days {
  readonly dateFrom: string
  readonly dateTo: string
}

interface PlainAsk<A> {
  readonly report: ReportType
  /** Below /api. */
  readonly path: string
  readonly request: { readonly filter: Days & Readonly<Record<string, unknown>> }
  readonly isAnswer: (value: unknown) => value is A
  readonly countEntries: (answer: A) => number
}

export interface PlainLoad<A> {
  readonly answer: A | undefined
  readonly isStale: boolean
  readonly error: Error | null
  readonly refetch: () => void
}

export function usePlainReport<A>({ request, ...ask }: PlainAsk<A>): PlainLoad<A> {
  const text = JSON.stringify(request)
  const [settled] = useDebouncedValue(text, SETTLE_MS)
  // The text of the very request above.
  const asked = JSON.parse(settled) as typeof request
  const query = useReportQuery({
    ...ask,
    request: asked,
    days: { dateFrom: asked.filter.dateFrom, dateTo: asked.filter.dateTo },
    asked: settled,
    isRunning: asked.filter.dateTo >= businessToday(),
    refreshSeconds: REFRESH_SECONDS,
  })
  return {
    answer: query.data?.answer,
    isStale: query.isPlaceholderData || text !== settled,
    error: query.data === undefined ? query.error : null,
    refetch: query.refetch,
  }
}

/** Enough of the shape to be drawn. */
export const hasRows = (value: unknown): value is { rows: unknown[]; total: unknown } =>
  typeof value === 'object' && value !== null && 'rows' in value && Array.isArray(value.rows) && 'total' in value
