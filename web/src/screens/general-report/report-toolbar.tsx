// The bar above the report: period, second period, levels, filters, columns and what is rarely changed.

import { Menu, Popover } from '@mantine/core'
import { IconArrowsLeftRight, IconCheck, IconChevronDown } from '@tabler/icons-react'
import type { RoleKind } from '@tributary/contract/access'
import { SECOND_PERIODS, secondPeriod } from '@tributary/contract/period'
import type { Metrics } from '@tributary/contract/reports/general'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { FiltersButton } from '../../reports/filter/filters-aside.tsx'
import classes from '../../reports/report.module.css'
import { shortPeriod } from '../../ui/date/date-range.ts'
import { DateRangePanel, DateRangePicker } from '../../ui/date/date-range-picker.tsx'
import { ColumnsButton, type ReportColumns } from './columns-button.tsx'
import { LevelPicker } from './level-picker.tsx'
import { MorePanel } from './more-panel.tsx'
import { isNamedPeriod, ownSecondPeriod, type SecondPeriod, secondPeriodOf } from './report-state.ts'
import type { ReportControl } from './use-report-state.ts'

/** Selects the comparison period, and whether it has columns of its own. */
function SecondPeriodPicker({ state, change }: ReportControl) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const [isChoosing, setChoosing] = useState(false)
  const period = secondPeriodOf(state)
  const isOwn = state.second !== 'off' && !isNamedPeriod(state.second)
  const { hasTwoColumns } = state
  const onChange = (second: SecondPeriod) => change({ second })
  const face = period ? t(($) => $.second.versus, { period: shortPeriod(period) }) : words.second.off
  const tick = <IconCheck size={14} aria-hidden />
  return (
    <Popover opened={isChoosing} onChange={setChoosing} position="bottom-start" withRoles={false}>
      <Popover.Target>
        <span>
          <Menu position="bottom-start" width="max-content">
            <Menu.Target>
              <button
                type="button"
                data-report-key="compare"
                className={period ? `${classes.picker} ${classes.chosen}` : classes.picker}
                aria-label={`${words.second.label}: ${face}`}
                title={period ? undefined : face}
              >
                <IconArrowsLeftRight size={14} aria-hidden />
                <span className={period ? undefined : classes.wideOnly}>{face}</span>
                <IconChevronDown size={13} className={classes.pickerMark} aria-hidden />
              </button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item rightSection={period ? null : tick} onClick={() => onChange('off')}>
                {words.second.off}
              </Menu.Item>
              {SECOND_PERIODS.map((name) => (
                <Menu.Item key={name} rightSection={state.second === name ? tick : null} onClick={() => onChange(name)}>
                  {words.second[name]}
                </Menu.Item>
              ))}
              <Menu.Item
                rightSection={isOwn ? tick : null}
                onClick={() => void DateRangePanel.preload().then(() => setChoosing(true))}
              >
                {words.second.own}
              </Menu.Item>
              {period === null ? null : (
                <>
                  <Menu.Divider />
                  <Menu.Item
                    rightSection={hasTwoColumns ? tick : null}
                    onClick={() => change({ hasTwoColumns: !hasTwoColumns, page: state.page })}
                  >
                    {words.second.twoColumns}
                  </Menu.Item>
                </>
              )}
            </Menu.Dropdown>
          </Menu>
        </span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={words.second.label}>
        <DateRangePanel
          period={period ?? secondPeriod('previous', state)}
          onApply={(chosen) => {
            setChoosing(false)
            onChange(ownSecondPeriod(chosen))
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface ReportToolbarProps {
  control: ReportControl
  role: RoleKind
  columns: ReportColumns
  /** The total of the shown report, for the preview of formulas. */
  total: Metrics | undefined
  onChanges: (since: string) => void
  /** Receives the element at the end of the bar, into which the table puts its search and switches. */
  onToolsPlace: (place: HTMLElement | null) => void
}

export function ReportToolbar({ control, role, columns, total, onChanges, onToolsPlace }: ReportToolbarProps) {
  const { state, change } = control
  return (
    <div className={classes.toolbar}>
      <DateRangePicker from={state.from} to={state.to} onChange={({ from, to }) => change({ from, to })} />
      <SecondPeriodPicker {...control} />
      <LevelPicker
        role={role}
        levels={state.levels}
        onChange={(levels) => change({ levels, sort: keepSort(state.sort) })}
      />
      <FiltersButton control={control} />
      <ColumnsButton role={role} control={control} columns={columns} total={total} />
      <MorePanel control={control} onChanges={onChanges} />
      <div ref={onToolsPlace} className={classes.tools} />
    </div>
  )
}

/** A sort by group does not apply to other groups. */
const keepSort = (sort: ReportControl['state']['sort']) => (sort?.by === 'group' ? null : sort)
