// Chooses what to compare with: nothing, the days right before, or as many days ending at a day.
import { Menu, Popover } from '@mantine/core'
import { IconArrowsLeftRight, IconCheck, IconChevronDown } from '@tabler/icons-react'
import { addDays } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import classes from '../../reports/report.module.css'
import { LazyDayCalendar } from '../../ui/date/lazy-calendar.ts'
import type { ReportState, SecondPeriod } from './report-state.ts'
import { secondPeriodOf, shortPeriod } from './second-period.ts'

interface SecondPeriodPickerProps {
  state: ReportState
  onChange: (second: SecondPeriod) => void
}

export function SecondPeriodPicker({ state, onChange }: SecondPeriodPickerProps) {
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
