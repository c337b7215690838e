// Spend sheets with a row for each spend: which column is which field, and what the warnings say about the others.

import { sheetMapping } from '@tributary/contract/sheet-mapping'
import { expect, test } from 'vitest'
import { chooseTab } from '../../src/integrations/sheets/choose-tab.ts'
import type { Grid } from '../../src/integrations/sheets/grid.ts'
import { gridOf, NOVEMBER, readRows } from './read-rows.ts'

test('a ledger is read by its headings; a ledger of all months gives those of the month [SPD-04]', () => {
  const rows = [
    ['Дата', 'Поток', 'Гео', 'Сайт', 'Сумма', 'Валюта', 'Комментарий'],
    ['2026-11-05', 'North', 'PL', 's1', 10, 'EUR', 'test'],
    ['05.11.2026', 'North', 'PL', '', '7,25', 'USD', ''],
    ['11/6/2026', 'South', 'PL', '', 3, '', ''],
    ['2026-10-05', 'North', 'PL', 's1', 99, '', ''],
    ['soon', 'North', 'DE', '', 5, '', ''],
    ['Total', '', '', '', 100],
  ]
  const all = readRows(rows, {}, { title: 'Spends' })
  expect(all.kind).toBe('ledger')
  expect(all.spends).toEqual([
    'North PL s1 2026-11-05 10.0000',
    'North PL 2026-11-05 7.2500',
    'South PL 2026-11-06 3.0000',
  ])
  expect(all.cells[0]).toMatchObject({ note: 'test', row: { currency: { text: 'EUR' } } })
  expect(all.warned).toEqual(['A6 sheet_date_invalid'])
  expect(readRows(rows).warned).toEqual(['A5 sheet_day_foreign', 'A6 sheet_date_invalid'])
  // The day comes first, where the locale says so.
  expect(readRows(rows, { locale: 'en_GB' }, { title: 'Spends' }).spends).toHaveLength(2)
})

test('a second column of a field is a warning that names the column that is read; other columns that are not read are listed [SPD-04]', () => {
  const rows = [
    ['Date', 'Stream', 'Source', 'Country', 'Sum', 'Sum', 'Amount', 'Clicks', 'Empty', 'Total'],
    ['2026-11-05', 'North', 'x', 'PL', 10, 20, 30, 400, '', 99],
    ['', 'North', '', 'PL', 5],
  ]
  const all = readRows(rows)
  expect(all.spends).toEqual(['North PL 2026-11-05 10.0000'])
  expect(all.warned).toEqual([
    ...['C1 sheet_column_repeated', 'F1 sheet_column_repeated', 'G1 sheet_column_repeated'],
    'A3 sheet_date_absent',
  ])
  expect(all.warnings.map(({ message }) => message)).toEqual([
    '“Source” is a second column of the same field: B1 is read, this one is not',
    '“Sum” is a second column of the same field: E1 is read, this one is not',
    '“Amount” is a second column of the same field: E1 is read, this one is not',
    'Row 3 has no date',
  ])
  expect(all.left.map(({ cell, isIgnored }) => `${cell} ${isIgnored}`)).toEqual([
    ...['C1 false', 'F1 false', 'G1 false', 'H1 true'],
  ])
  const chosen = readRows(rows.slice(0, 2), { mapping: { headings: { sum: 'Amount', stream: 'Stream' } } })
  expect(chosen.spends).toEqual(['North PL 2026-11-05 30.0000'])
  expect(chosen.warned).toEqual([])
  expect(chosen.left.map(({ cell }) => cell)).toEqual(['E1', 'F1', 'H1'])
})

test.each([
  [['Sum', 'Sum USD'], 'E1'],
  [['Sum (USD)', 'Sum'], 'D1'],
])('of the columns %j one is read and the other is a warning [SPD-04]', (sums, cell) => {
  const { spends, warned } = readRows([
    ['Date', 'Stream', 'Country', ...sums],
    ['2026-11-05', 'North', 'PL', 10, 10],
  ])
  expect(spends).toEqual(['North PL 2026-11-05 10.0000'])
  expect(warned).toEqual([`${cell} sheet_column_repeated`])
})

test.each([
  ['Sum USD', 'USD'],
  ['Sum, eur', 'EUR'],
  ['Spend ($)', 'USD'],
  ['Sum', undefined],
  ['Amount for May', undefined],
])('the heading “%s” of chosen sums gives them the currency %s [SPD-04] [MON-08]', (heading, currency) => {
  const { cells } = readRows(
    [
      ['Date', 'Stream', 'Country', heading],
      ['2026-11-05', 'North', 'PL', 12],
    ],
    { mapping: { headings: { sum: heading } } },
  )
  expect(cells.map(({ row }) => row.currency?.text)).toEqual([currency])
})

test('a warning shows a day that is a serial number as a date [SPD-04]', () => {
  const { warnings } = readRows([
    ['Stream', 'Country', 46_296, 46_328],
    ['North', 'PL', 1, 2],
  ])
  expect(warnings.map(({ message }) => message)).toEqual(['“01.10.2026” is not a day of Nov 2026: skipped'])
})

test('a tab with unknown headings is reported as unclear; a file that has other months alone lacks the tab [SPD-04]', () => {
  const rows = [
    ['Datum', 'Kanal', 'Land', 'Betrag'],
    ['2026-11-05', 'North', 'PL', 10],
  ]
  const choose = (...grids: Grid[]) => {
    const chosen = chooseTab(grids, NOVEMBER)
    return 'key' in chosen ? `${chosen.key} ${chosen.values.tabs ?? ''}` : chosen.grid.title
  }
  expect(choose(gridOf(rows, { title: 'Spends' }))).toBe('sheet_tab_unclear Spends')
  expect(choose(gridOf(rows, { title: '10.2026' }))).toBe('sheet_tab_absent ')
  expect(choose(gridOf([], { title: 'Sheet1' }))).toBe('sheet_tab_absent ')
})

test('a mapping gives each heading to one column only [SPD-04] [API-05]', () => {
  const check = (headings: Record<string, string>) =>
    sheetMapping.safeParse({ headings }).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []
  expect(check({ stream: 'A', country: 'B', sum: 'C' })).toEqual([])
  expect(check({ stream: 'Name', country: 'name', sum: 'NAME', date: 'Date' })).toEqual([
    'headings.country sheet_mapping_repeated',
    'headings.sum sheet_mapping_repeated',
  ])
})
