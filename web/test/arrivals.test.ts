// Which rows count as arrived at the top of a list.
import { expect, test } from 'vitest'
import { countArrived } from '../src/entities/list/arrivals.ts'

const rowsOf = (...ids: number[]) => ids.map((id) => ({ id }))

test('rows above the former ones have arrived, however many have left at the end [TRK-14]', () => {
  expect(countArrived(rowsOf(3, 2, 1), rowsOf(5, 4, 3))).toBe(2)
  expect(countArrived(rowsOf(3, 2, 1), rowsOf(4, 3, 2, 1))).toBe(1)
})

test('another order, another page and the same rows are no arrival [TRK-14]', () => {
  expect(countArrived(rowsOf(3, 2, 1), rowsOf(1, 2, 3))).toBe(0)
  expect(countArrived(rowsOf(3, 2, 1), rowsOf(9, 3, 1, 2))).toBe(0)
  expect(countArrived(rowsOf(3, 2, 1), rowsOf(6, 5, 4))).toBe(0)
  expect(countArrived(rowsOf(3, 2, 1), rowsOf(3, 2, 1))).toBe(0)
  expect(countArrived([], rowsOf(1))).toBe(0)
})
