import { expect, test } from 'vitest'
import { dayIn, formatClock, formatDateTime, formatDay, formatMonth, parseDay } from '../src/lib/date-format.ts'
import { orderPeriod, pickDay, presetOf } from '../src/ui/date-range.ts'
import { monthGrid, shiftMonth, weekdayNames, weekdayOf } from '../src/ui/month-grid.ts'

const KYIV = 'Europe/Kyiv'

test('days and moments are written as DD.MM.YYYY and in the business zone [I18N-03] [I18N-04]', () => {
  expect(formatDay('2026-01-31')).toBe('31.01.2026')
  expect(formatDateTime('2026-01-31T22:30:05Z', KYIV)).toBe('01.02.2026 00:30')
  expect(formatDateTime('2026-07-31T22:30:05Z', KYIV, true)).toBe('01.08.2026 01:30:05')
  expect(formatClock('2026-07-31T22:30:05Z', 'Etc/GMT-6')).toBe('04:30:05')
  expect(formatMonth('2026-01-31', 'en')).toBe('Jan 2026')
  expect([formatDay(null), formatDateTime(null, KYIV), formatDateTime('no date', KYIV)]).toEqual([null, null, null])
})

test('the business day changes at midnight of its zone, also when clocks change [I18N-04]', () => {
  expect(dayIn(KYIV, Date.parse('2026-03-28T21:59:59Z'))).toBe('2026-03-28')
  expect(dayIn(KYIV, Date.parse('2026-03-28T22:00:00Z'))).toBe('2026-03-29')
  expect(dayIn(KYIV, Date.parse('2026-03-29T21:00:00Z'))).toBe('2026-03-30')
})

test('a typed day is read back, and what is no day is refused [FORM-12]', () => {
  expect(parseDay('31.01.2026')).toBe('2026-01-31')
  expect(parseDay(' 1.2.2026 ')).toBe('2026-02-01')
  expect(['30.02.2026', '2026-01-31', '', '1.1.26', '32.01.2026'].map(parseDay)).toEqual([null, null, null, null, null])
})

test('one press is one day; two presses are a range in order, whichever came first [FORM-12]', () => {
  const first = pickDay(null, '2026-05-10')
  expect(first.period).toEqual({ from: '2026-05-10', to: '2026-05-10' })
  expect(pickDay(first.pending, '2026-05-03')).toEqual({
    pending: null,
    period: { from: '2026-05-03', to: '2026-05-10' },
  })
  expect(orderPeriod('2026-02-01', '2026-01-01')).toEqual({ from: '2026-01-01', to: '2026-02-01' })
})

test('a period that a preset means is called by it [FORM-12]', () => {
  expect(presetOf({ from: '2026-11-20', to: '2026-11-20' }, '2026-11-20')).toBe('today')
  expect(presetOf({ from: '2026-11-19', to: '2026-11-20' }, '2026-11-20')).toBe('today_and_yesterday')
  expect(presetOf({ from: '2026-11-09', to: '2026-11-15' }, '2026-11-20')).toBe('previous_week')
  expect(presetOf({ from: '2026-11-03', to: '2026-11-15' }, '2026-11-20')).toBeNull()
})

test('weeks of the calendar start on Monday and hold the whole month [FORM-12]', () => {
  const weeks = monthGrid('2026-11-20')
  expect(weeks).toHaveLength(6)
  expect(weeks.every((week) => week.length === 7 && weekdayOf(week[0] ?? '') === 0)).toBe(true)
  expect(weeks.flat()).toEqual(expect.arrayContaining(['2026-11-01', '2026-11-30']))
  expect(shiftMonth('2026-01-31', 1)).toBe('2026-02-01')
  expect(shiftMonth('2026-01-31', -1)).toBe('2025-12-01')
  expect(weekdayNames('en')[0]).toBe('Mon')
  expect(weekdayNames('ru')[6]?.toLowerCase()).toBe('вс')
})
