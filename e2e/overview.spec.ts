// Overviews of records: the numbers of the report, what hangs on the record, its tasks, and the form as a tab beside it.
import { expect, type Page, test } from '@playwright/test'
import { apiOf } from './admin-api.ts'
import { expectNoSidewaysScroll, fieldIn as field, findBarriers, openEdit, optionsOf } from './page-parts.ts'
import { openPage } from './sign-in.ts'

let page: Page

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/partners')
})
test.afterAll(() => page.context().close())

const region = (name: string | RegExp) => page.getByRole('region', { name })
const openFirst = async (list: string) => {
  await page.goto(`${list}?page=1&limit=10&order%5Bid%5D=ASC`)
  await page.locator('a[data-row]').first().click()
  await expect(page).toHaveURL(new RegExp(`${list}/\\d+$`))
}

test('a partner opens on an overview, whose numbers are those of the report that they open; editing is a tab [NAV-02] [REP-13]', async () => {
  await openFirst('/partners')
  const tile = region('Last 30 days').getByRole('listitem').filter({ hasText: 'Registrations' })
  await expect(tile.getByText(/\d/).first()).toBeVisible()
  await expect(region('To do')).toBeVisible()
  await expect(region('Recent changes')).toBeVisible()
  const offers = region('Related records').getByRole('link', { name: 'Partner offers' })
  await expect(offers).toHaveAttribute('href', /offer-partners\?.*filter%5Bpartner%5D%5Bin%5D=\d+/)
  const href = (await tile.getByRole('link').getAttribute('href')) ?? ''
  expect(href).toMatch(/general-report\?by=day&from=.*&second=previous&.*partners=/)
  await openEdit(page)
  await expect(page).toHaveURL(/\/partners\/\d+\/edit/)
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible()
  // A change is among the latest at once.
  const team = page.getByRole('textbox', { name: 'Team name' })
  await team.fill(`Team ${Date.now()}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved', { exact: true }).last()).toBeVisible()
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await expect(region('Recent changes').getByRole('listitem').first()).toContainText('Team name')
})

test('a partner offer has its links and templates at the top, each to copy and to test [ENT-13] [TRK-11]', async () => {
  await openFirst('/offer-partners')
  const links = region('Links and postbacks')
  await expect(links.getByRole('button', { name: 'Copy: Tracking link', exact: true })).toBeVisible()
  await expect(links.getByText(/\/postback\/[0-9a-f-]{36}\?click_id=\{click_id\}&event=reg&/).first()).toBeVisible()
  await links.getByRole('button', { name: 'Test: Tracking link' }).click()
  await region('Test the tracking link').getByRole('button', { name: 'Trace' }).click()
  await expect(region('Test the tracking link')).toContainText('The visitor is redirected (302)')
})

test('a partner offer is made by keyboard alone: offer, partner, stream and source, and it ends on its links [ENT-13] [ENT-15]', async () => {
  const mark = Date.now().toString(36)
  const api = apiOf(page)
  const partner = { title: `Keys ${mark}`, state: 'approved', streams: [{ title: `Stream ${mark}` }] }
  await api.done('POST', 'partner', partner)
  await api.done('POST', 'traffic_source', { title: `Source ${mark}` })
  const { id } = await firstApproved()
  await page.goto(`/offer-partners/create?offer=${id}`)
  await expect(field(page, 'Offer')).not.toHaveValue('')
  await field(page, 'Offer').focus()
  for (const [label, text] of [
    ['Partner', partner.title],
    ['Stream', `Stream ${mark}`],
    ['Traffic source', `Source ${mark}`],
  ] as const) {
    await expect(field(page, label)).toBeEnabled()
    await page.keyboard.press('Tab')
    await expect(field(page, label)).toBeFocused()
    await page.keyboard.type(text)
    await expect(optionsOf(page).filter({ hasText: text }).first()).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(field(page, label)).toHaveValue(new RegExp(text))
  }
  await expect(field(page, 'Site ID')).toHaveValue(/^\d+-\d+$/)
  await expect(page.getByText('The partner offer can be created: fill in the form and save')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/offer-partners\/\d+$/)
  await expect(page.getByText('Created', { exact: true }).first()).toBeVisible()
  await expect(
    region('Links and postbacks').getByRole('button', { name: 'Copy: Tracking link', exact: true }),
  ).toBeFocused()
  // A new partner offer rejects visitors, which is said where its link is.
  const notice = page.getByRole('status').filter({ hasText: 'Not approved yet' })
  const created = await api.done('GET', `offer_partner/${page.url().split('/').at(-1)}`)
  const visit = async () => (await page.request.get(String(created.partner_link), { maxRedirects: 0 })).status()
  expect(await visit()).toBe(410)
  await notice.getByRole('button', { name: 'Approve' }).focus()
  await page.keyboard.press('Enter')
  await expect(notice).toBeHidden()
  await expect.poll(visit).toBe(302)
})

test('the stream of a new partner offer fills in the traffic source to which it is tied; another one is named by the check list [ENT-13] [ENT-16]', async () => {
  const mark = Date.now().toString(36)
  const api = apiOf(page)
  const source = await api.done('POST', 'traffic_source', { title: `Tied ${mark}` })
  await api.done('POST', 'traffic_source', { title: `Free ${mark}` })
  const streams = [{ title: `Stream ${mark}`, traffic_source: source.id }]
  const partner = await api.done('POST', 'partner', { title: `Tied to ${mark}`, state: 'approved', streams })
  const { id } = await firstApproved()
  await page.goto(`/offer-partners/create?offer=${id}&partner=${partner.id}`)
  await expect(field(page, 'Partner')).toHaveValue(new RegExp(mark))
  const choose = async (label: string, text: string) => {
    await field(page, label).click()
    await page.keyboard.type(text)
    await optionsOf(page).filter({ hasText: text }).first().click()
  }
  await choose('Stream', `Stream ${mark}`)
  await expect(field(page, 'Traffic source')).toHaveValue(`Tied ${mark}`)
  await field(page, 'Traffic source').fill('')
  await choose('Traffic source', `Free ${mark}`)
  await expect(page.getByText(`The stream is tied to another traffic source: Tied ${mark}`)).toBeVisible()
})

test('a created record without links begins at its title [FORM-04]', async () => {
  await page.goto('/products/create')
  await expect(field(page, 'Title')).toBeFocused()
  await page.keyboard.type(`Begun ${Date.now().toString(36)}`)
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/products\/\d+\/edit$/)
  await expect(page.locator('h1 > [tabindex]')).toBeFocused()
})

test('a name of 200 characters takes two lines of a title, three on a phone, and a touch shows all of it [NAV-10]', async () => {
  const { id } = await apiOf(page).done('POST', 'product', { title: `${Date.now()} ${'Wide '.repeat(37)}`.trim() })
  const linesAt = async (width: number) => {
    await page.setViewportSize({ width, height: 844 })
    return page.locator('h1 > [tabindex]').evaluate((name) => {
      const { height } = name.getBoundingClientRect()
      return Math.round(height / Number.parseFloat(getComputedStyle(name).lineHeight))
    })
  }
  await page.goto(`/products/${id}/edit`)
  const name = page.locator('h1 > [tabindex]')
  await expect(name).toContainText('Wide')
  expect(await linesAt(1440)).toBeLessThanOrEqual(2)
  expect(await linesAt(390)).toBe(3)
  await expect(name).toHaveAttribute('title', /Wide/)
  await name.click()
  expect(await linesAt(390)).toBeGreaterThan(3)
  await page.setViewportSize({ width: 1440, height: 900 })
})

/** An approved offer whose advertiser has a media ID and a domain there. */
const firstApproved = async () => {
  const { body } = await apiOf(page).ask('GET', 'offer?limit=10&filter[state]=approved&filter[active]=1&order[id]=ASC')
  const [first] = body.items as { id: number }[]
  if (first === undefined) throw new Error('no approved offer')
  return first
}

test('a player leads on to partner, offer, click and trace [PLY-10] [TRK-06]', async () => {
  await openFirst('/players')
  const leads = page.getByRole('navigation', { name: 'Go to' })
  await expect(leads.getByRole('link', { name: /^Partner / }).first()).toHaveAttribute('href', /\/partners\/\d+$/)
  await expect(leads.getByRole('link', { name: /^Offer / })).toHaveAttribute('href', /\/offers\/\d+$/)
  await expect(leads.getByRole('link', { name: /^Click ID / })).toHaveAttribute('href', /\/clicks\?/)
  await leads.getByRole('link', { name: /^Trace / }).click()
  await expect(page).toHaveURL(/\/trace\?id=/)
})

test('overviews are accessible in both themes, and nothing sticks out at the width of a phone [NAV-10]', async () => {
  for (const [colorScheme, width, list] of [
    ['light', 1440, '/offers'],
    ['dark', 390, '/offer-partners'],
    ['light', 390, '/advertisers'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 1440, height: 900 })
    await openFirst(list)
    await page.setViewportSize({ width, height: 900 })
    await expect(region('Last 30 days').getByText(/\d/).first()).toBeVisible()
    expect(await findBarriers(page)).toEqual([])
    await expectNoSidewaysScroll(page)
  }
})

test('an overview stays in its place when its record comes [NAV-02]', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openFirst('/partners')
  const arrival = Promise.withResolvers<void>()
  const record = /\/api\/partner\/\d+$/
  await page.route(record, async (route) => {
    const response = await route.fetch()
    await arrival.promise
    // A long name may take more lines.
    await route.fulfill({ response, json: { ...(await response.json()), title: 'Partner' } })
  })
  await page.reload()
  const tab = page.getByRole('link', { name: 'Overview', exact: true })
  await expect(tab).toBeVisible()
  const before = await tab.boundingBox()
  await expect(region('Recent changes')).toBeHidden()
  arrival.resolve()
  await expect(region('Recent changes')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Partner')
  expect((await tab.boundingBox())?.y).toBe(before?.y)
  await page.unroute(record)
})
