// The panel beside the spend table: days without spend, spend left behind, unallocated spend.
import type { MissingSpends } from '@tributary/contract/calls/spend-table'
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { beforeAll, expect, test } from 'vitest'
import { en } from '../src/i18n/en/dictionary.ts'
import { MissingQueue } from '../src/screens/partner-spend/missing-queue.tsx'

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } })
})

const NOTHING: MissingSpends = {
  ...{ items: [], days: 0, left: [], left_count: 0 },
  ...{ not_used_spend: [], not_used_count: 0, not_used_total: 0, currency: 'EUR' },
}
const named = { id: 1, title: 'Acme' }
const LEFT: MissingSpends['left'][number] = {
  ...{ id: 1, date: '2026-03-02', partner: named, stream: named, country: named, site_id: null },
  ...{ sum: '289.0000', currency: 'EUR', model: 'CPA' },
}

const show = (missing: MissingSpends): string =>
  renderToStaticMarkup(<MissingQueue missing={missing} isOfAll={false} onOpen={() => undefined} />)

test('the queue says that reports count the spend left behind which it lists [SPD-03] [ENT-12]', () => {
  expect(show(NOTHING)).not.toContain('left behind')
  const shown = show({ ...NOTHING, left: [LEFT], left_count: 1 })
  expect(shown).toContain('289.00')
  expect(shown).toContain('That includes spend left behind: it counts with its partner offer')
})
