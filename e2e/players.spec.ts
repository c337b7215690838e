// Payment resolutions, the story of a player, and player reports.
import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { DEFAULT_ZONE, dayOf } from '@tributary/contract/period'
import { apiOf, type Row } from './admin-api.ts'
import { openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

const MARK = `p${Date.now().toString(36)}`

let page: Page

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/players-reports')
})

test.afterAll(() => page.context().close())

const rows = () => page.locator('a[data-row]')
const dialog = () => page.getByRole('dialog')
const rowsOf = async (path: string): Promise<Row[]> => (await apiOf(page).done('GET', path)).items as Row[]

/** Chooses a file in the import panel, as if it were dropped there. */
const bring = (name: string, text: string): Promise<void> =>
  page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const report = (name: string) => dialog().getByRole('listitem').filter({ hasText: name })

test('a report is rejected with reasons, imported with warnings in a log, imported, or cancelled half-way [PLY-06] [PLY-08] [PLY-09]', async () => {
  const [advertiser] = await rowsOf('advertiser?limit=1')
  const [link] = await rowsOf(`offer_partner?limit=1&filter[offer.advertiser]=${advertiser?.id}`)
  const site = String(link?.site_id)
  await page.getByRole('button', { name: 'Import' }).click()
  await dialog().getByRole('textbox', { name: 'Advertiser' }).click()
  await page.getByRole('option', { name: String(advertiser?.title) }).click()
  await bring('notes.txt', 'nothing')
  await expect(page.getByText('Only files of these types', { exact: false }).first()).toBeVisible()
  await bring(`${MARK}-no-day.csv`, `Player ID,Site ID,Deposits,All deps\n${MARK}-1,${site},10,1`)
  await expect(page.getByText(/The period is missing/).first()).toBeVisible()
  await expect(report(`${MARK}-no-day`)).toHaveCount(0)
  const heading = 'Player ID,Report date,Site ID,Click ID,Deposits,All deps'
  await bring(
    `${MARK}-warned.csv`,
    `${heading}\n${MARK}-1,2026-03-10,${site},,10,1\n${MARK}-2,2026-03-10,${site},019f0000-0000-7000-8000-000000000000,5,1`,
  )
  await expect(report(`${MARK}-warned`)).toContainText('With warnings')
  await expect(report(`${MARK}-warned`)).toContainText('2 lines in the log')
  const download = page.waitForEvent('download')
  await report(`${MARK}-warned`).getByRole('button', { name: 'Log' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('019f0000-0000-7000-8000-000000000000')
  const lines = Array.from({ length: 60_000 }, (_, row) => `${MARK}-long-${row},2026-03-11,${site},,1,1`)
  await bring(`${MARK}-long.csv`, [heading, ...lines].join('\n'))
  await report(`${MARK}-long`).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog', { name: 'Cancel the import?' }).getByRole('button', { name: 'Cancel' }).last().click()
  await expect(report(`${MARK}-long`)).toContainText('Cancelled')
  expect(await rowsOf(`player?filter[outer_id][like]=${MARK}-long`)).toEqual([])
})

test('payment is resolved for selected players; a player’s page shows the whole story [PLY-05] [PLY-10] [PLY-04]', async () => {
  const paid = (await rowsOf('player?limit=100&filter[qualification]=qualified')).filter(
    ({ payment_resolution }) => payment_resolution === null,
  )
  const day = dayOf(Date.parse(String(paid[0]?.registered_at)), DEFAULT_ZONE)
  await page.goto(`/players?filter[qualification]=qualified&filter[registered_at][bwn]=${day}|${day}`)
  await expect(rows().first()).toBeVisible()
  const count = await rows().count()
  await page.getByRole('checkbox', { name: 'Select the rows of this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Approve payment' }).click()
  await expect(dialog()).toContainText(`Payment resolution: ${count} player`)
  await dialog().getByRole('button', { name: 'Approve payment' }).click()
  await expect(page.getByText(/players? changed/).first()).toBeVisible()
  // The changed list moves its rows, which a click can miss.
  await expect(async () => {
    await rows().first().click()
    await expect(page).toHaveURL(/\/players\/\d+/, { timeout: 2000 })
  }).toPass()
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible()
  const words = { approved: 'Approved', not_approved: 'Not approved', null: 'Not decided yet' }
  const [shown] = await rowsOf(`player?filter[id]=${/\d+/.exec(new URL(page.url()).pathname)?.[0]}`)
  const decided = words[String(shown?.payment_resolution) as keyof typeof words]
  await expect(page.getByText(`Payment resolution: ${decided}`, { exact: true })).toBeVisible()
  const story = page.getByRole('region', { name: 'Timeline' })
  await expect(story).toContainText('Registration')
  await expect(page.getByRole('region', { name: 'Qualification' })).toContainText(/Qualified on|No longer qualified/)
})

test('a day is requested from the players API, and a window shows the outcome [PLY-07] [PLY-08]', async () => {
  await page.goto('/players-reports-api')
  const askApi = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Fetch from API' }).click()
    await dialog().getByRole('button', { name: 'Ask', exact: true }).click()
  }
  await askApi()
  await expect(dialog()).toContainText('Players are up to date')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('cell', { name: 'Success' }).first()).toBeVisible()
  await rows().first().click()
  await expect(page.getByText('Original response')).toBeVisible()
  // Simulates the answer after the last attempt, because real attempts take a while.
  await page.route(/players_report_api\?.*filter%5Bid%5D/, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { items: Row[] }
    const items = body.items.map((row) => ({ ...row, status: 'failed', warnings: ['who is asking?'] }))
    await route.fulfill({ response: answer, json: { ...body, items } })
  })
  await page.goto('/players-reports-api')
  await askApi()
  await expect(dialog()).toContainText('The day could not be fetched')
  await expect(dialog()).toContainText('who is asking?')
  // The list behind the window may be reading its rows, through the same route.
  await page.unrouteAll({ behavior: 'wait' })
})

test('a status with warnings opens the report whose log names them [PLY-09] [LIST-11]', async () => {
  await page.route(/\/api\/players_report_api\?/, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { items: Row[] }
    const items = body.items.map((row) => (row.report === null ? row : { ...row, status: 'warnings' }))
    await route.fulfill({ response: answer, json: { ...body, items } })
  })
  await page.goto('/players-reports-api')
  await page.getByRole('link', { name: 'With warnings' }).first().click()
  await expect(page).toHaveURL(/\/players-reports\?.*import=/)
  await expect(dialog().locator('li[aria-current]')).toBeInViewport()
  await page.unrouteAll({ behavior: 'wait' })
})

test('the list of players shows the whole name of every column, in both languages [LIST-04] [I18N-02]', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const language of ['ru', 'en']) {
    await page.goto('/players')
    await page.evaluate((chosen) => localStorage.setItem('language', JSON.stringify(chosen)), language)
    await page.reload()
    // Waits for rows: the placeholder of the table has a header, too.
    await expect(page.locator('main a[data-row]').first()).toBeVisible()
    await expect(page.locator('main thead')).toContainText(language === 'ru' ? 'Первый депозит' : 'First deposit')
    const cut = await page
      .locator('main thead th, main thead th span')
      .evaluateAll((names) =>
        names
          .filter((name) => name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 1)
          .map((name) => name.textContent),
      )
    expect(cut, language).toEqual([])
    // Two lines of a name do not make the header higher than a row.
    const height = await page.locator('main thead tr').evaluate((row) => row.getBoundingClientRect().height)
    expect(height).toBeLessThanOrEqual(33)
  }
})
