// Picks a period of days; the button names the preset or shows the days.
import { Button, Popover } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import type { Period } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../lib/date-format.ts'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import { businessToday } from '../../state/profile-facts.ts'
import { presetOf, shortPeriod } from './date-range.ts'
import classes from './date-range-picker.module.css'

export const DateRangePanel = lazyComponent(
  'date range',
  async () => (await import('./date-range-panel.tsx')).DateRangePanel,
)

interface DateRangePickerProps extends Period {
  onChange: (period: Period) => void
  label?: string | undefined
}

/** Both ends are empty if no period is set. */
export function DateRangePicker({ from, to, onChange, label }: DateRangePickerProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const preset = presetOf({ from, to }, businessToday())
  const days =
    from === ''
      ? t(($) => $.period.choose)
      : from === to
        ? (formatDay(from) ?? '')
        : `${formatDay(from)} – ${formatDay(to)}`
  const shown = preset ? shortPeriod({ from, to }) : days
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start">
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          leftSection={<IconCalendar size={15} aria-hidden />}
          // The name contains the visible text, so that speech input finds the button.
          aria-label={`${label ?? t(($) => $.period.label)}: ${preset ? `${t(($) => $.period.presets[preset])} ` : ''}${shown}`}
          onClick={() => (isOpen ? setOpen(false) : void DateRangePanel.preload().then(() => setOpen(true)))}
        >
          {preset ? <span className={classes.preset}>{t(($) => $.period.presets[preset])}</span> : null}
          {preset ? ' ' : null}
          <span className={classes.days}>{shown}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label ?? t(($) => $.period.label)}>
        <DateRangePanel
          period={{ from, to }}
          onApply={(period) => {
            setOpen(false)
            onChange(period)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
