// The overview of a record: what is needed first, its key numbers, what is left to do, what hangs on it, and how it changed.
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { entityOf } from '../../entities/field/field-at.ts'
import { ActiveBadge } from '../../entities/field/field-value.tsx'
import { rowTitle } from '../../entities/field/row-text.ts'
import { RecordFailed } from '../../entities/form/record-failed.tsx'
import { RecordTabs } from '../../entities/form/record-tabs.tsx'
import { HistoryButton } from '../../entities/history/history-drawer.tsx'
import type { Row } from '../../entities/list/list-query.ts'
import { listAddress } from '../../entities/list/list-storage.ts'
import { useLabels } from '../../i18n/labels.ts'
import { Page } from '../../ui/page.tsx'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import classes from './overview.module.css'
import type { OverviewSlots } from './overview-slots.ts'
import { RecentChanges } from './recent-changes.tsx'
import { RecordNumbers } from './record-numbers.tsx'
import { RecordTasks } from './record-tasks.tsx'
import { RelatedRows } from './related-rows.tsx'

interface RecordOverviewProps {
  name: EntityName
  id: number
  slots: OverviewSlots
}

export function RecordOverview({ name, id, slots }: RecordOverviewProps) {
  const labels = useLabels()
  const { data: record, ...load } = useQuery({
    queryKey: keys.row(name, id),
    queryFn: ({ signal }) => http.get<Row>(`${name}/${id}`, { signal }),
  })
  if (record === undefined)
    return (
      <Page title={labels.title(name)} subtitle={<BackLink name={name} />}>
        {load.isError ? null : <RecordTabs name={name} id={id} current="overview" />}
        {load.isError ? (
          <RecordFailed name={name} id={id} error={load.error} onRetry={() => void load.refetch()} />
        ) : (
          ['96px', '180px', '220px'].map((height) => <Skeleton key={height} height={height} mb={14} radius="md" />)
        )}
      </Page>
    )
  const { Top, Below, actions: Actions } = slots
  return (
    <Page
      title={slots.title?.(record) ?? rowTitle(name, record)}
      subtitle={<BackLink name={name} />}
      mark={<Marks name={name} record={record} />}
      actions={
        <>
          {Actions === undefined ? null : <Actions row={record} />}
          <HistoryButton name={name} row={record} />
        </>
      }
    >
      <RecordTabs name={name} id={id} current="overview" />
      {Top === undefined ? null : <Top row={record} />}
      <RecordNumbers filters={slots.filters(record)} metrics={slots.metrics} />
      {Below === undefined ? null : <Below row={record} />}
      <div className={classes.columns}>
        <RelatedRows record={record} relations={slots.relations} />
        <div className={classes.aside}>
          <RecordTasks name={name} record={record} />
          <RecentChanges name={name} record={record} />
        </div>
      </div>
    </Page>
  )
}

function Marks({ name, record: { active, state } }: { name: EntityName; record: Row }) {
  const labels = useLabels()
  return (
    <span className={classes.marks}>
      {typeof state === 'string' ? (
        <StateBadge tone={toneOf(state)}>{labels.choice(name, 'state', state)}</StateBadge>
      ) : null}
      {active === false ? <ActiveBadge isActive={false} labels={labels} /> : null}
    </span>
  )
}

/** Returns to the list with its page and filters. */
function BackLink({ name }: { name: EntityName }) {
  const labels = useLabels()
  const router = useRouter()
  const route = entityOf(name).route ?? ''
  return (
    <Link
      to={route}
      className={classes.link ?? ''}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        router.history.push(listAddress(name) ?? route)
      }}
    >
      {labels.title(name)}
    </Link>
  )
}
