// A real Chromium against the real product. No retries: a flaky test is a failed one.
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

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: join(import.meta.dirname, '../.cache/e2e'),
  globalSetup: './global-setup.ts',
  // What it leaves behind is in nobody's way: it comes when all else is done.
  projects: [
    { name: 'product', testIgnore: '**/hostile.spec.ts' },
    { name: 'hostile', testMatch: '**/hostile.spec.ts', dependencies: ['product'] },
  ],
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: process.env.E2E_BASE_URL ?? '',
    locale: 'en-GB',
    timezoneId: 'Europe/Kyiv',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    actionTimeout: 45_000,
    launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
  },
})
