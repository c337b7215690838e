// The audit log: its panel shows a change like the history of a row.
import { Skeleton, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { entityOf } from '../../entities/field/field-at.ts'
import { RecordLink } from '../../entities/field/record-link.tsx'
import { recordPath } from '../../entities/field/row-link.ts'
import historyClasses from '../../entities/history/history.module.css'
import { HistoryItem } from '../../entities/history/history-item.tsx'
import type { Row } from '../../entities/list/list-query.ts'
import type { ListSlots, ListToolsProps } from '../../entities/list/list-screen.tsx'
import { FailedState } from '../../ui/states.tsx'

function ChangePanel({ row }: { row: Row }) {
  const navigate = useNavigate()
  const entry = useQuery({
    queryKey: [...keys.entity('audit_log'), 'changes', String(row.id)],
    queryFn: ({ signal }) => http.get<HistoryEntry>(`audit_log/${row.id}/changes`, { signal }),
  })
  if (entry.isError) return <FailedState error={entry.error} onRetry={() => void entry.refetch()} />
  if (entry.data === undefined) return <Skeleton height={12} my={18} radius="xl" />
  const name = ENTITY_NAMES.find((known) => known === entry.data.entity)
  const id = entry.data.entity_id
  const path = name === undefined || id === null ? null : recordPath(name, id)
  return (
    <>
      <ol className={historyClasses.timeline}>
        <HistoryItem
          record="audit_log"
          entry={entry.data}
          onRestored={() => (path === null ? undefined : navigate({ to: path }))}
        />
      </ol>
      {name === undefined || path === null || entry.data.action === 'delete' ? null : (
        <RecordLink name={name} path={path} />
      )}
    </>
  )
}

interface OpeningSwitchProps extends Pick<ListToolsProps, 'name' | 'list'> {
  label: string
  /** Of the condition that the list opens with, and that the switch takes away. */
  path: string
}

function OpeningSwitch({ name, list, label, path }: OpeningSwitchProps) {
  const opening = (entityOf(name).list.opensWith ?? []).filter((condition) => condition.path === path)
  return (
    <Switch
      label={label}
      checked={!list.query.conditions.some((condition) => condition.path === path)}
      onChange={({ currentTarget: { checked } }) =>
        list.change(({ conditions }) => ({
          conditions: [...conditions.filter((condition) => condition.path !== path), ...(checked ? [] : opening)],
        }))
      }
    />
  )
}

/** The list opens with changes of records by people; the switches add those of the product itself, and sign-ins. */
function AuditLogSwitches({ name, list }: ListToolsProps) {
  const { t } = useTranslation()
  return (
    <>
      <OpeningSwitch name={name} list={list} path="user" label={t(($) => $.history.withProduct)} />
      <OpeningSwitch name={name} list={list} path="action" label={t(($) => $.history.withAccess)} />
    </>
  )
}

export const AUDIT_LOG_LIST: ListSlots = { view: ChangePanel, tools: AuditLogSwitches, panelWidth: 620 }
