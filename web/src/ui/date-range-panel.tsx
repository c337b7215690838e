// What opens under the period button: presets, two typed ends, a calendar. An empty or half-typed end applies nothing.
import { Button, TextInput } from '@mantine/core'
import { type Period, PRESETS, presetPeriod } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay, parseDay } from '../lib/date-format.ts'
import { businessToday } from '../state/business-zone.ts'
import { Calendar } from './calendar.tsx'
import { orderPeriod, pickDay, presetOf } from './date-range.ts'
import classes from './date-range-picker.module.css'

interface DateRangePanelProps {
  period: Period
  onApply: (period: Period) => void
}

export function DateRangePanel({ period, onApply }: DateRangePanelProps) {
  const { t } = useTranslation()
  const today = businessToday()
  const [from, setFrom] = useState(formatDay(period.from) ?? '')
  const [to, setTo] = useState(formatDay(period.to) ?? '')
  const [pending, setPending] = useState<string | null>(null)
  const [hovered, setHovered] = useState<string | null>(null)
  const start = parseDay(from)
  const end = parseDay(to === '' ? from : to)
  const current = presetOf(period, today)
  const shown = pending !== null && hovered !== null ? orderPeriod(pending, hovered) : { from: start, to: end }

  const pick = (day: string) => {
    const next = pickDay(pending, day)
    setPending(next.pending)
    setFrom(formatDay(next.period.from) ?? '')
    setTo(formatDay(next.period.to) ?? '')
  }
  const apply = () => {
    if (start && end) onApply(orderPeriod(start, end))
  }
  return (
    <div className={classes.panel}>
      <div className={classes.presets}>
        {PRESETS.map((preset) => (
          <button
            type="button"
            key={preset}
            className={classes.choice}
            aria-pressed={preset === current}
            onClick={() => onApply(presetPeriod(preset, today))}
          >
            {t(($) => $.period.presets[preset])}
          </button>
        ))}
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <div className={classes.ends}>
          <TextInput
            label={t(($) => $.period.from)}
            placeholder="DD.MM.YYYY"
            value={from}
            error={from !== '' && start === null}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            label={t(($) => $.period.to)}
            placeholder="DD.MM.YYYY"
            value={to}
            error={to !== '' && parseDay(to) === null}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
        </div>
        <Calendar from={shown.from} to={shown.to} onPick={pick} onHover={setHovered} />
        <div className={classes.foot}>
          <Button type="submit" disabled={!(start && end)}>
            {t(($) => $.actions.apply)}
          </Button>
        </div>
      </form>
    </div>
  )
}
