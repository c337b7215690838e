// Tests in a real Chromium against the real product. A test that fails is tried once more; if it passes then, the end of the run
// lists it as flaky. A failure leaves a screenshot and the page's text in .cache/e2e;
// `npm test -- e2e <file> --trace=retain-on-failure` also records every step, which takes a quarter longer.
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const executablePath = process.env.CHROMIUM_PATH
/** Walks over all routes, which take many minutes: `AXE_ALL=1 npm test -- e2e axe-`. */
const LONG = process.env.AXE_ALL === '1' ? [] : ['**/axe-*.spec.ts']

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: join(import.meta.dirname, '../.cache/e2e'),
  globalSetup: './global-setup.ts',
  // Long files with their own product start first, so that the run does not wait for them at its end.
  projects: [
    { name: 'alone', testMatch: ['**/story.spec.ts', '**/hostile.spec.ts'] },
    { name: 'shared', testIgnore: ['**/story.spec.ts', '**/hostile.spec.ts', ...LONG] },
  ],
  workers: 2,
  retries: 1,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: process.env.E2E_BASE_URL ?? '',
    locale: 'en-GB',
    timezoneId: 'Europe/Kyiv',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    actionTimeout: 45_000,
    launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
  },
})
