// Amounts are exact: parsing, formatting and division use no floats.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divideHalfUp, formatMoney, parseMoney, toCents } from '../money.ts'

test('a formatted amount is parsed back unchanged', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
      (units) => parseMoney(formatMoney(units)) === units,
    ),
  )
})

test.each(['', 'x', '1e5', '1.23456', '--1', '1.', '.5', 'NaN', 'Infinity', '1,5'])('%s is no amount', (text) => {
  expect(parseMoney(text)).toBeNull()
})

test('rounding is half-up, once, away from zero [REP-15]', () => {
  expect(toCents(12_350n)).toBe(124n)
  expect(toCents(12_349n)).toBe(123n)
  expect(toCents(-12_350n)).toBe(-124n)
  expect(divideHalfUp(1n, 0n)).toBeNull()
  expect(divideHalfUp(1n, 3n)).toBe(0n)
  expect(divideHalfUp(1n, 2n)).toBe(1n)
})
