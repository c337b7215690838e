// Calendars of days: weeks start on Monday, today is the business day. They are large: see lazy-calendar.ts.
import '@mantine/dates/styles.css'
import 'dayjs/locale/ru'
import { DatePicker, MonthPicker } from '@mantine/dates'
import type { Period } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { businessToday } from '../../state/profile-facts.ts'
import classes from './calendar.module.css'

/** `focused` is the day that receives the focus when a popover with the calendar opens. */
function useCalendarProps(focused: string | null) {
  const { t, i18n } = useTranslation()
  const today = businessToday()
  const start = focused ?? today
  const words = new Intl.DateTimeFormat(i18n.language === 'en' ? 'en-GB' : i18n.language, {
    dateStyle: 'long',
    timeZone: 'UTC',
  })
  return {
    className: classes.calendar ?? '',
    defaultDate: start,
    locale: i18n.language,
    firstDayOfWeek: 1 as const,
    // Weekends have no colour of their own: red would look like an error.
    weekendDays: [],
    size: 'xs' as const,
    fullWidth: true,
    ariaLabels: {
      previousMonth: t(($) => $.period.previousMonth),
      nextMonth: t(($) => $.period.nextMonth),
      previousYear: t(($) => $.period.previousYear),
      nextYear: t(($) => $.period.nextYear),
      previousDecade: t(($) => $.period.previousDecade),
      nextDecade: t(($) => $.period.nextDecade),
    },
    // Begins with the number that the button shows.
    getDayAriaLabel: (day: string) => words.format(new Date(day)),
    getDayProps: (day: string) => ({
      ...(day === today && { 'aria-current': 'date' as const, className: classes.today ?? '' }),
      ...(day === start && { 'data-autofocus': true }),
    }),
  }
}

interface DayCalendarProps {
  /** YYYY-MM-DD. */
  day: string | null
  onPick: (day: string) => void
}

export function DayCalendar({ day, onPick }: DayCalendarProps) {
  return (
    <DatePicker
      {...useCalendarProps(day)}
      value={day}
      onChange={(picked) => {
        if (picked !== null) onPick(picked)
      }}
    />
  )
}

interface RangeCalendarProps {
  from: string | null
  to: string | null
  /** The first click is a period of one day; the second completes it. */
  onPick: (period: Period) => void
}

export function RangeCalendar({ from, to, onPick }: RangeCalendarProps) {
  const [start, setStart] = useState<string | null>(null)
  return (
    <DatePicker
      {...useCalendarProps(to ?? from)}
      type="range"
      allowSingleDateInRange
      value={start === null ? [from, to] : [start, null]}
      onChange={([first, last]) => {
        setStart(last === null ? first : null)
        if (first !== null) onPick({ from: first, to: last ?? first })
      }}
    />
  )
}

/** Months are 'YYYY-MM'. The second click completes the period. */
export function MonthRangeCalendar({ from, to, onPick }: Period & { onPick: (months: Period) => void }) {
  const [start, setStart] = useState<string | null>(null)
  const { getDayAriaLabel: _label, getDayProps: _props, ...props } = useCalendarProps(dayIn(to))
  return (
    <MonthPicker
      {...props}
      type="range"
      allowSingleDateInRange
      value={start === null ? [dayIn(from), dayIn(to)] : [start, null]}
      onChange={([first, last]) => {
        setStart(last === null ? first : null)
        if (first !== null && last !== null) onPick({ from: first.slice(0, 7), to: last.slice(0, 7) })
      }}
    />
  )
}

const dayIn = (month: string): string | null => (month === '' ? null : `${month}-01`)
