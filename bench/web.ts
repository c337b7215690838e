// Measures the built report screen in a real Chromium with fake answers: opening and scrolling 55,550 grouped rows, showing an answer of
// 5,050 rows, and paging and scrolling a list with 500 rows a page. No server runs. budget.json limits CPU times of the page, which other work
// on the machine hardly disturbs, and the clock times web.report_arrival and web.list_scroll_frame.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { type Figure, median } from './figure.ts'
import { measureScroll, watchCpu } from './frames.ts'
import { makeListAnswer } from './list-answer.ts'
import { makeReportAnswer } from './report-answer.ts'

const DIST = join(import.meta.dirname, '../web/dist')
/** No server listens here: the bench answers every request itself. */
const ORIGIN = 'http://localhost:9'
const WIDTHS = [50, 10, 10, 10]
/** 50 + 500 + 4,500 rows. */
const ARRIVING = [50, 10, 9]
const ROUNDS = 7
/** Time limit of a step; a step that takes longer is broken even on a slow machine. */
const TIMEOUT_MS = 120_000
/** 7,200 pixels per second: faster than people scroll. */
const SCROLL = { frames: 200, stepPx: 120 }
const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html',
  svg: 'image/svg+xml',
}

const PROFILE = {
  id: 1,
  full_name: 'Ada Admin',
  email: 'admin@tributary.example',
  role: { id: 1, title: 'Admin', kind: 'ADMIN' },
  permissions: ['FULL_ACCESS'],
  partner: null,
  partner_groups: [],
  business_time_zone: 'Europe/Kyiv',
  viewed_by: null,
}

export async function run(): Promise<Figure[]> {
  if (!existsSync(join(DIST, 'index.html'))) throw new Error('web/dist is missing: build the screens first')
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  const browser = await chromium.launch({
    args: ['--no-sandbox', '--disable-gpu'],
    executablePath,
  })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    return [
      ...(await measureReport(await context.newPage())),
      await measureArrival(await context.newPage()),
      ...(await measureList(await context.newPage())),
    ]
  } finally {
    await browser.close()
  }
}

async function measureReport(page: Page): Promise<Figure[]> {
  await standIn(page, { '/api/general_report': JSON.stringify(makeReportAnswer({}, WIDTHS)) })
  await page.goto(`${ORIGIN}/general-report?by=offer.traffic_source.country.partner&limit=500`)
  await page.getByRole('button', { name: 'Expand all' }).waitFor()
  const readCpu = await watchCpu(page)
  const expansions: Run[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const took = await measureExpansion(page, readCpu)
    // The first round warms up.
    if (round >= 0) expansions.push(took)
  }
  const before = await readCpu()
  const scroll = await measureScroll(page, '[role="treegrid"]', SCROLL)
  const cpuPerFrame = ((await readCpu()) - before) / SCROLL.frames
  return [
    summarize(
      'web.expand_all_cpu',
      expansions.map(({ cpu }) => cpu),
    ),
    summarize(
      'web.expand_all',
      expansions.map(({ clock }) => clock),
    ),
    { name: 'web.scroll_frame_cpu', value: cpuPerFrame, unit: 'ms' },
    summarize('web.scroll_frame', scroll),
  ]
}

/** From the last byte of an answer to the frame that shows all of its rows, expanded. */
async function measureArrival(page: Page): Promise<Figure> {
  const [before, after] = JSON.stringify(makeReportAnswer({}, ARRIVING)).split('"Volta Casino"')
  let answers = 0
  // Its first row says which answer it is.
  await standIn(page, { '/api/general_report': () => `${before}"Answer ${++answers};"${after}` })
  await page.goto(`${ORIGIN}/general-report?by=offer.traffic_source.country&limit=500`)
  await page.getByRole('button', { name: 'Expand all' }).click()
  await page.locator('[role="treegrid"][aria-rowcount^="50"]').waitFor()
  const numbers = page.locator('[role="treegrid"] th ~ th button')
  const times: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    // Waits until the page has finished the previous answer.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    // A different order each time makes a new request.
    const took = await numbers.nth(round + 1).evaluate(sortAgain, TIMEOUT_MS)
    if (round >= 0) times.push(took)
  }
  return summarize('web.report_arrival', times)
}

/** Runs in the page: clicks the header of a column and waits for the answer. */
async function sortAgain(sort: Element, longest: number): Promise<number> {
  const grid = document.querySelector('[role="treegrid"]')
  if (!(grid && sort instanceof HTMLElement)) throw new Error('no report on the page')
  const shown = (): number => Number(/Answer (\d+);/.exec(grid.textContent ?? '')?.[1] ?? 0)
  const arrivals = (): PerformanceEntry[] =>
    performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/general_report'))
  const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
  const [known, heard, began] = [shown(), arrivals().length, performance.now()]
  sort.click()
  while (shown() <= known || Number(grid.getAttribute('aria-rowcount')) < 5000 || arrivals().length === heard) {
    if (performance.now() - began > longest) throw new Error(`no other answer than ${known} came to be seen`)
    await nextFrame()
  }
  await nextFrame()
  return performance.now() - Math.max(...arrivals().map(({ startTime, duration }) => startTime + duration))
}

/** Pages and scrolls through a list of partner offers with 500 rows a page. */
async function measureList(page: Page): Promise<Figure[]> {
  await standIn(page, { '/api/offer_partner': makeListAnswer })
  await page.goto(`${ORIGIN}/offer-partners?page=1&limit=500`)
  await page.locator('a[data-row]').first().waitFor()
  const readCpu = await watchCpu(page)
  const turns: Run[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const took = await measureTurn(page, readCpu)
    if (round >= 0) turns.push(took)
  }
  const before = await readCpu()
  const scroll = await measureScroll(page, 'table[aria-rowcount]', SCROLL)
  const cpuPerFrame = ((await readCpu()) - before) / SCROLL.frames
  return [
    summarize(
      'web.list_page_cpu',
      turns.map(({ cpu }) => cpu),
    ),
    summarize(
      'web.list_page',
      turns.map(({ clock }) => clock),
    ),
    { name: 'web.list_scroll_frame_cpu', value: cpuPerFrame, unit: 'ms' },
    summarize('web.list_scroll_frame', scroll),
  ]
}

/** Time from the click to the frame that shows the next page, including the request. */
async function measureTurn(page: Page, readCpu: () => Promise<number>): Promise<Run> {
  await page.waitForTimeout(300)
  const before = await readCpu()
  const clock = await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const firstRow = () => document.querySelector('a[data-row]')?.getAttribute('href')
    const button = document.querySelector<HTMLElement>('[aria-label="Next page"]')
    if (!button) throw new Error('no pager on the page')
    const shown = firstRow()
    await nextFrame()
    const start = performance.now()
    button.click()
    while (firstRow() === shown) await nextFrame()
    await nextFrame()
    return performance.now() - start
  })
  return { clock, cpu: (await readCpu()) - before }
}

/** The built files and the few calls that the screen makes. */
async function standIn(page: Page, answers: Record<string, string | ((page: number) => string)>): Promise<void> {
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const answer = answers[pathname]
    if (answer !== undefined) {
      const body = typeof answer === 'string' ? answer : answer(Number(searchParams.get('page')))
      return route.fulfill({ contentType: 'application/json', body })
    }
    if (pathname === '/api/profile') return route.fulfill({ json: PROFILE })
    if (pathname.startsWith('/api/')) return route.fulfill({ json: { options: [], items: [] } })
    const file = /\.\w+$/.test(pathname) ? pathname : '/index.html'
    const contentType = TYPES[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    return route.fulfill({ body: readFileSync(join(DIST, file)), contentType })
  })
  await page.addInitScript(() => {
    localStorage.setItem('token_data', JSON.stringify({ token: 'a', refreshToken: 'b' }))
    localStorage.setItem('report:refresh', '0')
  })
}

interface Run {
  /** Milliseconds by the clock, and of the page's main thread. */
  clock: number
  cpu: number
}

const summarize = (name: string, runs: readonly number[]): Figure => ({ name, value: median(runs), unit: 'ms', runs })

/** Time from the click to the frame that shows the rows. */
async function measureExpansion(page: Page, readCpu: () => Promise<number>): Promise<Run> {
  await page.getByRole('button', { name: 'Collapse all' }).click()
  await page.waitForTimeout(400)
  const before = await readCpu()
  const clock = await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const button = document.querySelector<HTMLElement>('[aria-label="Expand all"]')
    const grid = document.querySelector('[role="treegrid"]')
    if (!button || !grid) throw new Error('no report on the page')
    await nextFrame()
    const start = performance.now()
    button.click()
    while (Number(grid.getAttribute('aria-rowcount')) < 50_000) await nextFrame()
    await nextFrame()
    return performance.now() - start
  })
  return { clock, cpu: (await readCpu()) - before }
}
