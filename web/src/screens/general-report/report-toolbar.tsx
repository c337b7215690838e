// The toolbar of the report: period, second period, levels, activity and baseline.

import { Menu, Popover } from '@mantine/core'
import { IconArrowsLeftRight, IconCheck, IconChevronDown } from '@tabler/icons-react'
import type { RoleKind } from '@tributary/contract/access'
import { addDays } from '@tributary/contract/period'
import { ACTIVITIES, BASELINES } from '@tributary/contract/reports/choices'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import classes from '../../reports/report.module.css'
import { KnownPicker } from '../../reports/run/known-picker.tsx'
import { ChoiceMenu } from '../../reports/table/choice-menu.tsx'
import { DateRangePicker } from '../../ui/date/date-range-picker.tsx'
import { LazyDayCalendar } from '../../ui/date/lazy-calendar.ts'
import { LevelPicker } from './level-picker.tsx'
import type { ReportState, SecondPeriod } from './report-state.ts'
import { secondPeriodOf, shortPeriod } from './row-filters.ts'
import type { ReportControl } from './use-report-state.ts'

interface SecondPeriodPickerProps {
  state: ReportState
  onChange: (second: SecondPeriod) => void
}

/** Selects the comparison period: none, the days right before, or as many days ending at a day. */
function SecondPeriodPicker({ state, onChange }: SecondPeriodPickerProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const [isChoosingDay, setChoosingDay] = useState(false)
  const period = secondPeriodOf(state)
  const isDayChosen = state.second !== 'off' && state.second !== 'previous'
  const face = period ? t(($) => $.second.versus, { period: shortPeriod(period) }) : words.second.off
  const tick = <IconCheck size={14} aria-hidden />
  return (
    <Popover opened={isChoosingDay} onChange={setChoosingDay} position="bottom-start" withRoles={false}>
      <Popover.Target>
        <span>
          <Menu position="bottom-start" width="max-content">
            <Menu.Target>
              <button
                type="button"
                data-report-key="compare"
                className={period ? `${classes.picker} ${classes.chosen}` : classes.picker}
                aria-label={`${words.second.label}: ${face}`}
              >
                <IconArrowsLeftRight size={14} aria-hidden />
                {face}
                <IconChevronDown size={13} className={classes.pickerMark} aria-hidden />
              </button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item rightSection={period ? null : tick} onClick={() => onChange('off')}>
                {words.second.off}
              </Menu.Item>
              <Menu.Item rightSection={state.second === 'previous' ? tick : null} onClick={() => onChange('previous')}>
                {words.second.previous}
              </Menu.Item>
              <Menu.Item
                rightSection={isDayChosen ? tick : null}
                onClick={() => void LazyDayCalendar.preload().then(() => setChoosingDay(true))}
              >
                {words.second.ending}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      </Popover.Target>
      <Popover.Dropdown>
        <LazyDayCalendar
          day={period?.to ?? addDays(state.from, -1)}
          onPick={(day) => {
            setChoosingDay(false)
            onChange(day)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface ReportToolbarProps {
  control: ReportControl
  role: RoleKind
  onChanges: (since: string) => void
}

export function ReportToolbar({ control, role, onChanges }: ReportToolbarProps) {
  const words = useReportWords()
  const { state, change } = control
  return (
    <div className={classes.toolbar}>
      <div className={classes.group}>
        <DateRangePicker from={state.from} to={state.to} onChange={({ from, to }) => change({ from, to })} />
        <SecondPeriodPicker state={state} onChange={(second) => change({ second })} />
        <KnownPicker knownAt={state.knownAt} onChange={(knownAt) => change({ knownAt })} onChanges={onChanges} />
      </div>
      <LevelPicker
        role={role}
        levels={state.levels}
        onChange={(levels) => change({ levels, sort: keepSort(state.sort) })}
      />
      <div className={classes.group}>
        <ChoiceMenu
          label={words.activity}
          value={state.activity}
          isPlain={state.activity === 'all'}
          sections={[{ title: null, options: ACTIVITIES.map((name) => ({ name, label: words.activities[name] })) }]}
          onChoose={(activity) => change({ activity })}
        />
        <ChoiceMenu
          label={words.baseline}
          value={state.baseLine}
          isPlain={state.baseLine === 'all'}
          sections={[{ title: null, options: BASELINES.map((name) => ({ name, label: words.baselines[name] })) }]}
          onChoose={(baseLine) => change({ baseLine })}
        />
      </div>
    </div>
  )
}

/** A sort by group does not apply to other groups. */
const keepSort = (sort: ReportControl['state']['sort']) => (sort?.by === 'group' ? null : sort)
