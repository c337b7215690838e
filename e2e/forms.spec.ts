// Behaviour of every form in a real browser beside saving: messages of failed saves, saving once, loading of selects, addresses of
// tabs, and merging two versions of a row.
import { expect, type Locator, type Page, test } from '@playwright/test'
import { dialogOf, fieldIn, optionsOf, saveIn, unfold } from './page-parts.ts'
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
const notice = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text })

/** The next save receives this answer. */
async function answerNext(path: string, answer: { status: number; body?: unknown } | 'no answer'): Promise<void> {
  await page.route(
    `**/api/${path}`,
    (route) =>
      answer === 'no answer'
        ? route.abort('connectionreset')
        : route.fulfill({
            status: answer.status,
            contentType: 'application/json',
            body: JSON.stringify(answer.body ?? ''),
          }),
    { times: 1 },
  )
}

test('each kind of failed save has its own message, and input stays [FORM-05]', async () => {
  await page.goto('/products/create')
  await field('Title').fill(`Kept ${mark}`)
  const reply = { code: 'invalid', message: 'Please check the marked fields', request_id: 'r' }
  const cases: [Parameters<typeof answerNext>[1], string][] = [
    [{ status: 422, body: { ...reply, formErrors: ['First', 'second'] } }, 'First, second'],
    [{ status: 422, body: { ...reply, formErrors: { active: ['No'], elsewhere: { title: ['Odd'] } } } }, 'Odd'],
    [{ status: 409, body: { ...reply, code: 'conflict', message: 'It conflicts' } }, 'It conflicts'],
    [{ status: 524 }, '100 seconds (524). Contact IT support'],
    ['no answer', 'The server does not respond'],
  ]
  for (const [answer, words] of cases) {
    await answerNext('product', answer)
    await save().click()
    await expect(notice(words).last()).toContainText('Request error')
  }
  await answerNext('product', { status: 422, body: { ...reply, formErrors: { title: ['Not this one', 'nor that'] } } })
  await save().click()
  await expect(page.getByText('Not this one, nor that')).toBeVisible()
  await expect(field('Title')).toBeFocused()
  await expect(field('Title')).toHaveValue(`Kept ${mark}`)
})

test('a double click together with the keyboard saves once [FORM-13]', async () => {
  let sent = 0
  await page.route('**/api/product', async (route) => {
    if (route.request().method() === 'POST') sent += 1
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await save().dblclick({ noWaitAfter: true })
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/products\/\d+\/edit/)
  await page.unroute('**/api/product')
  expect(sent).toBe(1)
})

test('a notice closes after ten seconds, a dialog when another page opens [NAV-05] [NAV-09]', async () => {
  await page.clock.install()
  await page.goto('/products/create')
  await field('Title').fill(`Kept ${mark}`)
  await save().click()
  await expect(page.getByText('This title is already in use')).toBeVisible()
  await answerNext('product', { status: 500, body: { code: 'internal', message: 'It broke', request_id: 'r' } })
  await field('Title').fill(`Kept II ${mark}`)
  // From here the test controls the clock, so that slow machines do not matter.
  await page.clock.pauseAt(Date.now() + 600_000)
  await save().click()
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(notice('It broke')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.clock.runFor(9000)
  await expect(notice('It broke')).toBeVisible()
  await page.clock.runFor(2500)
  await expect(notice('It broke')).toBeHidden()
  await page.clock.resume()
  await unfold(page, 'Directory')
  await page.getByRole('link', { name: 'Landings' }).click()
  await expect(dialog()).toContainText('Leave without saving?')
  await dialog().getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveTitle(/^Landings/)

  await page.goto('/partners')
  await page.getByRole('button', { name: 'New partner' }).click()
  await expect(dialog()).toBeVisible()
  await page.goBack()
  await expect(dialog()).toBeHidden()
  await expect(page).toHaveTitle(/^Landings/)
})

test('a select loads ten options at a time, more on scroll, by typed text; a failed load is shown there with a retry [FORM-10]', async () => {
  const asked: URLSearchParams[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/landing' && url.searchParams.has('lookup')) asked.push(url.searchParams)
  })
  await page.goto('/advertisers/create?tab=landings')
  const failNext = () => page.route('**/api/landing?*lookup=1*', (route) => route.abort(), { times: 1 })
  await failNext()
  await field('Allowed landings').click()
  const options = optionsOf(page)
  const failed = options.filter({ hasText: 'Could not load the options' })
  await expect(failed).toBeVisible()
  // The message is in the list, not in a notification.
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(options).toHaveCount(10)
  expect(asked.at(-1)?.get('limit')).toBe('10')
  expect(asked.at(-1)?.get('page')).toBe('1')
  await failNext()
  await options.last().scrollIntoViewIfNeeded()
  await expect.poll(() => asked.at(-1)?.get('page')).toBe('2')
  await expect(options).toHaveCount(11)
  await failed.click()
  await expect(failed).toHaveCount(0)
  await expect.poll(() => options.count()).toBeGreaterThan(10)
  expect(asked.at(-1)?.get('page')).toBe('2')
  const wanted = (await options.last().textContent())?.split(' · ')[0] ?? ''
  await field('Allowed landings').fill(wanted)
  await expect.poll(() => asked.at(-1)?.get('query')).toBe(wanted)
  await expect(options.first()).toContainText(wanted)
  await page.keyboard.press('Escape')
})

test('Enter takes the first option that the typed text finds, and never submits the form [FORM-10]', async () => {
  await page.goto('/offer-partners/create')
  const offer = field('Offer')
  await offer.click()
  const asked = page.waitForRequest((request) => /\/api\/offer\?.*query=cpa/i.test(request.url()))
  await page.keyboard.type('cpa')
  await page.keyboard.press('Enter')
  await asked
  await expect(optionsOf(page).first()).toHaveAttribute('data-combobox-selected', 'true')
  const first = await optionsOf(page).first().textContent()
  await page.keyboard.press('Enter')
  await expect(offer).toHaveValue(first ?? '')
  await expect(page.getByText('This field is required')).toHaveCount(0)
  await expect(page).toHaveURL(/offer-partners\/create/)
})

test('a select stays closed when the focus reaches it, and opens by an arrow, by typing and by a click [FORM-10]', async () => {
  await page.goto('/offer-partners/create')
  const [offer, partner] = [field('Offer'), field('Partner')]
  await expect(offer).toBeVisible()
  await offer.focus()
  await page.keyboard.press('Tab')
  await expect(partner).toBeFocused()
  await expect(optionsOf(page)).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await expect(optionsOf(page).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(optionsOf(page)).toHaveCount(0)
  await page.keyboard.type('a')
  await expect(optionsOf(page).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const chosen = await partner.inputValue()
  expect(chosen).not.toBe('')
  // What is typed replaces the selection, and leaving keeps it.
  await offer.focus()
  await partner.focus()
  await page.keyboard.type('zz')
  await expect(partner).toHaveValue('zz')
  await page.keyboard.press('Tab')
  await expect(partner).toHaveValue(chosen)
  await offer.click()
  await expect(optionsOf(page).first()).toBeVisible()
})

test('a tab is in the address beside other parameters [NAV-08]', async () => {
  await page.goto('/advertisers/create?from=mail')
  await page.getByRole('tab', { name: 'Countries' }).click()
  await expect(page).toHaveURL(/from=mail/)
  await expect(page).toHaveURL(/tab=countries/)
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Countries' })).toHaveAttribute('aria-selected', 'true')
})

test('other editors of the row are shown with the time since when; so is their save [FORM-07]', async () => {
  await page.goto('/products/create')
  await field('Title').fill(`Alone ${mark}`)
  await save().click()
  await expect(page).toHaveURL(/\/products\/\d+\/edit/)
  await expect(page.getByText('Being edited:')).toBeHidden()
  const other = await page.context().newPage()
  await other.goto(page.url())
  const banner = page.getByRole('status').filter({ hasText: 'Being edited:' })
  await expect(banner).toContainText(/you, in another window, since (\d\d\.\d\d\.\d{4} )?\d\d:\d\d/)
  await expect(banner).toContainText('you may overwrite')
  await expect(other.getByText('Being edited:')).toBeVisible()
  await field('Title', other).fill(`Seen ${mark}`)
  await save(other).click()
  await expect(other.getByText('Saved', { exact: true })).toBeVisible()
  await expect(page.getByText('A newer version of this record has been saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Load changes' }).click()
  await expect(field('Title')).toHaveValue(`Seen ${mark}`)
  await expect(page.getByText('A newer version of this record has been saved.')).toBeHidden()
  await unfold(other, 'Directory')
  await other.getByRole('link', { name: 'Landings' }).click()
  await expect(page.getByText('Being edited:')).toBeHidden()
  // A page that closes as a whole reports leaving, too.
  await other.goto(page.url())
  await expect(page.getByText('Being edited:')).toBeVisible()
  await other.goto('/landings')
  await expect(page.getByText('Being edited:')).toBeHidden()
  await other.close()
})

test('two versions are merged by field: mine, theirs, both [FORM-07]', async () => {
  await page.goto('/traffic-sources/create')
  await field('Title').fill(`Source ${mark}`)
  await page.getByRole('textbox', { name: 'Description for CRM' }).fill('first')
  await save().click()
  await expect(page).toHaveURL(/\/traffic-sources\/\d+\/edit/)
  await expect(page.getByRole('heading', { name: `Source ${mark}` })).toBeVisible()

  const other = await page.context().newPage()
  await other.goto(page.url())
  await field('URL', other).fill('https://theirs.example')
  await other.getByRole('textbox', { name: 'Description for CRM' }).fill('their words')
  await save(other).click()
  await expect(other.getByText('Saved', { exact: true })).toBeVisible()
  await other.close()

  await field('Title').fill(`Mine ${mark}`)
  await page.getByRole('textbox', { name: 'Description for CRM' }).fill('my words')
  await save().click()
  await expect(dialog()).toContainText('Someone has saved a newer version')
  const choice = (name: string) => dialog().getByRole('radiogroup', { name })
  await expect(choice('Title').getByRole('radio', { name: 'Mine' })).toBeChecked()
  await expect(choice('URL').getByRole('radio', { name: 'Theirs' })).toBeChecked()
  await expect(choice('Description for CRM').getByRole('radio', { name: 'Both' })).toBeChecked()
  await dialog().getByRole('button', { name: 'Use the selected values' }).click()
  await save().click()
  await expect(page.getByText('Saved', { exact: true }).last()).toBeVisible()
  await page.reload()
  await expect(field('Title')).toHaveValue(`Mine ${mark}`)
  await expect(field('URL')).toHaveValue('https://theirs.example')
  await expect(page.getByRole('textbox', { name: 'Description for CRM' })).toHaveValue('their words\nmy words')
})
