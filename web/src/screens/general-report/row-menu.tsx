// What can be done with a row: look at it alone, or at everything but it.
import { Menu } from '@mantine/core'
import { IconFilter, IconFilterOff } from '@tabler/icons-react'
import type { ReportGroup } from '@tributary/contract/reports/general'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../../reports/report.module.css'
import { useLateOpening } from '../../ui/use-late-opening.ts'
import { remember } from './remember-rows.ts'
import type { ReportState } from './report-state.ts'
import { type ChosenRows, onlyRows, withoutGroup } from './row-filters.ts'
import type { ReportControl } from './use-report-state.ts'

export interface MenuPlace {
  readonly group: ReportGroup
  readonly dimension: DimensionName
  /** The rows that it is in, from the outside. */
  readonly path: ChosenRows['path']
  readonly at: { readonly x: number; readonly y: number }
}

interface RowMenuProps {
  place: MenuPlace
  control: ReportControl
  onClose: () => void
}

export function RowMenu({ place: { group, dimension, path, at }, control, onClose }: RowMenuProps) {
  const [isOpen, setOpen] = useState(true)
  const isOpened = useLateOpening(isOpen)
  const { t } = useTranslation('reports')
  const { state, change } = control
  const only = onlyRows(state, { path, dimension, groups: [group] })
  const without = withoutGroup(state, dimension, group)
  const apply = (edit: Partial<ReportState>) => {
    for (const step of [...path, { dimension, groups: [group] }]) remember(step.dimension, step.groups)
    change(edit)
  }
  return (
    <Menu
      opened={isOpened}
      onClose={() => setOpen(false)}
      onExitTransitionEnd={onClose}
      position="bottom-start"
      shadow="md"
      width="max-content"
    >
      <Menu.Target>
        <span className={classes.anchor} style={{ left: at.x, top: at.y }} />
      </Menu.Target>
      <Menu.Dropdown className={classes.rowMenu}>
        {only ? (
          <Menu.Item leftSection={<IconFilter size={15} aria-hidden />} onClick={() => apply(only)}>
            {t(($) => $.table.onlyHint, { name: group.title })}
          </Menu.Item>
        ) : null}
        {without ? (
          <Menu.Item leftSection={<IconFilterOff size={15} aria-hidden />} onClick={() => apply(without)}>
            {t(($) => $.table.withoutHint, { name: group.title })}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}
