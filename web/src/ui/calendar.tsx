// One month of days to press. Shows a range, or a single day when both ends are the same.
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay, formatMonth } from '../lib/date-format.ts'
import { businessToday } from '../state/business-zone.ts'
import classes from './calendar.module.css'
import { monthGrid, shiftMonth, weekdayNames } from './month-grid.ts'

interface CalendarProps {
  from: string | null
  to: string | null
  onPick: (day: string) => void
  /** Tells what the pointer is over, so that a half-chosen range can be shown. */
  onHover?: ((day: string) => void) | undefined
}

export function Calendar({ from, to, onPick, onHover }: CalendarProps) {
  const { t, i18n } = useTranslation()
  const today = businessToday()
  const [month, setMonth] = useState(to ?? from ?? today)
  const classOf = (day: string) => {
    const names = [classes.day]
    if (day.slice(0, 7) !== month.slice(0, 7)) names.push(classes.outside)
    if (day === today) names.push(classes.today)
    if (day === from || day === to) names.push(classes.end)
    else if (from && to && day > from && day < to) names.push(classes.inside)
    return names.join(' ')
  }
  return (
    <div className={classes.calendar}>
      <div className={classes.head}>
        <ActionIcon aria-label={t(($) => $.period.previousMonth)} onClick={() => setMonth(shiftMonth(month, -1))}>
          <IconChevronLeft size={16} />
        </ActionIcon>
        <span aria-live="polite">{formatMonth(month, i18n.language)}</span>
        <ActionIcon aria-label={t(($) => $.period.nextMonth)} onClick={() => setMonth(shiftMonth(month, 1))}>
          <IconChevronRight size={16} />
        </ActionIcon>
      </div>
      <table className={classes.grid}>
        <thead>
          <tr>
            {weekdayNames(i18n.language).map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthGrid(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    className={classOf(day)}
                    aria-label={formatDay(day) ?? day}
                    aria-pressed={day === from || day === to}
                    onClick={() => onPick(day)}
                    onMouseEnter={() => onHover?.(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
