// The screens of signed-out users, and the first half of the routes.
import { expect, test } from '@playwright/test'
import { checkHalf, findGrave, showIn } from './axe-routes.ts'

// A second try would take as long and find the same.
test.describe.configure({ retries: 0 })

test('axe finds nothing serious on the first half of the routes, their menus and both themes [NAV-10]', ({ browser }) =>
  checkHalf(browser, 0))

test('axe finds nothing serious before the sign-in, in both themes [NAV-10]', async ({ browser }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const found: string[] = []
  for (const path of ['/auth/login', '/auth/restore', '/auth/recovery-password/wrong', '/verify', '/404']) {
    await page.goto(path)
    await page.locator('h1').first().waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await showIn(page, colorScheme)
      found.push(...(await findGrave(page, `${path}, ${colorScheme}`)))
    }
  }
  await context.close()
  expect(found).toEqual([])
})
