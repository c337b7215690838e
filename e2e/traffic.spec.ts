// The logs of traffic: clicks that arrive live, every filter and column, the export; testers of postbacks in both directions.
import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { apiOf, type Row } from './admin-api.ts'
import { chooseIn, readShift, watchShifts } from './page-parts.ts'
import { openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const MARK = `t${Date.now().toString(36)}`

let page: Page

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/clicks')
})

test.afterAll(() => page.context().close())

const rows = () => page.locator('a[data-row]')
const dialog = () => page.getByRole('dialog')
const rowsOf = async (path: string): Promise<Row[]> => (await apiOf(page).done('GET', path)).items as Row[]
const total = async (): Promise<number> => {
  const text = await page.getByText(/^\d+–\d+ of /).textContent()
  return Number((text ?? '').replace(/^.* of /, '').replace(/\D/g, ''))
}

/** A visitor follows a tracking link. */
async function visit(link: string, query: string): Promise<void> {
  const answer = await page.request.get(`${link}?${query}`, { maxRedirects: 0, headers: { 'user-agent': CHROME } })
  expect(answer.status()).toBe(302)
}

test('the log of clicks has every filter and column and shows whole times [TRK-13] [LIST-16]', async () => {
  await expect(page).toHaveURL(/filter%5Bcreated_at%5D%5Bbwn%5D=/)
  await expect(rows().first()).toBeVisible()
  const times = page.locator('td:has(> time)')
  expect(await times.count()).toBeGreaterThan(0)
  const isCut = (cells: Element[]) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length
  expect(await times.evaluateAll(isCut)).toBe(0)
  await page.getByRole('button', { name: 'Filters' }).click()
  const panel = page.getByRole('region', { name: 'Filters' })
  const filters = ['Created', 'Country', 'Partner', 'Advertiser', 'Offer', 'Landing', 'Traffic source', 'Site ID', 'ID']
  for (const name of [...filters, 'Canonical ID', 'Uniqueness', 'Stream', 'Partner click ID', 'Bot', 'IP country'])
    await expect(panel.getByText(name, { exact: true }).first(), name).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = ['ID', 'Created', 'Offer', 'Partner', 'Advertiser', 'Landing', 'Stream', 'Site ID', 'Canonical ID']
  for (const name of [...columns, 'Country', 'IP country', 'User agent', 'Traffic source', 'Uniqueness'])
    await expect(dialog().getByRole('checkbox', { name, exact: true }), name).toBeChecked()
  for (const name of ['Links', 'Partner offer UUID'])
    await dialog().getByRole('checkbox', { name, exact: true }).check()
  await page.keyboard.press('Escape')
  const [click] = await rowsOf('click?limit=1')
  await page.goto(`/clicks?filter[id]=${String(click?.id)}`)
  const { partner = '', advertiser = '' } = (click?.links ?? {}) as Record<string, string>
  await expect(page.getByRole('cell', { name: `${partner} → ${advertiser}` })).toBeAttached()
  await expect(page.getByRole('cell', { name: String(click?.offer_partner_uuid), exact: true })).toBeAttached()
})

test('clicks appear as they arrive; a paused log does not move and shows how many arrived [TRK-14] [TRK-13]', async () => {
  const [link] = await rowsOf('offer_partner?limit=1&filter[active]=1&filter[state]=approved')
  const address = String(link?.partner_link)
  await page.goto(`/clicks?filter[sub_id]=${MARK}`)
  await expect(page.getByText('Nothing matches the filters')).toBeVisible()
  await visit(address, `sub_id=${MARK}`)
  await expect(rows()).toHaveCount(1)
  await page.getByRole('button', { name: 'Pause' }).click()
  await visit(address, `sub_id=${MARK}`)
  await expect(page.getByRole('button', { name: /^Show \d+ new$/ })).toBeVisible()
  await expect.poll(async () => (await rowsOf(`click?filter[sub_id]=${MARK}`)).length).toBe(2)
  await expect(rows()).toHaveCount(1)
  await page.getByRole('button', { name: /^Show \d+ new$/ }).click()
  await expect(rows()).toHaveCount(2)
  // The second click is of the same visitor and refers to the first.
  const [second, first] = await rowsOf(`click?filter[sub_id]=${MARK}`)
  expect(second).toMatchObject({ uniqueness: 'duplicate', canonical_id: first?.canonical_id ?? first?.id })
  await page.getByRole('button', { name: 'Live' }).click()
  await visit(address, `sub_id=${MARK}`)
  await expect(rows()).toHaveCount(3)
})

test('clicks that arrive glide in: no row jumps under the eye [TRK-14] [TRK-13]', async () => {
  const [link] = await rowsOf('offer_partner?limit=1&filter[active]=1&filter[state]=approved')
  await watchShifts(page)
  await page.goto(`/clicks?filter[sub_id]=${MARK}`)
  await expect(rows()).toHaveCount(3)
  const before = await readShift(page)
  await visit(String(link?.partner_link), `sub_id=${MARK}`)
  await expect(rows()).toHaveCount(4)
  expect(await readShift(page)).toBeLessThan(before + 0.005)
})

test('the export of clicks contains all filtered rows, however many [TRK-13] [LIST-12]', async () => {
  await page.goto('/clicks?filter[bot]=false')
  await expect(rows().first()).toBeVisible()
  const shown = await total()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
  // More than one batch of the engine, plus clicks that arrived meanwhile.
  expect(shown).toBeGreaterThan(10_000)
  expect(lines.length - 1).toBeGreaterThanOrEqual(shown)
  expect(new Set(lines.map((line) => line.slice(0, 36))).size).toBe(lines.length)
})

test('postbacks are tested in both directions beside their log; the log does not change [TRK-11] [TRK-14]', async () => {
  await page.goto('/postbacks')
  await expect(rows().first()).toBeVisible()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const choose = (label: string, title?: string): Promise<void> =>
    chooseIn(page, dialog().getByRole('textbox', { name: label, exact: true }), title)
  await choose('Partner offer')
  await dialog().getByRole('textbox', { name: 'Player ID' }).fill(MARK)
  await dialog().getByRole('button', { name: 'Run the test' }).click()
  await expect(dialog().getByRole('status')).toContainText('/postback/')
  await expect(dialog().getByRole('status')).toContainText('{"status":"ok"')
  await dialog().getByRole('tab', { name: 'To a partner' }).click()
  await choose('Partner', 'Northwind Media')
  await dialog().getByRole('button', { name: 'Send a test event' }).click()
  await expect(dialog().getByRole('status')).toContainText(/Answered \d+ in \d+ ms|No answer/)
  expect(await rowsOf(`postback?filter[player_outer_id]=${MARK}`)).toEqual([])
})

test('the panel of a postback shows every attempt with its response; filtered postbacks are resent after a dialog with their number [TRK-06] [TRK-08]', async () => {
  const told = await rowsOf('postback?limit=100&filter[direction]=out&filter[status]=sent&filter[attempts]=1')
  // A postback to a partner whose server always responds.
  const sent = told.find(({ url }) => String(url).includes('/healthy/'))
  const attemptsOf = async (): Promise<Row[]> =>
    (await apiOf(page).done('GET', `postback/${sent?.id}/story`)).attempts as Row[]
  const cause = (sent?.parent as Row | undefined)?.id
  const count = (await rowsOf(`postback?filter[parent]=${cause}`)).length
  await page.goto(`/postbacks?filter[parent]=${cause}&row=${sent?.id}`)
  const panel = dialog()
  const attempts = panel.getByRole('listitem').filter({ hasText: String(sent?.url) })
  await expect(attempts).toHaveCount(1)
  await expect(attempts).toContainText(/200\s*\d+ ms/)
  await page.keyboard.press('Escape')
  await expect(dialog()).toHaveCount(0)
  await page.getByRole('button', { name: 'Send filtered again' }).click()
  await expect(dialog()).toContainText(count === 1 ? 'Send 1 postback again?' : `Send ${count} postbacks again?`)
  await dialog().getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText(/on (its|their) way/).first()).toBeVisible()
  await expect.poll(async () => (await attemptsOf()).length).toBe(2)
})
