// The items of a ledger entry whose sum is rounded add up to the entry.
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { beforeAll, expect, test } from 'vitest'
import { en } from '../src/i18n/en/dictionary.ts'
import { ItemsTable } from '../src/screens/finance/entry-view.tsx'

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } })
})

const EUR = { id: 1, title: 'Euro', value: 'EUR' }
const item = (id: number, amount: string) => ({ id, player: null, day: '2026-10-01', quantity: null, amount })

const show = (amount: string, items: readonly string[]): string =>
  renderToStaticMarkup(
    <ItemsTable entry={{ kind: 'rs', amount, currency: EUR }} items={items.map((one, index) => item(index, one))} />,
  ).replaceAll(/(<[^>]*>)+/g, '|')

test('items show all their decimals if their sum is rounded [MON-03]', () => {
  const rounded = show('2.0400', ['2.0350'])
  expect(rounded).toContain('|2.0350|')
  expect(rounded).toContain('|Rounding|0.0050|')
  const exact = show('3.0000', ['1.2500', '1.7500'])
  expect(exact).toContain('|1.25|')
  expect(exact).not.toContain('Rounding')
})
