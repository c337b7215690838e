// Reads rows as the tab of November 2026, without a file.

import type { CellValue, Grid } from '../../src/integrations/sheets/grid.ts'
import { type ReadOptions, readTab } from '../../src/integrations/sheets/read-tab.ts'

export const NOVEMBER: ReadOptions = { month: '2026-11', locale: 'en_US', mapping: null }

export const gridOf = (rows: CellValue[][], more: Partial<Grid> = {}): Grid => ({
  title: '11.2026',
  id: 0,
  rows,
  merges: [],
  ...more,
})

/** The reading, with its spends as 'North PL 2026-11-02 10.0000' and its warnings as 'A6 sheet_date_invalid'. */
export const readRows = (rows: CellValue[][], options: Partial<ReadOptions> = {}, more: Partial<Grid> = {}) => {
  const reading = readTab(gridOf(rows, more), { ...NOVEMBER, ...options })
  return {
    ...reading,
    spends: reading.cells.map(({ row, date, sum }) =>
      [row.stream.text, row.country.text, row.site?.text, date, sum].filter(Boolean).join(' '),
    ),
    warned: reading.warnings.map(({ cell, key }) => `${cell} ${key}`),
  }
}
