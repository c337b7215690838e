// The history of a row and of its collections, newest first; any version can be restored.

import { Button, Drawer, Skeleton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { STAFF } from '@tributary/contract/access'
import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { EmptyState, FailedState } from '../../ui/states.tsx'
import { rowTitle } from '../field/row-text.ts'
import type { Row } from '../list/list-query.ts'
import classes from './history.module.css'
import { HistoryItem } from './history-item.tsx'

/** Opens the history of the form's row. Partners may not see it. */
export function HistoryButton({ name, row }: { name: EntityName; row: Row }) {
  const { t } = useTranslation()
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  if (!can(STAFF)) return null
  const label = t(($) => $.history.title)
  return (
    <>
      <IconButton
        label={label}
        icon={IconHistory}
        size={30}
        variant="default"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <HistoryDrawer name={name} row={row} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

interface Slice {
  items: HistoryEntry[]
  has_more: boolean
}

interface HistoryDrawerProps {
  name: EntityName
  row: Row
  isOpen: boolean
  onClose: () => void
}

function HistoryDrawer({ name, row, isOpen, onClose }: HistoryDrawerProps) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={620}
      title={`${t(($) => $.history.title)} · ${rowTitle(name, row)}`}
      closeButtonProps={{ 'aria-label': t(($) => $.engine.close) }}
    >
      <Timeline name={name} row={row} />
    </Drawer>
  )
}

const isSameRow = (a: HistoryEntry, b: HistoryEntry): boolean => a.entity === b.entity && a.entity_id === b.entity_id

function Timeline({ name, row }: { name: EntityName; row: Row }) {
  const { t } = useTranslation()
  const history = useInfiniteQuery({
    queryKey: [...keys.entity(name), 'history', String(row.id)],
    queryFn: ({ pageParam, signal }) =>
      http.get<Slice>(`audit_log/history/${name}/${row.id}${pageParam === 0 ? '' : `?before=${pageParam}`}`, {
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ items, has_more }) => (has_more ? items.at(-1)?.id : undefined),
    staleTime: 0,
  })
  if (history.isError) return <FailedState error={history.error} onRetry={() => void history.refetch()} />
  if (history.data === undefined)
    return ['60%', '90%', '75%', '85%', '50%'].map((width) => (
      <Skeleton key={width} height={12} my={18} width={width} radius="xl" />
    ))
  const entries = history.data.pages.flatMap(({ items }) => items)
  if (entries.length === 0) return <EmptyState title={t(($) => $.history.empty)} text={t(($) => $.history.emptyHint)} />
  // Resets the query, because the form still contains the old row.
  const renew = () => queryClient.resetQueries({ queryKey: keys.row(name, row.id) })
  return (
    <>
      <ol className={classes.timeline}>
        {entries.map((entry, index) => (
          <HistoryItem
            key={entry.id}
            record={name}
            entry={entry}
            isCurrent={entries.findIndex((one) => isSameRow(one, entry)) === index}
            isFirst={!history.hasNextPage && entries.findLastIndex((one) => isSameRow(one, entry)) === index}
            onRestored={renew}
          />
        ))}
      </ol>
      {history.hasNextPage ? (
        <Button
          variant="default"
          fullWidth
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {t(($) => $.history.more)}
        </Button>
      ) : null}
    </>
  )
}
