// Main jobs by keyboard alone: the tests touch no mouse, and focus no element by script.
import { expect, type Locator, type Page, test } from '@playwright/test'
import { apiOf } from './admin-api.ts'
import { dialogOf } from './page-parts.ts'
import { openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

const MARK = `keys${Date.now().toString(36)}`
/** No job may need more. */
const MOST_PRESSES = 80

let page: Page

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/landings')
  await expect(page.getByRole('heading', { level: 1, name: 'Landings' })).toBeVisible()
})

test.afterAll(() => page.context().close())

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element.contains(document.activeElement))

/** Presses the key until the element has the focus. */
async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' | 'ArrowDown' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; !(await isFocused(target)); presses++) {
    if (presses === MOST_PRESSES) throw new Error(`${MOST_PRESSES} presses of ${key} do not reach ${target.toString()}`)
    await page.keyboard.press(key)
  }
}

async function press(target: Locator): Promise<void> {
  await tabTo(target)
  await page.keyboard.press('Enter')
}

/** Opens a screen by its name. */
async function open(name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(dialogOf(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(name)
  await expect(dialogOf(page).getByRole('option').first()).toContainText(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: name.split(',')[0] ?? name })).toBeVisible()
}

const button = (name: string): Locator => page.getByRole('button', { name, exact: true })

test('a report is grouped, sorted, searched, opened behind a number and saved [REP-05] [REP-13] [REP-16] [NAV-10]', async () => {
  const grid = page.getByRole('treegrid')
  const rows = grid.locator('tbody tr[data-visible-row]')
  const answered = async (act: () => Promise<void>): Promise<void> => {
    const answer = page.waitForResponse((response) => response.url().endsWith('/api/general_report') && response.ok())
    await act()
    await answer
    await expect(grid.locator('xpath=ancestor::section[1]')).toHaveAttribute('aria-busy', 'false')
  }
  // Today has no rows shortly after midnight.
  await open('General report, last month')
  await expect(rows.first()).toBeVisible()
  await press(button('Level 1: Offer'))
  await expect(page.getByRole('menu')).toBeVisible()
  await answered(async () => {
    await tabTo(page.getByRole('menuitem', { name: 'Partner', exact: true }), 'ArrowDown')
    await page.keyboard.press('Enter')
  })
  await expect(page).toHaveURL(/by=partner\./)
  const head = grid.getByRole('columnheader', { name: /^First deposits/ })
  await answered(() => press(head.getByRole('button').first()))
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  const title = (await rows.nth(1).locator('td[data-column="0"]').textContent()) ?? ''
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type(title)
  await expect(page.getByText(/rows? found$/)).toBeVisible()
  await page.keyboard.press('Escape')
  await tabTo(grid)
  await page.keyboard.press('Home')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await expect(rows.first()).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(dialogOf(page).getByTestId('drill-total')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(grid).toBeFocused()
  await tabTo(button('Saved reports'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await press(button('Save this report…'))
  await page.keyboard.type(MARK)
  await page.keyboard.press('Enter')
  await expect(button(`Open “${MARK}”`)).toBeVisible()
  await page.keyboard.press('Escape')
})

test('ten players are selected and resolved, and that is undone [PLY-05] [LIST-09] [LIST-11] [LIST-15]', async () => {
  await open('Players')
  const checks = page.getByRole('checkbox', { name: /^Select “/ })
  await expect(checks.nth(9)).toBeVisible()
  await tabTo(checks.first())
  for (let row = 0; row < 10; row++) {
    if (row > 0) await page.keyboard.press('ArrowDown')
    await expect(checks.nth(row)).toBeFocused()
    await page.keyboard.press('Space')
  }
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar).toContainText('10 rows selected')
  await page.keyboard.press('Enter')
  await press(bar.getByRole('button', { name: 'Approve payment' }))
  await expect(dialogOf(page)).toContainText('10 players')
  await press(dialogOf(page).getByRole('button', { name: 'Approve payment' }))
  await expect(page.getByText(/players? changed/).first()).toBeVisible()
  await page.keyboard.press('F8')
  await press(page.getByRole('button', { name: 'Undo', exact: true }))
  await expect(page.getByText('Undone').first()).toBeVisible()
})

test('a bulk act is undone by Ctrl+Z, and from its notice, which F8 reaches and Escape leaves [LIST-09] [LIST-15] [NAV-10]', async () => {
  const api = apiOf(page)
  const titles = [0, 1].map((index) => `${MARK} ${index}`)
  for (const title of titles) await api.done('POST', 'landing', { title, value: 'of-keys' })
  await open('Landings')
  await page.keyboard.press('/')
  await page.keyboard.type(MARK)
  const search = page.getByRole('searchbox')
  const checks = page.getByRole('checkbox', { name: /^Select “/ })
  await expect(checks).toHaveCount(titles.length)
  const bar = page.getByRole('region', { name: 'Selected rows' })
  const undoing = page.getByRole('button', { name: 'Undo', exact: true })
  const deactivate = async () => {
    await tabTo(checks.first())
    for (const check of [checks.first(), checks.last()]) {
      await expect(check).toBeFocused()
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
    }
    await press(bar.getByRole('button', { name: 'Deactivate' }))
    await press(dialogOf(page).getByRole('button', { name: 'Deactivate' }))
    await expect(checks).toHaveCount(0)
    await expect(undoing).toBeVisible()
    await page.keyboard.press('/')
  }

  await deactivate()
  // In a text field the keys undo what is typed there.
  await expect(async () => {
    // The browser may take several presses to undo one text.
    await page.keyboard.press('Control+z')
    await expect(search).toHaveValue('', { timeout: 500 })
  }).toPass()
  await expect(undoing).toBeVisible()
  await page.keyboard.type(MARK)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+z')
  await expect(undoing).toHaveCount(0)
  await expect(checks).toHaveCount(titles.length)

  await deactivate()
  await page.keyboard.press('F8')
  await expect(undoing).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(search).toBeFocused()
  await page.keyboard.press('F8')
  await expect(undoing).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(search).toBeFocused()
  await expect(checks).toHaveCount(titles.length)
})

test('a dialog begins in its first field, or in its first wrong one, and is saved by its keys [FORM-13] [NAV-10]', async () => {
  await open('Partners')
  await press(button('New partner'))
  const title = dialogOf(page).getByRole('textbox', { name: /^Title/ })
  await expect(title).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(title).not.toBeFocused()
  await page.keyboard.press('Control+s')
  await expect(dialogOf(page).getByText('This field is required')).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await press(dialogOf(page).getByRole('button', { name: 'Create' }))
  await expect(title).toBeFocused()
  await page.keyboard.type(`${MARK} partner`)
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('heading', { level: 1, name: `${MARK} partner` })).toBeVisible()

  // A question is answered by Enter, unless that would destroy something.
  await press(button('Delete'))
  await expect(dialogOf(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
})
