// Actions on many rows of a list: selection, deactivation, export, saved views.
import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { dialogOf, fieldIn, saveIn } from './page-parts.ts'
import { openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let page: Page
let token: string
const mark = `bulk${Date.now().toString(36)}`
const COUNT = 23

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/landings')
  token = await page.evaluate(() => JSON.parse(localStorage.getItem('token_data') ?? '{}').token)
  for (let index = 0; index < COUNT; index++) {
    const title = index === 0 ? `=1+1 ${mark}` : `${mark} ${index}`
    const data = { title, value: `value-${index}` }
    const answer = await page.request.post('/api/landing', { headers: { Authorization: `Bearer ${token}` }, data })
    expect(answer.status()).toBe(201)
  }
})

test.afterAll(() => page.context().close())

const bar = () => page.getByRole('region', { name: 'Selected rows' })
const dialog = () => dialogOf(page)
const pageCheck = () => page.getByRole('checkbox', { name: 'Select the rows of this page' })
const search = async (text: string): Promise<void> => {
  await page.goto(`/landings?query=${encodeURIComponent(text)}`)
  await expect(page.getByText(`of ${COUNT}`)).toBeVisible()
}

test('a bulk act, a saved form and a deletion are undone from their notices [LIST-09] [LIST-11] [ENT-24]', async () => {
  const undo = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect(page.getByText('Undone').last()).toBeVisible()
  }
  await search(mark)
  await pageCheck().check()
  await bar().getByRole('button', { name: 'Deactivate' }).click()
  await expect(dialog().getByRole('button', { name: 'Deactivate' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Deactivated: 20', { exact: true })).toBeVisible()
  await undo()
  await page.goto(`/landings?query=${mark}&filter[active]=1`)
  await expect(page.getByText(`of ${COUNT}`)).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: mark }).first()
  const title = (await row.getByRole('link').first().textContent()) ?? ''
  await row.getByRole('button', { name: /^Actions on/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(`of ${COUNT - 1}`)).toBeVisible()
  await undo()
  await expect(page.getByText(`of ${COUNT}`)).toBeVisible()
  await page.getByRole('link', { name: title, exact: true }).click()
  const field = fieldIn(page, 'Title')
  await field.fill(`${title} renamed`)
  await saveIn(page).click()
  await undo()
  await expect(field).toHaveValue(title)
  await field.fill(`${title} once more`)
  await saveIn(page).click()
  await undo()
  await expect(field).toHaveValue(title)
})

test('a page, all rows and all but some are selected, and deactivated after one question [LIST-07] [LIST-09] [LIST-15]', async () => {
  await search(mark)
  await pageCheck().check()
  await expect(bar()).toContainText('20 rows selected')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText(`21–${COUNT} of ${COUNT}`)).toBeVisible()
  await expect(bar()).toContainText('20 rows selected')
  await bar()
    .getByRole('button', { name: `Select all: ${COUNT}` })
    .click()
  await expect(bar()).toContainText(`${COUNT} rows selected`)
  await page.getByRole('checkbox', { name: `Select “${mark} 1”`, exact: true }).uncheck()
  await expect(bar()).toContainText(`${COUNT - 1} rows selected · all but 1`)
  await bar().getByRole('button', { name: 'Deactivate' }).click()
  await expect(dialog()).toContainText(`Deactivate ${COUNT - 1} rows?`)
  await dialog().getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText(`Deactivated: ${COUNT - 1}`, { exact: true })).toBeVisible()
  await expect(bar()).toBeHidden()
  await page.goto(`/landings?query=${mark}&filter[active]=1`)
  await expect(page.getByText('1–1 of 1')).toBeVisible()
  // Another filter ends the selection.
  await pageCheck().check()
  await page.getByRole('searchbox').fill(`${mark} 2`)
  await expect(bar()).toBeHidden()
})

/** The menu of an earlier export may still be closing. */
async function exportAs(format: string, button: Locator): Promise<void> {
  await expect(page.getByRole('menu')).toHaveCount(0)
  await button.click()
  await page.getByRole('menuitem', { name: format }).click()
}

test('the rows of the filter, or the selected ones, are exported with the shown columns [LIST-12]', async () => {
  await search(mark)
  const download = page.waitForEvent('download')
  await exportAs('CSV', page.getByRole('button', { name: 'Export' }))
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^Landings-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toContain('Title,Value')
  expect(lines.filter((line) => line.includes(mark))).toHaveLength(COUNT)
  expect(lines.filter((line) => line.startsWith("'=1+1"))).toHaveLength(1)
  await expect(page.getByText(`The file is ready: ${COUNT} rows`)).toBeVisible()

  await page.getByRole('checkbox', { name: `Select “${mark} 5”`, exact: true }).check()
  const second = page.waitForEvent('download')
  await exportAs('Excel', bar().getByRole('button', { name: 'Export' }))
  expect((await second).suggestedFilename()).toMatch(/\.xlsx$/)
  await expect(page.getByText('The file is ready: 1 row', { exact: true })).toBeVisible()
})

test('a running export shows its progress and can be cancelled [LIST-12]', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/landing/export', async (route) => {
    await held
    // The page has cancelled the call by then.
    await route.abort().catch(() => undefined)
  })
  const cancel = page.getByRole('button', { name: 'Cancel' })
  const note = page.getByRole('alert').filter({ hasText: 'Export: Landings' }).filter({ has: cancel })
  // The notice of the earlier export leaves slowly.
  await expect(note).toHaveCount(0)
  await exportAs('CSV', page.getByRole('button', { name: 'Export' }).first())
  await expect(note).toContainText('0 %')
  await note.getByRole('button', { name: 'Cancel' }).click()
  await expect(note).toBeHidden()
  release()
  await page.unroute('**/api/landing/export')
})

test('a view is saved with its pinned columns, and the list opens with the default view [LIST-06] [LIST-11] [LIST-13]', async () => {
  await page.goto(`/landings?query=&filter[title][like]=${mark}&order[title]=DESC&limit=10`)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Pin “Sub ID”' }).click()
  await page.keyboard.press('Escape')
  const heads = async (): Promise<string[]> =>
    (await page.getByRole('columnheader').allTextContents()).map((head) => head.trim()).filter(Boolean)
  await expect.poll(async () => (await heads())[1]).toBe('Sub ID')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await dialog().getByLabel('Name').fill(`View ${mark}`)
  await dialog().getByLabel('Use as the default view').check()
  await dialog().getByLabel('Share with colleagues').check()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('View saved')).toBeVisible()

  // Simulates another browser, in which nothing is stored.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key !== 'token_data') localStorage.removeItem(key)
  })
  await page.goto('/landings')
  await expect(page).toHaveURL(/order%5Btitle%5D=DESC/)
  await expect(page.getByText(`1–10 of ${COUNT}`)).toBeVisible()
  await page.getByRole('button', { name: 'Views' }).click()
  const kept = page.getByRole('menuitem', { name: `View ${mark}` })
  await expect(kept).toContainText('default, shared')
  await kept.click()
  await expect.poll(async () => (await heads())[1]).toBe('Sub ID')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('View deleted')).toBeVisible()
  await page.goto('/landings')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
})

test('columns are hidden, moved and resized, and stay so [LIST-11]', async () => {
  await page.goto('/traffic-sources')
  const title = page.getByRole('columnheader', { name: 'Title' })
  const grip = page.getByRole('button', { name: 'Width of “Title”' })
  const width = () => title.evaluate((head) => Math.round(head.getBoundingClientRect().width))
  const before = await width()
  const edge = await grip.boundingBox()
  if (edge === null) throw new Error('a column has no edge')
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 40, y)
  await page.mouse.move(x + 75, y)
  await page.mouse.up()
  await expect.poll(width).toBe(before + 75)
  // By keyboard only: the resize handle follows the name in tab order.
  await title.getByRole('button', { name: /^Title/ }).focus()
  await page.keyboard.press('Tab')
  await expect(grip).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expect.poll(width).toBe(before + 75 - 16)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'URL' }).uncheck()
  await page.getByRole('button', { name: 'Move “CRM traffic source ID” up' }).click()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Title' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'URL' })).toBeHidden()
  expect(await width()).toBe(before + 75 - 16)
  const heads = await page.getByRole('columnheader').allInnerTexts()
  expect(
    heads
      .map((head) => head.trim())
      .filter(Boolean)
      .slice(0, 3),
  ).toEqual(['Title', 'CRM traffic source ID', 'CRM type of advertising ID'])
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByRole('columnheader', { name: 'URL' })).toBeVisible()
  expect(await width()).toBe(before)
})

test('texts are excluded and days compared as set in the panel; on a phone it stays closed until it is opened [LIST-01] [LIST-08]', async () => {
  await search(mark)
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  const title = page.getByRole('group', { name: 'Title', exact: true })
  await title.getByLabel('How “Title” is compared').selectOption('nin')
  await title.getByRole('combobox', { name: 'Title', exact: true }).fill(`${mark} 1`)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`of ${COUNT - 1}`)).toBeVisible()
  await title.getByRole('combobox', { name: 'Title', exact: true }).fill(`${mark} 2`)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`of ${COUNT - 2}`)).toBeVisible()
  await expect(page).toHaveURL(/filter%5Btitle%5D%5Bnin%5D=/)
  // The panel is stored as open for wide screens, and stays closed on narrow ones.
  await page.goto('/landings')
  await expect(page.getByRole('region', { name: 'Filters' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByRole('region', { name: 'Filters' })).toBeHidden()
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.reload()
  await page.getByRole('region', { name: 'Filters' }).getByRole('button', { name: 'Close' }).click()
  await page.goto('/audit-log?page=1')
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  const at = page.getByRole('group', { name: 'When', exact: true })
  await at.getByLabel('How “When” is compared').selectOption('gt')
  await at.getByLabel('When', { exact: true }).fill('01.01.2090')
  await expect(page.getByText('Nothing matches the filters')).toBeVisible()
  await expect(page).toHaveURL(/filter%5Bat%5D%5Bgt%5D=2090-01-01/)
})

test('a copied address shows the same rows; a failed list can be retried, an empty one says what to do; 360 pixels suffice [NAV-12] [LIST-14]', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/landings?query=${mark}&page=2&limit=10&order[title]=ASC`)
  const first = page.locator('main a[data-row]').first()
  await expect(first).toBeVisible()
  const shown = await first.textContent()
  const other = await page.context().newPage()
  await other.setViewportSize({ width: 360, height: 740 })
  await other.goto(page.url())
  await expect(other.locator('main a[data-row]').first()).toHaveText(shown ?? '')
  const overflow = await other.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await other.route('**/api/landing?**', (route) => route.abort())
  await other.reload()
  const retry = other.getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible({ timeout: 20_000 })
  await other.unroute('**/api/landing?**')
  // The skeleton is shown while the list loads.
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await other.route('**/api/landing?**', async (route) => {
    await held
    await route.continue()
  })
  await retry.click()
  await expect(other.getByRole('region', { name: 'Loading' })).toBeVisible()
  release()
  await expect(other.locator('main a[data-row]').first()).toHaveText(shown ?? '')
  await other.unroute('**/api/landing?**')
  await other.goto('/landings?query=nothing-is-called-so')
  await expect(other.getByText('Nothing matches the filters')).toBeVisible()
  await other.getByRole('button', { name: 'Clear filters' }).click()
  await expect(other.locator('main a[data-row]').first()).toBeVisible()
  // Simulates an entity without rows, so that the opening filter is not the reason for an empty list.
  await other.route('**/api/product?*', (route) =>
    route.continue({ url: `${route.request().url()}&filter[id][in][]=2000000000` }),
  )
  await other.goto('/products')
  await expect(other.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
  await expect(other.getByText('Create the first one to get started.')).toBeVisible()
  await other.getByRole('link', { name: 'New product' }).last().click()
  await expect(other).toHaveURL(/\/products\/create/)
  await other.close()
})

test('a page beyond the limit explains how to narrow the list, in a short list it is the last one [LIST-14] [API-05]', async () => {
  await page.goto(`/landings?query=${mark}&limit=500&page=201`)
  await expect(page.getByText(`1–${COUNT} of ${COUNT}`)).toBeVisible()
  // Simulates a list with more rows than lists show.
  await page.route('**/api/landing?*', async (route) => {
    const answer = await route.fetch()
    const { items, pagination } = await answer.json()
    const page = Number(new URL(route.request().url()).searchParams.get('page') ?? 1)
    const long = { ...pagination, page, limit: 500, total: 250_000, maxPageNumber: 200, approximate: true }
    await route.fulfill({ json: { items, pagination: long } })
  })
  await page.goto(`/landings?query=${mark}&limit=500&page=201`)
  await expect(page.getByRole('heading', { name: 'This page is too far down the list' })).toBeVisible()
  await expect(page.getByText('filter or search, reverse the order, or export')).toBeVisible()
  await page.getByRole('button', { name: 'First page' }).click()
  await expect(page.getByText(/1–500 of ≈ 250.000/)).toBeVisible()
  await page.goto(`/landings?query=${mark}&limit=500&page=200`)
  await expect(page.getByText(/99.501–100.000 of ≈ 250.000/)).toBeVisible()
  await expect(page.getByText('To see more rows, filter, reverse the order, or export')).toBeVisible()
  // A live update may have a request in progress.
  await page.unrouteAll({ behavior: 'wait' })
})

test('a long and wide table keeps its header and first column visible and renders only visible rows [LIST-11]', async () => {
  await page.setViewportSize({ width: 800, height: 600 })
  await page.goto('/players?page=1&limit=250')
  const frame = page.getByRole('region', { name: 'Players', exact: true })
  await expect(frame.locator('a[data-row]').first()).toBeVisible()
  /** Distances of the first header cell and of a visible cell from the corner of the table. */
  const places = (): Promise<number[]> =>
    frame.evaluate((box) => {
      const corner = box.getBoundingClientRect()
      const head = box.querySelector('thead th:nth-child(2)')?.getBoundingClientRect()
      const cell = [...box.querySelectorAll('tbody a[data-row]')]
        .map((link) => link.closest('td')?.getBoundingClientRect())
        .find((place) => place !== undefined && place.top > corner.top + 40)
      return [(head?.top ?? 0) - corner.top, (head?.left ?? 0) - corner.left, (cell?.left ?? 0) - corner.left]
    })
  const before = await places()
  await frame.evaluate((box) => box.scrollTo(150, 3000))
  expect(await frame.evaluate((box) => [box.scrollLeft, box.scrollTop])).toEqual([150, 3000])
  await expect.poll(places).toEqual(before)
  const row = page.locator('tr:has(a[data-row])')
  await expect(row.first()).toBeAttached()
  expect(await row.count()).toBeLessThan(80)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('a chip focuses its filter, also when the panel is still loading [LIST-01]', async () => {
  await page.goto('/landings?page=1&limit=10&filter[title][like]=a')
  await page.getByTitle('Title: a', { exact: true }).click()
  await expect(page.locator('#filter-title input')).toBeFocused()
})

test('typed text is searched after a pause of 300 ms; one day is a period, no day applies nothing [LIST-04] [FORM-12]', async () => {
  await page.evaluate(() => localStorage.removeItem('list:audit_log'))
  await page.goto('/audit-log?page=1&limit=10')
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByRole('button', { name: 'When: Choose a period' }).click()
  const apply = page.getByRole('button', { name: 'Apply' })
  await expect(apply).toBeDisabled()
  await expect(apply).toBeInViewport({ ratio: 1 })
  await page.getByRole('textbox', { name: 'From', exact: true }).fill('05.11.2026')
  await apply.click()
  await expect(page).toHaveURL(/filter%5Bat%5D%5Bbwn%5D=2026-11-05%7C2026-11-05/)
  await page.getByRole('button', { name: 'When: 05.11.2026' }).first().click()
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('01.11.2026')
  await apply.click()
  await expect(page).toHaveURL(/filter%5Bat%5D%5Bbwn%5D=2026-11-01%7C2026-11-05/)
  await page.getByRole('button', { name: 'When: 01.11.2026 – 05.11.2026' }).first().click()
  await page.getByRole('textbox', { name: 'From', exact: true }).fill('')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('')
  await expect(apply).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/filter%5Bat%5D%5Bbwn%5D=2026-11-01%7C2026-11-05/)

  await page.clock.install()
  await page.goto('/landings?page=1&limit=10')
  await expect(page.locator('a[data-row]').first()).toBeVisible()
  const asked: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/landing' && searchParams.has('query')) asked.push(searchParams.get('query'))
  })
  // The clock stands still while the test types.
  await page.clock.pauseAt(Date.now() + 600_000)
  await page.getByRole('searchbox').pressSequentially(mark)
  await page.clock.runFor(299)
  expect(await page.evaluate(() => window.location.search)).not.toContain('query')
  await page.clock.runFor(1)
  await page.clock.resume()
  await expect(page.getByText(`of ${COUNT}`)).toBeVisible()
  expect(asked).toEqual([mark])
})
