// The story of a player on the overview: one request for both parts.
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PlayerTimeline } from '@tributary/contract/calls/player'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import type { FormRow } from '../../entities/form/form-row.ts'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import { useLabels } from '../../i18n/labels.ts'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import { FailedState } from '../../ui/states.tsx'
import { PaymentActions } from './payment-actions.tsx'
import classes from './player-story.module.css'
import { QualificationProgress } from './qualification-progress.tsx'
import { StoryList } from './story-list.tsx'

export type Timeline = PlayerTimeline
export type TimelineEntry = Timeline['entries'][number]
export type Qualification = NonNullable<Timeline['qualification']>
export type Rule = Qualification['rules'][number]

export function PlayerStory({ row }: SectionProps) {
  return row === null ? null : <StoryOf id={Number(row.id)} version={Number(row.version)} row={row} />
}

/** What is decided on the payment so far. Absent for users who may not see it. */
function PaymentState({ row: { payment_resolution: resolution } }: { row: FormRow }) {
  const { t } = useTranslation()
  const labels = useLabels()
  if (resolution === undefined) return null
  return (
    <p className={classes.resolution}>
      {labels.field('player', 'payment_resolution')}:{' '}
      {typeof resolution === 'string' ? (
        <StateBadge tone={toneOf(resolution)}>{labels.choice('player', 'payment_resolution', resolution)}</StateBadge>
      ) : (
        <StateBadge tone="neutral">{t(($) => $.players.resolve.undecided)}</StateBadge>
      )}
    </p>
  )
}

/** `version` reloads the story after each saved change. */
function StoryOf({ id, version, row }: { id: number; version: number; row: FormRow }) {
  const story = useQuery({
    queryKey: [...keys.row('player', id), 'timeline', version],
    queryFn: ({ signal }) => http.get<Timeline>(`player/${id}/timeline`, { signal }),
  })
  if (story.isError) return <FailedState error={story.error} onRetry={() => void story.refetch()} />
  return (
    <div className={classes.story}>
      {story.data === undefined ? (
        <>
          <Skeleton height={180} />
          <Skeleton height={180} />
        </>
      ) : (
        <>
          <StoryList timeline={story.data} />
          <div>
            <QualificationProgress qualification={story.data.qualification} />
            <PaymentState row={row} />
            <div className={classes.payment}>
              <PaymentActions
                selection={{ ids: [id], exclusive: false, filter: '' }}
                count={1}
                onDone={() => undefined}
              />
            </div>
          </div>
        </>
      )}
    </div>
  )
}
