// Measures the size of the first screens and their Lighthouse score, with the real product, its small demo and a desktop browser.
// JS and CSS are counted compressed, from the sign-in to the first report; "on the wire" adds their headers. Answers of the API do not count.
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
/** One screen of each kind. The worst of them counts. */
const OTHERS = [
  '/dashboard',
  '/offer-partners',
  '/offer-partners/1',
  '/offer-partners/1/edit',
  '/players',
  '/clicks',
  '/cohort-analysis',
  '/partners-spends',
  '/budget-plan',
  '/settings',
]
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
    const others: Verdict[] = []
    for (const path of OTHERS) others.push(await judge(`${product.baseUrl}${path}`, port, 1))
    await context.close()
    return [
      { name: 'screens.kilobytes', value: weight.bytes / 1000, unit: 'kB' },
      { name: 'screens.kilobytes_on_the_wire', value: weight.wire / 1000, unit: 'kB' },
      { name: 'screens.files', value: weight.files, unit: '' },
      { name: 'screens.machine', value: signInPage.machine, unit: 'index' },
      { name: 'screens.sign_in_performance', value: signInPage.performance, unit: 'of 100' },
      { name: 'screens.sign_in_accessibility', value: signInPage.accessibility, unit: 'of 100' },
      { name: 'screens.report_performance', value: report.performance, unit: 'of 100' },
      { name: 'screens.report_accessibility', value: report.accessibility, unit: 'of 100' },
      { name: 'screens.others_performance', value: least(others, 'performance'), unit: 'of 100' },
      { name: 'screens.others_accessibility', value: least(others, 'accessibility'), unit: 'of 100' },
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

async function weighFirstReport(product: Product): Promise<{ bytes: number; wire: number; files: number }> {
  const browser = await chromium.launch(launchOptions([]))
  const page = await browser.newPage()
  const wire = await page.context().newCDPSession(page)
  await wire.send('Network.enable')
  /** Bytes of the headers, by request. */
  const assets = new Map<string, number>()
  let [all, headers] = [0, 0]
  wire.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script' || type === 'Stylesheet') assets.set(requestId, response.encodedDataLength)
  })
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const ofHeaders = assets.get(requestId)
    if (ofHeaders === undefined) return
    all += encodedDataLength
    headers += ofHeaders
  })
  await signIn(page, product)
  await browser.close()
  return { bytes: all - headers, wire: all, files: assets.size }
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
  /** Lighthouse's index of the machine's speed. Below 1,000 it warns that its scores are too low. */
  readonly machine: number
}

const least = (verdicts: readonly Verdict[], name: keyof Verdict): number =>
  Math.min(...verdicts.map((verdict) => verdict[name]))

async function judge(url: string, port: number, runs = RUNS): Promise<Verdict> {
  const scores: Verdict[] = []
  for (let i = 0; i < runs; i++) {
    const answer = await lighthouse(
      url,
      { port, logLevel: 'error', onlyCategories: ['performance', 'accessibility'], disableStorageReset: true },
      desktopConfig,
    )
    const { performance, accessibility } = answer?.lhr.categories ?? {}
    console.log(
      `  ${new URL(url).pathname}: ${METRICS.map((id) => `${id} ${answer?.lhr.audits[id]?.displayValue}`).join(', ')}`,
    )
    scores.push({
      performance: (performance?.score ?? 0) * 100,
      accessibility: (accessibility?.score ?? 0) * 100,
      machine: answer?.lhr.environment.benchmarkIndex ?? 0,
    })
  }
  return {
    performance: median(scores.map((score) => score.performance)),
    accessibility: median(scores.map((score) => score.accessibility)),
    machine: median(scores.map((score) => score.machine)),
  }
}
