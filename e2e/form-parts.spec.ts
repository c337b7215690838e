// Parts of forms in a real browser: uploads, selects with very many options, conflicting rows, moments, and the requirements of a
// partner offer.
import { expect, type Locator, type Page, test } from '@playwright/test'
import { dialogOf, expectNotice, fieldIn, openEdit, optionsOf, saveIn } from './page-parts.ts'
import { openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let page: Page
const mark = Date.now().toString(36)

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/offers')
})

test.afterAll(() => page.context().close())

const dialog = () => dialogOf(page)
const field = (label: string, within: Page | Locator = page) => fieldIn(within, label)
const save = (within: Page = page) => saveIn(within)
const saved = (within: Page = page) => expectNotice(within)
const region = (name: string, within: Page | Locator = page) => within.getByRole('region', { name })

test('files: too many, of another type, too large; then progress, removal, and a failure that clears the list [FORM-08]', async () => {
  await page.goto('/players-reports')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const input = dialog().locator('input[type=file]')
  const file = (name: string, size = 20) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'x') })
  const told = dialog().getByRole('alert')
  await input.setInputFiles([file('a.xlsx'), file('b.xlsx')])
  await expect(told).toHaveText('No more than 1 at once')
  await input.setInputFiles(file('photo.png'))
  await expect(told).toHaveText('Only files of these types: xls, xlsx, csv')
  await input.setInputFiles(file('empty.csv', 0))
  await expect(told).toHaveText('The file is empty')
  await expect(dialog().getByRole('button', { name: /^Remove/ })).toHaveCount(0)

  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/player/import*', async (route) => {
    await held
    await route.abort('connectionreset').catch(() => undefined)
  })
  await input.setInputFiles(file('slow.csv', 2_000_000))
  await expect(dialog().getByText('slow.csv')).toBeVisible()
  await expect(dialog().getByText(/^Sent: \d+%$/)).toBeVisible()
  await expect(dialog().getByRole('progressbar', { name: 'slow.csv' })).toHaveAttribute('aria-valuemax', '100')
  await expect(input).toHaveCount(0)
  await dialog().getByRole('button', { name: 'Remove “slow.csv”' }).click()
  await expect(dialog().getByText('slow.csv')).toHaveCount(0)
  await expect(told).toHaveText('')
  await input.setInputFiles(file('lost.csv'))
  await expect(dialog().getByText('lost.csv')).toBeVisible()
  release()
  await expect(page.getByRole('alert').filter({ hasText: 'The server does not respond' })).toBeVisible()
  await expect(dialog().getByText('lost.csv')).toHaveCount(0)
  await page.unrouteAll()
  await input.setInputFiles({
    name: 'no-period.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('player_id,deposits\n1,2'),
  })
  await expect(page.getByRole('alert').filter({ hasText: 'The period is missing' })).toBeVisible()
  await page.keyboard.press('Escape')
})

test('a select stops at a thousand options and requests no more [FORM-10]', async () => {
  const pages: number[] = []
  await page.route('**/api/landing?*lookup=1*', (route) => {
    const asked = Number(new URL(route.request().url()).searchParams.get('page'))
    pages.push(asked)
    const options = Array.from({ length: 400 }, (_, index) => {
      const id = (asked - 1) * 400 + index + 1
      return { id, title: `Landing ${id}`, value: `/l${id}` }
    })
    return route.fulfill({ json: { options, pagination: { page: asked, limit: 10, total: 4000, maxPageNumber: 10 } } })
  })
  await page.goto('/advertisers/create?tab=landings')
  await field('Allowed landings').click()
  const options = optionsOf(page)
  for (const count of [400, 800, 1000]) {
    await expect(options).toHaveCount(count)
    await options.last().scrollIntoViewIfNeeded()
  }
  await page.waitForTimeout(300)
  expect(pages).toEqual([1, 2, 3])
  await page.unrouteAll()
  await page.keyboard.press('Escape')
})

const pasteInto = (box: Locator, text: string): Promise<void> =>
  box.evaluate((input, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('a code field rejects a pasted text that is no code, and takes one with spaces [FORM-04]', async () => {
  await page.goto('/account')
  const code = page.getByLabel('Six-digit code')
  const create = page.getByRole('button', { name: 'Create new codes' })
  await pasteInto(code, 'ab12cd')
  await expect(page.getByText('“ab12cd” is not a number, so it was not pasted.')).toBeVisible()
  await expect(code).toHaveValue('')
  await expect(create).toBeDisabled()
  await pasteInto(code, '123 456')
  await expect(code).toHaveValue('123456')
  await expect(create).toBeEnabled()
})

test('filters of numbers take no letters, and say why a pasted text is none [FORM-04] [LIST-08]', async () => {
  await page.goto('/players')
  await expect(page.locator('main a[data-row]').first()).toBeVisible()
  const filters = page.getByRole('button', { name: 'Filters', exact: true })
  if ((await filters.getAttribute('aria-expanded')) !== 'true') await filters.click()
  const own = page.getByRole('group', { name: 'Inner ID', exact: true })
  const operator = own.getByRole('combobox', { name: 'How “Inner ID” is compared' })
  await operator.selectOption('eq')
  const input = own.getByRole('textbox')
  await pasteInto(input, 'abc-5e3')
  await expect(own.getByText('“abc-5e3” is not a number, so it was not pasted.')).toBeVisible()
  await expect(input).toHaveValue('')
  await input.pressSequentially('1e2abc')
  await expect(input).toHaveValue('12')
  await input.press('Enter')
  await expect(page).toHaveURL(/filter%5Binner_id%5D=12/)
  await input.fill('')
  await input.press('Enter')
  await operator.selectOption('in')
  const values = own.getByRole('combobox', { name: 'Inner ID', exact: true })
  await values.fill('twelve')
  await values.press('Enter')
  await expect(own.getByText('“twelve” is not a number.')).toBeVisible()
})

test('numbers: no letter e, no sign unless allowed, within bounds, grouped by thousands; sent without spaces [FORM-04]', async () => {
  await page.goto('/payment-models')
  await page.locator('a[data-row]').first().click()
  const days = field('Default baseline period, days')
  // Other values than these are stored when this test is tried once more.
  const isAgain = (await days.inputValue()) === '177'
  const [typed, shown] = isAgain ? ['1e-78', '178'] : ['1e-77', '177']
  await days.fill('')
  await days.pressSequentially(typed)
  await expect(days).toHaveValue(shown)
  await pasteInto(days, 'abc-5e3')
  await expect(page.getByText('“abc-5e3” is not a number, so it was not pasted.')).toBeVisible()
  await expect(days).toHaveValue(shown)
  const cost = field('Default cost or share')
  await cost.fill(isAgain ? '654322.5' : '654321.5')
  await expect(cost).toHaveValue(isAgain ? '654\u202f322.5' : '654\u202f321.5')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await save().click()
  expect((await sent).postDataJSON()).toMatchObject({
    default_cost: isAgain ? '654322.5' : '654321.5',
    default_baseline_period_days: Number(shown),
  })
  await saved()
  await page.goto('/settings')
  await page.getByRole('tab', { name: 'Tracking' }).click()
  const hours = field('Click uniqueness window, hours')
  await hours.fill('99999')
  await hours.blur()
  await expect(hours).toHaveValue('720')
})

test('two users changed a row: they removed what I changed, and I decide [FORM-07]', async () => {
  await page.goto('/currencies/create')
  await field('Title').fill(`Coin ${mark}`)
  await field('Value in tag').fill(`C${mark}`.slice(0, 8))
  await page.getByRole('tab', { name: 'Rates' }).click()
  for (const [index, day] of ['01.01.2026', '01.02.2026'].entries()) {
    await page.getByRole('button', { name: 'Add rate' }).click()
    await field('Date').nth(index).fill(day)
    await field('Rate').nth(index).fill('1')
  }
  await save().click()
  await expect(page).toHaveURL(/\/currencies\/\d+\/edit/)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('tab', { name: 'Rates' }).click()
  await other.getByRole('button', { name: 'Remove' }).first().click()
  await save(other).click()
  await saved(other)
  const [gone] = await page.getByRole('textbox', { name: /^Rate/ }).all()
  const left = await field('Date', other).inputValue()
  const lost = left === '01.01.2026' ? '01.02.2026' : '01.01.2026'
  await other.close()
  const isFirst = (await field('Date').first().inputValue()) === lost
  await (isFirst ? gone : field('Rate').nth(1))?.fill('7')
  await save().click()
  await expect(dialog()).toContainText('They removed the row')
  const line = dialog().getByRole('row').filter({ hasText: 'They removed the row' })
  await expect(line).toContainText(lost)
  await expect(line.getByRole('radio', { name: 'Mine' })).toBeChecked()
  await dialog().getByRole('button', { name: 'Use the selected values' }).click()
  await save().click()
  await saved()
  await page.reload()
  await expect(field('Rate')).toHaveCount(2)
  expect(
    await field('Date').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value).sort()),
  ).toEqual(['01.01.2026', '01.02.2026'])
})

test('a moment gets its separators while typing, moves by arrow keys, has presets; a future one is rejected [FORM-04] [FORM-12] [PLY-01]', async () => {
  // The oldest player.
  await page.goto('/players?page=1&limit=10&order%5Bid%5D=ASC')
  await page.locator('a[data-row]').first().click()
  await openEdit(page)
  await expect(page).toHaveURL(/\/players\/\d+\/edit/)
  const moment = field('Registration')
  const before = await moment.inputValue()
  expect(before).toMatch(/^\d\d\.\d\d\.\d{4} \d\d:\d\d/)
  await moment.fill('')
  await moment.pressSequentially('010220261405')
  await expect(moment).toHaveValue('01.02.2026 14:05')
  await moment.press('Home')
  await moment.press('ArrowUp')
  await expect(moment).toHaveValue('02.02.2026 14:05')
  await moment.press('End')
  await moment.press('ArrowDown')
  await expect(moment).toHaveValue('02.02.2026 14:04')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await save().click()
  expect((await sent).postDataJSON()).toMatchObject({ registered_at: '2026-02-02T12:04:00.000Z' })
  await saved()
  await moment.fill('31.02.2026 10:00')
  await save().click()
  await expect(page.getByText('Wrong date')).toBeVisible()
  await moment.fill('01.01.2099 10:00')
  await save().click()
  await expect(page.getByText('This date is in the future')).toBeVisible()
  await page.getByRole('button', { name: 'Choose day and time' }).click()
  const calendar = page.getByRole('dialog', { name: 'Choose day and time' })
  await expect(calendar.getByRole('button', { name: /^28 \p{L}+ \d{4}$/u }).first()).toBeInViewport({ ratio: 1 })
  expect((await calendar.boundingBox())?.width).toBeLessThan(400)
  await page.getByRole('button', { name: 'Yesterday 00:00' }).click()
  await expect(moment).toHaveValue(/ 00:00$/)
  await moment.fill(before)
  await save().click()
  await saved()
})

test('from an offer to a new partner offer; the check list shows the server’s reasons with links to fix them [ENT-13] [ENT-15]', async () => {
  await page.goto('/offers?page=1&limit=10')
  await page.locator('a[data-row]').first().click()
  await expect(page).toHaveURL(/\/offers\/\d+$/)
  const id = /\/offers\/(\d+)/.exec(page.url())?.[1] ?? ''
  await page.getByRole('button', { name: 'New partner offer' }).click()
  await expect(page).toHaveURL(new RegExp(`/offer-partners/create\\?offer=${id}`))
  await expect(field('Offer')).not.toHaveValue('')
  const refusal = {
    code: 'invalid',
    message: 'Please check the marked fields',
    request_id: 'r',
    formErrors: { offer: ['The advertiser has no media ID for this country'] },
    reasons: [
      {
        field: 'offer',
        code: 'media_id_missing',
        message: 'The advertiser has no media ID for this country',
        mend: { entity: 'advertiser', id: 77 },
      },
    ],
  }
  for (const name of ['Partner', 'Stream', 'Traffic source']) {
    await field(name).click()
    await optionsOf(page).first().click()
  }
  await field('Site ID').fill(`site-${mark}`)
  await page.route('**/api/offer_partner', (route) => route.fulfill({ status: 422, json: refusal }), { times: 1 })
  await save().click()
  const check = page.getByRole('listitem').filter({ hasText: 'no media ID' })
  await expect(check).toHaveAttribute('data-met', 'false')
  await expect(check.getByRole('link')).toHaveAttribute('href', /\/advertisers\/77\/edit\?tab=countries/)
  const chosen = await field('Offer').inputValue()
  await field('Offer').click()
  await optionsOf(page).filter({ hasNotText: chosen }).first().click()
  await expect(check).toHaveCount(0)
})

test('an event is tested without being recorded [TRK-11] [ENT-13]', async () => {
  await page.goto('about:blank')
  await page.goto('/offer-partners?page=1&limit=10&order%5Bid%5D=ASC')
  await page.locator('a[data-row]').first().click()
  await openEdit(page)
  await page.getByRole('tab', { name: 'Postbacks', exact: true }).click()
  const tester = region('Test the advertiser’s event')
  await field('Player ID', tester).fill(`nobody-${mark}`)
  await tester.getByRole('button', { name: 'Run the test' }).click()
  await expect(tester.getByRole('status')).toContainText('It would be accepted (response 200)')
  await expect(tester.getByRole('status')).toContainText('Postback to the partner')
  await field('Player ID', tester).fill('')
  await tester.getByRole('button', { name: 'Run the test' }).click()
  await expect(tester.getByRole('status')).toContainText(/It would be rejected \(response 4\d\d\)/)
})
