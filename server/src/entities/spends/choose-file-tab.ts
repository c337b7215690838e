// Which tab of a workbook is imported: the one that is named after the month, else the only one with headings of spends. Nothing is guessed.

import { monthOfTitle, tabsOfMonth } from '../../integrations/sheets/months.ts'
import type { Sheet } from '../../lib/sheet/sheet.ts'
import { FileLayout, type LayoutOptions } from './import-layout.ts'

export interface ChosenTab {
  readonly tab: number
  /** 'YYYY-MM' of the title; null: it names no month. */
  readonly ownMonth: string | null
}

export type TabProblem =
  | { readonly kind: 'no_heading' | 'no_month' }
  | { readonly kind: 'tab_absent' | 'tab_repeated' | 'tabs_of_months'; readonly tabs: readonly string[] }
  | { readonly kind: 'tabs_of_month'; readonly tabs: readonly string[]; readonly month: string }

/** Tabs that name no month; further ones are not looked at. */
const LOOKED_AT = 10

export async function chooseFileTab(sheet: Sheet, options: LayoutOptions): Promise<ChosenTab | TabProblem> {
  const { month } = options
  const tabs = sheet.tabs.map((title, tab) => ({ title, tab, ownMonth: monthOfTitle(title) ?? null }))
  const dated = tabs.filter(({ ownMonth }) => ownMonth !== null)
  const months = month === null ? dated.flatMap(({ ownMonth }) => ownMonth ?? []) : [month]
  const { named, others: ofOtherMonths, unnamed } = tabsOfMonth(tabs, months)
  const [first, ...others] = named
  if (first !== undefined && others.length === 0) return first
  if (first !== undefined) return severalNamed(named)
  if (tabs.length === 0) return { tab: 0, ownMonth: null }
  const found: typeof tabs = []
  let lacksMonth = false
  for (const one of unnamed.slice(0, LOOKED_AT)) {
    const layout = await lookAt(sheet, one.tab, options)
    lacksMonth ||= layout.lacksMonth
    // Beside tabs of other months, plain numbers over columns are no days of this one.
    if (layout.kind === 'ledger' || (layout.kind === 'matrix' && ofOtherMonths.length === 0)) found.push(one)
  }
  const [only, ...more] = found
  if (only !== undefined && more.length === 0) return only
  if (only !== undefined) return { kind: 'tab_repeated', tabs: found.map(({ title }) => title) }
  if (ofOtherMonths.length > 0) return { kind: 'tab_absent', tabs: ofOtherMonths.map(({ title }) => title) }
  return { kind: lacksMonth ? 'no_month' : 'no_heading' }
}

/** Several tabs of one month, or of some months of which none is chosen. */
function severalNamed(named: readonly { readonly title: string; readonly ownMonth: string | null }[]): TabProblem {
  const tabs = named.map(({ title }) => title)
  const [month, ...others] = new Set(named.flatMap(({ ownMonth }) => ownMonth ?? []))
  return month === undefined || others.length > 0
    ? { kind: 'tabs_of_months', tabs }
    : { kind: 'tabs_of_month', tabs, month }
}

async function lookAt(sheet: Sheet, tab: number, options: LayoutOptions): Promise<FileLayout> {
  const layout = new FileLayout(options)
  for await (const rows of sheet.rows(tab))
    for (const row of rows) {
      for (const _cell of layout.read(row)) break
      if (layout.kind !== null || layout.isHopeless) return layout
    }
  return layout
}
