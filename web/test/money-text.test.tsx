// How money screens show amounts, currencies, states and days of terms.
import { ENTITIES } from '@tributary/contract/entities/registry'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { fieldValue } from '../src/entities/field/field-value.tsx'
import { en } from '../src/i18n/en/dictionary.ts'
import { labelsOf } from '../src/i18n/labels.ts'
import type { Dictionary } from '../src/i18n/shape.ts'
import { feeOf } from '../src/screens/statement/statement-lines.tsx'

const labels = labelsOf(en as unknown as Dictionary)
const EUR = { id: 1, title: 'Euro', value: 'EUR' }

test('amounts and currencies are shown by code, also of a field with a currency of its own [MON-13] [PLY-01]', () => {
  const { total, currency } = ENTITIES.statement.fields
  const shown = { labels, entity: 'statement', row: { currency: EUR } } as const
  expect(renderToStaticMarkup(fieldValue({ ...shown, name: 'total', field: total, value: '12.5' }))).toMatch(
    /12\.50.*EUR/,
  )
  expect(fieldValue({ ...shown, name: 'currency', field: currency, value: EUR })).toBe('EUR')
  const { first_deposit_amount: deposit } = ENTITIES.player.fields
  const player = { labels, entity: 'player', name: 'first_deposit_amount', field: deposit, value: '609' } as const
  const row = { first_deposit_currency: { id: 2, title: 'Indian rupee', value: 'INR' } }
  expect(renderToStaticMarkup(fieldValue({ ...player, row }))).toMatch(/609\.00.*INR/)
})

test('an open dispute is shown instead of the state [MON-13]', () => {
  const { state } = ENTITIES.statement.fields
  const shown = { labels, entity: 'statement', name: 'state', field: state, value: 'approved' } as const
  const text = (disputed_at: string | null) => renderToStaticMarkup(fieldValue({ ...shown, row: { disputed_at } }))
  expect(text(null)).toContain('Approved')
  expect(text('2026-11-20T10:00:00Z')).toContain('Disputed')
  expect(text('2026-11-20T10:00:00Z')).not.toContain('Approved')
})

test('terms without a first day apply from the beginning [MON-04]', () => {
  const { date_from: field } = ENTITIES.offer_partner_cost_history.fields
  const shown = { labels, entity: 'offer_partner_cost_history', name: 'date_from', field } as const
  expect(fieldValue({ ...shown, value: '1970-01-02' })).toBe('from the beginning')
})

test('the fee of an agency line is its rounded sum less its rounded base [MON-03] [SPD-01]', () => {
  expect(feeOf({ kind: 'agency', amount: '1660.0600', base: '1500.0500' })).toBe('160.0100')
  expect(feeOf({ kind: 'agency', amount: '10.0100', base: '9.0049' })).toBe('1.0100')
  expect(feeOf({ kind: 'rs', amount: '5.0000', base: '20.0000' })).toBeNull()
})
