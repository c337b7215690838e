// What can be done with a row: look at it alone, or at everything but it.
import { Menu } from '@mantine/core'
import { IconFilter, IconFilterOff } from '@tabler/icons-react'
import type { ReportGroup } from '@tributary/contract/reports/general'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import { useTranslation } from 'react-i18next'
import classes from '../../reports/report.module.css'
import { useLast } from '../../ui/use-last.ts'
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
  /** Null: the menu is closed. */
  place: MenuPlace | null
  control: ReportControl
  onClose: () => void
}

export function RowMenu({ place, control, onClose }: RowMenuProps) {
  const last = useLast(place)
  return (
    <Menu opened={place !== null} onClose={onClose} position="bottom-start" width="max-content">
      <Menu.Target>
        <span aria-hidden className={classes.anchor} style={{ left: last?.at.x, top: last?.at.y }} />
      </Menu.Target>
      <Menu.Dropdown className={classes.rowMenu ?? ''} aria-label={last?.group.title ?? ''}>
        {last === null ? null : <RowMenuItems place={last} control={control} />}
      </Menu.Dropdown>
    </Menu>
  )
}

function RowMenuItems({ place: { group, dimension, path }, control }: { place: MenuPlace; control: ReportControl }) {
  const { t } = useTranslation('reports')
  const { state, change } = control
  const only = onlyRows(state, { path, dimension, groups: [group] })
  const without = withoutGroup(state, dimension, group)
  const apply = (edit: Partial<ReportState>) => {
    for (const step of [...path, { dimension, groups: [group] }]) remember(step.dimension, step.groups)
    change(edit)
  }
  return (
    <>
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
    </>
  )
}
