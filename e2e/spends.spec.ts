// The spend grid on the real product: a month entered by keyboard alone, a pasted block of mixed cells, and two people in one month.
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test'
import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { apiOf, type Row } from './admin-api.ts'
import { adminOf, call, signInFirst } from './admins.ts'
import { findBarriers, optionsOf } from './page-parts.ts'
import { signIn } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

/** The file may be run again on the same product. */
const MARK = Date.now().toString(36)
const ROWS = 30
/** Days with activity of every row, counted from 0. */
const ACTIVE = [2, 4]

let context: BrowserContext
let page: Page
let partner: Row
let streams: Row[]
let country: number

const MONTH = oldMonth()
const DAYS = daysOf(MONTH)
const dateOf = (day: number): string => `${MONTH}-${String(day + 1).padStart(2, '0')}`

function daysOf(month: string): number {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
}

/** The latest month of 31 days before those that the demo closes. */
function oldMonth(): string {
  const first = new Date()
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() - 12)
  while (daysOf(first.toISOString().slice(0, 7)) < 31) first.setUTCMonth(first.getUTCMonth() - 1)
  return first.toISOString().slice(0, 7)
}

const grid = (): Locator => page.getByRole('grid')
const cellAt = (row: number, day: number): Locator => grid().locator(`tr[data-row="${row}"] td[data-day="${day}"]`)
const details = (): Locator => page.locator('[aria-live=polite]').filter({ hasText: 'Ads' })
/** Notices of earlier saves may still be there. */
const notice = (text: string): Locator => page.getByText(text).last()
const saveButton = (): Locator => page.getByRole('button', { name: /^Save/ })

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** The accepted sums of the record, by row and day. */
async function readSums(): Promise<Map<string, string>> {
  const table = (await apiOf(page).done(
    'GET',
    `partner_spend/table?partner=${partner.id}&month=${MONTH}`,
  )) as unknown as {
    rows: { cells: { base: string | null }[] }[]
  }
  return new Map(
    table.rows.flatMap(({ cells }, row) =>
      cells.flatMap(({ base }, day) => (base === null ? [] : [[`${row} ${day}`, base] as const])),
    ),
  )
}

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext({
    viewport: { width: 1440, height: 1000 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  page = await context.newPage()
  await page.goto('/partners-spends')
  await signIn(page)
  await expect(page).toHaveURL(/partners-spends/)
  const api = apiOf(page)
  const { items } = await api.done('GET', 'offer?limit=-1')
  const model = await api.done('GET', 'payment_model?limit=-1')
  const agency = (model.items as Row[]).find(({ type }) => type === 'AGENCY')
  const offer = (items as Row[]).find(({ payment_model: of }) => (of as Row).id === agency?.id)
  if (offer === undefined) throw new Error('the demo has no agency offer')
  partner = await api.done('POST', 'partner', { title: `Grid Partner ${MARK}`, state: 'approved' })
  const titles = Array.from({ length: ROWS }, (_, row) => `Ads ${String(row).padStart(2, '0')}`)
  streams = await Promise.all(titles.map((title) => api.done('POST', 'partner_stream', { partner: partner.id, title })))
  await Promise.all(
    streams.map(async (stream, row) => {
      // A partner has one link to an offer by traffic source.
      const source = await api.done('POST', 'traffic_source', { title: `Grid source ${MARK} ${row}` })
      const link = await api.done('POST', 'offer_partner', {
        offer: offer.id,
        partner: partner.id,
        stream: stream.id,
        traffic_source: source.id,
        site_id: `grid${MARK}${row}`,
        state: 'approved',
      })
      for (const day of ACTIVE)
        await api.done('POST', 'player', {
          advertiser: (offer.advertiser as Row).id,
          outer_id: `grid ${MARK} ${row} ${day}`,
          offer_partner: link.id,
          registered_at: `${dateOf(day)}T12:00:00.000Z`,
        })
    }),
  )
  await page.goto(`/partners-spends?view=table&partner=${partner.id}&month=${MONTH}`)
  await expect(cellAt(0, 0)).toBeVisible()
  const table = await api.done('GET', `partner_spend/table?partner=${partner.id}&month=${MONTH}`)
  const rows = table.rows as { country: Row }[]
  expect(rows).toHaveLength(ROWS)
  country = rows[0]?.country.id ?? 0
})

test.afterAll(() => context.close())

test('a month is entered, corrected and saved by keyboard alone; a cell without activity says why it takes nothing [SPD-01] [SPD-03] [MON-07]', async () => {
  await grid().focus()
  await press('Home', 'ArrowRight', 'ArrowRight')
  await expect(details()).toContainText('Ads 00')
  await page.keyboard.type('12,5')
  await press('Tab', 'Tab')
  await page.keyboard.type('1 000')
  await press('Enter')
  await expect(cellAt(0, 2)).toHaveText('12.50')
  await expect(cellAt(0, 4)).toHaveText(/^1\s000\.00$/)
  // Fill down over three rows, undo, redo, and empty a cell.
  await press('ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d')
  await expect(cellAt(2, 4)).toHaveText(/^1\s000\.00$/)
  await press('Control+z')
  await expect(cellAt(2, 4)).toHaveText('')
  await press('Control+y')
  await expect(saveButton()).toHaveText('Save 4 cells')
  await press('Delete')
  await expect(saveButton()).toHaveText('Save 1 cell')
  await press('Control+z', 'Control+s')
  await expect(notice('4 cells saved')).toBeVisible()
  expect(await readSums()).toEqual(
    new Map([
      ['0 2', '12.5000'],
      ['0 4', '1000.0000'],
      ['1 4', '1000.0000'],
      ['2 4', '1000.0000'],
    ]),
  )
  // A save is undone by the sums that its cells held before, which are saved again.
  await press('Control+z')
  await expect(saveButton()).toHaveText('Save 4 cells')
  await expect(cellAt(1, 4)).toHaveText('')
  await press('Control+y')
  await expect(saveButton()).toBeDisabled()
  await press('Control+Home')
  await page.keyboard.type('3')
  await press('Enter', 'ArrowUp')
  await expect(cellAt(0, 0)).toHaveAttribute('aria-invalid', 'true')
  await expect(details()).toContainText('Not saved.')
  await press('Control+z')
  await expect(saveButton()).toBeDisabled()
})

test('a block of 30 × 31 mixed cells is pasted; what can be taken is saved, the rest says why in its cell [SPD-01] [MON-07]', async () => {
  const texts = ['1 234,50', '1,234.50', '', 'n/a', '12.5']
  const textAt = (row: number, day: number) => texts[(row + day) % texts.length] ?? ''
  const block = Array.from({ length: ROWS }, (_, row) => Array.from({ length: 31 }, (__, day) => textAt(row, day)))
  const places = block.flatMap((texts, row) => texts.slice(0, DAYS).map((text, day) => ({ row, day, text })))
  const before = await readSums()
  const isAmount = (text: string) => text !== '' && text !== 'n/a'
  const isTaken = ({ row, day, text }: (typeof places)[number]) =>
    text === '' ? before.has(`${row} ${day}`) : isAmount(text) && ACTIVE.includes(day)
  const isWrong = ({ day, text }: (typeof places)[number]) =>
    text === 'n/a' || (isAmount(text) && !ACTIVE.includes(day))
  await page.evaluate((text) => navigator.clipboard.writeText(text), block.map((row) => row.join('\t')).join('\r\n'))
  await grid().focus()
  await press('Control+Home', 'Control+v')
  const amount = (text: string) => (text === '12.5' ? '12.5000' : '1234.5000')
  const sent = places.filter(
    (place) => isTaken(place) && before.get(`${place.row} ${place.day}`) !== amount(place.text),
  )
  await expect(saveButton()).toHaveText(`Save ${sent.length} cells`)
  const wrong = places.filter(isWrong).length
  await expect(page.getByRole('button', { name: `${wrong} problems` })).toBeVisible()
  await press('Control+s')
  await expect(notice(`${sent.length} cells saved`)).toBeVisible()
  const taken = places.filter(({ day, text }) => isAmount(text) && ACTIVE.includes(day))
  const kept = [...before].filter(([key]) => {
    const [row = 0, day = 0] = key.split(' ').map(Number)
    return textAt(row, day) === 'n/a'
  })
  expect(await readSums()).toEqual(
    new Map([...taken.map(({ row, day, text }) => [`${row} ${day}`, amount(text)] as const), ...kept]),
  )
  // What was refused stays in its cell, with the reason.
  await grid().focus()
  await press('Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight')
  await expect(cellAt(0, 3)).toHaveText('n/a')
  await expect(details()).toContainText('“n/a” is not an amount')
})

test('two people edit one month: cells merge, and a clash is settled cell by cell [SPD-01] [MON-07]', async () => {
  // The refused cells of the block are left behind.
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(cellAt(0, 0)).toBeVisible()
  const enterElsewhere = async (row: number, day: number, base: string) => {
    const table = await apiOf(page).done('GET', `partner_spend/table?partner=${partner.id}&month=${MONTH}`)
    const own = (table.rows as { cells: { version: number | null }[] }[])[row]
    const cell = {
      stream: streams[row]?.id,
      country,
      date: dateOf(day),
      base,
      version: own?.cells[day]?.version ?? null,
    }
    await apiOf(page).done('PUT', 'partner_spend/update_table', { partner: partner.id, month: MONTH, cells: [cell] })
  }
  const [day = 0] = ACTIVE
  await enterElsewhere(5, day, '71')
  await enterElsewhere(6, day, '72')
  await enterElsewhere(8, day, '73')
  for (const [row, text] of [
    [5, '51'],
    [6, '52'],
    [7, '53'],
  ] as const) {
    await cellAt(row, day).click()
    await page.keyboard.type(text)
    await press('Enter')
  }
  await press('Control+s')
  await expect(notice('1 cell saved')).toBeVisible()
  // No digit is cut off.
  const cut = await page
    .locator('[role="grid"] td')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent))
  expect(cut).toEqual([])
  // The other's cell that nobody else edited is there, too.
  await expect(cellAt(8, day)).toHaveText('73.00')
  await cellAt(5, day).click()
  await expect(details()).toContainText(/^.*\S has changed this cell: 71\.00\. You entered: 51\.00/)
  expect(await findBarriers(page, { within: '[aria-live=polite]' })).toEqual([])
  await expect(saveButton()).toBeDisabled()
  await details().getByRole('button', { name: 'Keep mine' }).click()
  await cellAt(6, day).click()
  await details().getByRole('button', { name: 'Take theirs' }).focus()
  await press('Enter')
  await expect(cellAt(6, day)).toHaveText('72.00')
  await expect(saveButton()).toHaveText('Save 1 cell')
  // The button is gone, and the grid has the focus.
  await press('Control+s')
  const sumsOf = async (rows: readonly number[]) => {
    const sums = await readSums()
    return rows.map((row) => sums.get(`${row} ${day}`))
  }
  await expect.poll(() => sumsOf([5, 6, 7, 8])).toEqual(['51.0000', '72.0000', '53.0000', '73.0000'])
})

test('a table that fails to load says so and is tried again; one that fails to load again after a save says that it is old [SPD-01] [MON-07]', async () => {
  const route = '**/api/partner_spend/table?**'
  const broken = { code: 'internal', message: 'Something went wrong on the server', request_id: 'the-request' }
  await page.route(route, (request) => request.fulfill({ status: 500, json: broken }))
  await page.goto(`/partners-spends?view=table&partner=${partner.id}&month=${MONTH}`)
  const failed = page.getByRole('alert').filter({ hasText: 'Could not be loaded' })
  await expect(failed).toContainText('the-request')
  // It would take the streams of all partners.
  await expect(page.getByRole('button', { name: 'Import' })).toHaveCount(0)
  await page.unroute(route)
  await page.route(route, (request) => request.abort())
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toContainText('The server does not respond')
  await page.unroute(route)
  await failed.getByRole('button', { name: 'Try again' }).click()
  const day = ACTIVE[0] ?? 0
  await expect(cellAt(9, day)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import' })).toBeVisible()
  await page.route(route, (request) => request.fulfill({ status: 500, json: broken }))
  await cellAt(9, day).click()
  await press('9', '1', 'Enter')
  await saveButton().click()
  const old = page.getByRole('alert').filter({ hasText: 'could not be reloaded' })
  await expect(old).toBeVisible()
  await page.unroute(route)
  await old.getByRole('button', { name: 'Try again' }).click()
  await expect(cellAt(9, day)).toHaveText('91.00')
  await expect(old).toHaveCount(0)
})

test('a save ends with the answer of the server; the next one waits for the table that follows it [SPD-01] [MON-07]', async () => {
  const route = '**/api/partner_spend/table?**'
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(route, async (request) => {
    await held
    await request.continue()
  })
  const day = ACTIVE[0] ?? 0
  await cellAt(10, day).click()
  await press('4', '1', 'Enter', 'Control+s')
  await expect(notice('1 cell saved')).toBeVisible()
  await expect(saveButton()).toBeDisabled()
  // The notice may be that of an earlier save, and while a cell is being saved the grid takes no keys.
  await expect(saveButton()).not.toHaveAttribute('data-loading')
  await expect(cellAt(10, day)).toHaveText('41.00')
  // The version of the cell is not known yet.
  await cellAt(10, day).click()
  await press('4', '2', 'Enter', 'Control+s')
  release()
  await expect.poll(async () => (await readSums()).get(`10 ${day}`)).toBe('42.0000')
  await expect(saveButton()).toBeDisabled()
  await expect(cellAt(10, day)).toHaveText('42.00')
  await page.unroute(route)
})

test('a claim is seen in its cell and accepted there [SPD-01] [MON-06]', async () => {
  const place = await makeClaim()
  await page.goto(`/partners-spends?view=table&partner=${partner.id}&month=${place.month}`)
  const claims = grid().getByRole('img', { name: /^Claimed: / })
  await expect(claims.first()).toBeVisible()
  const count = await claims.count()
  await cellAt(place.row, place.day).click()
  await page.getByRole('button', { name: 'Accept the claim' }).click()
  await expect(notice('1 claim accepted')).toBeVisible()
  await expect(claims).toHaveCount(count - 1)
})

test('a claim of a day that has a spend leads to that spend [MON-06] [FORM-03]', async () => {
  const { items } = await apiOf(page).done('GET', 'partner_spend?limit=1')
  const [spend] = items as Row[]
  if (spend === undefined) throw new Error('the demo has no spend')
  await page.goto('/partners-spends')
  // The list of a month that has just begun offers it once more.
  await page.getByRole('button', { name: 'New spend' }).first().click()
  const form = page.getByRole('dialog')
  for (const name of ['Stream', 'Country', 'Currency']) {
    await form.getByRole('textbox', { name }).click()
    await optionsOf(page).first().click()
  }
  await form.getByRole('textbox', { name: 'Date' }).fill('01.11.2026')
  await form.getByRole('textbox', { name: 'Sum', exact: true }).fill('5')
  const message = 'This day already has a spend: open it and claim your sum there'
  const mend = { entity: 'partner_spend', id: spend.id }
  const refusal = {
    code: 'invalid',
    message: 'Please check the marked fields',
    request_id: 'r',
    formErrors: { date: [message] },
    reasons: [{ field: 'date', code: 'spend_claim_there', message, mend }],
  }
  await page.route('**/api/partner_spend', (route) => route.fulfill({ status: 422, json: refusal }), { times: 1 })
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByText(message)).toBeVisible()
  expect(await findBarriers(page, { within: '[role=dialog] form' })).toEqual([])
  await form.getByRole('link', { name: 'Open the record' }).click()
  await expect(page).toHaveURL(new RegExp(`/partners-spends/${spend.id}/edit`))
  await expect(form).toHaveCount(0)
})

/** The partner claims a sum for yesterday: the demo's own claims are of this month, which may have just begun. */
async function makeClaim() {
  const api = apiOf(page)
  const day = addDays(today(DEFAULT_ZONE), -1)
  const month = day.slice(0, 7)
  const { items: links } = await api.done('GET', `offer_partner?limit=1&filter[stream]=${streams[0]?.id}`)
  const [link] = links as [Row]
  await api.done('POST', 'player', {
    advertiser: ((link.offer as Row).advertiser as Row).id,
    outer_id: `claimed ${MARK}`,
    offer_partner: link.id,
    registered_at: `${day}T12:00:00.000Z`,
  })
  const { items: roles } = await api.done('GET', 'user_role?limit=1&filter[kind]=PARTNER')
  const login = { email: `claims.${MARK}@partner.example`.toLowerCase(), password: adminOf('spends.spec.ts').password }
  const role = (roles as Row[])[0]?.id
  await api.done('POST', 'user', { ...login, full_name: 'Cleo Claims', role, partner: partner.id })
  const baseUrl = process.env.E2E_BASE_URL ?? ''
  const { token } = await signInFirst(baseUrl, login)
  const place = { stream: (link.stream as Row).id, site_id: link.site_id, country, date: day }
  await call(baseUrl, 'POST', 'partner_spend', { ...place, sum: '71' }, token)
  const table = await api.done('GET', `partner_spend/table?partner=${partner.id}&month=${month}`)
  const rows = table.rows as { cells: { claimed: string | null }[] }[]
  const row = rows.findIndex(({ cells }) => cells.some(({ claimed }) => claimed !== null))
  return { month, row, day: rows[row]?.cells.findIndex(({ claimed }) => claimed !== null) ?? -1 }
}
