import { formatMonth } from '@tributary/contract/period'
import { expect, test } from 'vitest'
import { formatClock, formatDateTime, formatDay, parseDay } from '../src/lib/date-format.ts'
import { orderPeriod, presetOf } from '../src/ui/date/date-range.ts'
import { maskTime, readTime } from '../src/ui/date/time-mask.ts'

const KYIV = 'Europe/Kyiv'

test('days and moments are formatted as DD.MM.YYYY in the business zone [I18N-03] [I18N-04]', () => {
  expect(formatDay('2026-01-31')).toBe('31.01.2026')
  expect(formatDateTime('2026-01-31T22:30:05Z', KYIV)).toBe('01.02.2026 00:30')
  expect(formatDateTime('2026-07-31T22:30:05Z', KYIV, true)).toBe('01.08.2026 01:30:05')
  expect(formatClock('2026-07-31T22:30:05Z', 'Etc/GMT-6')).toBe('04:30:05')
  expect(formatMonth('2026-01-31', 'en')).toBe('Jan 2026')
  expect([formatDay(null), formatDateTime(null, KYIV), formatDateTime('no date', KYIV)]).toEqual([null, null, null])
})

test('a typed day reads back the same, and an invalid one is rejected [FORM-12]', () => {
  expect(parseDay('31.01.2026')).toBe('2026-01-31')
  expect(parseDay(' 1.2.2026 ')).toBe('2026-02-01')
  expect(parseDay('2026-01-31')).toBe('2026-01-31')
  expect(['30.02.2026', '2026-02-30', '', '1.1.26', '32.01.2026'].map(parseDay)).toEqual([null, null, null, null, null])
})

test('the ends of a period are put in order [FORM-12]', () => {
  expect(orderPeriod('2026-02-01', '2026-01-01')).toEqual({ from: '2026-01-01', to: '2026-02-01' })
})

test('a period that equals a preset is named after it [FORM-12]', () => {
  expect(presetOf({ from: '2026-11-20', to: '2026-11-20' }, '2026-11-20')).toBe('today')
  expect(presetOf({ from: '2026-11-19', to: '2026-11-20' }, '2026-11-20')).toBe('today_and_yesterday')
  expect(presetOf({ from: '2026-11-09', to: '2026-11-15' }, '2026-11-20')).toBe('previous_week')
  expect(presetOf({ from: '2026-11-03', to: '2026-11-15' }, '2026-11-20')).toBeNull()
})

test('a time is typed in 24 hours, with or without its colon, and is passed on when it is whole [LIST-08]', () => {
  const typed = (keys: string) => keys.split('').reduce((text, key) => maskTime(text + key, text), '')
  expect(typed('1430')).toBe('14:30')
  expect(typed('9:05')).toBe('9:05')
  // What is no time stays, so that the field can reject it.
  expect(['14ab', 'noon', '25:70'].map(typed)).toEqual(['14:ab', 'noon', '25:70'])
  expect(maskTime('14', '14:')).toBe('14')
  expect(['14:30', '9:05', '24:00', '1:5', 'noon', ''].map(readTime)).toEqual([
    ...['14:30', '09:05', null, null, null, ''],
  ])
})
