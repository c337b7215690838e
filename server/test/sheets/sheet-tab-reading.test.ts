// Spend sheets as people keep them: what is read from a tab, and what the warnings say about the rest.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CellValue, plainText } from '../../src/integrations/sheets/grid.ts'
import { monthOfTitle } from '../../src/integrations/sheets/months.ts'
import { type Directory, placeCells } from '../../src/integrations/sheets/place-cells.ts'
import { readTab } from '../../src/integrations/sheets/read-tab.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { gridOf, NOVEMBER, readRows } from './read-rows.ts'
import { COUNTRIES, type MeantSpend, madeSheet, STREAMS } from './sheet-grids.ts'

test('a matrix is read by its headings, wherever they stand; merged streams fill down, totals are skipped [SPD-04]', () => {
  const { spends, warned, kind } = readRows(
    [
      ['Team North'],
      [],
      ['', 'Geo', 'Stream', 1, '02.11', 46329, 'Total'],
      ['x', 'Poland', 'North', 10, '', '2,5', 12.5],
      ['x', 'Germany', '', '', 1.2346, '-', 1],
      ['x', 'Germany', 'South', 0, '1 234.50', '', 1],
      ['', '', 'Итого', 10, 2, 2],
      ['TOTAL EUR', '', '', 10, 2, 2],
      ['Всего, (USD)', '', '', 10, 2, 2],
    ],
    {},
    { merges: [{ startRow: 3, endRow: 5, startColumn: 2, endColumn: 3 }] },
  )
  expect(kind).toBe('matrix')
  expect(spends).toEqual([
    'North Poland 2026-11-01 10.0000',
    'North Poland 2026-11-03 2.5000',
    'North Germany 2026-11-02 1.2346',
    'South Germany 2026-11-01 0.0000',
    'South Germany 2026-11-02 1234.5000',
  ])
  expect(warned).toEqual([])
})

test.each([
  ['#REF!', 'sheet_formula_error'],
  ['12 apples', 'sheet_sum_invalid'],
  ['€ 12', 'sheet_sum_invalid'],
  [-1, 'sheet_sum_negative'],
  [1e12, 'sheet_sum_large'],
  [true, 'sheet_sum_invalid'],
])('%s is a warning with its address and the remedy; the rest is taken [SPD-04]', (value, key) => {
  const { spends, warnings, spared } = readRows([
    ['Stream', 'Country', 1, 2],
    ['North', 'PL', value, 5],
  ])
  expect(spends).toEqual(['North PL 2026-11-02 5.0000'])
  expect(warnings).toEqual([
    expect.objectContaining({ tab: '11.2026', gid: 0, cell: 'C2', key, remedy: expect.stringMatching(/\w/) }),
  ])
  expect(spared).toEqual([expect.objectContaining({ date: '2026-11-01' })])
})

test('text that could be two amounts is read by the locale, or rejected [SPD-04]', () => {
  const table = (value: string) => [
    ['Stream', 'Country', 1],
    ['North', 'PL', value],
  ]
  expect(readRows(table('1,234')).spends).toEqual(['North PL 2026-11-01 1234.0000'])
  expect(readRows(table('1,234'), { locale: 'ru_RU' }).spends).toEqual(['North PL 2026-11-01 1.2340'])
  expect(readRows(table('1.234'), { locale: 'ru_RU' }).warned).toEqual(['C2 sheet_sum_invalid'])
})

test('a day of another month, a repeated day, a row without a stream: each is named [SPD-04]', () => {
  const { spends, warned } = readRows([
    ['Stream', 'Country', 31, 1, 46328, '01.10', 30],
    ['North', 'PL', 1, 2, 3, 4, ''],
    ['', 'PL', '', 5],
    ['South', '', '', 6],
    ['#N/A', 'PL', '', 7],
    ['', '', '', ''],
  ])
  expect(spends).toEqual(['North PL 2026-11-01 2.0000', 'North PL 2026-11-02 3.0000'])
  expect(warned).toEqual([
    'C1 sheet_day_foreign',
    'F1 sheet_day_foreign',
    'A3 sheet_stream_absent',
    'B4 sheet_country_absent',
    'A5 sheet_formula_error',
  ])
})

describe('headings of days in the tab of November', () => {
  test.each<[CellValue, string]>([
    ...['20', '20 Nov', '20 November 2026', 'Nov 20', '20-Nov-26', '20th Nov'].map((text): [string, string] => [
      text,
      '20',
    ]),
    ...['20.11', '20.11.26', '20/11', '20-11', '20/11/2026', '2026-11-20'].map((text): [string, string] => [
      text,
      '20',
    ]),
    ...['5 ноя', '5 ноября', '05 нояб. 2026 г.', '5 листопада'].map((text): [string, string] => [text, '05']),
    [46_346, '20'],
    [3.11, '03'],
  ])('%s is the %s [SPD-04]', (heading, day) => {
    expect(
      readRows([
        ['Stream', 'Country', heading],
        ['North', 'PL', 7],
      ]),
    ).toMatchObject({
      spends: [`North PL 2026-11-${day} 7.0000`],
      warned: [],
    })
  })

  test('11/05 is the fifth in an American sheet, and no day of November elsewhere [SPD-04]', () => {
    const rows = [
      ['Stream', 'Country', '11/05'],
      ['North', 'PL', 7],
    ]
    expect(readRows(rows).spends).toEqual(['North PL 2026-11-05 7.0000'])
    expect(readRows(rows, { locale: 'uk_UA' })).toMatchObject({ spends: [], warned: ['C1 sheet_day_foreign'] })
  })

  test.each<[CellValue, string]>([
    ['0', 'unknown'],
    [32, 'unknown'],
    ['Twentieth', 'unknown'],
    ['', 'absent'],
    ['20 Dec', 'foreign'],
    ['31', 'foreign'],
    ['2', 'repeated'],
  ])('amounts beneath “%s” are named by the heading, and their days stay [SPD-04] [MON-08]', (heading, kind) => {
    const { spends, warned, unreadDays } = readRows([
      ['Stream', 'Country', 2, heading, 3, 'Total', 'No'],
      ['North', 'PL', 7, 8, '', 15, 1],
    ])
    expect(spends).toEqual(['North PL 2026-11-02 7.0000'])
    expect(warned).toEqual([`D1 ${kind === 'unknown' || kind === 'absent' ? 'sheet_heading' : 'sheet_day'}_${kind}`])
    expect(unreadDays).toContain('2026-11-20')
    expect(unreadDays).not.toContain('2026-11-03')
  })
})

test('an ignored heading leaves its column out without a warning; it must be exact, and hides no day [SPD-04] [MON-08]', () => {
  const rows = [
    ['Stream', 'Country', 1, 2, 'Plan', 'Comment no.'],
    ['North', 'PL', 7, 8, 100, 3],
  ]
  const readIgnoring = (...ignored: string[]) => readRows(rows, { mapping: { headings: {}, ignored } })
  const quiet = readIgnoring('Plan', 'Comment no.')
  expect(quiet.warned).toEqual([])
  expect(quiet.left).toEqual([
    { cell: 'E1', heading: 'Plan', isIgnored: true },
    { cell: 'F1', heading: 'Comment no.', isIgnored: true },
  ])
  expect(quiet.unreadDays.size).toBe(0)
  const other = readIgnoring('plan', 'Comment', '1', '2')
  expect(other.warned).toEqual(['E1 sheet_heading_unknown', 'F1 sheet_heading_unknown'])
  expect(other.unreadDays).toContain('2026-11-03')
  expect(other.spends).toEqual(quiet.spends)
  const merged = readRows(
    [
      ['Stream', 'Country', 'November', '', 'Plan'],
      ['', '', 1, '', ''],
      ['North', 'PL', 7, 8, 9],
    ],
    { mapping: { headings: {}, ignored: ['November', 'Plan'] } },
    {
      merges: [
        { startRow: 0, endRow: 1, startColumn: 2, endColumn: 4 },
        { startRow: 0, endRow: 2, startColumn: 4, endColumn: 5 },
      ],
    },
  )
  expect(merged.warned).toEqual(['D2 sheet_heading_absent'])
})

test('a second row of headings begins another table, in its own columns and of either layout [SPD-04]', () => {
  const { spends, warned } = readRows([
    ['Stream', 'Country', 2, 3, 5],
    ['North', 'PL', 100, 100, 100],
    [],
    ['Geo', 'Stream', 10, 20, 23],
    ['PL', 'South', 33, 44, 55],
    ['', '', '24 Nov', '25 Nov'],
    ['PL', 'West', 1, 2],
    ['Date', 'Stream', 'Country', 'Sum'],
    ['2026-11-26', 'East', 'PL', 9],
  ])
  expect(warned).toEqual([])
  expect(spends).toEqual([
    ...['02', '03', '05'].map((day) => `North PL 2026-11-${day} 100.0000`),
    ...['South PL 2026-11-10 33.0000', 'South PL 2026-11-20 44.0000', 'South PL 2026-11-23 55.0000'],
    ...['West PL 2026-11-24 1.0000', 'West PL 2026-11-25 2.0000', 'East PL 2026-11-26 9.0000'],
  ])
})

test('headings of a second table in unknown words take nothing beneath, and nothing is removed [SPD-04] [MON-08]', () => {
  const rows = (names: string[]) => [
    ['Stream', 'Country', 2, 3, 5],
    ['stream 3', 'PL', 100, 100, 100],
    [],
    [...names, 10, 20, 23],
    ['stream 3', 'DE', 33, 44, 55],
  ]
  for (const names of [
    ['Кампания', 'Рынок'],
    ['', ''],
  ]) {
    const grid = gridOf(rows(names))
    const placed = placeCells(grid, readTab(grid, NOVEMBER), DIRECTORY)
    expect(placed.cells.map(({ sum }) => sum)).toEqual(['100.0000', '100.0000', '100.0000'])
    const warnings = [...readTab(grid, NOVEMBER).warnings, ...placed.warnings]
    expect(warnings.map(({ key }) => key)).toEqual(['sheet_headings_unclear'])
    expect(placed.isPartial).toBe(true)
  }
})

test('a row that has a stream is never headings of days [SPD-04]', () => {
  const amounts = ['North', 'PL', 2, 3, 5, 10, 20, 23]
  const days = [2, 3, 5, 10, 20, 23].map((day) => `day ${day}`)
  expect(readRows([['Stream', 'Country', ...days], amounts]).warned).toEqual([' sheet_layout_unknown'])
  expect(readRows([['Team', 'Market', ...days], amounts]).warned).toEqual([' sheet_layout_unknown'])
  expect(readRows([amounts, ['South', 'PL', 1, 2, 3, 4, 5, 6]]).warned).toEqual([' sheet_layout_unknown'])
})

test('headings of its own are named by a mapping; without any the tab is named [SPD-04]', () => {
  const rows = [
    ['Кампания', 'Рынок', 'Цифра', 'Когда'],
    ['North', 'PL', 5, '2026-11-01'],
  ]
  expect(readRows(rows).warned).toEqual([' sheet_layout_unknown'])
  const headings = { stream: 'кампания', country: 'Рынок', sum: 'Цифра', date: 'Когда' }
  expect(readRows(rows, { mapping: { headings } }).spends).toEqual(['North PL 2026-11-01 5.0000'])
  expect(readRows(rows, { mapping: { layout: 'matrix', headings } }).kind).toBeNull()
})

test('the names of columns may stand above the days; spends beneath a heading are no days [SPD-04]', () => {
  const rows = [
    ['Stream', 'Country', 'November'],
    ['', '', 1, 2],
    ['North', 'PL', 3, 4],
  ]
  expect(readRows(rows).spends).toEqual(['North PL 2026-11-01 3.0000', 'North PL 2026-11-02 4.0000'])
  const unknown = [
    ['Date', 'Stream', 'Country', 'Turnover'],
    ['2026-11-01', 'North', 'PL', 5],
  ]
  expect(readRows(unknown).warned).toEqual([' sheet_layout_unknown'])
})

const ids = (names: readonly string[]): Map<string, number> =>
  new Map(names.map((name, index) => [plainText(name), index + 1]))
const CODES = ['PL', 'DE', 'GB']
const DIRECTORY: Directory = {
  streams: ids(STREAMS),
  countries: new Map(
    [...Object.entries(COUNTRIES), ...CODES.map((code) => [code, code])].map(([name, code]) => [
      plainText(name),
      CODES.indexOf(code ?? '') + 1,
    ]),
  ),
  currencies: ids(['EUR', 'USD']),
  currency: 1,
}

test('of a huge tab a thousand warnings are kept, and thousands of merged cells are found [SPD-04]', () => {
  const days = Array.from({ length: 30 }, (_, day) => day + 1)
  const merges = Array.from({ length: 3000 }, (_, pair) => ({
    startRow: 2 * pair + 1,
    endRow: 2 * pair + 3,
    startColumn: 0,
    endColumn: 1,
  }))
  const rows = Array.from({ length: 6000 }, (_, row) => [
    row % 2 ? '' : 'North',
    'PL',
    `s${row}`,
    ...days.map(() => 'x'),
  ])
  const { warned, spared } = readRows([['Stream', 'Country', 'Site', ...days], ...rows], {}, { merges })
  expect(spared).toHaveLength(180_000)
  expect(warned).toHaveLength(1000)
})

test('unknown names are warned of once a row; nothing is guessed [SPD-04]', () => {
  const grid = gridOf([
    ['Stream', 'Country', 'Currency', 1, 2],
    ['Nowhere', 'PL', '', 1, 2],
    ['Elsewhere', 'PL', '', 1, 2],
    ['stream 3', 'Atlantis', '', 1, 2],
    ['stream 3', 'PL', 'usd', 1, ''],
    ['stream 3', 'DE', 'GBP', 1, 2],
    [' STREAM  3', 'Польша', '', 9, 3],
    ['gone', 'gone', '', '', ''],
  ])
  const placed = placeCells(grid, readTab(grid, NOVEMBER), DIRECTORY)
  expect(placed.warnings.map(({ cell, key }) => `${cell} ${key}`)).toEqual([
    'A2 sheet_stream_unknown',
    'A3 sheet_stream_unknown',
    'B4 sheet_country_unknown',
    'C6 sheet_currency_unknown',
    'D7 sheet_repeated',
  ])
  expect(placed.hasStrays).toBe(true)
  expect(placed.cells.map(({ date, sum, currency }) => ({ date, sum, currency }))).toEqual([
    { date: '2026-11-01', sum: '1.0000', currency: 2 },
    { date: '2026-11-02', sum: '3.0000', currency: 1 },
  ])
})

test('whatever the layout, the locale and the dirt: every spend is read, and every dirty cell is named [SPD-04] [MON-08]', () => {
  fc.assert(
    fc.property(madeSheet('2026-11', '2026-04'), ({ grid, locale, month, spends, dirty }) => {
      expect(monthOfTitle(grid.title)).toBe(month)
      const reading = readTab(grid, { month, locale, mapping: null })
      const placed = placeCells(grid, reading, DIRECTORY)
      const told = placed.cells.map(
        ({ stream, country, site, date, sum }): MeantSpend => ({
          stream: STREAMS[stream - 1] ?? '',
          country: CODES[country - 1] ?? '',
          site,
          date,
          sum,
        }),
      )
      const sorted = (list: readonly MeantSpend[]) => list.map((spend) => JSON.stringify(spend)).sort()
      const order = ({ stream, country, site, date, sum }: MeantSpend): MeantSpend => ({
        stream,
        country,
        site,
        date,
        sum,
      })
      expect(sorted(told)).toEqual(sorted(spends.map(order)))
      expect([...reading.warnings, ...placed.warnings].map(({ cell }) => cell).sort()).toEqual([...dirty].sort())
    }),
    { numRuns: fuzzRuns(300) },
  )
})
