// Every entity with screens, from the registry, in a real browser: its list opens, and the form of a new row shows missing required fields.
// Entities with a form of their own, and those needed to cover every kind of field, are created, found, edited, deactivated and deleted.
import { expect, type Locator, type Page, test } from '@playwright/test'
import { isAllowed, type Requirement } from '@tributary/contract/access'
import { ENTITIES, ENTITY_NAMES, type EntityName } from '@tributary/contract/entities/registry'
import { activeField, type Entity } from '@tributary/contract/entity'
import type { Field, TextField } from '@tributary/contract/field'
import { isWritable } from '@tributary/contract/validate'
import { commonEn } from '@tributary/contract/words/en/common'
import { entitiesEn } from '@tributary/contract/words/en/entities'
import { fieldLabel, wordsOf as looseWords } from '@tributary/contract/words/entity-words'
import { en } from '../web/src/i18n/en/dictionary.ts'
import { historyEn } from '../web/src/i18n/en/history.ts'
import { chooseIn, dialogOf, follow, named, openEdit } from './page-parts.ts'
import { openPage } from './sign-in.ts'

let page: Page
const mark = Date.now().toString(36)
/** Option texts for references that not every row suits, created or found before the walk. */
const wanted: Record<string, string> = { 'user.role': 'Manager' }

const words = { common: commonEn, entities: entitiesEn }
const wordsOf = (name: EntityName) => looseWords(words, name)
const labelOf = (name: EntityName, path: string) => fieldLabel(words, name, path)
const entityOf = (name: EntityName): Entity => ENTITIES[name]
const sections: Readonly<Record<string, string>> = en.engine.sections

const ADMIN = { role: 'ADMIN', permissions: ['FULL_ACCESS'] } as const
/** False for a requirement that nobody can meet. */
const may = (access: Requirement): boolean =>
  access === 'everyone' ||
  ((access.roles ?? []).length + (access.permissions ?? []).length > 0 && isAllowed(access, ADMIN))

const dialog = () => dialogOf(page)
const notice = (word: 'Created' | 'Saved') => page.getByText(word, { exact: true }).last()

test.beforeAll(async ({ browser }) => {
  // While the rows of a list glide to new places, a click can miss the menu of one.
  page = await openPage(browser, '/offers', { reducedMotion: 'reduce' })
  const partner = await call('POST', 'partner', {
    title: `Crud ${mark}`,
    state: 'approved',
    streams: [{ title: mark }],
  })
  const { items } = await call('GET', 'offer?limit=1&filter[active]=1&filter[state]=approved')
  wanted['offer_partner.partner'] = String(partner.title)
  wanted['offer_partner.offer'] = String((items as Row[])[0]?.title)
})

test.afterAll(() => page.context().close())

type Row = Record<string, unknown>
type Section = Entity['form'][number]

/** Calls the API as the signed-in user, bypassing the screens. */
async function call(method: string, path: string, body?: unknown): Promise<Row> {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('token_data') ?? '{}').token as string)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await page.request.fetch(`/api/${path}`, { method, headers, ...(body ? { data: body } : {}) })
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true)
  return (await answer.json()) as Row
}

/** A text that the field accepts and that no other row has. */
function makeText(name: EntityName, path: string, { format = 'plain', max = 60 }: TextField): string {
  switch (format) {
    case 'domain':
    case 'url':
      return `https://${mark}.example`
    case 'template':
      return `/${mark}?l={country}`
    case 'token':
      return `T${mark}`.slice(0, max).toUpperCase()
    case 'country':
      // Islands without players in the demo network.
      return 'AQ BV HM GS TF UM IO PN SJ TK NU NF CX CC WF BL MF PM SH FK'.split(' ')[Date.now() % 20] ?? 'AQ'
    case 'email':
      return `${name}.${mark}@tributary.example`
    case 'number':
      return String(1 + (Date.now() % 1_000_000))
    case 'words':
      return 'Anna'
    case 'spreadsheet':
      return `spreadsheet-of-a-test-${mark.replace(/[^\w-]/g, '')}`
    case 'zone':
      return 'Europe/Berlin'
    case 'time':
      return '04:30'
    case 'month':
      return '2026-04'
    case 'entity':
      return 'offer'
    case 'cause':
    case 'plain':
    case 'long':
      return `${wordsOf(name).one} ${path} ${mark}`.slice(0, max)
  }
}

async function fillField(name: EntityName, path: string, field: Field, within: Locator | Page): Promise<void> {
  const input = inputOf(name, path, within)
  if (field.kind === 'text') await input.fill(makeText(name, path, field))
  else if (field.kind === 'integer' || field.kind === 'decimal') await input.fill('7')
  // The latest month of the list.
  else if (field.kind === 'date' && field.isMonth === true) await chooseIn(page, input)
  // What advertisers report has happened; other rows of this day are new.
  else if (field.kind === 'date') await input.fill(name === 'player_report' ? '01.03.2021' : '01.03.2031')
  else if (field.kind === 'choice') await chooseIn(page, input)
  else if (field.kind === 'reference') await chooseIn(page, input, wanted[`${name}.${path}`])
}

/** Choices without a default. */
const CHOSEN: ReadonlySet<string> = new Set(['adjustment.kind'])

/** Required fields of a section in the order of the form: fields come before those that depend on them. */
const requiredIn = (name: EntityName, fields: readonly string[]): [string, Field][] =>
  fields.flatMap((path) => {
    const field = entityOf(name).fields[path]
    const isPreset = field?.kind === 'boolean' || (field?.kind === 'choice' && !CHOSEN.has(`${name}.${path}`))
    const isAsked = field?.required === true && isWritable(field, true) && !isPreset
    return isAsked ? [[path, field]] : []
  })

const hasInput = (name: EntityName, { fields }: Section): boolean =>
  fields.some((path) => {
    const field = entityOf(name).fields[path]
    return field !== undefined && !field.readOnly && (field.kind !== 'children' || field.owned === true)
  })

/** Their new row begins with the fields of a short way, without tabs. */
const SHORT_FORMS: ReadonlySet<EntityName> = new Set(['offer_partner'])

/** Opens the tab of a section. Whether the form has tabs follows from the registry, not from the page: the form of a new row shows fewer sections. */
async function openTab(name: EntityName, section: Section, isNew: boolean): Promise<void> {
  const { form } = entityOf(name)
  const shown = isNew ? form.filter((one) => hasInput(name, one)) : form
  if (shown.length < 2 || (isNew && SHORT_FORMS.has(name))) return
  const label = sections[section.name] ?? section.name
  await page.getByRole('tab', { name: new RegExp(`^${RegExp.escape(label)}`) }).click()
}

/** Visits every required field in the order of the form and opens its tab first. */
async function eachRequired(
  name: EntityName,
  isModal: boolean,
  visit: (path: string, field: Field) => Promise<void>,
): Promise<void> {
  const { form } = entityOf(name)
  for (const section of isModal ? form.slice(0, 1) : form) {
    const required = requiredIn(name, section.fields)
    if (required.length > 0 && !isModal) await openTab(name, section, true)
    for (const [path, field] of required) await visit(path, field)
  }
}

const inputOf = (name: EntityName, path: string, within: Locator | Page): Locator => {
  const label = { name: named(labelOf(name, path)) }
  return within.getByRole('textbox', label).or(within.getByRole('combobox', label))
}

/** The list with newest rows first, including deactivated ones. */
const listOf = (route: string) => `${route}?page=1&limit=10&order%5Bid%5D=DESC`
const rowOf = (route: string, id: string) =>
  page.getByRole('row').filter({ has: page.locator(`a[href="${route}/${id}"], a[href^="${route}/${id}/edit"]`) })

/** A click on the button of a menu that is still closing does not open it again. */
async function openMenu(row: Locator): Promise<void> {
  await expect(page.getByRole('menu')).toBeHidden()
  await row.getByRole('button', { name: /^Actions on/ }).click()
  await expect(page.getByRole('menu')).toBeVisible()
}

async function agree(word: string): Promise<void> {
  await page.getByRole('menuitem', { name: word, exact: true }).click()
  // The dialog may still be opening and miss the click. A second click is harmless, because the dialog is gone after the first.
  const button = dialog().getByRole('button', { name: word, exact: true })
  await expect(button).toBeVisible()
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 2000 })
    await expect(dialog()).toBeHidden({ timeout: 4000 })
  }).toPass({ timeout: 30_000 })
}

/** Opens the form of a new row in the modal or on the page. */
async function openForm(name: EntityName): Promise<Locator | Page> {
  const { createsInModal } = entityOf(name)
  const create = wordsOf(name).create
  await page
    .getByRole(createsInModal ? 'button' : 'link', { name: create, exact: true })
    .first()
    .click()
  if (createsInModal) return dialog()
  await expect(page).toHaveURL(/\/create/)
  return page
}

const isModal = (name: EntityName): boolean => entityOf(name).createsInModal === true
const saveOf = (name: EntityName, within: Locator | Page): Locator =>
  within.getByRole('button', { name: isModal(name) ? 'Create' : 'Save', exact: true })

/** Opens the form of a new row and saves it empty. */
async function openEmptyForm(name: EntityName): Promise<Locator | Page> {
  const within = await openForm(name)
  await saveOf(name, within).click()
  await expect(within.getByText('This field is required').first()).toBeVisible()
  return within
}

async function makeRow(name: EntityName, route: string): Promise<string> {
  const within = await openEmptyForm(name)
  await eachRequired(name, isModal(name), (path, field) => fillField(name, path, field, within))
  await saveOf(name, within).click()
  await expect(notice('Created')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${route}/\\d+`))
  if (!page.url().includes('/edit')) await openEdit(page)
  await expect(page).toHaveURL(new RegExp(`${route}/\\d+/edit`))
  // Only a stored row has this button.
  await expect(page.getByRole('button', { name: historyEn.title, exact: true })).toBeVisible()
  return /\/(\d+)\/edit/.exec(page.url())?.[1] ?? ''
}

/** Edits the first editable field; does nothing if there is none. */
async function changeRow(name: EntityName): Promise<void> {
  const { access, form, fields } = entityOf(name)
  if (!may(access.edit)) return
  const path = form[0]?.fields.find((candidate) => {
    const field = fields[candidate]
    const isPlain =
      field?.kind === 'decimal' ||
      field?.kind === 'integer' ||
      (field?.kind === 'text' && !/^(country|zone|time)$/.test(field.format ?? 'plain'))
    return isPlain && isWritable(field, false) && !field.fixed
  })
  const field = path === undefined ? undefined : fields[path]
  if (path === undefined || field === undefined || form[0] === undefined) return
  await openTab(name, form[0], false)
  const input = inputOf(name, path, page)
  if (field.kind === 'text') await input.fill(`${await input.inputValue()}2`)
  else await input.fill('8')
  // The notice of the previous entity may still be visible.
  const answer = page.waitForResponse((response) => ['PUT', 'PATCH'].includes(response.request().method()))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  expect((await answer).ok()).toBe(true)
  await expect(notice('Saved')).toBeVisible()
}

async function switchOffAndDelete(name: EntityName, route: string, id: string): Promise<void> {
  const { access } = entityOf(name)
  const flag = activeField(entityOf(name))
  // The list contains the new row without a full reload.
  await follow(page, listOf(route))
  const row = rowOf(route, id)
  await expect(row).toBeVisible()
  if (flag !== null && may(access.edit)) {
    await openMenu(row)
    await agree(flag === 'enabled' ? 'Disable' : 'Deactivate')
    await openMenu(row)
    const on = flag === 'enabled' ? 'Enable' : 'Activate'
    await expect(page.getByRole('menuitem', { name: on, exact: true })).toBeVisible()
  }
  if (!may(access.remove)) return
  if (!(await page.getByRole('menu').isVisible())) await openMenu(row)
  await agree('Delete')
  await expect(row).toBeHidden()
}

const WALKED = ENTITY_NAMES.filter((name) => entityOf(name).route !== null)
const MADE = WALKED.filter((name) => entityOf(name).form.length > 0 && may(entityOf(name).access.create))

/** Entities with a form of their own in ENTITY_SLOTS of entity-routes.tsx. */
const OWN_FORMS: readonly EntityName[] = [
  'advertiser',
  'offer',
  'offer_partner',
  'partner',
  'partner_group',
  'player',
  'user',
  'user_role',
]

/** The tasks that creating a row of the entity covers. */
const tasksOf = (name: EntityName): string[] => {
  const { form } = entityOf(name)
  const place = isModal(name) ? 'modal' : 'page'
  const kinds = requiredIn(
    name,
    form.flatMap(({ fields }) => fields),
  ).map(([, field]) => (field.kind === 'text' ? (field.format ?? 'plain') : field.kind))
  return [place, `switched by ${activeField(entityOf(name))}`, ...kinds.map((kind) => `${kind} on a ${place}`)]
}

/** Entities with a form of their own, then those that cover most of the remaining tasks. */
function chooseLived(): ReadonlySet<EntityName> {
  const lived = new Set(MADE.filter((name) => OWN_FORMS.includes(name)))
  const done = new Set([...lived].flatMap(tasksOf))
  const isNew = (task: string): boolean => !done.has(task)
  for (const name of MADE.toSorted((a, b) => tasksOf(b).length - tasksOf(a).length)) {
    if (!tasksOf(name).some(isNew)) continue
    lived.add(name)
    for (const task of tasksOf(name)) done.add(task)
  }
  return lived
}

const LIVED = chooseLived()

/** Agreed addresses, listed by hand: with and without a page for a new row. */
const WITH_CREATE =
  'offer-partners traffic-sources landings roles partner-groups currencies players-reports players events users offers advertisers products countries players-reports-api'
const WITHOUT_CREATE = 'payment-models partners'

test('the walk covers every entity with screens, at the agreed addresses [NAV-02] [NAV-03]', async () => {
  expect(WALKED.length).toBeGreaterThan(20)
  const paths = (names: readonly EntityName[]) => names.map((name) => entityOf(name).route)
  const onPages = MADE.filter((name) => entityOf(name).createsInModal !== true)
  expect(paths(onPages)).toEqual(expect.arrayContaining(WITH_CREATE.split(' ').map((path) => `/${path}`)))
  for (const path of WITHOUT_CREATE.split(' ')) {
    expect(paths(WALKED)).toContain(`/${path}`)
    expect(paths(onPages)).not.toContain(`/${path}`)
    await follow(page, `/${path}/create`)
    await expect(page).toHaveURL(/\/404$/)
  }
  // Invoices are made from a preview of the ledger, not from a form of fields.
  await follow(page, '/payment-invoices/create')
  await expect(page).toHaveURL(/payment-invoices\/create/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

for (const name of WALKED) {
  const { route: declared, access, form } = entityOf(name)
  const route = declared ?? ''
  const openList = async (): Promise<void> => {
    await follow(page, listOf(route))
    await expect(page.getByRole('heading', { level: 1 })).toContainText(wordsOf(name).title)
    const empty = page.getByRole('heading', { name: en.list.empty })
    await expect(page.getByRole('table').or(page.getByRole('grid')).or(empty).first()).toBeVisible()
  }
  if (LIVED.has(name)) {
    test(`${name}: from the list to the deleted row [NAV-02] [LIST-01] [LIST-05] [LIST-07] [FORM-01] [FORM-02] [FORM-03]`, async () => {
      await openList()
      const id = await makeRow(name, route)
      await changeRow(name)
      await switchOffAndDelete(name, route, id)
    })
    continue
  }
  test(`${name}: its list and its form open [NAV-02] [LIST-01] [LIST-05] [FORM-01] [FORM-03]`, async () => {
    await openList()
    if (MADE.includes(name)) {
      const within = await openEmptyForm(name)
      await eachRequired(name, isModal(name), (path) => expect(inputOf(name, path, within), path).toBeVisible())
      // Nothing was typed, so it closes without a question.
      if (isModal(name)) await page.keyboard.press('Escape')
      return
    }
    const first = page.locator('a[data-row]').first()
    if (form.length === 0 || !may(access.view) || !(await first.isVisible())) return
    await first.click()
    if (entityOf(name).hasOverview === true) await openEdit(page)
    await expect(page).toHaveURL(new RegExp(`${route}/\\d+/edit`))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (may(access.edit)) await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible()
  })
}

test('every single page opens at its path, with its title, and nothing breaks the content security policy [NAV-04] [NAV-05]', async () => {
  await page.evaluate(() => {
    const { dataset } = document.documentElement
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      dataset.violations = `${dataset.violations ?? ''} ${violatedDirective} ${blockedURI} ${sourceFile}`
    })
  })
  const paths =
    'new-streams costs-report spends-parsing-logs partners-spends budget-plan partners-report postbacks clicks dashboard settings general-report general-report-old general-report-click general-report-click-old cohort-analysis cohort-analysis-old cohort-analysis-cumulative'
  const titles = new Set<string>()
  for (const path of paths.split(' ')) {
    await follow(page, `/${path}`)
    const heading = page.getByRole('heading', { level: 1 })
    // The heading of the previous page may still be visible.
    const isTold = async (): Promise<boolean> =>
      (await page.title()) === `${(await heading.textContent())?.trim()} · ${en.product}`
    await expect
      .poll(async () => (await isTold()) && !titles.has(await page.title()), { message: path, intervals: [50] })
      .toBe(true)
    expect(new URL(page.url()).pathname).toBe(`/${path}`)
    titles.add(await page.title())
  }
  expect(titles.size).toBe(paths.split(' ').length)
  expect(await page.evaluate(() => document.documentElement.dataset.violations)).toBeUndefined()
})
