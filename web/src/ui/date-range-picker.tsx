// Chooses a period of days; the button says which, in words where it is a preset. The panel is downloaded when it is first opened.
import { Skeleton } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import type { Period } from '@tributary/contract/period'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../lib/date-format.ts'
import { loadPart } from '../lib/lazy-part.ts'
import { businessToday } from '../state/business-zone.ts'
import { presetOf } from './date-range.ts'
import classes from './date-range-picker.module.css'
import { PopUp } from './pop-up.tsx'

const Panel = lazy(() =>
  loadPart('period', () => import('./date-range-panel.tsx')).then(({ DateRangePanel }) => ({
    default: DateRangePanel,
  })),
)

interface DateRangePickerProps {
  /** Both empty: no period is chosen yet. */
  from: string
  to: string
  onChange: (period: Period) => void
  label?: string | undefined
}

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
  return (
    <PopUp
      isOpen={isOpen}
      onChange={setOpen}
      position="bottom-start"
      target={
        <button
          type="button"
          className={classes.button}
          aria-label={`${label ?? t(($) => $.period.label)}: ${days}`}
          onClick={() => setOpen(!isOpen)}
        >
          <IconCalendar size={15} aria-hidden />
          {preset ? <span className={classes.preset}>{t(($) => $.period.presets[preset])}</span> : null}
          <span className={classes.days}>{days}</span>
        </button>
      }
    >
      <Suspense fallback={<Skeleton width={410} height={320} />}>
        <Panel
          period={{ from, to }}
          onApply={(period) => {
            setOpen(false)
            onChange(period)
          }}
        />
      </Suspense>
    </PopUp>
  )
}
