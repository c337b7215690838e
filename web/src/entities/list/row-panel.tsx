// The side panel above a list, for entities without a form. The address contains its row, so that it can be shared.
import { Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import { FailedState, LoadingState } from '../../ui/states.tsx'
import { PANEL_PARAM } from '../field/row-link.ts'
import classes from '../field/row-view.module.css'
import { RowView } from '../field/row-view.tsx'
import type { Row } from './list-query.ts'
import type { ListSlots } from './list-screen.tsx'
import type { Search } from './list-state.ts'

interface RowPanelProps {
  name: EntityName
  slots: ListSlots
}

const isId = (value: unknown): value is string | number =>
  typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'string' && /^[\w-]{1,64}$/.test(value)

/** A drawer with the row whose id is in the address. */
export function RowPanel({ name, slots }: RowPanelProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search: Search = useSearch({ strict: false })
  const value = search[PANEL_PARAM]
  const id = isId(value) ? value : null
  const close = () =>
    void navigate({ to: '.', search: ({ [PANEL_PARAM]: _closed, ...rest }: Record<string, unknown>) => rest })
  return (
    <Drawer
      opened={id !== null}
      onClose={close}
      position="right"
      size={slots.panelWidth ?? 560}
      title={<span className={classes.head}>{`${labels.one(name)}${slots.zone ? ` · ${slots.zone.mark}` : ''}`}</span>}
      closeButtonProps={{ 'aria-label': t(($) => $.engine.close) }}
    >
      {id === null ? null : <PanelRow name={name} id={id} slots={slots} />}
    </Drawer>
  )
}

function PanelRow({ name, id, slots: { zone, view: View } }: RowPanelProps & { id: string | number }) {
  const row = useQuery({
    queryKey: keys.row(name, id),
    queryFn: ({ signal }) => http.get<Row>(`${name}/${id}`, { signal }),
  })
  if (row.isError) return <FailedState error={row.error} onRetry={() => void row.refetch()} />
  if (row.data === undefined) return <LoadingState lines={14} />
  return View === undefined ? <RowView name={name} row={row.data} zone={zone?.id} /> : <View row={row.data} />
}
