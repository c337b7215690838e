// Accounts in a real browser: the second factor and its codes, password recovery, sessions; and an admin's actions on others' accounts
// and permissions, which apply at once on the other's screen.
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { apiOf, type Row } from './admin-api.ts'
import { readMail } from './mail-box.ts'
import { openEdit, unfold } from './page-parts.ts'
import { enterCode, enterCredentials, signIn } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let office: BrowserContext
let admin: Page
/** The user whose account is tested, on a screen as narrow as a phone's. */
let home: BrowserContext
let page: Page
let person: Row
let secret = ''
let codes: string[] = []
const mark = Date.now().toString(36)
const email = `mara-${mark}@tributary.example`
let password = 'First.Horse1'

test.beforeAll(async ({ browser }) => {
  office = await browser.newContext()
  admin = await office.newPage()
  await admin.goto('/users')
  await signIn(admin)
  await expect(admin).toHaveURL(/\/users/)
  const { options } = await apiOf(admin).done('GET', 'user_role?lookup=1&filter[kind]=MANAGER')
  const role = (options as Row[]).find(({ title }) => title === 'Manager')?.id
  person = await apiOf(admin).done('POST', 'user', { full_name: `Mara ${mark}`, email, password, role, enabled: true })
  home = await browser.newContext({ viewport: { width: 360, height: 740 } })
  page = await home.newPage()
})

test.afterAll(async () => {
  await home.close()
  await office.close()
})

const codeNow = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
const fits = async () =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
const button = (name: string | RegExp, within: Page = page) => within.getByRole('button', { name, exact: true })

async function enterByRecovery(target: string): Promise<void> {
  await page.goto(target)
  await enterCredentials(page, email, password)
  await button('Use a recovery code').click()
  await page.getByLabel('Recovery code').fill(codes.shift() ?? '')
  await button('Confirm').click()
}

async function forget(): Promise<void> {
  await page.goto('/403')
  await page.evaluate(() => localStorage.removeItem('token_data'))
}

async function setUpFactor(): Promise<void> {
  await page.goto('/auth/login?return=%2Foffers%3Flimit%3D20')
  await enterCredentials(page, email, password)
  await expect(page).toHaveURL(/\/auth\/qr-code/)
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await fits()
  await enterCode(page, codeNow())
  await expect(page.getByText('Save your recovery codes')).toBeVisible()
  codes = await page
    .getByRole('listitem')
    .filter({ hasText: /^\w{5}-\w{5}$/ })
    .allTextContents()
  await fits()
  await button('I have saved them').click()
  await expect(page).toHaveURL(/\/offers\?limit=20/)
}

test('a new user sets up the second factor by QR code or text, stores ten codes, and reaches the page they wanted [AUTH-03] [AUTH-08]', async () => {
  await setUpFactor()
  expect(codes).toHaveLength(10)
})

test('after signing in no return path leads to another site [AUTH-08]', async () => {
  const { origin } = new URL(page.url())
  // web/test/routes.test.ts knows more of them; these two are what a browser would leave the site for, or run.
  const baits = ['/\t/evil.example', 'javascript:window.ran=1']
  const seen: string[] = []
  home.on('request', (request) => {
    if (!request.url().startsWith(origin) && /^https?:/.test(request.url())) seen.push(request.url())
  })
  for (const bait of baits) {
    await forget()
    await enterByRecovery(`/auth/login?return=${encodeURIComponent(bait)}`)
    await expect(page).not.toHaveURL(/\/auth\//)
    expect([bait, new URL(page.url()).origin]).toEqual([bait, origin])
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  }
  await forget()
  expect(seen).toEqual([])
})

test('password recovery: an unknown email is rejected, a mailed link sets a password once and ends other sessions [AUTH-05] [AUTH-06] [AUTH-07]', async () => {
  await enterByRecovery('/auth/login')
  await expect(page).toHaveURL(/\/offers/)
  const stranger = await home.browser()?.newPage({ viewport: { width: 360, height: 740 } })
  if (stranger === undefined) throw new Error('no browser')
  await stranger.goto('/auth/login')
  await stranger.getByRole('link', { name: 'Forgot the password?' }).click()
  await expect(stranger.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
  await stranger.getByLabel('Email').fill(`nobody-${mark}@tributary.example`)
  await button('Send the link', stranger).click()
  await expect(stranger.getByText('Email not found. Try again!')).toBeVisible()
  await stranger.getByLabel('Email').fill(email)
  await button('Send the link', stranger).click()
  await expect(stranger.getByText('Check your email')).toBeVisible()
  const link = await readMail(email, /https?:\/\/\S+\/auth\/recovery-password\/[\w-]+/)
  await stranger.goto(link)
  expect(await stranger.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  const typed = stranger.getByLabel('New password', { exact: true })
  const repeated = stranger.getByLabel('Repeat password', { exact: true })
  await typed.fill('short')
  await expect(stranger.getByText(/8/).last()).toBeVisible()
  await typed.fill(password)
  await repeated.fill(`${password}x`)
  await expect(stranger.getByText('The passwords must match')).toBeVisible()
  await repeated.fill(password)
  await button('Set password', stranger).click()
  await expect(stranger.getByRole('alert')).toContainText('The password was used before')
  await button('Generate', stranger).click()
  password = await typed.inputValue()
  expect(await repeated.inputValue()).toBe(password)
  await button('Set password', stranger).click()
  await expect(stranger.getByText('The password is set. Sign in with it.')).toBeVisible()
  await stranger.goto(link)
  await button('Generate', stranger).click()
  await button('Set password', stranger).click()
  await expect(stranger.getByRole('alert')).toBeVisible()
  await stranger.close()
  await expect(page).toHaveURL(/\/auth\/login/)
})

test('a user sees their sessions and ends another one [AUTH-17]', async ({ browser }) => {
  await enterByRecovery('/auth/login?return=%2Faccount')
  await expect(page).toHaveURL(/\/account/)
  const phone = await browser.newPage()
  await phone.goto('/auth/login')
  await enterCredentials(phone, email, password)
  await button('Use a recovery code', phone).click()
  await phone.getByLabel('Recovery code').fill(codes.shift() ?? '')
  await button('Confirm', phone).click()
  await expect(phone).toHaveURL(/\/offers/)
  await page.reload()
  await expect(page.getByText('This device')).toBeVisible()
  await fits()
  await expect(button('End session')).toHaveCount(1)
  await button('End session').click()
  await expect(page.getByText('Session ended').last()).toBeVisible()
  await expect(phone).toHaveURL(/\/auth\/login/)
  await phone.close()
})

test('a user who may view but not create offers sees neither Create nor Save [LIST-01] [FORM-01] [PERM-02]', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/offers')
  await expect(page.locator('a[data-row]').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'New offer' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Actions on/ })).toHaveCount(0)
  await page.locator('a[data-row]').first().click()
  await openEdit(page)
  await expect(page).toHaveURL(/\/offers\/\d+\/edit/)
  await expect(button('History')).toBeVisible()
  await expect(button('Save')).toHaveCount(0)
  await expect(button('Save and back')).toHaveCount(0)
  await page.goto('/offers/create')
  await expect(page).toHaveURL(/\/403/)
})

test('permissions that an admin changes apply at once on the other’s screen, without a reload [AUTH-12] [PERM-05]', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/offers')
  const menu = page.getByRole('navigation')
  await unfold(page, 'Directory')
  await expect(menu.getByRole('link', { name: 'Landings' })).toBeVisible()
  await page.evaluate(() => Object.assign(window, { isTheSamePage: true }))
  await admin.goto(`/users/${person.id}/edit?tab=permissions`)
  await admin.getByRole('switch', { name: /^Own permissions/ }).click()
  await admin
    .getByRole('checkbox', { name: /^View landings|^Landings: view|landing/i })
    .first()
    .uncheck()
  await expect(admin.getByText(/^Differences from the role: \d/)).toBeVisible()
  await expect(admin.getByText('less than the role').first()).toBeVisible()
  await button('Save', admin).click()
  await expect(menu.getByRole('link', { name: 'Landings' })).toBeHidden()
  await expect(menu.getByRole('link', { name: 'Offers', exact: true })).toBeVisible()
  expect(await page.evaluate(() => 'isTheSamePage' in window)).toBe(true)
  await page.goto('/landings')
  await expect(page).toHaveURL(/\/403/)
})

test('an admin views as another user: a banner shows it, changes are rejected, and the audit log records it [PERM-07]', async () => {
  await admin.goto(`/users/${person.id}/edit`)
  await button('View as this user', admin).click()
  const banner = admin
    .getByRole('status')
    .filter({ hasText: `You are viewing as Mara ${mark}. Nothing can be changed.` })
  const menu = admin.getByRole('navigation')
  await expect(banner).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Offers', exact: true })).toBeVisible()
  await unfold(admin, 'Directory')
  await expect(menu.getByRole('link', { name: 'Landings' })).toHaveCount(0)
  await admin.goto('/account')
  await expect(banner).toBeVisible()
  const view = { list: 'offer', title: `Seen ${mark}`, state: {} }
  const refused = await apiOf(admin).ask('POST', 'saved_view', view)
  expect([refused.status, refused.body.code]).toEqual([403, 'view_only'])
  await banner.getByRole('button', { name: 'Stop viewing' }).click()
  await expect(admin).toHaveURL(/\/users/)
  await unfold(admin, 'Administration')
  await expect(menu.getByRole('link', { name: 'Roles' })).toBeVisible()
  await expect(banner).toHaveCount(0)
  const mine = `filter[entity]=user&filter[entity_id]=${person.id}&filter[action]=access`
  const { items } = await apiOf(admin).done('GET', `audit_log?${mine}&limit=2&order[at]=DESC`)
  expect((items as Row[]).map(({ cause, user }) => [cause, (user as Row).id === person.id])).toEqual([
    ['an admin no longer looks on as this user', false],
    ['an admin looks on as this user', false],
  ])
})

test('resetting a second factor signs the user out at once, and they set it up anew [AUTH-03] [AUTH-17]', async () => {
  await page.goto('/offers')
  await expect(page.getByRole('heading', { name: 'Offers', level: 1 })).toBeVisible()
  await admin.goto(`/users/${person.id}/edit`)
  await button('Reset the second factor', admin).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Reset the second factor' }).click()
  await expect(admin.getByText('Second factor reset').last()).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/login/)
  await page.setViewportSize({ width: 360, height: 740 })
  const before = secret
  await setUpFactor()
  expect(secret).not.toBe(before)
})

test('a disabled user is signed out at once on every screen and cannot sign in again [AUTH-16]', async () => {
  await expect(page).toHaveURL(/\/offers/)
  await admin.goto(`/users/${person.id}/edit`)
  await admin.getByRole('switch', { name: /^Active/ }).click()
  await button('Save', admin).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  await enterCredentials(page, email, password)
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password!')
})

test('a role’s tree ticks the permissions that one needs and clears those that depend on it; a built-in role cannot be deleted [PERM-01] [PERM-04]', async () => {
  await admin.goto('/roles/create')
  const choose = async (kind: string) => {
    await admin.getByLabel(/^Kind/).first().click()
    await admin.getByRole('option', { name: kind, exact: true }).click()
  }
  // A new role must not start as ADMIN.
  await expect(admin.getByRole('group', { name: 'Budget plan' })).toBeVisible()
  await choose('Partner')
  await expect(admin.getByRole('group', { name: 'Offers and partner offers' })).toBeVisible()
  await expect(admin.getByRole('group', { name: 'Budget plan' })).toHaveCount(0)
  await choose('Manager')
  const partners = admin.getByRole('group', { name: 'Partners', exact: true })
  await partners.getByRole('checkbox').nth(2).check()
  await expect(partners.getByRole('checkbox', { checked: true })).toHaveCount(3)
  await partners.getByRole('checkbox').first().uncheck()
  await expect(partners.getByRole('checkbox', { checked: true })).toHaveCount(0)
  expect(await admin.getByRole('checkbox').count()).toBeGreaterThan(20)
  await admin.goto('/roles')
  await admin.getByRole('link', { name: 'Manager', exact: true }).click()
  await expect(admin.getByText('Built in: it cannot be deleted.')).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Delete' })).toHaveCount(0)
})
