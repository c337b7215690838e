// The acts of one row, in a menu on its button. It is made by the press that opens it.
import { Menu } from '@mantine/core'
import { IconExternalLink, IconPower, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { type ReactElement, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { editPath } from '../field/row-link.ts'
import type { Row } from './list-query.ts'
import { activeField } from './list-state.ts'
import classes from './list-table.module.css'
import { isBuiltIn, type RowActs } from './row-acts.ts'

const NO_ACTS: RowActs = { setActive: null, remove: null }

export function RowMenu({
  name,
  row,
  acts,
  children,
}: {
  name: EntityName
  row: Row
  acts: RowActs
  children: ReactElement
}) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(true)
  const { setActive, remove } = isBuiltIn(row) ? NO_ACTS : acts
  const path = editPath(name, row.id)
  const flag = activeField(name)
  const isOn = flag !== null && row[flag] === true
  const [on, off] =
    flag === 'enabled'
      ? [t(($) => $.actions.enable), t(($) => $.actions.disable)]
      : [t(($) => $.actions.activate), t(($) => $.actions.deactivate)]
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {path === null ? null : (
          <Menu.Item leftSection={<IconExternalLink size={15} />} onClick={() => void navigate({ to: path })}>
            {t(($) => $.actions.open)}
          </Menu.Item>
        )}
        {setActive === null || flag === null ? null : (
          <Menu.Item leftSection={<IconPower size={15} />} onClick={() => void setActive(row, !isOn)}>
            {isOn ? off : on}
          </Menu.Item>
        )}
        {remove === null ? null : (
          <Menu.Item
            className={classes.danger ?? ''}
            leftSection={<IconTrash size={15} />}
            onClick={() => void remove(row)}
          >
            {t(($) => $.actions.delete)}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
