// Signing in and out: two steps, the return path, silent renewal in two tabs.
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { findBarriers, unfold } from './page-parts.ts'
import { admin, enterCode, enterCredentials, signIn } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let context: BrowserContext
let page: Page

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext()
  page = await context.newPage()
})

test.afterAll(() => context.close())

/** Makes the access token invalid for all tabs, as if it had expired after 15 minutes. */
async function spoilToken(): Promise<void> {
  await page.evaluate(() => {
    const held = JSON.parse(localStorage.getItem('token_data') ?? '{}')
    localStorage.setItem('token_data', JSON.stringify({ ...held, token: 'worn-out' }))
  })
}

test('a visit without a session goes to sign-in with path and query [AUTH-08]', async () => {
  await page.goto('/traffic-sources?page=1')
  await expect(page).toHaveURL(/\/auth\/login\?return=/)
  expect(new URL(page.url()).searchParams.get('return')).toBe('/traffic-sources?page=1')
  await expect(page).toHaveTitle(/^Sign in · /)
})

test('each input error has its own message, in both languages [AUTH-04] [I18N-01]', async () => {
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Invalid email')).toBeVisible()
  await expect(page.getByText('Invalid password')).toBeVisible()
  await enterCredentials(page, admin().email, 'not-the-password')
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password!')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: 'Русский' }).click()
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible()
  await enterCredentials(page, admin().email, 'not-the-password')
  await expect(page.getByRole('alert')).toHaveText('Неверная почта или пароль!')
  await page.getByRole('button', { name: 'Язык' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await enterCredentials(page, admin().email, admin().password)
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
  await enterCode(page, '000000')
  await expect(page.getByRole('alert')).toHaveText('Invalid or outdated code!')
})

test('after both steps the requested page opens; the profile decides the menu [AUTH-02] [AUTH-08] [AUTH-11] [NAV-05]', async () => {
  await page.reload()
  await signIn(page)
  await expect(page).toHaveURL(/\/traffic-sources\?page=1/)
  await expect(page).toHaveTitle(/^Traffic sources · /)
  await unfold(page, 'Administration')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Roles' })).toBeVisible()
})

test('a signed-in user does not see the sign-in pages [AUTH-01]', async () => {
  for (const path of ['/auth/login', '/auth/restore', '/auth/recovery-password/abc', '/auth/qr-code', '/']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/offers/)
  }
})

test('an unknown path is /404, and 403 and 404 need no session [NAV-01]', async ({ browser }) => {
  await page.goto('/no-such-screen')
  await expect(page).toHaveURL(/\/404$/)
  await expect(page.getByRole('navigation', { name: 'Navigation' })).toBeVisible()
  const stranger = await browser.newPage()
  await stranger.goto('/403')
  await expect(stranger.getByRole('heading', { name: 'Access forbidden' })).toBeVisible()
  await stranger.goto('/404')
  await expect(stranger.getByRole('heading', { name: 'This page does not exist' })).toBeVisible()
  await stranger.close()
})

test('two tabs renew an expired token at once, get the same new one, and stay signed in [AUTH-09] [AUTH-13]', async () => {
  await page.goto('/traffic-sources')
  const other = await context.newPage()
  await other.goto('/landings')
  await expect(other.getByRole('heading', { name: 'Landings' })).toBeVisible()
  const renewals: number[] = []
  context.on('response', (response) => {
    if (response.url().endsWith('/api/token/refresh')) renewals.push(response.status())
  })
  // A page without the product's code, so that both tabs request a renewal at the same time.
  await Promise.all([page.goto('/api/health/live'), other.goto('/api/health/live')])
  await spoilToken()
  await Promise.all([page.goto('/traffic-sources'), other.goto('/landings')])
  await expect(page.getByRole('heading', { name: 'Traffic sources' })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Landings' })).toBeVisible()
  const held = (tab: Page) => tab.evaluate(() => localStorage.getItem('token_data'))
  await expect.poll(async () => (await held(page)) === (await held(other))).toBe(true)
  expect(await held(page)).not.toContain('worn-out')
  // Usually one renewal; a tab that learns late of the other's tokens may send a second one, which returns the same tokens.
  expect(new Set(renewals)).toEqual(new Set([200]))
  expect(renewals.length).toBeLessThanOrEqual(2)
  await other.close()
})

test('the palette finds a screen by the keyboard alone [NAV-11]', async () => {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('currenc')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/currencies/)
})

test('`g` and a letter open an area, `/` focuses the search of the page [NAV-11]', async () => {
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/partners/)
  await expect(page.getByRole('heading', { name: 'Partners', level: 1 })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.locator('input[data-search]')).toBeFocused()
})

test('signing out in one tab ends it in all, and the server forgets the session [AUTH-10]', async () => {
  const other = await context.newPage()
  await other.goto('/landings')
  await expect(other.getByRole('heading', { name: 'Landings' })).toBeVisible()
  const held = await page.evaluate(() => localStorage.getItem('token_data'))
  await page.getByRole('button', { name: /^Profile/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(other).toHaveURL(/\/auth\/login/)
  const { token } = JSON.parse(held ?? '{}') as { token: string }
  const answer = await page.request.get('/api/profile', { headers: { Authorization: `Bearer ${token}` } })
  expect(answer.status()).toBe(401)
})

test('the sign-in page works at 360 px and in the dark [NAV-10]', async ({ browser }) => {
  const narrow = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  const small = await narrow.newPage()
  await small.goto('/auth/login')
  await expect(small.getByRole('button', { name: 'Continue' })).toBeVisible()
  expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await expect(small.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await narrow.close()
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`the sign-in and error pages have no barriers that axe finds, ${colorScheme} [NAV-10]`, async ({ browser }) => {
    const visitor = await browser.newContext({ colorScheme })
    const seen = await visitor.newPage()
    for (const path of ['/auth/login', '/403', '/404']) {
      await seen.goto(path)
      await expect(seen.getByRole('heading', { level: 1 })).toBeVisible()
      // Only contrasts depend on the theme.
      expect(await findBarriers(seen, colorScheme === 'dark' ? { rules: ['color-contrast'] } : {})).toEqual([])
    }
    await visitor.close()
  })
