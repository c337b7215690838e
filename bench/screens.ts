// Measures the size of the first screens and their Lighthouse score, with the real product, its small demo and a desktop browser.
// JS and CSS are counted as they come over the wire, from the sign-in to the first report; requests of the API do not count.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import lighthouse, { desktopConfig } from 'lighthouse'
import { Secret, TOTP } from 'otpauth'
import { type Product, startProduct } from '../e2e/product.ts'
import { enterCode, enterCredentials } from '../e2e/sign-in.ts'
import { type Figure, median } from './figure.ts'

const RUNS = 3
const SETTLED_MS = 1500
const NEXT_CODE_MS = 31_000
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function run(): Promise<Figure[]> {
  const product = await startProduct()
  const profile = await mkdtemp(join(tmpdir(), 'tributary-screens-'))
  const port = 9300 + (process.pid % 500)
  try {
    const weight = await weighFirstReport(product)
    const context = await openBrowser(profile, port)
    const signInPage = await judge(`${product.baseUrl}/auth/login`, port)
    // A code counts once: the next sign-in takes the next one.
    await sleep(NEXT_CODE_MS)
    const page = await context.newPage()
    await signIn(page, product)
    await page.close()
    const report = await judge(`${product.baseUrl}/general-report`, port)
    await context.close()
    return [
      { name: 'screens.kilobytes', value: weight.bytes / 1000, unit: 'kB' },
      { name: 'screens.files', value: weight.files, unit: '' },
      { name: 'screens.sign_in_performance', value: signInPage.performance, unit: 'of 100' },
      { name: 'screens.sign_in_accessibility', value: signInPage.accessibility, unit: 'of 100' },
      { name: 'screens.report_performance', value: report.performance, unit: 'of 100' },
      { name: 'screens.report_accessibility', value: report.accessibility, unit: 'of 100' },
    ]
  } finally {
    await product.stop()
    await rm(profile, { recursive: true, force: true })
  }
}

const launchOptions = (args: readonly string[]) => ({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: [...FLAGS, ...args, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
})

/** Keeps its storage between Lighthouse's runs. */
function openBrowser(profile: string, port: number): Promise<BrowserContext> {
  const options = launchOptions([`--remote-debugging-port=${port}`])
  return chromium.launchPersistentContext(profile, { ...options, viewport: { width: 1440, height: 900 } })
}

async function weighFirstReport(product: Product): Promise<{ bytes: number; files: number }> {
  const browser = await chromium.launch(launchOptions([]))
  const page = await browser.newPage()
  const wire = await page.context().newCDPSession(page)
  await wire.send('Network.enable')
  const assets = new Set<string>()
  let bytes = 0
  wire.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script' || type === 'Stylesheet') assets.add(requestId)
  })
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (assets.has(requestId)) bytes += encodedDataLength
  })
  await signIn(page, product)
  await browser.close()
  return { bytes, files: assets.size }
}

async function signIn(page: Page, { baseUrl, credentials }: Product): Promise<void> {
  await page.goto(`${baseUrl}/general-report`)
  await enterCredentials(page, credentials.email, credentials.password)
  await enterCode(page, new TOTP({ secret: Secret.fromBase32(credentials.totpSecret) }).generate())
  await page.waitForURL(/general-report/)
  await page.getByRole('row').nth(1).waitFor()
  await page.waitForTimeout(SETTLED_MS)
}

/** What the score of performance is made of. */
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
  'speed-index',
]

interface Verdict {
  readonly performance: number
  readonly accessibility: number
}

async function judge(url: string, port: number): Promise<Verdict> {
  const scores: Verdict[] = []
  for (let i = 0; i < RUNS; i++) {
    const answer = await lighthouse(
      url,
      { port, logLevel: 'error', onlyCategories: ['performance', 'accessibility'], disableStorageReset: true },
      desktopConfig,
    )
    const { performance, accessibility } = answer?.lhr.categories ?? {}
    console.log(
      `  ${new URL(url).pathname}: ${METRICS.map((id) => `${id} ${answer?.lhr.audits[id]?.displayValue}`).join(', ')}`,
    )
    scores.push({ performance: (performance?.score ?? 0) * 100, accessibility: (accessibility?.score ?? 0) * 100 })
  }
  return {
    performance: median(scores.map((score) => score.performance)),
    accessibility: median(scores.map((score) => score.accessibility)),
  }
}
