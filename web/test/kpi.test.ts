// Lines of key numbers and charts: gaps where there is no number, and dashes to a period that is not over.
import { describe, expect, test } from 'vitest'
import { sparkPath } from '../src/reports/kpi/sparkline.tsx'
import { lastReportedDay } from '../src/reports/run/last-reported-day.ts'
import { doneDots, runningDots } from '../src/reports/table/series.ts'

const at = (value: number | null, isRunning = false) => ({ value, isRunning })

describe('the line of a tile', () => {
  test('has a gap where there is no number, and its zero at the bottom [REP-09]', () => {
    expect(sparkPath([at(0), at(10), at(null), at(5)])).toBe('M2.0 26.0L40.7 2.0M118.0 14.0')
  })
  test('of negative numbers runs below zero, and of equal ones along one height [REP-09]', () => {
    expect(sparkPath([at(-10), at(0)])).toBe('M2.0 26.0L118.0 2.0')
    expect(sparkPath([at(0), at(0)])).toBe('M2.0 26.0L118.0 26.0')
    expect(sparkPath([])).toBe('')
  })
  test('is drawn in two parts, which meet in the last period that is over [REP-09]', () => {
    const points = [at(4), at(8), at(1, true)]
    expect(sparkPath(points, 0, 2)).toBe('M2.0 14.0L60.0 2.0')
    expect(sparkPath(points, 1, 3)).toMatch(/^M60\.0 2\.0L118\.0 /)
  })
})

test('the unfinished period of a chart is no fall: its line is dashed, from the last period that is over [REP-09]', () => {
  const dots = [
    { at: 'a', title: 'a', value: 5 },
    { at: 'b', title: 'b', value: 6 },
    { at: 'c', title: 'c', value: 1, isRunning: true },
  ]
  expect(doneDots(dots).map(({ value }) => value)).toEqual([5, 6, null])
  expect(runningDots(dots).map(({ value }) => value)).toEqual([null, 6, 1])
})

test('a record compares income up to the day before the first one that is not reported [REP-03] [REP-09]', () => {
  const row = (date: string, partial?: ['income'] | ['income_2']) => ({
    g: { id: date, title: date, date },
    ...(partial && { partial }),
  })
  const days = [
    row('2026-11-04', ['income']),
    row('2026-11-02'),
    row('2026-11-03', ['income']),
    row('2026-10-30', ['income']),
  ]
  expect(lastReportedDay(days, '2026-11-01')).toBe('2026-11-02')
  expect(lastReportedDay([row('2026-11-02', ['income_2'])], '2026-11-01')).toBeNull()
  expect(lastReportedDay([row('2026-11-01', ['income'])], '2026-11-01')).toBeNull()
})
