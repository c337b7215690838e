// The status of the installation, as an admin reads it: on a desk, on a phone, in both languages, and when something is wrong.
import { expect, type Page, test } from '@playwright/test'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { apiOf, type Row } from './admin-api.ts'
import { expectNoSidewaysScroll, findBarriers } from './page-parts.ts'
import { openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let page: Page

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/status', { viewport: { width: 1440, height: 900 } })
  const { items } = await apiOf(page).done('GET', 'offer_partner?limit=1&filter[active]=1&filter[state]=approved')
  const [offerPartner] = items as Row[]
  await page.request.get(String(offerPartner?.partner_link), { maxRedirects: 0 })
})

test.afterAll(() => page.context().close())

const part = (name: string) => page.locator('main').getByRole('region', { name, exact: true })

test('an admin sees that the product is ready, its numbers, and when each job runs next, without barriers [SYS-04]', async () => {
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Ready')
  await expect(part('Clicks')).toContainText(/Redirected\s*\d/)
  await expect(part('Machine')).toContainText(/\d GB of/)
  const row = part('Jobs').getByRole('row', { name: /Find alerts/ })
  await expect(row).toContainText(/\d\d\.\d\d\.\d{4} \d\d:\d0:00/)
  await expect(part('Scheduled')).toContainText('Daily back-up')
  expect(await findBarriers(page, { within: 'main' })).toEqual([])
})

test('on a phone, in Russian, the page does not scroll sideways [SYS-04] [NAV-10]', async () => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.evaluate(() => localStorage.setItem('language', JSON.stringify('ru')))
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Готов')
  await expect(part('Задания')).toContainText('Найти предупреждения')
  await expectNoSidewaysScroll(page)
  await page.evaluate(() => localStorage.setItem('language', JSON.stringify('en')))
})

test('the page names missing parts, a failed job and the last errors [SYS-04]', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.route('**/api/status', async (route) => {
    const answer = await route.fetch()
    const status = (await answer.json()) as AnswerOf<'status_read'>
    const jobs = status.jobs.map((job) =>
      job.name === 'send-report' ? { ...job, dead: 2, last_error: 'the mail server is away' } : job,
    )
    const problem = { process: 'tracker 1', message: 'clicks were not recorded', error: 'no space left', job: null }
    const problems = [{ at: status.at, level: 'error' as const, request_id: null, ...problem }]
    await route.fulfill({ json: { ...status, missing: ['record'], jobs, problems } })
  })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Not ready')
  await expect(page.getByText('PostgreSQL cannot store new rows. Is the disk full?')).toBeVisible()
  await expect(part('Jobs').getByRole('row', { name: /Email a report/ })).toContainText('the mail server is away')
  await expect(part('Last errors').getByRole('row', { name: /clicks were not recorded/ })).toContainText('tracker 1')
})
