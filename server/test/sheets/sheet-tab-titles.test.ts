// Titles of tabs as people write them: the month that a title is, and other months that it mentions.

import { describe, expect, test } from 'vitest'
import { mentionsOther, monthOfTitle } from '../../src/integrations/sheets/months.ts'

describe('titles of tabs', () => {
  test.each([
    ['11.2026', '2026-11'],
    ['2026-11', '2026-11'],
    ['November 2026', '2026-11'],
    ['Ноябрь 26', '2026-11'],
    [' нояб. 2026 ', '2026-11'],
    ['Листопад 2026', '2026-11'],
    ['Ноябрь 2026 г.', '2026-11'],
    ['Sept 2026', '2026-09'],
    ['1/2027', '2027-01'],
    ['13.2026', undefined],
    ['Copy of 11.2026', undefined],
    ['Spends', undefined],
    ['No 26', undefined],
  ])('%s is %s [SPD-04]', (title, month) => {
    expect(monthOfTitle(title)).toBe(month)
  })

  const OCTOBERS = [
    'October',
    'Октябрь',
    'Oct',
    'Oct-26',
    "Oct'26",
    'Oct_2026',
    '10.26',
    '10-26',
    'October 2026 (copy)',
    'Spends October 2026',
    '2026 October',
    'Октябрь2026',
    '202610',
    '10 2026',
    '2026_10',
    '01.10.2026',
  ]
  test.each(OCTOBERS)('“%s” mentions October [SPD-02] [SPD-04]', (title) => {
    expect(mentionsOther(title, ['2026-11'])).toBe(true)
    expect(mentionsOther(title, ['2026-10'])).toBe(false)
  })

  test.each([
    'Spends',
    'Sheet1',
    'Лист 26',
    'Лист1',
    'May Casino',
    '10',
    '05.10',
    '1-15',
    'Marketing 2026',
    'Partner 202',
    'November',
    'Spends November 2026',
    'October and November 2026',
  ])('“%s” mentions no other month than November 2026 [SPD-02] [SPD-04]', (title) => {
    expect(mentionsOther(title, ['2026-11'])).toBe(false)
  })
})
