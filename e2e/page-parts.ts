// Parts of the product's pages by their names, as a person finds them.
import { expect, type Locator, type Page } from '@playwright/test'

type Place = Page | Locator

/** Of a field; a required one has a star behind its label. */
export const named = (label: string): RegExp => new RegExp(`^${RegExp.escape(label)}( \\*)?$`)
export const fieldIn = (place: Place, label: string): Locator => place.getByRole('textbox', { name: named(label) })
export const dialogOf = (page: Page): Locator => page.getByRole('dialog')
export const saveIn = (place: Place): Locator => place.getByRole('button', { name: 'Save', exact: true })
/** The newest notice of the word. */
export const expectNotice = (page: Page, word: 'Created' | 'Saved' = 'Saved'): Promise<void> =>
  expect(page.getByText(word, { exact: true }).last()).toBeVisible()

/** Of a lazy select that is open. */
export const optionsOf = (page: Page): Locator => page.getByRole('option').filter({ visible: true })

/** Opens an address as a link of the page would: without loading the product anew, which takes a second. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((address) => history.pushState({}, '', address), path)

/** Chooses in a lazy select; without a text the first option. */
export async function chooseIn(page: Page, input: Locator, text?: string): Promise<void> {
  await expect(input).toBeEnabled()
  await input.click()
  if (text !== undefined) await input.fill(text)
  await (text === undefined ? optionsOf(page) : optionsOf(page).filter({ hasText: text })).first().click()
}
