// The months that the demo closes are all of its past, so that none lies open below the closed ones.
import { describe, expect, test } from 'vitest'
import { pastMonths } from '../closed-months.ts'

describe('the closed months of the demo', () => {
  test('begin with the month of the first day, however late in it that is [MON-01]', () => {
    const months = pastMonths({ first: '2025-11-28', today: '2026-11-27' })
    expect(months).toHaveLength(12)
    expect(months[0]).toBe('2025-11')
    expect(months.at(-1)).toBe('2026-10')
  })

  test('are eleven if the past begins with a month [MON-01]', () => {
    expect(pastMonths({ first: '2025-12-01', today: '2026-11-30' })).toHaveLength(11)
  })
})
