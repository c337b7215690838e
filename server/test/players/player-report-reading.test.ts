// Figures, days and moments of advertisers' files: unambiguous values are read, others rejected.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAmount, readCount, readExactAmount, readId } from '../../src/integrations/player-report/amount.ts'
import { createMoments, daysIn } from '../../src/integrations/player-report/moments.ts'

describe('amounts', () => {
  test.each([
    ['12.5', '12.5000'],
    ['12,50', '12.5000'],
    ['1 234,56', '1234.5600'],
    ['1\u00a0234.56', '1234.5600'],
    ['1,234.56', '1234.5600'],
    ['1.234.567,8', '1234567.8000'],
    ['1,234,567', '1234567.0000'],
    ['-0.00004', '0.0000'],
    ['-3', '-3.0000'],
    ['.5', '0.5000'],
    ['0,125', '0.1250'],
  ])('%s is %s [PLY-06]', (text, amount) => {
    expect(readAmount(text, false)).toBe(amount)
  })

  test.each(['1,234', '12a', '', '-', '1.2.3', '1e400', '#N/A', '12 EUR', '--1', '999999999999999'])(
    '%s is no figure [PLY-06]',
    (text) => {
      expect(readAmount(text, false)).toBeUndefined()
    },
  )

  test('a figure that a spreadsheet has reformatted is read as the same figure, rounded half-up to four digits [PLY-06]', () => {
    expect(readAmount('12.339999999999999', true)).toBe('12.3400')
    expect(readAmount('1.2E-2', true)).toBe('0.0120')
    expect(readAmount('1,234', true)).toBe('1.2340')
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (units) => {
        expect(readAmount(String(units / 10_000), true)).toBe((units / 10_000).toFixed(4).replace(/^-(0\.0000)$/, '$1'))
      }),
    )
  })

  test.each([
    [String(100 / 3), '33.3333'],
    ['1.23456', '1.2346'],
    // In binary it is less than the half.
    ['1.00005', '1.0001'],
    [String(0.3335 * 3), '1.0005'],
    ['1.0001499999999998', '1.0002'],
    ['1.00004999999', '1.0000'],
    ['999999999.99995', '1000000000.0000'],
  ])('the number %s of a sheet is the amount %s [SPD-04]', (text, amount) => {
    expect(readExactAmount(text, true)).toMatchObject({ amount })
  })

  test('a number that is rounded says so, noise of its binary form aside; one of which nothing would remain is rejected [SPD-02] [SPD-04]', () => {
    const readings = ['0.1', String(0.1 + 0.2), '1.123456', '0.00004', '1E-7', String(0.1 + 0.2 - 0.3)]
    expect(readings.map((text) => readExactAmount(text, true))).toEqual([
      { amount: '0.1000', isRounded: false },
      { amount: '0.3000', isRounded: false },
      { amount: '1.1235', isRounded: true },
      'too_precise',
      'too_precise',
      { amount: '0.0000', isRounded: false },
    ])
  })

  test('a typed amount with more than four digits after the point is rejected [SPD-04]', () => {
    expect(['1.23456', '1,00005', '33.333333'].map((text) => readExactAmount(text, false))).toEqual(
      Array.from({ length: 3 }, () => 'too_precise'),
    )
  })

  test('numbers of deposits are whole; ids keep their digits or are rejected [PLY-06]', () => {
    expect([readCount('3'), readCount('3.0'), readCount('3.5'), readCount('-1')]).toEqual([
      '3',
      '3',
      undefined,
      undefined,
    ])
    expect([
      readId('0012', false),
      readId('123456789012', true),
      readId('1.23E+11', true),
      readId('1.234567890123456E+20', true),
    ]).toEqual(['0012', '123456789012', '123000000000', undefined])
  })
})

describe('days and moments', () => {
  const moments = createMoments({ server: 'Etc/GMT-6', business: 'Europe/Kyiv' }, false)

  test.each([
    ['2026-03-10', '2026-03-10'],
    ['10.03.2026', '2026-03-10'],
    ['2026/3/9', '2026-03-09'],
    // 01:30 of UTC+6 is 21:30 in Kyiv of the day before, 03:59 is 23:59.
    ['2026-03-10 01:30:00', '2026-03-09'],
    ['2026-03-10 03:59', '2026-03-09'],
    ['2026-03-10 04:00', '2026-03-10'],
    // Daylight saving time begins in Kyiv on 29 March: from then on the day changes at 03:00.
    ['2026-03-30 02:59:59', '2026-03-29'],
    ['2026-03-30 03:00:00', '2026-03-30'],
    ['2026-03-29 04:00:00', '2026-03-29'],
    ['2026-10-25 03:00:00', '2026-10-25'],
    ['2026-10-26 03:59:59', '2026-10-25'],
    ['2026-10-26 04:00:00', '2026-10-26'],
  ])('%s is a day of %s in the business zone [PLY-06] [I18N-04]', (text, day) => {
    expect(moments.day(text, false)).toBe(day)
  })

  test.each(['2026-02-30', '31.04.2026', '03/04/2026', '2026-13-01', 'yesterday', '1899-01-01', '2026-03-10 25:00'])(
    '%s is no day [PLY-06]',
    (text) => {
      expect(moments.day(text, false)).toBeUndefined()
    },
  )

  test('days as numbers count from 1900, or from 1904 if the workbook says so [PLY-06]', () => {
    expect(moments.day('46091', true)).toBe('2026-03-10')
    expect(moments.instant('46091.5', true)).toBe('2026-03-10T06:00:00.000Z')
    expect(createMoments({ server: 'UTC', business: 'UTC' }, true).day('44629', true)).toBe('2026-03-10')
    expect(moments.day('7', true)).toBeUndefined()
  })

  test('a moment is in the advertisers’ zone unless it has another; a day alone begins with the business day [PLY-06] [I18N-04]', () => {
    expect(moments.instant('2026-03-10 12:00:00', false)).toBe('2026-03-10T06:00:00.000Z')
    expect(moments.instant('2026-03-10T12:00:00Z', false)).toBe('2026-03-10T12:00:00.000Z')
    expect(moments.instant('2026-03-10T12:00:00+02:00', false)).toBe('2026-03-10T10:00:00.000Z')
    expect(moments.instant('2026-03-10', false)).toBe('2026-03-09T22:00:00.000Z')
    expect(moments.instant('2026-07-10', false)).toBe('2026-07-09T21:00:00.000Z')
  })

  test('zones whose clocks change within an hour are exact, too [I18N-04]', () => {
    const odd = createMoments({ server: 'Australia/Lord_Howe', business: 'UTC' }, false)
    expect(odd.instant('2026-04-05 01:45:00', false)).toBe('2026-04-04T14:45:00.000Z')
    expect(odd.instant('2026-10-04 02:45:00', false)).toBe('2026-10-03T15:45:00.000Z')
  })

  test('days are found in any text [PLY-06]', () => {
    expect(daysIn('Period: 01.02.2026 – 2026-02-03 (31.02.2026)')).toEqual(['2026-02-01', '2026-02-03'])
  })
})
