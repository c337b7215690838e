// The palette: what it offers for a text.
import type { AccessHolder } from '@tributary/contract/access'
import type { SearchAnswer } from '@tributary/contract/calls/search'
import { expect, test } from 'vitest'
import { resolveNavigation } from '../src/app/navigation.ts'
import {
  addRecent,
  findActions,
  findCreations,
  findPeriodReport,
  findRecords,
  findScreens,
  type PaletteItem,
} from '../src/app/palette-items.ts'
import { readPaletteText } from '../src/app/palette-text.ts'
import { isNear } from '../src/app/typing-errors.ts'
import { en } from '../src/i18n/en/dictionary.ts'
import { labelsOf } from '../src/i18n/labels.ts'
import { ru } from '../src/i18n/ru/dictionary.ts'
import type { Dictionary } from '../src/i18n/shape.ts'

const ADMIN: AccessHolder = { role: 'ADMIN', permissions: ['FULL_ACCESS'] }
/** English as the product loads it; plural forms of other languages are not needed here. */
const words = en as unknown as Dictionary
const MANAGER: AccessHolder = { role: 'MANAGER', permissions: [] }
const labels = labelsOf(words)
const pathsFor = (text: string) => findScreens(resolveNavigation(ADMIN, words), text).map(({ path }) => path)
const ANSWER: SearchAnswer = {
  query: 'northwind',
  groups: [
    { kind: 'partner', items: [{ id: 7, title: 'Northwind', detail: null, active: false, matched: null }] },
    {
      kind: 'offer_partner',
      items: [
        {
          id: 9,
          title: 'nw-1',
          detail: 'Northwind · CPA',
          active: true,
          matched: { field: 'sub_id', value: 'banner' },
        },
      ],
    },
    { kind: 'click', items: [{ id: 'abc', title: 'abc', detail: null, active: true, matched: null }] },
  ],
}

test('a screen is found by parts of its words, and with one wrong letter if nothing else fits [NAV-11]', () => {
  expect(pathsFor('currenc')).toEqual(['/currencies'])
  expect(pathsFor('partners')[0]).toBe('/partners')
  expect(pathsFor('currnecies')).toEqual(['/currencies'])
  expect(pathsFor('curencies')).toEqual(['/currencies'])
  expect(pathsFor('xyzzy')).toEqual([])
  expect([isNear('postbacks', 'postabck'), isNear('postbacks', 'pot'), isNear('roles', 'rules')]).toEqual([
    true,
    false,
    true,
  ])
})

test('screens and new records are found when their words are typed in the other keyboard layout [NAV-11]', () => {
  expect(pathsFor('ыуее')).toContain('/settings')
  expect(pathsFor('СГККУТС')).toEqual(['/currencies'])
  const created = findCreations(ADMIN, labels, 'туц щааук', en.palette.verbs.create).map(({ label }) => label)
  expect(created[0]).toBe('New offer')
})

test('words of screens and of new records are found with typing errors, the nearest first [NAV-11]', () => {
  expect(pathsFor('oferrs')[0]).toBe('/offers')
  expect(pathsFor('reprot')[0]).toBe('/general-report')
  expect(pathsFor('genral reprot')[0]).toBe('/general-report')
  const creations = (text: string) =>
    findCreations(ADMIN, labels, text, en.palette.verbs.create).map(({ label }) => label)
  expect(creations('new ofer')[0]).toBe('New offer')
  expect(creations('new offer')).not.toContain('New partner')
  expect(creations('create offer')[0]).toBe('New offer')
  expect(readPaletteText('reprot northwind', en.palette)).toMatchObject({ text: 'reprot northwind', verb: null })
  expect(readPaletteText('reprot northwind', en.palette, true)).toMatchObject({ text: 'northwind', verb: 'report' })
})

test.each([
  ['Northwind last month', 'Northwind', 'report', 'previous_month'],
  ['report northwind last month', 'northwind', 'report', 'previous_month'],
  ['report last week northwind', 'northwind', 'report', 'previous_week'],
  ['report for last year', '', 'report', 'previous_year'],
  ['report today', '', 'report', 'today'],
  ['last month', 'last month', null, 'previous_month'],
  ['usa today', 'usa today', null, null],
])('a period is understood beside a name and alone: %s [NAV-11]', (typed, text, verb, period) => {
  expect(readPaletteText(typed, en.palette)).toEqual({ text, verb, period })
})

test.each([
  ['прошлый месяц', 'прошлый месяц', null],
  ['отчёт за прошлый месяц', '', 'report'],
  ['northwind за прошлый месяц', 'northwind', 'report'],
  ['отчёт по northwind в прошлом месяце', 'northwind', 'report'],
])('a period is understood in the cases of Russian: %s [NAV-11]', (typed, text, verb) => {
  expect(readPaletteText(typed, ru.palette)).toEqual({ text, verb, period: 'previous_month' })
})

test('a period without a name, or with that of the report, offers the general report of it [NAV-11]', () => {
  const offered = (typed: string, holder = ADMIN) =>
    findPeriodReport(readPaletteText(typed, en.palette), '2026-03-15', holder, words)
  for (const typed of ['last month', 'report last month', 'General report, last month', 'general last month'])
    expect(offered(typed)).toMatchObject([
      {
        label: 'General report, last month',
        path: '/general-report',
        search: { from: '2026-02-01', to: '2026-02-28' },
      },
    ])
  expect(offered('northwind last month')).toEqual([])
  expect(offered('last month', MANAGER)).toEqual([])
})

test('a leading verb is not searched for, in both languages [NAV-11]', () => {
  expect(readPaletteText('new northwind', en.palette)).toMatchObject({ text: 'northwind', verb: 'create' })
  expect(readPaletteText('Report north wind', en.palette)).toMatchObject({ text: 'north wind', verb: 'report' })
  expect(readPaletteText('новая northwind', ru.palette)).toMatchObject({ text: 'northwind', verb: 'create' })
  expect(readPaletteText(' report ', en.palette)).toMatchObject({ text: 'report', verb: null })
})

test.each([
  ['new partner offer for northwind media', 'northwind media', 'create'],
  ['new partner offer', 'partner offer', 'create'],
  ['northwind this month', 'northwind', 'report'],
  ['Report: North Wind, this month', 'North Wind', 'report'],
  ['this month', 'this month', null],
])('the label of an action finds it: %s [NAV-11]', (typed, text, verb) => {
  expect(readPaletteText(typed, en.palette)).toMatchObject({ text, verb })
})

test('the Russian label of an action finds it [NAV-11]', () => {
  expect(readPaletteText('новая связка: northwind', ru.palette)).toMatchObject({ text: 'northwind', verb: 'create' })
  expect(readPaletteText('отчёт: northwind, этот месяц', ru.palette)).toMatchObject({
    text: 'northwind',
    verb: 'report',
  })
})

test.each([
  'новая связка northwind',
  'создать связку для northwind',
  'новую связку northwind',
  'northwind новая связка',
])('a new partner offer is understood in the cases and orders of Russian: %s [NAV-11]', (typed) => {
  expect(readPaletteText(typed, ru.palette)).toMatchObject({ text: 'northwind', verb: 'create' })
})

test('a preposition before the name is not searched for [NAV-11]', () => {
  expect(readPaletteText('отчёт по northwind', ru.palette)).toMatchObject({ text: 'northwind', verb: 'report' })
  expect(readPaletteText('report for northwind', en.palette)).toMatchObject({ text: 'northwind', verb: 'report' })
  expect(readPaletteText('northwind new partner offer', en.palette)).toMatchObject({
    text: 'northwind',
    verb: 'create',
  })
})

test('a found record opens on its overview or its form, a click its trace; the match is shown [NAV-11]', () => {
  const [partner, link, click] = findRecords(ANSWER, en.palette, labels).map(({ items }) => items[0])
  expect(partner).toMatchObject({ path: '/partners/7', label: 'Northwind', isInactive: true })
  expect(link).toMatchObject({ path: '/offer-partners/9', detail: 'Sub ID: banner · Northwind · CPA' })
  expect(click).toMatchObject({ path: '/trace', search: { id: 'abc' } })
})

test('actions on the best result are offered to those who may do them [NAV-11] [PERM-03]', () => {
  const offered = (
    holder: AccessHolder,
    verb: 'create' | 'report' | null = null,
    period: 'previous_month' | null = null,
  ) => findActions(ANSWER, { text: 'northwind', verb, period }, '2026-03-15', holder, en.palette)
  expect(offered(ADMIN)).toMatchObject([
    { label: 'New partner offer for Northwind', path: '/offer-partners/create', search: { partner: 7 } },
    {
      label: 'Report: Northwind, this month',
      path: '/general-report',
      search: { partners: [7], from: '2026-03-01', to: '2026-03-15' },
    },
  ])
  expect(offered(ADMIN, 'report').map(({ kind }) => kind)).toEqual(['report'])
  expect(offered(ADMIN, 'report', 'previous_month')).toMatchObject([
    { label: 'Report: Northwind, last month', search: { partners: [7], from: '2026-02-01', to: '2026-02-28' } },
  ])
  expect(offered(MANAGER)).toEqual([])
  expect(findCreations(ADMIN, labels, 'new offer', 'new').map(({ path }) => path)).toContain('/offers/create')
  expect(findCreations(MANAGER, labels, 'new offer', 'new')).toEqual([])
})

test('recents are short, and have each item once [NAV-11]', () => {
  const item = (key: string): PaletteItem => ({ key, path: '/', label: key, detail: '', kind: 'screen' })
  let recents: PaletteItem[] = []
  for (const key of ['a', 'b', 'a', ...'cdefghijk'.split('')]) recents = addRecent(recents, item(key))
  expect(recents.map(({ key }) => key).join('')).toBe('kjihgfed')
  expect(addRecent([item('a'), item('b')], item('b')).map(({ key }) => key)).toEqual(['b', 'a'])
})
