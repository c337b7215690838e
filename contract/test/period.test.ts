// Business days in a zone with daylight saving time, in both directions.
import { expect, test } from 'vitest'
import {
  addDays,
  dayOf,
  daysBetween,
  endOfDay,
  isDay,
  presetPeriod,
  secondPeriod,
  startOfDay,
  today,
  weekOf,
} from '../period.ts'

const HOUR = 3_600_000

test('a day has 23 hours when clocks go forward and 25 when they go back [I18N-03]', () => {
  const length = (day: string) => (endOfDay(day, 'Europe/Kyiv') - startOfDay(day, 'Europe/Kyiv')) / HOUR
  expect(length('2026-03-29')).toBe(23)
  expect(length('2026-10-25')).toBe(25)
  expect(length('2026-11-20')).toBe(24)
})

test('an instant falls on the business day of its zone', () => {
  const lateEvening = Date.parse('2026-11-19T22:30:00Z')
  expect(dayOf(lateEvening, 'Europe/Kyiv')).toBe('2026-11-20')
  expect(dayOf(lateEvening, 'UTC')).toBe('2026-11-19')
  expect(dayOf(lateEvening, 'Etc/GMT-6')).toBe('2026-11-20')
})

test('the business day changes at midnight of its zone, also when clocks change [I18N-04]', () => {
  const day = (moment: string) => today('Europe/Kyiv', Date.parse(moment))
  expect(day('2026-03-28T21:59:59Z')).toBe('2026-03-28')
  expect(day('2026-03-28T22:00:00Z')).toBe('2026-03-29')
  expect(day('2026-03-29T21:00:00Z')).toBe('2026-03-30')
})

test('impossible days are rejected', () => {
  for (const text of ['2026-02-29', '2026-13-01', '2026-1-1', '0000-01-01', 'today', ''])
    expect([text, isDay(text)]).toEqual([text, false])
  expect(isDay('2028-02-29')).toBe(true)
})

test('presets start weeks on Monday and end current periods today [FORM-12]', () => {
  const day = '2026-11-20'
  expect(weekOf(day)).toBe('2026-11-16')
  expect(presetPeriod('today', day)).toEqual({ from: day, to: day })
  expect(presetPeriod('today_and_yesterday', day)).toEqual({ from: '2026-11-19', to: day })
  expect(presetPeriod('previous_week', day)).toEqual({ from: '2026-11-09', to: '2026-11-15' })
  expect(presetPeriod('previous_month', day)).toEqual({ from: '2026-10-01', to: '2026-10-31' })
  expect(presetPeriod('current_year', day)).toEqual({ from: '2026-01-01', to: day })
  expect(presetPeriod('previous_year', day)).toEqual({ from: '2025-01-01', to: '2025-12-31' })
})

test('days between dates are counted correctly across a change of clocks', () => {
  expect(addDays('2026-10-24', 2)).toBe('2026-10-26')
  expect(daysBetween('2026-03-01', '2026-04-01')).toBe(31)
})

test.each([
  ['previous', '2026-11-14', '2026-11-20', '2026-11-07', '2026-11-13'],
  ['last_month', '2026-11-01', '2026-11-23', '2026-10-01', '2026-10-23'],
  ['last_month', '2026-11-01', '2026-11-30', '2026-10-01', '2026-10-31'],
  ['last_month', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['last_month', '2026-03-30', '2026-03-31', '2026-02-28', '2026-02-28'],
  ['last_month', '2026-11-30', '2026-11-30', '2026-10-30', '2026-10-30'],
  ['last_year', '2025-02-01', '2025-02-28', '2024-02-01', '2024-02-29'],
  ['last_year', '2024-02-29', '2024-02-29', '2023-02-28', '2023-02-28'],
] as const)('%s: %s to %s is compared with %s to %s [REP-03]', (name, from, to, secondFrom, secondTo) => {
  expect(secondPeriod(name, { from, to })).toEqual({ from: secondFrom, to: secondTo })
})
