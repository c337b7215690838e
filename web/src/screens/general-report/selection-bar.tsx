// What can be done with the rows that are chosen: these alone, these alone under another grouping, or all but these. Each becomes a chip.
import { Button, Menu } from '@mantine/core'
import type { RoleKind } from '@tributary/contract/access'
import { DIMENSION_NAMES, dimensionOf, isVisibleTo } from '@tributary/contract/reports/traffic'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import classes from '../../reports/report.module.css'
import { remember } from './remember-rows.ts'
import type { ReportState } from './report-state.ts'
import { type ChosenRows, onlyRows, withoutRows } from './row-filters.ts'
import type { ReportControl } from './use-report-state.ts'

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
    for (const { dimension, groups } of chosen?.path ?? []) remember(dimension, groups)
    if (chosen !== null) remember(chosen.dimension, chosen.groups)
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
