// The pages of a partner offer, a partner and an advertiser: tracking links, redirects, terms over time, tests of postback URLs,
// advertiser links.
import { expect, type Page, test } from '@playwright/test'
import { openEdit, optionsOf } from './page-parts.ts'
import { openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let page: Page

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/offers')
})

test.afterAll(() => page.context().close())

const region = (name: string) => page.getByRole('region', { name })
const open = async (list: string, tab: string) => {
  await page.goto(`${list}?page=1&limit=10&order%5Bid%5D=ASC`)
  await page.locator('a[data-row]').first().click()
  await expect(page).toHaveURL(/\/\d+/)
  if (!page.url().includes('/edit')) await openEdit(page)
  await page.getByRole('tab', { name: tab, exact: true }).click()
}

test('a tracking link is built with landing and sub ids, and traced to its end without being recorded [ENT-13] [TRK-11]', async () => {
  await open('/offer-partners', 'Links')
  const builder = region('Build a tracking link')
  await builder.getByRole('textbox', { name: 'Sub 2' }).fill('spring sale')
  await expect(builder).toContainText('?sub2=spring%20sale')
  await builder.getByRole('button', { name: /^QR code/ }).click()
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
  await page.keyboard.press('Escape')

  const tester = region('Test the tracking link')
  await tester.getByRole('textbox', { name: 'Visitor’s country' }).click()
  await optionsOf(page).first().click()
  await expect(tester.getByRole('textbox', { name: 'IP address' })).not.toHaveValue('')
  await tester.getByRole('button', { name: 'Trace' }).click()
  await expect(tester).toContainText('The partner offer accepts traffic')
  await expect(tester).toContainText('The landing is chosen')
  await expect(tester).toContainText('The visitor is redirected (302)')
  await expect(tester).toContainText('{click_id}')
  await page.getByRole('navigation', { name: 'Pages of the record' }).getByRole('link', { name: 'Overview' }).click()
  await expect(region('Link health')).toContainText('Last click')
})

test('a missing macro is added to the template and appears in the link [ENT-13] [TRK-11]', async () => {
  await openEdit(page)
  await page.getByRole('tab', { name: 'Links', exact: true }).click()
  const macros = region('Macros')
  await macros.getByRole('button', { name: 'Add {geo} to the template' }).click()
  await expect(macros.getByRole('button', { name: 'Copy {geo}' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Advertiser link template' })).toHaveValue(/[?&]geo=\{geo\}/)
})

test('histories of terms are drawn from unsaved values [ENT-14]', async () => {
  await page.getByRole('tab', { name: 'Histories' }).click()
  const drawn = region('Terms timeline').getByRole('list', { name: 'Max days' })
  await expect(drawn.getByRole('listitem')).toHaveCount(0)
  const table = page.getByRole('region', { name: 'Max days' })
  await table.getByRole('button', { name: 'Add period' }).click()
  await table.getByRole('textbox', { name: /^(Days|Max days)/ }).fill('45')
  await table.getByRole('textbox', { name: 'From' }).fill('01.02.2026')
  await expect(drawn.getByRole('listitem')).toContainText('45')
  await expect(drawn.getByRole('listitem')).toContainText('from 01.02.2026, until changed')
})

test('a partner’s postback URL is called once, and its response is shown [TRK-11] [ENT-17]', async () => {
  await page.goto('about:blank')
  await open('/partners', 'Postback URLs')
  const tester = region('Test an address')
  await tester.getByRole('button', { name: 'Send a test event' }).click()
  await expect(tester.getByRole('status')).toContainText(/Answered \d+ in \d+ ms|No answer/)
  await expect(tester.getByRole('status')).toContainText('Called')
})

test('managers are shown below a group, and selected among enabled managers, on the partner’s page and on the group’s [ENT-18] [ENT-19]', async () => {
  for (const [list, tab, add] of [
    ['/partners', 'Groups and managers', 'Add to a group'],
    ['/partner-groups', 'Partners', 'Add a partner'],
  ] as const) {
    await page.goto('about:blank')
    await open(list, tab)
    const manager = page.getByRole('button', { name: 'Add manager' })
    const adding = page.getByRole('button', { name: add })
    await expect(adding).toBeVisible()
    const groups = await manager.count()
    await adding.click()
    await expect(manager).toHaveCount(groups + 1)
    await manager.last().click()
    const asked = page.waitForRequest((request) => request.url().includes('/api/user?'))
    await page
      .getByRole('textbox', { name: /^Manager/ })
      .last()
      .click()
    const { searchParams } = new URL((await asked).url())
    expect([list, searchParams.get('filter[role.kind]'), searchParams.get('filter[enabled]')]).toEqual([
      list,
      'MANAGER',
      '1',
    ])
  }
  await page.goto('about:blank')
})

test('an advertiser’s page shows the advertiser link of each country [ENT-08]', async () => {
  await open('/advertisers', 'Countries')
  const preview = region('Where visitors go')
  await expect(preview.getByRole('listitem').first()).toContainText('click_id={click_id}')
})
