// Picks a period of months; the button names them.
import { Button, Popover } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { formatMonth, type Period } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n/language.ts'
import { lazyComponent } from '../../lib/lazy-component.tsx'

const MonthRangePanel = lazyComponent(
  'month range',
  async () => (await import('./month-range-panel.tsx')).MonthRangePanel,
)

/** Both ends are 'YYYY-MM', or empty if no period is set. */
interface MonthRangePickerProps extends Period {
  onChange: (months: Period) => void
  label: string
}

export function MonthRangePicker({ from, to, onChange, label }: MonthRangePickerProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const nameOf = (month: string) => formatMonth(`${month}-01`, currentLanguage())
  const shown =
    from === '' ? t(($) => $.period.chooseMonths) : from === to ? nameOf(from) : `${nameOf(from)} – ${nameOf(to)}`
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start">
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          leftSection={<IconCalendar size={15} aria-hidden />}
          aria-label={`${label}: ${shown}`}
          onClick={() => (isOpen ? setOpen(false) : void MonthRangePanel.preload().then(() => setOpen(true)))}
        >
          {shown}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <MonthRangePanel
          months={{ from, to }}
          onApply={(months) => {
            setOpen(false)
            onChange(months)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
