// When a saved report is mailed, and which days it means then.
import { expect, test } from 'vitest'
import { moveDays } from '../../src/reports/saved/make-report.ts'
import { nextDue } from '../../src/reports/saved/saved-reports.ts'

test.each([
  ['day', null, null, '07:30', '2026-06-10T04:00:00Z', '2026-06-10T04:30:00Z'],
  ['day', null, null, '07:30', '2026-06-10T04:30:00Z', '2026-06-11T04:30:00Z'],
  ['day', null, null, '03:30', '2026-03-28T10:00:00Z', '2026-03-29T01:30:00Z'],
  ['day', null, null, '03:30', '2026-10-24T10:00:00Z', '2026-10-25T00:30:00Z'],
  ['week', 1, null, '09:00', '2026-06-10T12:00:00Z', '2026-06-15T06:00:00Z'],
  ['month', null, 31, '09:00', '2026-02-01T00:00:00Z', '2026-02-28T07:00:00Z'],
  ['month', null, 1, '00:00', '2026-02-28T22:00:00Z', '2026-03-31T21:00:00Z'],
] as const)(
  'every %s (%s, %s) at %s of business time after %s is %s [REP-16]',
  (every, weekday, monthday, at_time, after, expected) => {
    const moment = nextDue({ every, weekday, monthday, at_time }, 'Europe/Kyiv', new Date(after))
    expect(moment.toISOString()).toBe(expected.replace('Z', '.000Z'))
  },
)

test('a preset and its comparison period are those of the day of sending [REP-16]', () => {
  const request = {
    filter: { dateFrom: '2026-01-01', dateTo: '2026-01-02', secondDateFrom: '2025-01-01', offers: [3] },
  }
  const base = { search: {}, columns: [], look: {} }
  expect(moveDays({ ...base, request, preset: 'previous_month', comparesPrevious: true }, '2026-06-10').filter).toEqual(
    {
      dateFrom: '2026-05-01',
      dateTo: '2026-05-31',
      secondDateFrom: '2026-03-31',
      secondDateTo: '2026-04-30',
      offers: [3],
    },
  )
  const yearly = { ...base, request, preset: 'previous_month', comparesPrevious: false, compares: 'last_year' } as const
  expect(moveDays(yearly, '2026-06-10').filter).toMatchObject({
    secondDateFrom: '2025-05-01',
    secondDateTo: '2025-05-31',
  })
  expect(moveDays({ ...base, request, preset: null, comparesPrevious: false }, '2026-06-10').filter).toEqual(
    request.filter,
  )
})
