// Opens the history of the record on a form. Partners have no way to it.
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { STAFF } from '@tributary/contract/access'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import type { Row } from '../list/list-query.ts'
import { HistoryDrawer } from './history-drawer.tsx'

export function HistoryButton({ name, row }: { name: EntityName; row: Row }) {
  const { t } = useTranslation()
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  if (!can(STAFF)) return null
  const label = t(($) => $.history.title)
  return (
    <>
      <Tooltip label={label}>
        <ActionIcon size={30} variant="default" aria-label={label} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <IconHistory size={16} />
        </ActionIcon>
      </Tooltip>
      <HistoryDrawer name={name} row={row} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
