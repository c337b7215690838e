import { afterEach, expect, test, vi } from 'vitest'
import { ensureChromium } from './chromium.mjs'

afterEach(() => vi.unstubAllEnvs())

test('a named Chromium is taken as it is [SYS-01]', async () => {
  vi.stubEnv('CHROMIUM_PATH', process.execPath)
  expect(await ensureChromium()).toBe(process.execPath)
})

test('a named Chromium that does not start is an error, not a reason to look elsewhere [SYS-01]', async () => {
  vi.stubEnv('CHROMIUM_PATH', '/nowhere/chromium')
  await expect(ensureChromium()).rejects.toThrow('/nowhere/chromium')
})
