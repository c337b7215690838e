// The panel of a period of months: presets, and a calendar of months. The first month that is picked applies once the second one completes it.
import { monthBefore, type Period } from '@tributary/contract/period'
import { useTranslation } from 'react-i18next'
import { businessToday } from '../../state/profile-facts.ts'
import { MonthRangeCalendar } from './calendar.tsx'
import classes from './date-range-picker.module.css'
import { PresetButton } from './preset-button.tsx'

interface MonthRangePanelProps {
  months: Period
  onApply: (months: Period) => void
}

/** Whole years: a month to come may be planned. */
function presetsOf(month: string) {
  const year = Number(month.slice(0, 4))
  const before = monthBefore(month)
  return {
    current_month: { from: month, to: month },
    previous_month: { from: before, to: before },
    current_year: { from: `${year}-01`, to: `${year}-12` },
    previous_year: { from: `${year - 1}-01`, to: `${year - 1}-12` },
  } as const
}

export function MonthRangePanel({ months, onApply }: MonthRangePanelProps) {
  const { t } = useTranslation()
  const presets = presetsOf(businessToday().slice(0, 7))
  return (
    <div className={classes.panel}>
      <div className={classes.presets}>
        {(['current_month', 'previous_month', 'current_year', 'previous_year'] as const).map((preset) => (
          <PresetButton
            key={preset}
            name={t(($) => $.period.presets[preset])}
            isCurrent={presets[preset].from === months.from && presets[preset].to === months.to}
            onClick={() => onApply(presets[preset])}
          />
        ))}
      </div>
      <div className={classes.months}>
        <MonthRangeCalendar {...months} onPick={onApply} />
      </div>
    </div>
  )
}
