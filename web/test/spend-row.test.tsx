// What a row of the spend grid shows of currencies.
import type { SpendTableCell } from '@tributary/contract/calls/spend-table'
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { beforeAll, expect, test } from 'vitest'
import { en } from '../src/i18n/en/dictionary.ts'
import { GridRow } from '../src/screens/partner-spend/grid-row.tsx'

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } })
})

const cell: SpendTableCell = {
  date: '2026-11-01',
  base: '50.0000',
  sum: '50.0000',
  currency: 'EUR',
  has_data: true,
  source: 'manual',
  claimed: null,
  claim_currency: null,
  locked: false,
  reason: null,
  values: null,
  version: 1,
  id: 1,
}

function marksOf(given: Partial<SpendTableCell>, typing: string | null = null): string[] {
  const title = { id: 1, title: 'A' }
  const row = { stream: title, country: title, site_id: null, payment_model: null, link: null, percentages: null }
  const shown = renderToStaticMarkup(
    <table>
      <tbody>
        <GridRow
          row={{ ...row, cells: [{ ...cell, ...given }] }}
          index={0}
          edits={undefined}
          total="50"
          currency="EUR"
          active={typing === null ? null : 0}
          selectedFrom={null}
          selectedTo={null}
          typing={typing}
          gridId="grid"
          onTyped={() => undefined}
          onDraft={() => undefined}
        />
      </tbody>
    </table>,
  )
  return [...shown.matchAll(/<small[^>]*>(\w+)</g)].map(([, code]) => code ?? '')
}

test('a cell whose currency is not the table’s is marked with it, an empty one while it is typed in [MON-07]', () => {
  expect(marksOf({})).toEqual([])
  expect(marksOf({ currency: 'USD' })).toEqual(['USD'])
  const empty = { base: null, sum: null, source: null, currency: 'USD', claimed: '7.0000', claim_currency: 'KZT' }
  expect(marksOf(empty)).toEqual([])
  expect(marksOf(empty, '4')).toEqual(['USD'])
})
