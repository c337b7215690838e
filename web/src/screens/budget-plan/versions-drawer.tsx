// Budget versions: the values before each change, with author and reason.
import { Drawer, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Reference } from '@tributary/contract/field'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { EmptyState, FailedState } from '../../ui/states.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import { MomentText, Money } from '../../ui/value.tsx'
import budget from './budget.module.css'
import classes from './versions.module.css'

interface Version {
  readonly id: number
  readonly created_at: string
  readonly user: Reference | null
  readonly reason: string
  readonly planned_before: string
  readonly currency_before: Reference | null
  readonly planned: string
  readonly currency: Reference | null
}

export interface VersionsTarget {
  readonly id: number
  readonly name: string
}

export function VersionsDrawer({ target, onClose }: { target: VersionsTarget | null; onClose: () => void }) {
  const { t } = useTranslation()
  const shown = useLastValue(target)
  return (
    <Drawer
      opened={target !== null}
      onClose={onClose}
      position="right"
      title={t(($) => $.budget.versionsOf, { name: shown?.name ?? '' })}
    >
      {shown ? <Versions id={shown.id} /> : null}
    </Drawer>
  )
}

function Versions({ id }: { id: number }) {
  const { t } = useTranslation()
  const query = { 'filter[budget]': id, limit: 100 }
  const { data, error, refetch } = useQuery({
    queryKey: keys.list('budget_version', query),
    queryFn: ({ signal }) => http.get<{ items: Version[] }>('budget_version', { query, signal }),
  })
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={14} my={16} radius="xl" />
  if (data.items.length === 0) return <EmptyState title={t(($) => $.budget.versionsNone)} />
  return (
    <ol className={classes.versions}>
      {data.items.map((version) => (
        <li key={version.id}>
          <p className={classes.change}>
            <s>
              <Money value={version.planned_before} /> {version.currency_before?.title}
            </s>
            {' → '}
            <b>
              <Money value={version.planned} /> {version.currency?.title}
            </b>
          </p>
          <p>{version.reason}</p>
          <p className={budget.hint}>
            {version.user?.title} · <MomentText value={version.created_at} />
          </p>
        </li>
      ))}
    </ol>
  )
}
