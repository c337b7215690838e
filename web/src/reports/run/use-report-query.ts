// Loads a report: checks for recomputations, then uses the browser's copy or calls the server. Outdated requests are cancelled;
// the old answer stays until the new one arrives.
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormulaVersion, GeneralReportAnswer, RequestedFormulas } from '@tributary/contract/reports/general'
import { useDeferredValue, useMemo, useRef } from 'react'
import { http } from '../../data/http.ts'
import { useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { localStore } from '../../lib/storage.ts'
import { groupFilter } from '../../state/preferences.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { session } from '../../state/session.ts'
import { createStoredValue, useStoredValue } from '../../state/stored-value.ts'
import { useFreshFormulas } from '../columns/use-formulas.ts'
import { forgetCopies, readCopy, storeCopy } from './report-copy.ts'
import {
  type NoticedDays,
  noticeQuery,
  type ReportNotice,
  type ReportType,
  sentencesOf,
  useReportNotice,
} from './report-notice.ts'

const SETTLE_MS = 250
const KEEP_MS = 60_000
/** The age up to which copies of past days are used. */
const COPY_MS = 5 * 60_000

/** The fields that every report answer has. */
export type AnswerHeader = Pick<GeneralReportAnswer, 'sources' | 'built_at' | 'watermark' | 'warnings'> & {
  readonly formulas?: readonly FormulaVersion[]
}

/** Refresh intervals, in seconds, of reports that include today; 0 = by hand only. */
export function createRefresh(key: string, initial: number, choices: readonly number[]) {
  return {
    choices,
    stored: createStoredValue(key, initial, (value): value is number => choices.includes(value as number)),
  }
}

export interface ReportQuery<A, S> {
  readonly report: ReportType
  /** The path below /api. */
  readonly path: string
  /** The user's input; it is sent once it has not changed for SETTLE_MS. */
  readonly state: S
  readonly requestOf: (state: S) => {
    readonly filter?: NoticedDays | undefined
    readonly formulas?: RequestedFormulas | undefined
  }
  /** A report as known on an earlier moment, which never changes. */
  readonly isPast?: boolean
  readonly refresh: ReturnType<typeof createRefresh>
  readonly isAnswer: (value: unknown) => value is A
  readonly countEntries: (answer: A) => number
}

export interface ReportLoad<A, S> {
  readonly path: string
  readonly answer: A | undefined
  /** The state that the answer belongs to. */
  readonly answeredState: S
  /** The answer belongs to an older state. */
  readonly isStale: boolean
  readonly isFetching: boolean
  /** The server failed to answer, and is asked again. */
  readonly isRetrying: boolean
  /** No answer has arrived at all. */
  readonly error: Error | null
  /** The shown answer could not be refreshed. */
  readonly hasRefreshFailed: boolean
  readonly refetch: () => void
  readonly notice: ReportNotice
  readonly refresh: {
    readonly choices: readonly number[]
    readonly seconds: number
    readonly setSeconds: (seconds: number) => void
  }
}

export function useReportLoad<A extends AnswerHeader, S>(query: ReportQuery<A, S>): ReportLoad<A, S> {
  const { report, path, state, requestOf, isAnswer, countEntries } = query
  const text = JSON.stringify(state)
  const [settled] = useDebouncedValue(text, SETTLE_MS)
  // `settled` is the JSON of a state of type S.
  const requested = useMemo(() => JSON.parse(settled) as S, [settled])
  const request = requestOf(requested)
  const days = request.filter ?? {}
  const client = useQueryClient()
  const { id, role } = useProfile()
  // Another tab may start to view as another user, to whom later answers belong.
  const person = `${id} ${role.kind}`
  const isForced = useRef(false)
  const isRunning = query.isPast !== true && (days.dateTo ?? '') >= businessToday()
  const [seconds, setSeconds] = useStoredValue(query.refresh.stored)
  const { data, error, isError, isFetching, isPlaceholderData, failureCount, refetch } = useQuery({
    queryKey: [...keys.report(path, request), person],
    queryFn: async ({ signal }) => {
      const notice = await client.fetchQuery({ ...noticeQuery(report, days), retry: false }).catch(() => undefined)
      signal.throwIfAborted()
      const updateData = isForced.current || isRunning || notice === undefined || sentencesOf(notice).length > 0
      isForced.current = false
      const version = notice?.version ?? ''
      const place = { key: JSON.stringify([person, groupFilter.get(), currentLanguage(), path, request]), version }
      const copy = updateData ? null : readCopy(localStore(), path, place, isAnswer)
      if (copy !== null && Date.now() - copy.saved_at < COPY_MS) return { answer: copy.answer, requested }
      const answer = await http.post<A>(path, request, { signal })
      storeCopy(localStore(), path, { ...place, saved_at: Date.now(), answer }, isAnswer, countEntries)
      return { answer, requested }
    },
    placeholderData: (before, last) => (last?.queryKey.at(-1) === person ? before : undefined),
    refetchInterval: isRunning && seconds > 0 ? seconds * 1000 : false,
    gcTime: KEEP_MS,
    // A report that is opened again asks for changes at once: other screens show their numbers already.
    staleTime: 0,
    // Comparing tens of thousands of rows costs more than rendering the visible ones.
    structuralSharing: false,
  })
  // Many rows are rendered in steps, so that the page answers to input meanwhile.
  const deferred = useDeferredValue(data)
  // Without data, the rows of another person may not stay.
  const shown = data === undefined ? undefined : deferred
  const showsFormerState = shown !== undefined && shown !== data && JSON.stringify(shown.requested) !== settled
  const isStale = isPlaceholderData || text !== settled || showsFormerState
  const refetchNow = () => {
    isForced.current = true
    void refetch()
  }
  useFreshFormulas({
    requested: request.formulas ?? [],
    answered: isPlaceholderData || text !== settled ? undefined : data?.answer.formulas,
    isFetching,
    refetch: refetchNow,
  })
  return {
    path,
    answer: shown?.answer,
    answeredState: shown?.requested ?? requested,
    isStale,
    isFetching,
    isRetrying: data === undefined && isFetching && failureCount > 0,
    error: shown === undefined ? error : null,
    hasRefreshFailed: data !== undefined && isError,
    refetch: refetchNow,
    notice: useReportNotice(report, days, shown?.answer.built_at),
    refresh: { choices: query.refresh.choices, seconds, setSeconds },
  }
}

// Copies must not outlive the session of the user whose rows they contain.
session.subscribe((change) => {
  if (change === 'logout' || change === 'expired') forgetCopies(localStore())
})
