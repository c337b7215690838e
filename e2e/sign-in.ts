// Signs in as a product's first admin through the screens. A code is valid once, so parallel tests take turns.
import { mkdir, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { Credentials } from './product.ts'

const TURN_MS = 150

function known(name: 'E2E_EMAIL' | 'E2E_PASSWORD' | 'E2E_TOTP_SECRET'): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: the product is started by global-setup.ts`)
  return value
}

/** The admin of the product that the whole run shares. */
export const admin = (): Credentials => ({
  email: known('E2E_EMAIL'),
  password: known('E2E_PASSWORD'),
  totpSecret: known('E2E_TOTP_SECRET'),
})

function codeAt(secret: string, step: number): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: step * 30_000 })
}

/** Runs in one process at a time: creating a folder succeeds only once. */
async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  const place = join(tmpdir(), `tributary-e2e-turn-${process.ppid}`)
  for (;;) {
    try {
      await mkdir(place)
      break
    } catch {
      await sleep(TURN_MS)
    }
  }
  try {
    return await work()
  } finally {
    await rmdir(place)
  }
}

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
  await takeTurn(() => passSecondStep(page, totpSecret))
}

async function passSecondStep(page: Page, secret: string): Promise<void> {
  for (let attempt = 0; attempt < 4; attempt++) {
    const step = Math.floor(Date.now() / 30_000)
    const answer = page.waitForResponse((response) => response.url().includes('/api/token?'))
    await enterCode(page, codeAt(secret, attempt === 0 ? step - 1 : attempt === 1 ? step : step + 1))
    if ((await answer).ok()) return
    if (attempt > 1) await sleep(30_000 - (Date.now() % 30_000))
    await expect(page.getByRole('alert')).toBeVisible()
  }
  throw new Error('no code was accepted')
}
