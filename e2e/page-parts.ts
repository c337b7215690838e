// Locators of common parts of pages, by accessible names.
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
