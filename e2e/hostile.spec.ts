// HTML in every text field of every entity, and in texts of visitors and players: every screen must show it as text. The policy against inline
// scripts is off here, so that the test proves escaping alone. It uses its own product, because these rows come first in many lists.
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import type { EntityName } from '@tributary/contract/entities/registry'
import { DIMENSION_NAMES, isDateDimension } from '@tributary/contract/reports/traffic'
import { en } from '../web/src/i18n/en/dictionary.ts'
import { apiOf, type Row } from './admin-api.ts'
import { BAIT, entityOf, HostileRows, isAddress, MADE, mark, SCRIPT_ADDRESS } from './hostile-rows.ts'
import { fieldIn, optionsOf } from './page-parts.ts'
import { type Product, startProduct } from './product.ts'
import { signIn } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

const sections: Readonly<Record<string, string>> = en.engine.sections
let product: Product
let context: BrowserContext
let page: Page
/** Several pages walk through the screens in parallel, because most of the time is waiting. */
const walkers: Page[] = []
let rows: HostileRows
const dialogs: string[] = []

test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  product = await startProduct()
  context = await browser.newContext({ baseURL: product.baseUrl, bypassCSP: true })
  context.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  page = await context.newPage()
  await page.goto('/offers')
  await signIn(page, product.credentials)
  await expect(page).toHaveURL(/\/offers/)
  rows = new HostileRows(page)
  walkers.push(page, await context.newPage(), await context.newPage())
  for (const walker of walkers.slice(1)) await walker.goto('/403')
})

test.afterAll(async () => {
  await context?.close()
  await product?.stop()
})

/** Distributes the items over the pages. */
async function walk<T>(items: readonly T[], look: (page: Page, item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  await Promise.all(
    walkers.map(async (walker) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await look(walker, next)
    }),
  )
}

/** Navigates inside the page like a link, via a page without any of the texts. */
async function visit(page: Page, path: string): Promise<void> {
  for (const address of ['/403', path]) {
    await page.evaluate((to) => history.pushState({}, '', to), address)
    if (address !== path) await page.waitForFunction((text) => !document.body.textContent.includes(text), mark)
  }
}

const of = (name: EntityName): number => rows.made.get(name)?.id ?? 0

/** Expects that no text became an element and that nothing ran. */
async function expectHarmless(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => ({
    hasRun: 'ran' in window,
    elements: document.querySelectorAll(
      'img[src="x"], [onerror], [onload], script:not([src]), a[href^="javascript:" i]',
    ).length,
  }))
  expect([where, found, dialogs]).toEqual([where, { hasRun: false, elements: 0 }, []])
}

/** Expects that the texts are visible on the page or in its inputs, as text only. */
async function expectTexts(page: Page, where: string): Promise<void> {
  await page
    .waitForFunction((text) => {
      const inputs = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
      return document.body.textContent.includes(text) || [...inputs].some(({ value }) => value.includes(text))
    }, mark)
    .catch(() => expect(where).toBe('a page that shows the texts'))
  await expectHarmless(page, where)
}

test('every entity accepts HTML as text, and no script as a URL [API-05]', async () => {
  for (const name of MADE) await rows.make(name)
  expect(rows.made.size).toBe(MADE.length)
  let refused = 0
  for (const [name, row] of rows.made) {
    for (const [key, field] of Object.entries(entityOf(name).fields)) {
      if (!isAddress(field) || field.readOnly) continue
      const { status, body } = await apiOf(page).ask('PATCH', `${name}/${row.id}`, { [key]: SCRIPT_ADDRESS })
      expect([name, key, status, Object.keys(body.formErrors ?? {})]).toEqual([name, key, 422, [key]])
      refused += 1
    }
  }
  expect(refused).toBeGreaterThan(5)
})

/** Opens each tab of the form. */
async function walkForm(page: Page, name: EntityName): Promise<void> {
  const { form } = entityOf(name)
  await expectTexts(page, `form of ${name}`)
  for (const section of form) {
    const tab = page.getByRole('tab', { name: new RegExp(`^${RegExp.escape(sections[section.name] ?? section.name)}`) })
    if (await tab.isVisible()) await tab.click()
    await expectHarmless(page, `form of ${name}, ${section.name}`)
  }
}

test('no list, form or history runs HTML in texts [API-05] [LIST-01]', async () => {
  const shown = [...rows.made].filter(
    ([name, row]) =>
      entityOf(name).route !== null && Object.values(row).some((value) => JSON.stringify(value ?? '').includes(mark)),
  )
  expect(shown.length).toBeGreaterThan(15)
  await walk(shown, async (page, [name, row]) => {
    const { route, title, fields } = entityOf(name)
    const query = fields[title]?.kind === 'text' ? `?query=${mark}` : '?order%5Bid%5D=DESC'
    await visit(page, `${route}${query}`)
    await expectTexts(page, `list of ${name}`)
    if (entityOf(name).hasOverview === true) {
      await visit(page, `${route}/${row.id}`)
      await expectTexts(page, `overview of ${name}`)
    }
    await visit(page, `${route}/${row.id}/edit`)
    await walkForm(page, name)
    // The panel of the history is the same for all; these rows have every kind of field.
    if (!['offer', 'offer_partner', 'partner'].includes(name)) return
    await page.getByRole('button', { name: 'History' }).click()
    await expect(page.getByRole('dialog').getByText(mark).first()).toBeVisible()
    await expectHarmless(page, `history of ${name}`)
  })
})

/** Searches each field for the text and expects it among the options. */
async function searchOptions(page: Page, ...labels: string[]): Promise<void> {
  for (const label of labels) {
    // Some inputs are replaced by the real ones on focus.
    await fieldIn(page, label).first().focus()
    await fieldIn(page, label).first().fill(mark)
    await expect(optionsOf(page).filter({ hasText: mark }).first(), label).toBeVisible()
    await expectHarmless(page, `options of ${label}`)
    await page.keyboard.press('Escape')
  }
}

test('no option, and no name of a view, report, formula or API key runs as HTML [API-05] [LIST-13]', async () => {
  const make = (path: string, body: object) => apiOf(page).done('POST', path, body)
  const state = { search: {}, request: { filter: {} } }
  await make('saved_report', { report: 'general_report', title: BAIT, state })
  await make('api_key', {
    title: BAIT,
    expires_on: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
  })
  await make('report_formula', { title: BAIT, expression: 'uc + nd', unit: 'count' })
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
  const places: [path: string, show: (page: Page) => Promise<unknown>][] = [
    [
      `/offer-partners/${of('offer_partner')}/edit`,
      (page) => searchOptions(page, 'Stream', 'Traffic source', 'Currency', 'Tags'),
    ],
    [
      '/offer-partners',
      async (page) => {
        await press(page, en.actions.filters)
        await searchOptions(page, 'Offer', 'Partner', 'Advertiser', 'Partner group: limits every screen to its data')
      },
    ],
    ['/landings', (page) => press(page, 'Views')],
    ['/general-report', (page) => press(page, 'Saved reports')],
    ['/general-report', (page) => press(page, en.actions.columns)],
    ['/account', async () => undefined],
  ]
  await walk(places, async (page, [path, show]) => {
    await visit(page, path)
    await show(page)
    await expectTexts(page, path)
  })
  const revoke = page.getByRole('listitem').filter({ hasText: mark }).getByRole('button', { name: 'Revoke' })
  await visit(page, '/account')
  await revoke.first().click()
  await expect(page.getByRole('dialog').getByText(mark)).toBeVisible()
  await expectHarmless(page, 'a question')
})

test('texts of visitors and players are shown as text in logs, on the player’s page and in the trace [API-05] [TRK-01]', async () => {
  await rows.bringTraffic()
  for (const path of ['/clicks', '/postbacks', '/players']) {
    // Live logs would move the row off the page, so a filter keeps it there.
    await visit(page, `${path}?filter[partner]=${of('partner')}`)
    const row = page.getByRole('row').filter({ hasText: mark }).first()
    await expect(row).toBeVisible()
    await expectHarmless(page, path)
    await row.locator('a[data-row]').click()
    await expect(page).toHaveURL(/row=|\/\d+$/)
    await expectTexts(page, `a row of ${path}`)
  }
  await visit(page, '/audit-log')
  await expect(page.locator('a[data-row]').first()).toBeVisible()
  await expectHarmless(page, 'audit log')
  await visit(page, `/trace?id=${encodeURIComponent(BAIT)}`)
  await expectTexts(page, 'trace')
})

/** Waits for the report's answer, because the names of filters are rendered before it. */
async function visitReport(page: Page, path: string): Promise<void> {
  const answered = page.waitForResponse((answer) =>
    /api\/(general|cohort|cost|partner_report|new_str|dash)/.test(answer.url()),
  )
  await visit(page, path)
  await (await answered).finished()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

test('no report runs a name as HTML [API-05] [REP-01]', async () => {
  const filter = { groupBy: 'partner', partners: [of('partner')] }
  await expect
    .poll(async () => ((await apiOf(page).done('POST', 'general_report', { filter })).rows as Row[]).length)
    .toBe(1)
  const only = `partners=${encodeURIComponent(JSON.stringify([of('partner')]))}`
  // The flat report shows four levels at once.
  const named = DIMENSION_NAMES.filter((name) => !isDateDimension(name))
  const levels = Array.from({ length: Math.ceil(named.length / 4) }, (_, at) =>
    named.slice(at * 4, at * 4 + 4).join('.'),
  )
  await walk(levels, async (page, by) => {
    await visitReport(page, `/general-report-old?by=${by}&${only}`)
    await expect(page.getByRole('row').filter({ hasText: mark }).first(), by).toBeAttached()
    await expectHarmless(page, `report by ${by}`)
  })
  const screens = [
    '/general-report?by=partner.stream.offer',
    '/cohort-analysis?by=partner',
    '/costs-report?',
    '/partners-report?',
    '/new-streams?',
    '/dashboard?',
  ]
  await walk(screens, async (page, path) => {
    await visitReport(page, `${path}&${only}`)
    await expectTexts(page, path)
  })
})
