// A preview names the figures of its lines as a statement does, and shows what no rate converts in its own currency.
import type { PreviewAnswer } from '@tributary/contract/calls/payment-invoice'
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { beforeAll, expect, test } from 'vitest'
import { en } from '../src/i18n/en/dictionary.ts'
import { PreviewTable } from '../src/screens/statement/preview-table.tsx'

type Row = PreviewAnswer['rows'][number]

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } })
})

const EUR = { id: 1, title: 'Euro', value: 'EUR' }
const USD = { id: 2, title: 'Dollar', value: 'USD' }

const ROW: Row = {
  grain: { partner: { id: 1, title: 'Acme' }, country: null, advertiser: null, traffic_source: null, stream: null },
  currency: EUR,
  entries: [],
  on_hold: '0.0000',
  not_resolved: '0.0000',
  on_hold_unrated: [],
  not_resolved_unrated: [],
  payable_unrated: [],
  already_invoiced: '0.0000',
  on_draft: '0.0000',
  payable: '112.7100',
  provisional: false,
}

const SHARE: Row['entries'][number] = {
  kind: 'rs',
  earned_month: '2026-10',
  quantity: null,
  rate: '20.0000',
  base: '612.5300',
  amount: '122.5100',
  currency: USD,
  fx_rate: '0.92000000',
  total: '112.7100',
}

/** The text of the page, with a bar between elements. */
const show = (row: Partial<Row>): string =>
  renderToStaticMarkup(<PreviewTable rows={[{ ...ROW, ...row }]} isBooked={false} />)
    .replaceAll(/(<[^>]*>)+/g, '|')
    .replaceAll('\u00a0', ' ')

test('a line of a preview has percentage, base, amount and rate under the names of a statement’s columns [MON-11]', () => {
  const shown = show({ entries: [SHARE] })
  for (const part of ['Base|612.53| |USD', 'Amount|122.51| |USD|Fx rate 0.92', '112.71| |EUR', '20 %'])
    expect(shown).toContain(part)
  expect(shown).not.toContain('Quantity')
  const agency = {
    ...SHARE,
    kind: 'agency',
    rate: '10.0000',
    base: '100.0000',
    amount: '110.0000',
    currency: EUR,
  } as const
  const own = show({ entries: [{ ...agency, fx_rate: '1.00000000', total: '110.0000' }] })
  expect(own).toContain('Base|100.00| |EUR|fee |10.00')
  expect(own).not.toContain('Fx rate')
})

test('a preview shows what waits or is payable without a rate in its own currency, not as nothing [MON-11] [MON-13]', () => {
  const part = (amount: string) => [{ currency: USD, amount }]
  const shown = show({
    payable: '0.0000',
    entries: [{ ...SHARE, fx_rate: null, total: null }],
    payable_unrated: part('122.5100'),
    on_hold_unrated: part('30.0000'),
  })
  expect(shown.match(/122\.51\| \|USD\| \|no rate/g)).toHaveLength(2)
  // In the row, and in what waits in all.
  expect(shown.match(/30\.00\| \|USD\| \|no rate/g)).toHaveLength(2)
  expect(shown).not.toMatch(/0\.00\| \|EUR/)
})
