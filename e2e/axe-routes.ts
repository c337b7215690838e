// Axe over every route of the router, with its menus open, in both themes. A new route is visited by itself. Two files share the routes,
// so that two workers do.
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { everyAddress, openRoute } from './every-route.ts'
import { openPage } from './sign-in.ts'

const GRAVE = ['serious', 'critical']
/** Layers that open over a screen. */
const LAYERS = '.mantine-Menu-dropdown, .mantine-Popover-dropdown, [role="dialog"]'
/** Closed ones may stay in the page, hidden. */
const layers = (page: Page) => page.locator(LAYERS).filter({ visible: true })
/** Buttons of the main part that open a menu or a popover. */
const OPENERS = 'main button:is([aria-haspopup="menu"], [aria-haspopup="dialog"])'

export async function findGrave(
  page: Page,
  path: string,
  { rules, within }: { rules?: string[]; within?: string } = {},
) {
  // The page keeps axe. Screens have no frames of other origins; the other mode opens an empty page for every look.
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
  if (rules === undefined) axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  else axe.withRules(rules)
  if (within !== undefined) axe.include(within)
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => GRAVE.includes(impact ?? ''))
    .map(
      ({ id, nodes }) =>
        `${path}: ${id}: ${nodes
          .slice(0, 2)
          .map(({ html }) => html.slice(0, 160))
          .join(' ')}`,
    )
}

/** The page follows the system's theme a moment later, and draws it some frames later. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

/** Menus of the same name are the same everywhere; the name of a row's menu ends with its title. */
const kindOf = (name: string) => name.replace(/[:“«].*$/, '').trim()

async function checkMenus(page: Page, path: string, seen: Set<string>): Promise<string[]> {
  const found: string[] = []
  const openers = page.locator(OPENERS)
  // Asked at once: a table has hundreds.
  const names = await openers.evaluateAll((buttons) =>
    buttons.map((button) =>
      button.checkVisibility() && !button.matches(':disabled')
        ? (button.getAttribute('aria-label') ?? button.textContent)
        : null,
    ),
  )
  for (const [place, name] of names.entries()) {
    const kind = kindOf(name ?? '')
    if (name === null || seen.has(kind)) continue
    seen.add(kind)
    const opener = openers.nth(place)
    await opener.click()
    await layers(page).last().waitFor()
    found.push(...(await findGrave(page, `${path}, ${kind}`, { within: LAYERS })))
    await showIn(page, 'dark')
    found.push(...(await findGrave(page, `${path}, ${kind}, dark`, { within: LAYERS, rules: ['color-contrast'] })))
    await showIn(page, 'light')
    await page.keyboard.press('Escape')
    const isClosed = await layers(page)
      .first()
      .waitFor({ state: 'hidden', timeout: 3000 })
      .then(() => true)
      .catch(() => false)
    if (!isClosed) {
      found.push(`${path}, ${kind}: Escape does not close it`)
      await opener.click()
    }
  }
  return found
}

const LIMIT_MS = 1_200_000

/** Every second address, beginning with the first or the second. */
export async function checkHalf(browser: Browser, half: 0 | 1): Promise<void> {
  test.setTimeout(LIMIT_MS)
  const page = await openPage(browser, '/offers', { colorScheme: 'light', reducedMotion: 'reduce' })
  const found: string[] = []
  const seen = new Set<string>()
  const addresses = (await everyAddress(page)).filter((_, place) => place % 2 === half)
  expect(addresses.length).toBeGreaterThan(40)
  for (const path of addresses) {
    await openRoute(page, path)
    found.push(...(await findGrave(page, path)))
    // Only contrasts depend on the theme.
    await showIn(page, 'dark')
    found.push(...(await findGrave(page, `${path}, dark`, { rules: ['color-contrast'] })))
    await showIn(page, 'light')
    found.push(...(await checkMenus(page, path, seen)))
  }
  await page.context().close()
  expect(found).toEqual([])
}
