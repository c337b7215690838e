// `npm run pictures [guide | <part of a path>…]`: photographs the demo. The guide's pictures go into docs/guide; those of every screen in
// both themes, both languages and two widths go into .cache/pictures, to be looked at.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { LANGUAGES, type Language } from '@tributary/contract/language'
import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { everyAddress, openRoute } from './every-route.ts'
import { type Product, startProduct } from './product.ts'
import { signIn, signInFirst } from './sign-in.ts'

const ROOT = join(import.meta.dirname, '..')
const ALL_DIR = join(ROOT, '.cache/pictures')
const WIDTHS = [1440, 390]
const SCHEMES = ['light', 'dark'] as const
/** What the table of routes does not name: views of a list, side panels and filters in the address. */
const UNROUTED = [
  '/partners-spends?view=table&partner=1',
  '/partner-ledger?partner=1',
  '/statements?row=1',
  '/ledger-entries?row=1',
  '/404',
]

const monthAgo = addDays(today(DEFAULT_ZONE), -30)
/** The pictures of the guide, by name. An address that ends with a slash means the first record of the list. */
const OF_GUIDE: Readonly<Record<string, string>> = {
  report: `/general-report?by=partner.offer&from=${monthAgo}&to=${addDays(today(DEFAULT_ZONE), -1)}`,
  cohorts: '/cohort-analysis',
  postbacks: '/postbacks',
  'partner-offer': '/offer-partners/',
  list: '/offers',
  players: '/players',
  clicks: '/clicks',
  partners: '/partners/',
  advertisers: '/advertisers/',
  offers: '/offers/',
  finance: '/finance-overview',
  spends: '/partners-spends',
  budgets: '/budget-plan',
  closing: '/period-closes',
  statements: '/statements',
  costs: '/costs-report',
  'player-reports': '/players-reports',
  directory: '/traffic-sources',
  users: '/users',
  'audit-log': '/audit-log',
  settings: '/settings',
  status: '/status',
  account: '/account',
  trace: '/players/',
  // Last, because the players API is asked for the newest income after the start.
  dashboard: '/dashboard',
}
const PARTNER = 'northwind.media@tributary.example'

interface Look {
  readonly language: Language
  readonly scheme: (typeof SCHEMES)[number]
  readonly width: number
}

async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('h1').first().waitFor()
  await page
    .locator('[aria-busy="true"]')
    .first()
    .waitFor({ state: 'detached', timeout: 20_000 })
    .catch(() => undefined)
  // Charts and late parts.
  await page.waitForTimeout(1200)
}

/** A context of its own for each look; sessions are shared, because codes are valid once. */
async function contextFor(browser: Browser, { baseUrl }: Product, look: Look, signedIn: BrowserContext) {
  const context = await browser.newContext({
    baseURL: baseUrl,
    storageState: await signedIn.storageState(),
    viewport: { width: look.width, height: look.width > 1000 ? 900 : 844 },
    colorScheme: look.scheme,
    locale: 'en-GB',
    timezoneId: DEFAULT_ZONE,
    reducedMotion: 'reduce',
  })
  await context.addInitScript((language) => localStorage.setItem('language', JSON.stringify(language)), look.language)
  return context
}

/** Pictures of the guide are small: WebP, which only the protocol of the browser offers. */
async function photographGuide(browser: Browser, product: Product, signedIn: BrowserContext): Promise<void> {
  for (const language of LANGUAGES) {
    const context = await contextFor(browser, product, { language, scheme: 'light', width: 1200 }, signedIn)
    const page = await context.newPage()
    await page.setViewportSize({ width: 1200, height: 720 })
    for (const [name, path] of Object.entries(OF_GUIDE)) {
      const address = path.endsWith('/') ? await firstRecord(page, path.slice(0, -1)) : path
      await openScreen(page, name === 'trace' ? `/trace?id=${address.split('/').at(-1)}` : address)
      await photographFor(page, language, name)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('northwind')
    await page.getByRole('dialog').getByRole('option', { name: 'Northwind Media' }).first().waitFor()
    await page.waitForTimeout(500)
    await photographFor(page, language, 'start')
    await keepSession(context, signedIn)
  }
}

/** What only partners see. */
async function photographPartner(browser: Browser, { baseUrl, credentials }: Product): Promise<void> {
  const context = await browser.newContext({ baseURL: baseUrl, timezoneId: DEFAULT_ZONE, locale: 'en-GB' })
  const page = await context.newPage()
  await page.setViewportSize({ width: 1200, height: 720 })
  await page.goto('/')
  await signInFirst(page, PARTNER, credentials.password)
  for (const language of LANGUAGES) {
    await page.evaluate((chosen) => localStorage.setItem('language', JSON.stringify(chosen)), language)
    await openScreen(page, '/billing')
    await photographFor(page, language, 'billing')
  }
  await context.close()
}

async function photographFor(page: Page, language: Language, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 55 })
  writeFileSync(join(ROOT, 'docs/guide', language, `${name}.webp`), Buffer.from(data, 'base64'))
}

/** Tokens are renewed while pictures are taken: the next context needs the newest ones. */
async function keepSession(context: BrowserContext, signedIn: BrowserContext): Promise<void> {
  const { origins } = await context.storageState()
  await context.close()
  const items = origins.flatMap(({ localStorage }) => localStorage)
  const [page] = signedIn.pages()
  await page?.evaluate((kept) => {
    for (const { name, value } of kept) localStorage.setItem(name, value)
  }, items)
}

async function firstRecord(page: Page, list: string): Promise<string> {
  await openScreen(page, list)
  return (await page.locator('main a[data-row]').first().getAttribute('href')) ?? list
}

async function photographAll(browser: Browser, product: Product, signedIn: BrowserContext, parts: string[]) {
  const [first] = signedIn.pages()
  if (first === undefined) return
  const paths = [...(await everyAddress(first)), ...UNROUTED].filter(
    (path) => parts.length === 0 || parts.some((part) => path.includes(part)),
  )
  mkdirSync(ALL_DIR, { recursive: true })
  for (const language of LANGUAGES)
    for (const scheme of SCHEMES)
      for (const width of WIDTHS) {
        const context = await contextFor(browser, product, { language, scheme, width }, signedIn)
        const page = await context.newPage()
        await openScreen(page, '/account')
        for (const path of paths) {
          const file = `${path.replaceAll(/\W+/g, '-').replace(/^-/, '')}.${language}.${scheme}.${width}.png`
          try {
            await openRoute(page, path)
          } catch (error) {
            console.error(`${path}: ${String(error).split('\n')[0]}`)
          }
          await page.screenshot({ path: join(ALL_DIR, file) })
        }
        await keepSession(context, signedIn)
        console.log(`${language}, ${scheme}, ${width}: ${paths.length} pictures`)
      }
  console.log(`They are in ${ALL_DIR}`)
}

const parts = process.argv.slice(2)
const product = await startProduct({ hasClosedMonths: true })
const browser = await chromium.launch({
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
})
try {
  const signedIn = await browser.newContext({ baseURL: product.baseUrl })
  const page = await signedIn.newPage()
  await page.goto('/offers')
  await signIn(page, product.credentials)
  await page.getByRole('navigation').first().waitFor()
  if (parts.length === 0 || parts.includes('guide')) {
    await photographGuide(browser, product, signedIn)
    await photographPartner(browser, product)
  }
  const others = parts.filter((part) => part !== 'guide')
  if (parts.length === 0 || others.length > 0) await photographAll(browser, product, signedIn, others)
} finally {
  await browser.close()
  await product.stop()
}
