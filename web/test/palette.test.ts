// The palette: what it offers for a text.
import type { AccessHolder } from '@tributary/contract/access'
import type { SearchAnswer } from '@tributary/contract/calls/search'
import { expect, test } from 'vitest'
import { resolveNavigation } from '../src/app/navigation.ts'
import {
  addRecent,
  findActions,
  findCreations,
  findRecords,
  findScreens,
  isNear,
  type PaletteItem,
  readPaletteText,
} from '../src/app/palette-items.ts'
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
  expect(pathsFor('currnecies')).toEqual(['/currencies'])
  expect(pathsFor('curencies')).toEqual(['/currencies'])
  expect(pathsFor('xyzzy')).toEqual([])
  expect([isNear('postbacks', 'postabck'), isNear('postbacks', 'pot'), isNear('roles', 'rules')]).toEqual([
    true,
    false,
    true,
  ])
})

test('a leading verb is not searched for, in both languages [NAV-11]', () => {
  expect(readPaletteText('new northwind', en.palette)).toEqual({ text: 'northwind', verb: 'create' })
  expect(readPaletteText('Report north wind', en.palette)).toEqual({ text: 'north wind', verb: 'report' })
  expect(readPaletteText('новая northwind', ru.palette)).toEqual({ text: 'northwind', verb: 'create' })
  expect(readPaletteText(' report ', en.palette)).toEqual({ text: 'report', verb: null })
})

test.each([
  ['new partner offer for northwind media', 'northwind media', 'create'],
  ['new partner offer', 'partner offer', 'create'],
  ['northwind this month', 'northwind', 'report'],
  ['Report: North Wind, this month', 'North Wind', 'report'],
  ['this month', 'this month', null],
])('the label of an action finds it: %s [NAV-11]', (typed, text, verb) => {
  expect(readPaletteText(typed, en.palette)).toEqual({ text, verb })
})

test('the Russian label of an action finds it [NAV-11]', () => {
  expect(readPaletteText('новая связка: northwind', ru.palette)).toEqual({ text: 'northwind', verb: 'create' })
  expect(readPaletteText('отчёт: northwind, этот месяц', ru.palette)).toEqual({ text: 'northwind', verb: 'report' })
})

test.each([
  'новая связка northwind',
  'создать связку для northwind',
  'новую связку northwind',
  'northwind новая связка',
])('a new partner offer is understood in the cases and orders of Russian: %s [NAV-11]', (typed) => {
  expect(readPaletteText(typed, ru.palette)).toEqual({ text: 'northwind', verb: 'create' })
})

test('a preposition before the name is not searched for [NAV-11]', () => {
  expect(readPaletteText('отчёт по northwind', ru.palette)).toEqual({ text: 'northwind', verb: 'report' })
  expect(readPaletteText('report for northwind', en.palette)).toEqual({ text: 'northwind', verb: 'report' })
  expect(readPaletteText('northwind new partner offer', en.palette)).toEqual({ text: 'northwind', verb: 'create' })
})

test('a found record opens on its overview or its form, a click its trace; the match is shown [NAV-11]', () => {
  const [partner, link, click] = findRecords(ANSWER, en.palette, labels).map(({ items }) => items[0])
  expect(partner).toMatchObject({ path: '/partners/7', label: 'Northwind', isInactive: true })
  expect(link).toMatchObject({ path: '/offer-partners/9', detail: 'Sub ID: banner · Northwind · CPA' })
  expect(click).toMatchObject({ path: '/trace', search: { id: 'abc' } })
})

test('actions on the best result are offered to those who may do them [NAV-11] [PERM-03]', () => {
  const offered = (holder: AccessHolder, verb: 'create' | 'report' | null = null) =>
    findActions(ANSWER, { text: 'northwind', verb }, '2026-03-15', holder, en.palette)
  expect(offered(ADMIN)).toMatchObject([
    { label: 'New partner offer for Northwind', path: '/offer-partners/create', search: { partner: 7 } },
    {
      label: 'Report: Northwind, this month',
      path: '/general-report',
      search: { partners: [7], from: '2026-03-01', to: '2026-03-15' },
    },
  ])
  expect(offered(ADMIN, 'report').map(({ kind }) => kind)).toEqual(['report'])
  expect(offered(MANAGER)).toEqual([])
  expect(findCreations(ADMIN, labels, 'new offer').map(({ path }) => path)).toContain('/offers/create')
  expect(findCreations(MANAGER, labels, 'new offer')).toEqual([])
})

test('recents are short, and have each item once [NAV-11]', () => {
  const item = (key: string): PaletteItem => ({ key, path: '/', label: key, detail: '', kind: 'screen' })
  let recents: PaletteItem[] = []
  for (const key of ['a', 'b', 'a', ...'cdefghijk'.split('')]) recents = addRecent(recents, item(key))
  expect(recents.map(({ key }) => key).join('')).toBe('kjihgfed')
  expect(addRecent([item('a'), item('b')], item('b')).map(({ key }) => key)).toEqual(['b', 'a'])
})
