// Actions on selected rows: only these, only these under another grouping, all but these. Each becomes a filter chip.
import { Button, Menu } from '@mantine/core'
import { IconFilter, IconFilterOff } from '@tabler/icons-react'
import type { RoleKind } from '@tributary/contract/access'
import type { ReportGroup } from '@tributary/contract/reports/general'
import { DIMENSION_NAMES, type DimensionName, dimensionOf, isVisibleTo } from '@tributary/contract/reports/traffic'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import classes from '../../reports/report.module.css'
import { useLastValue } from '../../ui/use-last-value.ts'
import type { ReportState } from './report-state.ts'
import { type ChosenRows, onlyRows, rememberTitles, withoutGroup, withoutRows } from './row-filters.ts'
import type { ReportControl } from './use-report-state.ts'

export interface MenuPlace {
  readonly group: ReportGroup
  readonly dimension: DimensionName
  /** The parent rows, outermost first. */
  readonly path: ChosenRows['path']
  readonly at: { readonly x: number; readonly y: number }
}

interface RowMenuProps {
  /** Null: the menu is closed. */
  place: MenuPlace | null
  control: ReportControl
  onClose: () => void
}

/** Actions on a row: only this, or all but this. */
export function RowMenu({ place, control, onClose }: RowMenuProps) {
  const last = useLastValue(place)
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
    for (const step of [...path, { dimension, groups: [group] }]) rememberTitles(step.dimension, step.groups)
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

interface SelectionBarProps {
  chosen: ChosenRows | null
  control: ReportControl
  role: RoleKind
  onPage: () => void
  onEnd: () => void
}

export function SelectionBar({ chosen, control, role, onPage, onEnd }: SelectionBarProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const { state, change } = control
  const count = chosen?.groups.length ?? 0
  const only = chosen === null ? null : onlyRows(state, chosen)
  const without = chosen === null ? null : withoutRows(state, chosen)
  const apply = (edit: Partial<ReportState>) => {
    for (const { dimension, groups } of chosen?.path ?? []) rememberTitles(dimension, groups)
    if (chosen !== null) rememberTitles(chosen.dimension, chosen.groups)
    change(edit)
    onEnd()
  }
  const dimensions = DIMENSION_NAMES.filter(
    (name) => isVisibleTo(dimensionOf(name), role) && !state.levels.includes(name),
  )
  return (
    <div className={classes.selection} role="toolbar" aria-label={words.selection.start}>
      <span aria-live="polite">{t(($) => $.selection.count, { count })}</span>
      <Button size="compact-sm" variant="default" onClick={onPage}>
        {words.selection.page}
      </Button>
      <Button size="compact-sm" disabled={only === null} onClick={() => only && apply(only)}>
        {words.selection.drill}
      </Button>
      <Menu shadow="md" position="bottom-start">
        <Menu.Target>
          <Button size="compact-sm" variant="light" disabled={only === null}>
            {words.selection.drillBy}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.choices}>
          {dimensions.map((name) => (
            <Menu.Item
              key={name}
              onClick={() => only && apply({ ...only, levels: [name, ...state.levels.slice(1)], sort: null })}
            >
              {words.dimensions[name]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button size="compact-sm" variant="light" disabled={without === null} onClick={() => without && apply(without)}>
        {words.selection.exclude}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onEnd}>
        {words.selection.end}
      </Button>
    </div>
  )
}
