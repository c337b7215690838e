// Signs in through the screens, in each file as another admin: a code is valid once, so that one admin could sign in twice a minute.
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContextOptions, expect, type Page, test } from '@playwright/test'
import { adminOf, codeAt, STEP_MS } from './admins.ts'
import type { Credentials } from './product.ts'

/** The admin of this file, of the product that the whole run shares. */
export const admin = (): Credentials => adminOf(basename(test.info().file))

export async function enterCredentials(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel(/^(email|почта)$/i).fill(email)
  await page.getByLabel(/^(password|пароль)$/i).fill(password)
  await page.getByRole('button', { name: /continue|продолжить/i }).click()
}

export async function enterCode(page: Page, code: string): Promise<void> {
  await page.locator('input[inputmode="numeric"]').first().click()
  await page.keyboard.type(code)
}

/** Opens a new page, signed in and at this path. The caller closes its context. */
export async function openPage(browser: Browser, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(path)
  await signIn(page)
  await expect(page).toHaveURL((url) => url.pathname === path)
  return page
}

/** Signs in from the sign-in page. Tries codes one step early and late, then waits for the next one. */
export async function signIn(page: Page, { email, password, totpSecret }: Credentials = admin()): Promise<void> {
  await enterCredentials(page, email, password)
  await expect(page.locator('input[inputmode="numeric"]').first()).toBeVisible()
  await passSecondStep(page, totpSecret)
}

async function passSecondStep(page: Page, secret: string): Promise<void> {
  for (let attempt = 0; attempt < 4; attempt++) {
    const step = Math.floor(Date.now() / STEP_MS)
    const answer = page.waitForResponse((response) => response.url().includes('/api/token?'))
    await enterCode(page, codeAt(secret, attempt === 0 ? step - 1 : attempt === 1 ? step : step + 1))
    if ((await answer).ok()) return
    if (attempt > 1) await sleep(STEP_MS - (Date.now() % STEP_MS))
    await expect(page.getByRole('alert')).toBeVisible()
  }
  throw new Error('no code was accepted')
}

/** Signs in somebody who has no second factor yet: sets it up with the key on the screen, which is in English. */
export async function signInFirst(page: Page, email: string, password: string): Promise<void> {
  await enterCredentials(page, email, password)
  const secret = (await page.getByText(/^[A-Z2-7]{16,}$/).textContent()) ?? ''
  await enterCode(page, codeAt(secret, Math.floor(Date.now() / STEP_MS)))
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByRole('navigation', { name: 'Navigation' })).toBeVisible()
}
