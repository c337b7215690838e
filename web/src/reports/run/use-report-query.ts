// Asks for a report: the notification first, then the browser's copy or the server. Cancels what is no longer wanted; the old answer stays until the new one is there.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { http } from '../../data/http.ts'
import { useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { localStore } from '../../lib/storage.ts'
import { groupFilter } from '../../state/preferences.ts'
import { session } from '../../state/session.ts'
import { forgetCopies, keepCopy, readCopy } from './report-copy.ts'
import { type NoticedDays, noticeQuery, type ReportType, sentencesOf } from './report-notice.tsx'

const KEEP_MS = 60_000
/** A copy of days that are over is good for so long; later it is asked again. */
const COPY_MS = 5 * 60_000

export interface ReportAsk<A, S> {
  readonly report: ReportType
  /** Below /api. */
  readonly path: string
  readonly request: object
  readonly days: NoticedDays
  /** What the answer was asked with, handed back beside it. */
  readonly asked: S
  /** The days are not over: an answer is old at once. */
  readonly isRunning: boolean
  /** Between refreshes of days that are not over; 0 = only by hand. */
  readonly refreshSeconds: number
  readonly isAnswer: (value: unknown) => value is A
  readonly countEntries: (answer: A) => number
}

export function useReportQuery<A, S>(ask: ReportAsk<A, S>) {
  const client = useQueryClient()
  const { id, role } = useProfile()
  // Another tab may look on as someone else: what is asked from then on is theirs.
  const person = `${id} ${role.kind}`
  const isForced = useRef(false)
  const { path, request, days, asked, isRunning, isAnswer, countEntries } = ask
  const query = useQuery({
    queryKey: [...keys.report(path, request), person],
    queryFn: async ({ signal }) => {
      const copyKey = JSON.stringify([person, groupFilter.get(), currentLanguage(), path, request])
      const notice = await client.fetchQuery(noticeQuery(ask.report, days)).catch(() => undefined)
      signal.throwIfAborted()
      const updateData = isForced.current || isRunning || notice === undefined || sentencesOf(notice).length > 0
      isForced.current = false
      const copy = updateData ? null : readCopy(localStore(), path, copyKey, isAnswer)
      if (copy !== null && Date.now() - copy.saved_at < COPY_MS) return { answer: copy.answer, asked }
      const answer = await http.post<A>(path, request, { signal })
      keepCopy(localStore(), path, { key: copyKey, saved_at: Date.now(), answer }, isAnswer, countEntries)
      return { answer, asked }
    },
    placeholderData: (before, query) => (query?.queryKey.at(-1) === person ? before : undefined),
    refetchInterval: isRunning && ask.refreshSeconds > 0 ? ask.refreshSeconds * 1000 : false,
    gcTime: KEEP_MS,
    // Comparing tens of thousands of rows costs more than drawing the few in sight.
    structuralSharing: false,
  })
  return {
    ...query,
    refetch: () => {
      isForced.current = true
      void query.refetch()
    },
  }
}

// A copy must not outlive the session of the person whose rows it holds.
session.subscribe((change) => {
  if (change === 'logout' || change === 'expired') forgetCopies(localStore())
})
