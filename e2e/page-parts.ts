// Locators of common parts of pages, by accessible names, and checks that pages share.
import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'

type Place = Page | Locator

/** Matches the label of a field; required fields have a star behind it. */
export const named = (label: string): RegExp => new RegExp(`^${RegExp.escape(label)}( \\*)?$`)
export const fieldIn = (place: Place, label: string): Locator => place.getByRole('textbox', { name: named(label) })
export const dialogOf = (page: Page): Locator => page.getByRole('dialog')
export const saveIn = (place: Place): Locator => place.getByRole('button', { name: 'Save', exact: true })
/** Unfolds an area of the menu. */
export async function unfold(page: Page, area: string): Promise<void> {
  const heading = page.getByRole('navigation').getByRole('button', { name: area, exact: true })
  if ((await heading.getAttribute('aria-expanded')) === 'false') await heading.click()
}
/** Expects the newest notice with the word. */
export const expectNotice = (page: Page, word: 'Created' | 'Saved' = 'Saved'): Promise<void> =>
  expect(page.getByText(word, { exact: true }).last()).toBeVisible()

/** Options of the open select. */
export const optionsOf = (page: Page): Locator => page.getByRole('option').filter({ visible: true })

/** The page of a stored record whose overview is open: its form, or its details for users who may not change it. */
export const openEdit = (page: Page): Promise<void> =>
  page.getByRole('navigation', { name: 'Pages of the record' }).getByRole('link').last().click()

/** Opens an address like a link of the page, without reloading the product, which takes a second. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((address) => history.pushState({}, '', address), path)

/** Selects an option by text; without a text, the first option. */
export async function chooseIn(page: Page, input: Locator, text?: string): Promise<void> {
  await expect(input).toBeEnabled()
  await input.click()
  if (text !== undefined) await input.fill(text)
  await (text === undefined ? optionsOf(page) : optionsOf(page).filter({ hasText: text })).first().click()
}

interface AxeOptions {
  /** Checks only what this CSS selector matches. */
  readonly within?: string
  /** Runs only these rules. */
  readonly rules?: readonly string[]
  readonly tags?: readonly string[]
}

/** The violations that axe finds, each with up to three elements. */
export async function findBarriers(page: Page, { within, rules, tags }: AxeOptions = {}): Promise<unknown[]> {
  const axe = new AxeBuilder({ page })
  if (within !== undefined) axe.include(within)
  if (rules !== undefined) axe.withRules([...rules])
  if (tags !== undefined) axe.withTags([...tags])
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)])
}

/** Sums from here on how far pages of this context move what stands on them while they load: the cumulative layout shift. */
export const watchShifts = (page: Page): Promise<unknown> =>
  page.context().addInitScript(() => {
    const seen = globalThis as unknown as { shifted: number }
    seen.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shifted += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
/** What has moved since the page was opened. */
export const readShift = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted)

/** Expects that the page does not scroll sideways. */
export const expectNoSidewaysScroll = async (page: Page): Promise<void> =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)

const LOOKS = [
  ['light', 1440],
  ['dark', 390],
] as const

/** Expects no barriers and no sideways scrolling in both themes, on a desktop and a phone. `show` shows the page in each look. */
export async function expectAccessibleLooks(page: Page, show: () => Promise<unknown>): Promise<void> {
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await show()
    expect(await findBarriers(page)).toEqual([])
    await expectNoSidewaysScroll(page)
  }
}
