// Spend sheets: parsing one by hand, its preview and mapping, and what Settings show of Google Sheets.

import type { Calls } from '@tributary/contract/calls/registry'
import type { Language } from '@tributary/contract/language'
import { presetPeriod, today } from '@tributary/contract/period'
import { SHEET_COLUMNS, type SheetMapping } from '@tributary/contract/sheet-mapping'
import { isClaimant } from '@tributary/contract/spend-claim'
import { spreadsheetIdOf } from '@tributary/contract/spreadsheet-id'
import { say } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import type { Person } from '../access/person.ts'
import { entityNamed, readRowId } from '../entities/engine/model/model.ts'
import { contextFor, readBusinessZone } from '../entities/engine/model/request-context.ts'
import { updateAudited } from '../entities/engine/save/write.ts'
import { changeRecord, readEntity } from '../entities/engine/store.ts'
import { readReportCurrency } from '../entities/rules/finance.ts'
import { isForeignSheet } from '../entities/rules/foreign-sheet.ts'
import { noteSuccess, readIntegration } from '../integrations/integration.ts'
import { type ChosenTab, chooseTab, tabsToRead } from '../integrations/sheets/choose-tab.ts'
import { addressOf, valueAt } from '../integrations/sheets/grid.ts'
import { headingsOf, textsAt } from '../integrations/sheets/headings.ts'
import { type OpenSheets, openSheets } from '../integrations/sheets/open-sheets.ts'
import { beginResult, notesOf, placeTab } from '../integrations/sheets/parse-file.ts'
import { NO_ROWS, type ParseResult } from '../integrations/sheets/parse-result.ts'
import { type RunTimes, sheetRuns } from '../integrations/sheets/sheet-runs.ts'
import { type SheetWarning, type WarningKey, warningAt } from '../integrations/sheets/sheet-warning.ts'
import { readAccount } from '../integrations/sheets/sheets-client.ts'
import { SheetsFailure } from '../integrations/sheets/sheets-failure.ts'
import { previewTab } from '../integrations/sheets/take-tab.ts'
import { judgeBy, parseSheet } from '../jobs/parse-sheet.ts'
import { AppError, invalidField } from '../lib/app-error.ts'
import type { Services } from '../services.ts'
import { checkTarget, resolveTarget } from '../tracker/postbacks/target-guard.ts'
import type { CallInput, Handler } from './handler.ts'

const membership = entityNamed('partner_partner_group')
/** A person does not wait as long as a job. */
const LONGEST_MS = 25_000
const SAMPLE = 20
const WARNINGS = 100

interface SheetOf {
  readonly id: number
  readonly partner: number
  readonly group: number
  readonly file: string
  readonly mapping: SheetMapping | null
}

/** Throws `forbidden` for those who enter claims only, `not_found` out of scope, `invalid` without a file. */
async function readSheet(
  services: Services,
  { person, requestId, params }: { person: Person; requestId: string; params: { id: string } },
): Promise<SheetOf> {
  if (isClaimant(person)) throw new AppError('forbidden')
  const id = readRowId(params.id)
  const context = contextFor(person, requestId, services)
  await readEntity(context, membership, id, { detailed: false })
  const { rows } = await sql<Omit<SheetOf, 'file'> & { file: string | null }>`
    select m.id, m.partner_id as partner, m.partner_group_id as "group", m.sheet_mapping as mapping,
      coalesce(nullif(trim(m.spend_spreadsheet_id), ''), nullif(trim(p.spend_spreadsheet_id), '')) as file
    from partner_partner_group m join partner p on p.id = m.partner_id where m.id = ${id}`.execute(services.postgres.db)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  if (row.file === null) throw invalidField('spend_spreadsheet_id', 'required')
  if (await isForeignSheet(services.postgres.db, context, row.file))
    throw invalidField('spend_spreadsheet_id', 'spreadsheet_foreign')
  return { ...row, file: row.file }
}

async function readMonth(services: Services, given: string | null | undefined): Promise<string> {
  const now = today(await readBusinessZone(services.postgres.db))
  if (given && given > now.slice(0, 7)) throw invalidField('month', 'date_future')
  return given ?? presetPeriod('current_month', now).from.slice(0, 7)
}

export const startSheetParse: Handler<Calls['partner_partner_group_parse_sheet']> = async (input, services) => {
  const { partner, group, file } = await readSheet(services, input)
  const month = await readMonth(services, input.body.month)
  const data = {
    partner,
    group,
    file,
    months: [month],
    trigger: 'manual' as const,
    startedBy: input.person.id,
    takesRemovals: input.body.allow_removals === true,
    language: input.language,
  }
  const job = await services.jobs.enqueue(parseSheet, data, { key: `${partner} ${file} ${month}` })
  if (job === undefined) throw new AppError('conflict', { issues: { month: [{ key: 'sheet_parse_waits' }] } })
  return { job }
}

const guardOf = ({ config }: Services) => ({
  guard: { check: checkTarget, resolve: resolveTarget },
  allowsPrivateTargets: config.allowPrivateTargets,
})

/** Runs within a person's patience. What the service says is returned as a warning. */
async function callGoogle<T>(
  services: Services,
  text: string,
  signal: AbortSignal,
  run: (sheets: OpenSheets, file: string, signal: AbortSignal) => Promise<T>,
): Promise<T | SheetWarning> {
  const warn = (key: WarningKey, values: Record<string, string> = {}): SheetWarning =>
    warningAt(null, null, key, values)
  const file = spreadsheetIdOf(text)
  if (file === null) return warn('sheet_file_invalid')
  const sheets = await openSheets(services, guardOf(services))
  if (typeof sheets === 'string') return warn(sheets)
  const limit = AbortSignal.timeout(LONGEST_MS)
  try {
    return await run(sheets, file, AbortSignal.any([signal, limit]))
  } catch (error) {
    const reason = `no whole answer within ${LONGEST_MS / 1000} s`
    if (limit.aborted) return warn('sheet_file_unreachable', { reason })
    if (!(error instanceof SheetsFailure)) throw error
    return warn(`sheet_file_${error.fault}`, { account: sheets.client.account, reason: error.message })
  }
}

const isWarning = (value: object): value is SheetWarning => 'remedy' in value

export const previewSheet: Handler<Calls['partner_partner_group_preview_sheet']> = async (input, services) => {
  const sheet = await readSheet(services, input)
  const month = await readMonth(services, input.body.month)
  const mapping = input.body.mapping === undefined ? sheet.mapping : input.body.mapping
  const read = await callGoogle(services, sheet.file, input.signal, async ({ client, urlOf }, file, signal) => {
    const { head } = await client.describe(file, signal)
    const tabs = tabsToRead(head.tabs, [month])
    const grids = tabs.length === 0 ? [] : (await client.read(file, tabs, signal)).grids
    return {
      title: head.title,
      url: urlOf(file),
      chosen: chooseTab(grids, { month, locale: head.locale, mapping }),
      grids,
      locale: head.locale,
    }
  })
  const nothing = {
    mapping,
    tab: null,
    layout: null,
    columns: [],
    headings: [],
    left_columns: [],
    cells: 0,
    sample: [],
    ...countsOf(NO_ROWS),
    warnings_total: 1,
  }
  if (isWarning(read)) return { title: '', url: '', ...nothing, warnings: [reword(read, input.language)] }
  const { title, url, chosen, grids, locale } = read
  if (isWarning(chosen)) {
    const headings = grids.flatMap((grid) => grid.rows.slice(0, 5).flatMap((_row, row) => textsAt(grid, row)))
    return {
      title,
      url,
      ...nothing,
      tab: chosen.tab || null,
      headings: [...new Set(headings)].slice(0, WARNINGS),
      warnings: [reword(chosen, input.language)],
    }
  }
  const { grid, reading } = chosen
  const { partner, group, file } = sheet
  const task = { partner, group, file, trigger: 'manual', startedBy: input.person.id } as const
  const currency = (await readReportCurrency(services.postgres.db)) ?? null
  const tab = {
    ...(await placeTab(services, chosen, partner, currency)),
    ...{ partner, file: spreadsheetIdOf(file) ?? file, month, startedBy: input.person.id, requestId: input.requestId },
    takesRemovals: false,
  }
  const begun = { ...beginResult(task, month), ...notesOf(chosen) }
  const taken = await previewTab(services.postgres, tab, begun, judgeBy(services))
  return {
    title,
    url,
    mapping,
    tab: grid.title,
    ...describe(chosen),
    ...countsOf(taken),
    warnings: taken.warnings.slice(0, WARNINGS).map((warning) => reword(warning, input.language)),
    warnings_total: taken.warnings.length,
    left_columns: reading.left.map(({ cell, heading, isIgnored }) => ({ cell, heading, is_ignored: isIgnored })),
    headings: headingsOf(grid, reading.tables, { month, locale, mapping }),
  }
}

const countsOf = (result: Pick<ParseResult, 'rowsTaken' | 'rowsChanged' | 'rowsRemoved' | 'rowsUnchanged'>) => ({
  rows_taken: result.rowsTaken,
  rows_changed: result.rowsChanged,
  rows_removed: result.rowsRemoved,
  rows_unchanged: result.rowsUnchanged,
})

const reword = (warning: SheetWarning, language: Language): SheetWarning => ({
  ...warning,
  message: say(language, warning.key, warning.values),
  remedy: say(language, `${warning.key}_remedy`, warning.values),
})

function describe({ grid, reading: { layout, cells } }: ChosenTab) {
  const columns = SHEET_COLUMNS.flatMap((column) => {
    const at = layout?.columns[column]
    return at === undefined ? [] : [{ column, cell: addressOf(at), heading: String(valueAt(grid, at) ?? '') }]
  })
  const sample = cells.slice(0, SAMPLE).map(({ row, at, date, sum, note }) => ({
    cell: addressOf(at),
    stream: row.stream.text,
    country: row.country.text,
    site: row.site?.text ?? null,
    date,
    sum,
    currency: row.currency?.text ?? null,
    note,
  }))
  return { layout: layout?.layout ?? null, columns, cells: cells.length, sample }
}

export const updateSheetMapping: Handler<Calls['partner_partner_group_sheet_mapping']> = async (input, services) => {
  const { id } = await readSheet(services, input)
  const context = contextFor(input.person, input.requestId, services)
  const mapping = input.body.mapping
  await changeRecord(context, 'update partner_partner_group', (db) =>
    updateAudited(db, context, membership, id, { sheet_mapping: mapping }),
  )
}

const describeRun = ({ startedAt, files, next }: RunTimes) => ({
  last_at: startedAt?.toISOString() ?? null,
  files,
  next_at: next.toISOString(),
})

export const readSheetsState: Handler<Calls['sheets_state']> = async (_input, services) => {
  const { credential } = await readIntegration(services, 'sheets')
  const { daily, monthly } = await sheetRuns(services.postgres, new Date())
  return { account: readAccount(credential)?.email ?? null, daily: describeRun(daily), monthly: describeRun(monthly) }
}

export const testSheetAccess: Handler<Calls['sheets_test_access']> = async (
  { body, signal, language }: CallInput<Calls['sheets_test_access']>,
  services,
) => {
  const read = await callGoogle(services, body.file, signal, ({ client }, file, within) =>
    client.describe(file, within),
  )
  if (!isWarning(read)) {
    await noteSuccess(services, 'sheets')
    const { title, tabs } = read.head
    return {
      is_open: true,
      title,
      tabs: tabs.map((tab) => tab.title),
      key: null,
      values: {},
      message: null,
      remedy: null,
    }
  }
  const { key, values } = read
  const [message, remedy] = [say(language, key, values), say(language, `${key}_remedy`, values)]
  return { is_open: false, title: null, tabs: [], key, values, message, remedy }
}
