// Typed moments: masked, parsed and formatted in a zone, changed by the arrow keys.
import { instantOf, shiftInstant } from '@tributary/contract/period'
import { checkField } from '@tributary/contract/validate'
import { expect, test } from 'vitest'
import { formatMoment, maskMoment, parseMoment, unitAt } from '../src/lib/date-format.ts'

const KYIV = 'Europe/Kyiv'

test('digits get their separators; a typed separator completes a short number [FORM-04] [I18N-03]', () => {
  expect(maskMoment('310120261405')).toBe('31.01.2026 14:05')
  expect(maskMoment('31012026140509')).toBe('31.01.2026 14:05:09')
  expect(maskMoment('310120261405099')).toBe('31.01.2026 14:05:09')
  expect(maskMoment('1.2.2026 9:')).toBe('01.02.2026 09')
  expect(maskMoment('1/2/2026')).toBe('01.02.2026')
  expect(maskMoment('ab12')).toBe('12')
  expect(maskMoment('..')).toBe('')
})

test('the arrow keys change the unit at the caret, also across a change of clocks [FORM-04]', () => {
  const text = '28.03.2026 14:05'
  expect([0, 4, 8, 11, 16].map((caret) => unitAt(text, caret))).toEqual(['days', 'months', 'years', 'hours', 'minutes'])
  const noon = parseMoment('28.03.2026 12:00', KYIV) ?? ''
  expect(formatMoment(shiftInstant(noon, 'days', 1, KYIV), KYIV)).toBe('29.03.2026 12:00')
  expect(formatMoment(shiftInstant(noon, 'months', -1, KYIV), KYIV)).toBe('28.02.2026 12:00')
  expect(formatMoment(shiftInstant(noon, 'minutes', -1, KYIV), KYIV)).toBe('28.03.2026 11:59')
})

test('a moment is parsed in the zone, and times that the zone skips are rejected [FORM-04] [I18N-04]', () => {
  expect(parseMoment('31.01.2026 14:05', KYIV)).toBe('2026-01-31T12:05:00.000Z')
  expect(parseMoment('31.07.2026 14:05:09', KYIV)).toBe('2026-07-31T11:05:09.000Z')
  expect(parseMoment('31.01.2026', KYIV)).toBe('2026-01-30T22:00:00.000Z')
  // Clocks go from 03:00 to 04:00, and in autumn from 04:00 back to 03:00, where the earlier moment counts.
  expect(parseMoment('29.03.2026 03:30', KYIV)).toBeNull()
  expect(parseMoment('25.10.2026 03:30', KYIV)).toBe('2026-10-25T00:30:00.000Z')
  expect(
    ['30.02.2026 10:00', '01.01.2026 24:00', '01.01.2026 1', '', 'x'].map((text) => parseMoment(text, KYIV)),
  ).toEqual(Array.from({ length: 5 }, () => null))
  expect(instantOf('2026-01-01', '25:00', KYIV)).toBeNull()
})

test('it is shown as it was typed, with seconds if they are not zero [I18N-03]', () => {
  expect(formatMoment('2026-01-31T12:05:00.000Z', KYIV)).toBe('31.01.2026 14:05')
  expect(formatMoment('2026-01-31T12:05:09.123Z', KYIV)).toBe('31.01.2026 14:05:09')
  expect([formatMoment('31.02.2026', KYIV), formatMoment(null, KYIV)]).toEqual([null, null])
})

test('only complete moments with an offset are moments on the wire [FORM-03] [API-05]', () => {
  const check = (value: string) => checkField({ kind: 'datetime' }, value).map(({ key }) => key)
  for (const value of ['2026-01-31T12:05:00.000Z', '2026-01-31T12:05Z', '2026-01-31T12:05:00.123456+02:00'])
    expect(check(value), value).toEqual([])
  for (const value of [
    '2026',
    '31.01.2026 1',
    '2026-02-30T00:00:00Z',
    '2026-01-31T12:05:00',
    '2026-01-31T25:00:00Z',
    '+275760-09-13T00:00:00Z',
  ])
    expect(check(value), value).toEqual(['date_invalid'])
})
