// The plan of the demo's month has something to show on every day of it.
import { expect, test } from 'vitest'
import { joinLarger, type SpentCell } from '../budgets.ts'

const cell = (advertiser_id: number, country_id: number, actual: number): SpentCell => ({
  advertiser_id,
  country_id,
  actual,
  partners: [],
})

test('the budget of a month that has just begun is planned from the month before; later the larger spend counts [MON-09]', () => {
  const before = [cell(1, 1, 900), cell(1, 2, 300)]
  expect(joinLarger([], before)).toEqual(before)
  const spent = [cell(1, 1, 40), cell(1, 2, 500), cell(2, 1, 70)]
  expect(joinLarger(spent, before)).toEqual([cell(1, 1, 900), cell(1, 2, 500), cell(2, 1, 70)])
})
