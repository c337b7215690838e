import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCount, formatDecimal, formatMoney } from '../src/lib/number-format.ts'
import { formatShort } from '../src/lib/short-number.ts'

const plain = (text: string | null) => text?.replaceAll('\u202f', '').replace('\u2212', '-')

test('money has two decimals and thin spaces between thousands [REP-17]', () => {
  expect(formatMoney('1234567.8')).toBe('1\u202f234\u202f567.80')
  expect(formatMoney(0)).toBe('0.00')
  expect(formatMoney('-1234.5')).toBe('\u22121\u202f234.50')
  expect(formatCount(1000)).toBe('1\u202f000')
})

test('absent values and values that are no number are null, never 0 [REP-02]', () => {
  for (const value of [null, undefined, '', 'abc', Number.NaN, Number.POSITIVE_INFINITY])
    expect(formatMoney(value)).toBeNull()
})

test('decimals are rounded half-up from their text, not from a float [REP-02]', () => {
  expect(formatMoney('1.005')).toBe('1.01')
  expect(formatMoney('2.675')).toBe('2.68')
  expect(formatMoney('99999999999999.995')).toBe('100\u202f000\u202f000\u202f000\u202f000.00')
  expect(formatMoney('-0.001')).toBe('0.00')
})

test('any decimal with two digits reads back the same', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), (cents) => {
      const size = cents < 0n ? -cents : cents
      const text = `${cents < 0n ? '-' : ''}${size / 100n}.${String(size % 100n).padStart(2, '0')}`
      expect(plain(formatDecimal(text, 2))).toBe(text)
    }),
  )
})

test('narrow places get short numbers', () => {
  expect(
    [950, 12_340, 1_500_000, -2_000_000].map((value) => formatShort(value, (unit, text) => `${text}${UNITS[unit]}`)),
  ).toEqual(['950', '12.3k', '1.5M', '\u22122M'])
})

test('all numbers of an axis have the unit of the largest one [REP-17]', () => {
  const axis = [0, 5000, 10_000, -2500]
  const write = (unit: keyof typeof UNITS, text: string) => `${text}${UNITS[unit]}`
  expect(axis.map((value) => formatShort(value, write, 10_000))).toEqual(['0', '5k', '10k', '\u22122.5k'])
})

const UNITS = { thousand: 'k', million: 'M', billion: 'B' }
