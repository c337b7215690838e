// Reads spreadsheets through Google's own client, with a service account. Retries and their pauses are ours, because the library's ignore
// Retry-After.

import { createPrivateKey } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { auth, sheets, type sheets_v4 } from '@googleapis/sheets'
import { z } from 'zod'
import type { Merge } from '../../lib/sheet/sheet.ts'
import type { TargetGuard } from '../call-integration.ts'
import type { CellValue, Grid } from './grid.ts'
import type { ReadQuota } from './read-quota.ts'
import { faultOf, isPassing, readFailure, SheetsFailure } from './sheets-failure.ts'

/** A service account's key, as Google gives it; only these two fields are used. */
const accountKey = z.object({ client_email: z.email(), private_key: z.string().min(1) })

export interface ServiceAccount {
  readonly email: string
  readonly key: string
}

/** Undefined if the text is no key of a service account. */
export function readAccount(credential: string | null): ServiceAccount | undefined {
  try {
    const { client_email, private_key } = accountKey.parse(JSON.parse(credential ?? ''))
    createPrivateKey(private_key)
    return { email: client_email, key: private_key }
  } catch {
    return undefined
  }
}

const tab = z.object({
  properties: z.object({
    sheetId: z.int().default(0),
    title: z.string(),
    sheetType: z.string().default('GRID'),
    gridProperties: z
      .object({ rowCount: z.int().default(0), columnCount: z.int().default(0) })
      .default({ rowCount: 0, columnCount: 0 }),
  }),
  merges: z
    .array(
      z.object({
        startRowIndex: z.int().default(0),
        endRowIndex: z.int(),
        startColumnIndex: z.int().default(0),
        endColumnIndex: z.int(),
      }),
    )
    .default([]),
})
const description = z.object({
  properties: z.object({ title: z.string().default(''), locale: z.string().default('en_US') }),
  sheets: z.array(tab),
})
/** Checked by hand: a tab may have a million cells. */
const cells = z.custom<CellValue[][]>(
  (rows) =>
    Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.every((cell) => CELL_TYPES.has(typeof cell))),
)
const CELL_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean'])
const values = z.object({ valueRanges: z.array(z.object({ values: cells.default([]) })) })

const FIELDS =
  'properties(title,locale,timeZone),sheets(properties(sheetId,title,sheetType,gridProperties(rowCount,columnCount)),merges)'

export interface TabHead {
  readonly id: number
  readonly title: string
  readonly merges: readonly Merge[]
  /** Of the whole grid, blank or not. */
  readonly rowCount: number
  readonly columnCount: number
}

export interface SpreadsheetHead {
  readonly title: string
  readonly locale: string
  readonly tabs: readonly TabHead[]
}

/** Larger tabs are not read as spends: a row or column beyond tells that there is more. */
export const TAB_ROWS = 10_000
export const TAB_COLUMNS = 100
const LAST_COLUMN = 'CW'
/** Tabs with larger grids are not read at all: no sheet of spends is as large, blank cells included. */
const GRID_CELLS = 2_000_000

const hasHugeGrid = ({ rowCount, columnCount }: TabHead): boolean => rowCount * columnCount > GRID_CELLS

const rangeOf = ({ title, rowCount }: TabHead): string =>
  `'${title.replaceAll("'", "''")}'!A1:${LAST_COLUMN}${Math.min(rowCount || TAB_ROWS, TAB_ROWS) + 1}`

export interface SheetsClient {
  readonly account: string
  /** Titles, locale and merged cells. Throws SheetsFailure, or the signal's reason. */
  describe(file: string, signal: AbortSignal): Promise<{ head: SpreadsheetHead; calls: number }>
  /** The values of tabs, all in one call. */
  read(file: string, tabs: readonly TabHead[], signal: AbortSignal): Promise<{ grids: Grid[]; calls: number }>
}

export interface ClientOptions {
  readonly account: ServiceAccount
  /** Null: Google. */
  readonly baseUrl: string | null
  readonly quota: ReadQuota
  readonly guard: TargetGuard
  readonly allowsPrivateTargets: boolean
  /** Before the second attempt; 64 times as long before the sixth. */
  readonly pauseMs: number
  readonly timeoutMs?: number
}

const SCOPE = 'https://www.googleapis.com/auth/spreadsheets.readonly'
const TOKEN_PATH = '/token'
const TRIES = 6
/** The fifth pause is 64 times as long as the first: longer than the minute of Google's quota. */
const PAUSE_GROWTH = 64 ** (1 / 4)
/** Google never asks to wait for longer; whoever does is busy. */
const LONGEST_WAIT_MS = 300_000
const TIMEOUT_MS = 60_000
/** Some tabs of a million numbers each would be more; a spend sheet is far from it. */
const ANSWER_CAP = 32 * 1024 * 1024

export function createSheetsClient(options: ClientOptions): SheetsClient {
  const { account, baseUrl } = options
  const agent = baseUrl === null ? undefined : guardedAgent(new URL(baseUrl), options)
  /** The library's client keeps its token; another client gets a new one. */
  const connect = (): sheets_v4.Sheets => {
    const jwt = new auth.JWT({ email: account.email, key: account.key, scopes: [SCOPE] })
    jwt.transporter.interceptors.request.add({
      resolved: async (request) => {
        // The library's address of tokens is fixed; its client of the API has its own setting.
        if (baseUrl !== null && request.url.pathname === TOKEN_PATH) request.url = new URL(`${baseUrl}${TOKEN_PATH}`)
        return Object.assign(request, { retry: false, retryConfig: { retry: 0 }, ...(agent && { agent }) })
      },
    })
    return sheets({ version: 'v4', auth: jwt, ...(baseUrl !== null && { rootUrl: `${baseUrl}/` }) })
  }
  let api = connect()
  const renewing: Renewing = {
    ...options,
    renewToken: () => {
      api = connect()
    },
  }
  return {
    account: account.email,
    async describe(file, signal) {
      const get = (each: object) => api.spreadsheets.get({ spreadsheetId: file, fields: FIELDS }, each)
      const { answer, calls } = await ask(renewing, description, get, signal)
      return { head: headOf(answer), calls }
    },
    async read(file, tabs, signal) {
      const read = tabs.filter((tab) => !hasHugeGrid(tab))
      if (read.length === 0) return { grids: tabs.map(withoutRows), calls: 0 }
      const query = { spreadsheetId: file, ranges: read.map(rangeOf), ...HOW }
      const { answer, calls } = await ask(
        renewing,
        values,
        (each) => api.spreadsheets.values.batchGet(query, each),
        signal,
      )
      const rowsOf = new Map(read.map((tab, index) => [tab, answer.valueRanges[index]?.values ?? []]))
      const grids = tabs.map(
        (tab): Grid => (hasHugeGrid(tab) ? withoutRows(tab) : { ...tab, rows: rowsOf.get(tab) ?? [] }),
      )
      return { grids, calls }
    },
  }
}

const withoutRows = (tab: TabHead): Grid => ({ ...tab, rows: [], isHuge: true })

const HOW: sheets_v4.Params$Resource$Spreadsheets$Values$Batchget = {
  majorDimension: 'ROWS',
  valueRenderOption: 'UNFORMATTED_VALUE',
  dateTimeRenderOption: 'SERIAL_NUMBER',
}

function guardedAgent(base: URL, { guard, allowsPrivateTargets }: ClientOptions): HttpAgent {
  guard.check(base, allowsPrivateTargets)
  const lookup = callbackify(async (host: string, _options: object) => [
    await guard.resolve(host, allowsPrivateTargets),
  ])
  const options = { lookup: lookup as never }
  return base.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)
}

interface Renewing extends ClientOptions {
  /** Google may drop a token before its time: the next read gets a new one. */
  renewToken(): void
}

/** Asks until the answer is whole, at most six times. A refused token is renewed once. */
async function ask<T>(
  options: Renewing,
  schema: z.ZodType<T>,
  call: (each: object) => Promise<{ data: unknown }>,
  signal: AbortSignal,
): Promise<{ answer: T; calls: number }> {
  let isRenewed = false
  for (let attempt = 1; ; attempt++) {
    await options.quota.take(signal)
    const given = await attemptCall(options, schema, call, signal)
    if ('answer' in given) return { answer: given.answer, calls: attempt }
    const failure = readFailure(given.error)
    if (failure.status === 401 && !failure.isToken && !isRenewed) {
      isRenewed = true
      options.renewToken()
      continue
    }
    const wait = failure.retryAfterMs ?? pauseBefore(attempt + 1, options.pauseMs)
    if (!isPassing(failure) || attempt >= TRIES || wait > LONGEST_WAIT_MS)
      throw new SheetsFailure(faultOf(failure), failure.message, attempt, { cause: given.error })
    await sleep(wait, undefined, { signal })
  }
}

/** Up to a half shorter by chance, so that servers do not come together. */
const pauseBefore = (attempt: number, pauseMs: number): number =>
  pauseMs * PAUSE_GROWTH ** (attempt - 2) * (1 - Math.random() / 2)

async function attemptCall<T>(
  { timeoutMs = TIMEOUT_MS }: ClientOptions,
  schema: z.ZodType<T>,
  call: (each: object) => Promise<{ data: unknown }>,
  signal: AbortSignal,
): Promise<{ answer: T } | { error: unknown }> {
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    const { data } = await call({
      retry: false,
      responseType: 'json',
      maxContentLength: ANSWER_CAP,
      signal: AbortSignal.any([signal, limit]),
    })
    // An answer that was cut is no JSON, and comes as text.
    return { answer: schema.parse(data) }
  } catch (error) {
    signal.throwIfAborted()
    return { error: limit.aborted ? new Error(`no answer within ${timeoutMs / 1000} s`) : error }
  }
}

const headOf = ({ properties, sheets: tabs }: z.output<typeof description>): SpreadsheetHead => ({
  title: properties.title,
  locale: properties.locale,
  tabs: tabs
    .filter(({ properties: { sheetType } }) => sheetType === 'GRID')
    .map(({ properties: { sheetId, title, gridProperties }, merges }) => ({
      id: sheetId,
      title,
      ...gridProperties,
      merges: merges.map((merge) => ({
        startRow: merge.startRowIndex,
        endRow: merge.endRowIndex,
        startColumn: merge.startColumnIndex,
        endColumn: merge.endColumnIndex,
      })),
    })),
})

/** True if a tab holds more than is read. */
export const isTooLarge = ({ rows, isHuge = false }: Pick<Grid, 'rows' | 'isHuge'>): boolean =>
  isHuge || rows.length > TAB_ROWS || rows.some((row) => row.length > TAB_COLUMNS)
