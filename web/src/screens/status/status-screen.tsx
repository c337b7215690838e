// The status of the installation: whether it is ready, what it measures, the last errors, and the jobs. It loads again every five seconds.
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { businessZone } from '../../state/profile-facts.ts'
import { Page } from '../../ui/page.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { FailedState } from '../../ui/states.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import classes from './status.module.css'
import { StatusCards } from './status-cards.tsx'
import { JobsTable, ProblemsTable, ScheduleTable } from './status-tables.tsx'

type Status = AnswerOf<'status_read'>

const RELOAD_MS = 5000

export function StatusScreen() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => http.get<Status>('status', { signal }),
    refetchInterval: RELOAD_MS,
  })
  return (
    <Page
      title={t(($) => $.screens.status.title)}
      subtitle={data === undefined ? t(($) => $.screens.status.subtitle) : <Since status={data} />}
      mark={data === undefined ? null : <Mark isReady={data.missing.length === 0} />}
    >
      {error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <TableSkeleton columns={['', '', '']} />
      ) : (
        <>
          <Notices status={data} />
          <StatusCards status={data} />
          <ProblemsTable problems={data.problems} />
          <JobsTable jobs={data.jobs} />
          <ScheduleTable schedules={data.schedules} />
        </>
      )}
    </Page>
  )
}

function Since({ status: { started_at, window_seconds } }: { status: Status }) {
  const { t } = useTranslation()
  const at = formatDateTime(started_at, businessZone()) ?? ''
  return t(($) => $.status.since, { at, minutes: Math.max(1, Math.round(window_seconds / 60)) })
}

function Mark({ isReady }: { isReady: boolean }) {
  const { t } = useTranslation()
  return (
    <StateBadge tone={isReady ? 'positive' : 'negative'}>
      {isReady ? t(($) => $.status.ready) : t(($) => $.status.notReady)}
    </StateBadge>
  )
}

function Notices({ status: { missing, is_sending_held } }: { status: Status }) {
  const { t } = useTranslation()
  const texts = [
    ...missing.map((name) => t(($) => $.status.missing[name])),
    ...(is_sending_held ? [t(($) => $.status.held)] : []),
  ]
  return texts.map((text) => (
    <p key={text} className={classes.notice} role="status">
      {text}
    </p>
  ))
}
