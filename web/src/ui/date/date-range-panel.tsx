// The panel of a period: presets, two typed ends, a calendar. An incomplete end applies nothing.

import { Button, TextInput } from '@mantine/core'
import { type Period, PRESETS, presetPeriod } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay, parseDay } from '../../lib/date-format.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { onSubmit } from '../submit.ts'
import { RangeCalendar } from './calendar.tsx'
import { orderPeriod, presetOf } from './date-range.ts'
import classes from './date-range-picker.module.css'
import { PresetButton } from './preset-button.tsx'

const WHOLE_DAY = 'D.M.YYYY'.length

interface DateRangePanelProps {
  /** Both ends are empty if no period is set. */
  period: Period
  onApply: (period: Period) => void
}

export function DateRangePanel({ period, onApply }: DateRangePanelProps) {
  const { t } = useTranslation()
  const today = businessToday()
  const [from, setFrom] = useState(formatDay(period.from) ?? '')
  const [to, setTo] = useState(formatDay(period.to) ?? '')
  const start = parseDay(from)
  const end = parseDay(to === '' ? from : to)
  const current = presetOf(period, today)
  /** In words once the text is as long as a date, or can become none. */
  const dayError = (text: string) => {
    if (text === '' || parseDay(text) !== null) return false
    return text.length >= WHOLE_DAY || /[^\d.\s-]/.test(text) ? t(($) => $.period.dayInvalid) : true
  }
  const pick = (picked: Period) => {
    setFrom(formatDay(picked.from) ?? '')
    setTo(formatDay(picked.to) ?? '')
  }
  return (
    <div className={classes.panel}>
      <div className={classes.presets}>
        {PRESETS.map((preset) => (
          <PresetButton
            key={preset}
            name={t(($) => $.period.presets[preset])}
            isCurrent={preset === current}
            onClick={() => onApply(presetPeriod(preset, today))}
          />
        ))}
      </div>
      <form
        onSubmit={onSubmit(() => {
          if (start && end) onApply(orderPeriod(start, end))
        })}
      >
        <div className={classes.ends}>
          <TextInput
            label={t(($) => $.period.from)}
            placeholder={t(($) => $.period.dayPattern)}
            value={from}
            error={dayError(from)}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            label={t(($) => $.period.to)}
            placeholder={t(($) => $.period.dayPattern)}
            value={to}
            error={dayError(to)}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
        </div>
        <RangeCalendar from={start} to={end} onPick={pick} />
        <Button type="submit" fullWidth mt={8} disabled={!(start && end)}>
          {t(($) => $.actions.apply)}
        </Button>
      </form>
    </div>
  )
}
