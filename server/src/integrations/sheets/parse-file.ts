// Parses one spreadsheet: two calls to Google, then each month's tab is taken whole or not at all. Every outcome is in the log.

import type { SheetMapping } from '@tributary/contract/sheet-mapping'
import { spreadsheetIdOf } from '@tributary/contract/spreadsheet-id'
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts'
import type { Services } from '../../services.ts'
import { noteError, noteSuccess } from '../integration.ts'
import { type ChosenTab, chooseTab, tabsToRead } from './choose-tab.ts'
import { readDirectory } from './directory.ts'
import type { Grid } from './grid.ts'
import { openSheets, type SheetsGuard } from './open-sheets.ts'
import { NO_ROWS, type ParseResult, type ParseTrigger, writeResult } from './parse-result.ts'
import { placeCells } from './place-cells.ts'
import { type WarningKey, warningAt } from './sheet-warning.ts'
import { SheetsFailure } from './sheets-failure.ts'
import { type Judge, type TabToTake, takeTab } from './take-tab.ts'

export interface ParseTask {
  readonly partner: number
  readonly group: number | null
  /** Google's id, or the address of the file. */
  readonly file: string
  /** 'YYYY-MM', each read and taken on its own. */
  readonly months: readonly string[]
  readonly trigger: ParseTrigger
  readonly startedBy: number | null
  readonly takesRemovals: boolean
  readonly requestId: string
}

export interface ParseOptions extends SheetsGuard {
  readonly judge: Judge
  /** Where a sheet names no currency. */
  readonly currency: number | null
  /** True: a failure of Google that may pass is thrown, so that the parse runs again later; false: it is logged. */
  readonly isPatient: boolean
  readonly onStep: (done: number, total: number) => void
}

export type ParseServices = Services

/** What was written to the log; undefined: another server parses the file. Throws failures after which it may run again. */
export async function parseFile(
  services: ParseServices,
  task: ParseTask,
  options: ParseOptions,
  signal: AbortSignal,
): Promise<ParseResult[] | undefined> {
  const months = task.months.toSorted()
  return services.postgres.withClient(async (client) => {
    const locks = months.map((month) => [ADVISORY_LOCKS.sheet, `${spreadsheetIdOf(task.file) ?? task.file} ${month}`])
    let taken = 0
    try {
      for (const lock of locks) {
        const { rows } = await client.query<{ taken: boolean }>(
          'select pg_try_advisory_lock($1, hashtext($2)) as taken',
          lock,
        )
        if (rows[0]?.taken !== true) return undefined
        taken += 1
      }
      return await parse(services, { ...task, months }, options, signal)
    } finally {
      for (const lock of locks.slice(0, taken)) await client.query('select pg_advisory_unlock($1, hashtext($2))', lock)
    }
  })
}

/** The log of a parse that has done nothing yet. */
export const beginResult = (
  { partner, group, file, trigger, startedBy }: Omit<ParseTask, 'months' | 'takesRemovals' | 'requestId'>,
  month: string,
): ParseResult => ({
  partner,
  group,
  file: spreadsheetIdOf(file) ?? file,
  fileTitle: null,
  fileUrl: null,
  month,
  trigger,
  startedBy,
  beganAt: performance.now(),
  calls: 0,
  ignored: [],
  ...NO_ROWS,
  warnings: [],
})

async function parse(
  services: ParseServices,
  task: ParseTask,
  options: ParseOptions,
  signal: AbortSignal,
): Promise<ParseResult[]> {
  const beganAt = performance.now()
  const file = spreadsheetIdOf(task.file)
  const begun = (month: string): ParseResult => ({ ...beginResult(task, month), beganAt })
  const fail = (key: WarningKey, values: Record<string, string> = {}, more: Partial<ParseResult> = {}) =>
    logAll(
      services,
      task.months.map((month) => ({ ...begun(month), ...more, warnings: [warningAt(null, null, key, values)] })),
    )
  if (file === null) return fail('sheet_file_invalid')
  const sheets = await openSheets(services, options)
  if (sheets === 'sheet_paused' && options.isPatient)
    throw new SheetsFailure('unreachable', 'Google Sheets is left alone for some minutes', 0)
  if (typeof sheets === 'string') return fail(sheets)
  const { client, urlOf } = sheets
  const total = task.months.length + 2
  let calls = 0
  options.onStep(0, total)
  try {
    const described = await client.describe(file, signal)
    calls += described.calls
    options.onStep(1, total)
    const tabs = tabsToRead(described.head.tabs, task.months)
    const read = tabs.length === 0 ? { grids: [], calls: 0 } : await client.read(file, tabs, signal)
    calls += read.calls
    await noteSuccess(services, 'sheets')
    options.onStep(2, total)
    const mapping = await readMapping(services, task)
    const results: ParseResult[] = []
    for (const month of task.months) {
      signal.throwIfAborted()
      const { title: fileTitle, locale } = described.head
      const result = { ...begun(month), calls, fileTitle, fileUrl: urlOf(file) }
      results.push(await takeMonth(services, { task, file, grids: read.grids, locale, mapping, result }, options))
      options.onStep(2 + results.length, total)
    }
    return results
  } catch (error) {
    if (!(error instanceof SheetsFailure)) throw error
    if (error.isOfTheService) await noteError(services, 'sheets', error.message)
    if (error.mayPass && options.isPatient) throw error
    const values = { account: client.account, reason: error.message }
    return fail(`sheet_file_${error.fault}`, values, { calls: calls + error.calls, fileUrl: urlOf(file) })
  }
}

async function logAll({ postgres }: ParseServices, results: readonly ParseResult[]): Promise<ParseResult[]> {
  for (const result of results) await writeResult(postgres.pool, result)
  return [...results]
}

async function readMapping({ postgres }: ParseServices, { partner, group }: ParseTask): Promise<SheetMapping | null> {
  const { rows } = await postgres.pool.query<{ mapping: SheetMapping | null }>(
    'select sheet_mapping as mapping from partner_partner_group where partner_id = $1 and partner_group_id = $2',
    [partner, group],
  )
  return rows[0]?.mapping ?? null
}

interface MonthToTake {
  readonly task: ParseTask
  readonly file: string
  readonly grids: readonly Grid[]
  readonly locale: string
  readonly mapping: SheetMapping | null
  readonly result: ParseResult
}

async function takeMonth(
  services: ParseServices,
  { task, file, grids, locale, mapping, result }: MonthToTake,
  { judge, currency }: ParseOptions,
): Promise<ParseResult> {
  const { month } = result
  const chosen = chooseTab(grids, { month, locale, mapping })
  if (!isChosen(chosen)) {
    const rejected = { ...result, warnings: [chosen] }
    await writeResult(services.postgres.pool, rejected)
    return rejected
  }
  const tab = { ...(await placeTab(services, chosen, task.partner, currency)), ...tabOf(task, file, month) }
  return takeTab(services.postgres, tab, { ...result, ...notesOf(chosen) }, judge)
}

/** What the reading of a tab says beside its spends. */
export const notesOf = ({ grid, reading }: ChosenTab): Pick<ParseResult, 'ignored' | 'warnings'> => ({
  ignored: reading.left
    .filter(({ isIgnored }) => isIgnored)
    .map(({ cell, heading }) => ({ tab: grid.title, cell, heading })),
  warnings: reading.warnings,
})

const tabOf = ({ partner, takesRemovals, startedBy, requestId }: ParseTask, file: string, month: string) => ({
  partner,
  file,
  month,
  takesRemovals,
  startedBy,
  requestId,
})

/** The tab with its names looked up. */
export async function placeTab(
  { postgres }: Pick<ParseServices, 'postgres'>,
  { grid, reading }: ChosenTab,
  partner: number,
  currency: number | null,
): Promise<Pick<TabToTake, 'grid' | 'placed'>> {
  return { grid, placed: placeCells(grid, reading, await readDirectory(postgres.pool, partner, currency)) }
}

const isChosen = (chosen: ReturnType<typeof chooseTab>): chosen is ChosenTab => 'reading' in chosen
