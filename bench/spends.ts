// Measures what a bookkeeper waits for: a month of 20,000 cells in the spend table of a real browser, the import of 100,000 rows, the parse of 40
// spreadsheets from a stand-in of Google Sheets, the budget plan of 12 months × 6 advertisers × 60 countries, and the alerts.
// SPENDS_ONLY selects a part: import, budget, alerts, table, sheets.

import { once } from 'node:events'
import { createWriteStream, existsSync, openAsBlob, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { addDays } from '@tributary/contract/period'
import { type Spreadsheet, startGoogleSheetsServer } from '../demo/google-sheets-server.ts'
import { loadConfig } from '../server/src/config.ts'
import { createLog } from '../server/src/lib/log.ts'
import { type SheetRow, writeSheet } from '../server/src/lib/sheet.ts'
import { stopAll, type Undo } from '../server/src/lib/undo.ts'
import { startServices } from '../server/src/server.ts'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median } from './figure.ts'
import { measureScroll } from './frames.ts'
import { residentBytes } from './pinned.ts'
import {
  daysIn,
  FIRST_SHEET_PARTNER,
  GRID_MONTH,
  GRID_PARTNER,
  GRID_START,
  GRID_STREAMS,
  IMPORT_FIRST_DAY,
  IMPORT_PARTNER,
  IMPORT_ROWS,
  MONTHS,
  makeGround,
  monthAgo,
  SHEET_FILES,
  SHEET_STREAMS,
} from './spends-ground.ts'
import { openSession, type Session, send, startWhole } from './whole-server.ts'

const ONLY = process.env.SPENDS_ONLY ?? ''
const ROUNDS = 5
const MB = 1024 * 1024
const SETTLE_MS = 20_000
/** In this time the facts follow a saved month of 20,000 cells, so that no round waits for the one before. */
const FACTS_MS = 8000
const BATCH = 1000
const MINUTE_MS = 60_000
const LIMIT_MS = 120_000

/** A server with the network, and an administrator. */
interface Product extends Session {
  readonly url: string
  readonly pid: number
  /** For files. */
  readonly folder: string
}

const PARTS: Record<string, (product: Product) => Promise<Figure[]>> = {
  import: measureImport,
  budget: measureBudget,
  alerts: measureAlerts,
  table: measureTable,
  sheets: measureSheets,
}

export async function run(): Promise<Figure[]> {
  if (!existsSync(join(import.meta.dirname, '../web/dist/index.html')))
    throw new Error('web/dist is missing: build the screens first')
  const dataDir = makeDataDirectory('spends')
  const data = join(dataDir, 'data')
  const log = createLog('error')
  const undo: Undo[] = []
  try {
    await makeGround(await startServices(loadConfig({ DATA_DIR: data, LOG_LEVEL: 'error' }), log, [], undo))
  } finally {
    await stopAll(undo, log)
  }
  const server = await startWhole(data, { makesNetwork: false, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  try {
    const product = {
      url: server.url,
      pid: server.process.pid ?? 0,
      folder: dataDir,
      ...(await openSession(server.url)),
    }
    await sleep(SETTLE_MS)
    const figures: Figure[] = []
    for (const [part, measure] of Object.entries(PARTS))
      if (part.includes(ONLY)) figures.push(...(await measure(product)))
    return figures
  } finally {
    server.process.kill('SIGINT')
    if (server.process.exitCode === null) await once(server.process, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const summarize = (name: string, unit: string, runs: readonly number[]): Figure => ({
  name: `spends.${name}`,
  value: median(runs),
  unit,
  runs,
})

async function timeOf<T>(work: () => Promise<T>): Promise<{ ms: number; answer: T }> {
  const began = performance.now()
  const answer = await work()
  return { ms: performance.now() - began, answer }
}

interface ImportAnswer {
  readonly import: string
  readonly new: number
  readonly refused_total: number
}

/** From the upload to the end of the dry run, and on to the end of the import. */
async function measureImport({ url, token, pid, folder }: Product): Promise<Figure[]> {
  const path = join(folder, 'spends.xlsx')
  await pipeline(
    writeSheet(
      {
        title: 'Spends',
        columns: ['Stream', 'Country', 'Date', 'Sum'].map((header) => ({ header, kind: 'text' })),
        batches: makeRows(),
        total: IMPORT_ROWS,
        zone: 'UTC',
      },
      'xlsx',
    ),
    createWriteStream(path),
  )
  const form = new FormData()
  form.append('file', await openAsBlob(path), 'spends.xlsx')
  const memory = watchMemory(pid)
  const idle = memory.most()
  const ask = `partner_spend/import?dry_run=1&partner=${IMPORT_PARTNER}`
  const dry = await timeOf(() => send<ImportAnswer>(url, 'POST', ask, form, token))
  const take = `partner_spend/import/${dry.answer.import}?partner=${IMPORT_PARTNER}`
  const taken = await timeOf(() => send<ImportAnswer>(url, 'POST', take, undefined, token))
  const most = memory.stop()
  if (taken.answer.new !== IMPORT_ROWS) throw new Error(`${taken.answer.new} of ${IMPORT_ROWS} rows were imported`)
  return [
    summarize('import_dry_run_seconds', 's', [dry.ms / 1000]),
    summarize('import_taking_seconds', 's', [taken.ms / 1000]),
    summarize('import_seconds', 's', [(dry.ms + taken.ms) / 1000]),
    summarize('import_memory', 'MB', [(most - idle) / MB]),
  ]
}

async function* makeRows(): AsyncGenerator<SheetRow[]> {
  const streams = Math.ceil(IMPORT_ROWS / 365)
  for (let first = 0; first < IMPORT_ROWS; first += BATCH)
    yield Array.from({ length: Math.min(BATCH, IMPORT_ROWS - first) }, (_, index) => {
      const number = first + index
      return [
        streamTitle(number % streams),
        'Country 1',
        addDays(IMPORT_FIRST_DAY, Math.floor(number / streams)),
        1 + (number % 900) / 4,
      ]
    })
}

const streamTitle = (index: number): string => `Stream ${String(index + 1).padStart(4, '0')}`

function watchMemory(pid: number): { most(): number; stop(): number } {
  let most = residentBytes(pid)
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(pid))
  }, 20)
  return {
    most: () => most,
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

/** The slowest month. */
async function measureBudget({ url, token }: Product): Promise<Figure[]> {
  const read = (month: string) =>
    send<{ rows: { groups: unknown[] }[] }>(url, 'POST', 'budget_report/report', { month }, token)
  const months: Figure[] = []
  for (let ago = 0; ago < MONTHS; ago++) {
    const times: number[] = []
    for (let round = -1; round < ROUNDS; round++) {
      const { ms, answer } = await timeOf(() => read(monthAgo(ago)))
      const cells = answer.rows.reduce((sum, { groups }) => sum + groups.length, 0)
      if (cells < 360) throw new Error(`the plan of ${monthAgo(ago)} has ${cells} cells only`)
      if (round >= 0) times.push(ms)
    }
    months.push(summarize('budget_report', 'ms', times))
  }
  const [slowest] = months.toSorted((a, b) => b.value - a.value)
  return slowest === undefined ? [] : [slowest]
}

/** The first reading finds them; all others are answered by what was found. */
async function measureAlerts({ url, token }: Product): Promise<Figure[]> {
  const read = () => send(url, 'GET', 'alert', undefined, token)
  const first = await timeOf(read)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(1000)
    times.push((await timeOf(read)).ms)
  }
  return [summarize('alerts_found', 'ms', [first.ms]), summarize('alerts', 'ms', times)]
}

async function measureTable({ url, token, refreshToken }: Product): Promise<Figure[]> {
  const browser = await chromium.launch({
    args: ['--no-sandbox', '--disable-gpu'],
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(LIMIT_MS)
    await page.addInitScript(
      (data) => localStorage.setItem('token_data', data),
      JSON.stringify({ token, refreshToken }),
    )
    const shown: number[] = []
    const saved: number[] = []
    for (let round = -1; round < ROUNDS; round++) {
      await page.goto(`${url}/partners-spends?view=table&partner=${GRID_PARTNER}&month=${GRID_START}`)
      await page.locator('[role="grid"] tr[data-row="0"]').waitFor()
      await untilIdle(page)
      const took = await page.evaluate(showNextMonth, GRID_MONTH)
      const sum = round + 2
      // The month opens at its last day; a paste begins at the active cell.
      await page.locator('[role="grid"]').focus()
      await page.keyboard.press('Control+Home')
      const text = `${Array.from({ length: daysIn(GRID_MONTH) }, () => sum).join('\t')}\n`.repeat(GRID_STREAMS)
      await page.evaluate(pasteAll, text)
      await page.getByRole('button', { name: `Save ${GRID_STREAMS * daysIn(GRID_MONTH)} cells` }).waitFor()
      await untilIdle(page)
      const save = await page.evaluate(saveAll)
      await page.waitForTimeout(FACTS_MS)
      if (round < 0) continue
      shown.push(took)
      saved.push(save)
    }
    await untilIdle(page)
    const frames = await measureScroll(page, '[role="grid"]', { frames: 180, stepPx: 100 })
    const sorted = frames.toSorted((a, b) => a - b)
    return [
      summarize('table_cells', '', [GRID_STREAMS * daysIn(GRID_MONTH)]),
      summarize('table_shown', 'ms', shown),
      summarize('table_saved', 'ms', saved),
      summarize('scroll_frame', 'ms', frames),
      summarize('scroll_frame_p95', 'ms', [sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN]),
    ]
  } finally {
    await browser.close()
  }
}

async function untilIdle(page: Page): Promise<void> {
  await page.waitForTimeout(500)
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}

/** Runs in the page: from the click to the frame that shows the month. */
async function showNextMonth(month: string): Promise<number> {
  const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
  const isShown = (): boolean =>
    document.querySelector<HTMLElement>('[role="grid"] th[data-day]')?.dataset.day?.startsWith(month) === true
  const button = document.querySelector<HTMLElement>('[aria-label="Next month"]')
  if (!button) throw new Error('no button of the next month')
  await nextFrame()
  const began = performance.now()
  button.click()
  while (!isShown()) await nextFrame()
  await nextFrame()
  return performance.now() - began
}

/** Runs in the page: pastes into the whole grid. */
function pasteAll(text: string): void {
  const grid = document.querySelector<HTMLElement>('[role="grid"]')
  if (!grid) throw new Error('no grid on the page')
  const data = new DataTransfer()
  data.setData('text/plain', text)
  grid.focus()
  grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
}

/** Runs in the page: from the click to the frame in which nothing is left to be saved. */
async function saveAll(): Promise<number> {
  const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
  const find = (): HTMLButtonElement | undefined =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith('Save'))
  const began = performance.now()
  find()?.click()
  do await nextFrame()
  while (find()?.textContent !== 'Save' || document.querySelector('[data-loading]') !== null)
  await nextFrame()
  return performance.now() - began
}

/** All files at once, as the clock parses them; Google allows 60 reads a minute. */
async function measureSheets({ url, token }: Product): Promise<Figure[]> {
  const calls: number[] = []
  const google = await startGoogleSheetsServer((id) => {
    calls.push(performance.now())
    return makeSpreadsheet(id)
  })
  try {
    const service = { base_url: google.url, credential: google.credential }
    await send(url, 'PUT', 'integration/sheets', service, token)
    const began = performance.now()
    for (let file = 0; file < SHEET_FILES; file++) {
      const path = `partner_partner_group/${FIRST_SHEET_PARTNER + file}/parse_sheet`
      await send(url, 'POST', path, { month: GRID_MONTH }, token)
    }
    for (;;) {
      const { items } = await send<{ items: ParsedSheet[] }>(url, 'GET', LOG, undefined, token)
      const cells = SHEET_STREAMS * daysIn(GRID_MONTH)
      const partial = items.find(({ rows_taken }) => rows_taken !== cells)
      if (partial !== undefined) throw new Error(`a sheet was not taken whole: ${JSON.stringify(partial)}`)
      if (items.length >= SHEET_FILES) break
      if (performance.now() - began > 5 * MINUTE_MS) throw new Error(`${items.length} sheets were parsed`)
      await sleep(100)
    }
    const busiest = Math.max(...calls.map((from) => calls.filter((at) => at >= from && at < from + MINUTE_MS).length))
    return [
      summarize('sheets_seconds', 's', [(performance.now() - began) / 1000]),
      summarize('sheet_calls_per_file', '', [calls.length / SHEET_FILES]),
      summarize('sheet_calls_in_a_minute', '', [busiest]),
      summarize('sheet_tokens', '', [google.calls.filter((call) => call === 'token').length]),
    ]
  } finally {
    await google.stop()
  }
}

interface ParsedSheet {
  readonly rows_taken: number
  readonly warnings: readonly unknown[]
}

const LOG = `google_parse_result?limit=${SHEET_FILES}`

function makeSpreadsheet(id: string): Spreadsheet {
  const days = Array.from({ length: daysIn(GRID_MONTH) }, (_, index) => index + 1)
  const rows = Array.from({ length: SHEET_STREAMS }, (_, stream) => [
    streamTitle(stream),
    'Country 1',
    ...days.map((day) => day * 3 + stream),
  ])
  const [year, month] = GRID_MONTH.split('-')
  const tab = { id: 0, title: `${month}.${year}`, rows: [['Stream', 'Country', ...days], ...rows] }
  return { title: id, locale: 'en_US', timeZone: 'UTC', tabs: [tab] }
}
