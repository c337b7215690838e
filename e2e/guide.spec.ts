// Help where it is needed: what columns and fields mean, and the guide beside each title.
import { expect, type Page, test } from '@playwright/test'
import { dialogOf, findBarriers } from './page-parts.ts'
import { openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let page: Page

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/landings')
})

test.afterAll(() => page.context().close())

test('a column, its line in the column manager and a field of a form say what they mean [LIST-11] [FORM-01]', async () => {
  const meaning = 'The address of the page, or the part of it that follows the domain'
  await page.getByRole('button', { name: 'Value', exact: true }).hover()
  await expect(page.getByRole('tooltip', { name: meaning })).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).click()
  const line = page.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name: 'Value' }) })
  await expect(line.getByRole('button', { name: 'Definition' })).toHaveAccessibleDescription(meaning)
  await page.keyboard.press('Escape')
  await page.locator('main a[data-row]').first().click()
  await page.locator('[data-label="Value"]').getByRole('button').hover()
  await expect(page.getByRole('tooltip', { name: meaning })).toBeVisible()
})

test('the question mark opens the page about the screen, with a picture; the guide is searched, in both languages [NAV-10] [I18N-02]', async () => {
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(page.url()).origin) && !request.url().startsWith('data:'))
      foreign.push(request.url())
  })
  await page.goto('/offer-partners')
  await page.getByRole('button', { name: 'Help' }).click()
  const guide = dialogOf(page)
  await expect(guide.getByRole('heading', { name: 'Partner offers' })).toBeVisible()
  const picture = guide.getByRole('img', { name: 'The overview of a partner offer' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(600)
  await guide.getByRole('searchbox', { name: 'Search the guide' }).fill('idempotency')
  await guide.getByRole('button', { name: /^Postbacks/ }).click()
  await expect(guide.getByRole('heading', { name: 'Send again' })).toBeVisible()
  await guide.getByRole('button', { name: 'All pages' }).click()
  await guide.getByRole('button', { name: 'Players', exact: true }).click()
  await guide.getByRole('button', { name: 'Trace' }).last().click()
  await expect(guide.getByRole('heading', { name: 'Ask what happened' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(guide).toBeHidden()
  await page.getByRole('button', { name: /^Language/ }).click()
  await page.getByRole('menuitem', { name: 'Русский' }).click()
  await page.getByRole('button', { name: 'Справка' }).click()
  await expect(guide.getByRole('heading', { name: 'Связки' })).toBeVisible()
  await guide.getByRole('searchbox').fill('слова такого нет')
  await expect(guide.getByText('В справке нет ничего о «слова такого нет».')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Язык/ }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  expect(foreign).toEqual([])
})

test('an empty installation shows its first steps until they are done or hidden; the server keeps that [NAV-10] [NAV-07]', async () => {
  let done = ['advertiser']
  await page.route('**/api/start_steps', (route) =>
    route.fulfill({ json: { done, missing: ['country', 'traffic_source'] } }),
  )
  // The demo has everything, which an earlier visit may have told.
  await page.request.put('/api/profile/preferences', { headers: await authorization(), data: { start_hidden: false } })
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps.getByText('1 of 5 done')).toBeVisible()
  await expect(
    steps.getByRole('listitem').filter({ hasText: 'Add an advertiser' }).getByRole('img'),
  ).toHaveAccessibleName('Done')
  // What a step needs is named while it is to do.
  await expect(steps.getByRole('link', { name: 'New country' })).toHaveCount(0)
  await expect(steps.getByRole('link', { name: 'New traffic source' })).toHaveAttribute(
    'href',
    '/traffic-sources/create',
  )
  await steps.getByRole('listitem').filter({ hasText: 'Add an offer' }).getByRole('link', { name: 'Open' }).click()
  await expect(page).toHaveURL(/\/offers\/create$/)
  await page.goBack()
  await expect(steps).toBeVisible()
  expect(await findBarriers(page)).toEqual([])
  await steps.getByRole('button', { name: 'Hide' }).click()
  await expect(steps).toBeHidden()
  done = ['advertiser', 'offer', 'partner', 'offer_partner', 'click']
  await page.request.put('/api/profile/preferences', { headers: await authorization(), data: { start_hidden: false } })
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/profile/preferences') && answer.ok())
  await page.reload()
  await kept
  await expect(steps).toBeHidden()
})

const authorization = async () => ({
  Authorization: `Bearer ${await page.evaluate(() => JSON.parse(localStorage.getItem('token_data') ?? '{}').token)}`,
})
