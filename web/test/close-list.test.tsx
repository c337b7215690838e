// The list of closes: a close of which many partners were reopened does not fill it.
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { beforeAll, expect, test } from 'vitest'
import { en } from '../src/i18n/en/dictionary.ts'
import { Reopened } from '../src/screens/finance/close-list.tsx'

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } })
})

const partnersOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index,
    period_close: { id: 1, title: '1' },
    partner: { id: index, title: `Partner ${index}` },
    reopened_at: '2026-11-20T10:00:00Z',
    reopened_by: { id: 1, title: 'Ann' },
    reason: 'late report',
  }))
const namesIn = (count: number) =>
  renderToStaticMarkup(<Reopened partners={partnersOf(count)} />).match(/Partner \d+/g) ?? []

test('the first of many reopened partners are named, and a button shows the others; one is not hidden alone [MON-01]', () => {
  expect(namesIn(9)).toEqual(['Partner 0', 'Partner 1', 'Partner 2'])
  expect(renderToStaticMarkup(<Reopened partners={partnersOf(9)} />)).toContain('6 more</button>')
  expect(namesIn(4)).toHaveLength(4)
  expect(renderToStaticMarkup(<Reopened partners={partnersOf(4)} />)).not.toContain('<button')
})
