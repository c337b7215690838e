// The latest changes of a record, each in one line. The history in the header shows them whole, and restores them.

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { STAFF } from '@tributary/contract/access'
import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import { ENTITY_NAMES, type EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { FieldTitle } from '../../entities/history/history-item.tsx'
import type { Row } from '../../entities/list/list-query.ts'
import { useLabels } from '../../i18n/labels.ts'
import { FailedState } from '../../ui/states.tsx'
import { MomentText } from '../../ui/value.tsx'
import classes from './overview.module.css'

const SHOWN = 6

/** Absent for partners, who may not see the history. */
export function RecentChanges({ name, record }: { name: EntityName; record: Row }) {
  const { t } = useTranslation()
  const can = useCan()
  const history = useQuery({
    queryKey: [...keys.entity(name), 'recent', String(record.id), record.version],
    queryFn: ({ signal }) =>
      http.get<{ items: HistoryEntry[] }>(`audit_log/history/${name}/${record.id}?limit=${SHOWN}`, { signal }),
    enabled: can(STAFF),
  })
  if (!can(STAFF)) return null
  return (
    <section className={classes.card} aria-label={t(($) => $.overview.changes)}>
      <h2 className={classes.cardTitle}>{t(($) => $.overview.changes)}</h2>
      {history.isError ? <FailedState error={history.error} onRetry={() => void history.refetch()} /> : null}
      {history.isPending ? [1, 2, 3].map((line) => <Skeleton key={line} height={12} my={9} />) : null}
      {history.data?.items.length === 0 ? <p className={classes.quiet}>{t(($) => $.history.empty)}</p> : null}
      <ol className={classes.rows}>
        {history.data?.items.map((entry) => (
          <Change key={entry.id} record={name} entry={entry} />
        ))}
      </ol>
    </section>
  )
}

function Change({ record, entry }: { record: EntityName; entry: HistoryEntry }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const name = ENTITY_NAMES.find((known) => known === entry.entity)
  if (name === undefined) return null
  const fields = entry.action === 'update' ? entry.changes.map(({ field }) => labels.field(name, field)).join(', ') : ''
  return (
    <li className={classes.change}>
      <span className={classes.when}>
        <MomentText value={entry.at} /> · {entry.user?.title ?? t(($) => $.values.system)}
      </span>
      <span>
        {labels.choice('audit_log', 'action', entry.action)}
        {name === record ? null : (
          <>
            {' · '}
            {labels.one(name)} <FieldTitle name={name} title={entry.title} />
          </>
        )}
        {fields === '' ? null : ` · ${fields}`}
      </span>
    </li>
  )
}
