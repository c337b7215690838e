// Markup as a text in every field of every noun, and in what visitors and players bring along: whichever screen shows it shows it as a text.
// The policy against inline scripts is switched off here, so that escaping alone is what holds.
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import type { EntityName } from '@tributary/contract/entities/registry'
import { DIMENSION_NAMES, isDateDimension } from '@tributary/contract/reports/traffic'
import { en } from '../web/src/i18n/en.ts'
import { apiOf, type Row } from './admin-api.ts'
import { BAIT, entityOf, HostileRows, isAddress, MADE, mark, SCRIPT_ADDRESS } from './hostile-rows.ts'
import { signIn } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

const sections: Readonly<Record<string, string>> = en.form.sections
let context: BrowserContext
let page: Page
let rows: HostileRows
const dialogs: string[] = []

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext({ bypassCSP: true })
  page = await context.newPage()
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.goto('/offers')
  await signIn(page)
  await expect(page).toHaveURL(/\/offers/)
  rows = new HostileRows(page)
})

test.afterAll(() => context.close())

/** Within the page, as a link would lead there, by way of a page without any of the texts. */
async function visit(path: string): Promise<void> {
  for (const address of ['/403', path]) {
    await page.evaluate((to) => history.pushState({}, '', to), address)
    if (address !== path) await page.waitForFunction((text) => !document.body.textContent.includes(text), mark)
  }
}

/** None of the texts has become an element, and nothing has run. */
async function expectHarmless(where: string): Promise<void> {
  const found = await page.evaluate(() => ({
    hasRun: 'ran' in window,
    elements: document.querySelectorAll(
      'img[src="x"], [onerror], [onload], script:not([src]), a[href^="javascript:" i]',
    ).length,
  }))
  expect([where, found, dialogs]).toEqual([where, { hasRun: false, elements: 0 }, []])
}

/** The texts are there to be read, in the page or in its inputs, and are nothing but texts. */
async function expectTexts(where: string): Promise<void> {
  await page
    .waitForFunction((text) => {
      const inputs = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
      return document.body.textContent.includes(text) || [...inputs].some(({ value }) => value.includes(text))
    }, mark)
    .catch(() => expect(where).toBe('a page that shows the texts'))
  await expectHarmless(where)
}

test('every noun takes markup as a text, and no address of a script [API-05]', async () => {
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

/** Its form, tab by tab. */
async function walkForm(name: EntityName): Promise<void> {
  const { form } = entityOf(name)
  await expectTexts(`form of ${name}`)
  for (const section of form) {
    const tab = page.getByRole('tab', { name: new RegExp(`^${RegExp.escape(sections[section.name] ?? section.name)}`) })
    if (await tab.isVisible()) await tab.click()
    await expectHarmless(`form of ${name}, ${section.name}`)
  }
}

test('no list, form or history makes anything of it [API-05] [LIST-01]', async () => {
  for (const [name, row] of rows.made) {
    const { route, title, fields } = entityOf(name)
    if (route === null || !Object.values(row).some((value) => JSON.stringify(value ?? '').includes(mark))) continue
    const query = fields[title]?.kind === 'text' ? `?query=${mark}` : '?order%5Bid%5D=DESC'
    await visit(`${route}${query}`)
    await expectTexts(`list of ${name}`)
    await visit(`${route}/${row.id}/edit`)
    await walkForm(name)
    await page.getByRole('button', { name: 'History' }).click()
    await expect(page.getByRole('dialog').getByText(mark).first()).toBeVisible()
    await expectHarmless(`history of ${name}`)
  }
})

test('what a visitor and a player bring along is a text in logs, on the player’s page and in the trace [API-05] [TRK-01]', async () => {
  await rows.bringTraffic()
  for (const path of ['/clicks', '/postbacks', '/players']) {
    await visit(path)
    const row = page.getByRole('row').filter({ hasText: mark }).first()
    await expect(row).toBeVisible()
    await expectHarmless(path)
    await row.locator('a[data-row]').click()
    await expect(page).toHaveURL(/row=|\/edit/)
    await expectTexts(`a row of ${path}`)
  }
  await visit('/audit-log')
  await expect(page.locator('a[data-row]').first()).toBeVisible()
  await expectHarmless('audit log')
  await visit(`/trace?id=${encodeURIComponent(BAIT)}`)
  await expectTexts('trace')
})

const of = (name: EntityName): number => rows.made.get(name)?.id ?? 0

/** Until what the report has answered is shown: the names of its filters are there before. */
async function visitReport(path: string): Promise<void> {
  const answered = page.waitForResponse((answer) =>
    /api\/(general|cohort|cost|partner_report|new_str|dash)/.test(answer.url()),
  )
  await visit(path)
  await (await answered).finished()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

test('no report makes anything of a name [API-05] [REP-01]', async () => {
  const filter = { groupBy: 'partner', partners: [of('partner')] }
  await expect
    .poll(async () => ((await apiOf(page).done('POST', 'general_report', { filter })).rows as Row[]).length)
    .toBe(1)
  const only = `partners=${encodeURIComponent(JSON.stringify([of('partner')]))}`
  // The flat form shows four levels at once.
  const named = DIMENSION_NAMES.filter((name) => !isDateDimension(name))
  for (let at = 0; at < named.length; at += 4) {
    const by = named.slice(at, at + 4).join('.')
    await visitReport(`/general-report-old?by=${by}&${only}`)
    await expect(page.getByRole('row').filter({ hasText: mark }).first(), by).toBeAttached()
    await expectHarmless(`report by ${by}`)
  }
  for (const path of [
    '/general-report?by=partner.stream.offer',
    '/cohort-analysis?by=partner',
    '/costs-report?',
    '/partners-report?',
    '/new-streams?',
    '/dashboard?',
  ]) {
    await visitReport(`${path}&${only}`)
    await expectTexts(path)
  }
})
