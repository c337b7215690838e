// Which tab of a spreadsheet holds a month: the one that is named after it, else the ledger that names no month. Pure.

import type { SheetMapping } from '@tributary/contract/sheet-mapping'
import type { Grid } from './grid.ts'
import { monthOfTitle, tabsOfMonth } from './months.ts'
import { readTab, type TabReading } from './read-tab.ts'
import { type SheetWarning, warningAt } from './sheet-warning.ts'
import { isTooLarge, TAB_COLUMNS, TAB_ROWS, type TabHead } from './sheets-client.ts'

/** Further tabs that name no month are not looked at. */
const LEDGERS_CAP = 10

/** The tabs to read for these months. */
export function tabsToRead(tabs: readonly TabHead[], months: readonly string[]): readonly TabHead[] {
  const { named, unnamed } = tabsOfMonth(tabs, months)
  const isWhole = months.every((month) => named.some(({ title }) => monthOfTitle(title) === month))
  return isWhole ? named : [...named, ...unnamed.slice(0, LEDGERS_CAP)]
}

export interface ChosenTab {
  readonly grid: Grid
  readonly reading: TabReading
}

export interface ChoiceOptions {
  readonly month: string
  readonly locale: string
  readonly mapping: SheetMapping | null
}

/** The tab of a month, or why there is none. */
export function chooseTab(grids: readonly Grid[], options: ChoiceOptions): ChosenTab | SheetWarning {
  const { month } = options
  const { named, unnamed } = tabsOfMonth(grids, [month])
  if (named.length > 0) return onlyOne(named, options)
  const read = unnamed.map((grid) => ({ grid, reading: readTab(grid, options) }))
  const ledgers = read.filter(({ reading }) => reading.kind === 'ledger')
  const filled = ledgers.filter(({ reading }) => reading.cells.length + reading.spared.length > 0)
  const found = filled.length > 0 ? filled : ledgers.length === 1 ? ledgers : []
  if (found.length === 0) {
    const unclear = read.filter(({ grid, reading }) => reading.kind === null && grid.rows.length > 1)
    const tabs = unclear.map(({ grid }) => grid.title).join(', ')
    return tabs === ''
      ? warningAt(null, null, 'sheet_tab_absent', { month })
      : warningAt(null, null, 'sheet_tab_unclear', { month, tabs })
  }
  return onlyOne(
    found.map(({ grid }) => grid),
    options,
  )
}

function onlyOne(grids: readonly Grid[], options: ChoiceOptions): ChosenTab | SheetWarning {
  const [grid, ...others] = grids
  if (grid === undefined || others.length > 0) {
    const tabs = grids.map(({ title }) => title).join(', ')
    return warningAt(null, null, 'sheet_tab_repeated', { month: options.month, tabs })
  }
  if (isTooLarge(grid))
    return warningAt(grid, null, 'sheet_tab_large', { rows: String(TAB_ROWS), columns: String(TAB_COLUMNS) })
  const reading = readTab(grid, options)
  const [unknown] = reading.warnings
  return reading.layout === null && unknown !== undefined ? unknown : { grid, reading }
}
