// How money screens show amounts, currencies, states and days of terms.
import { ENTITIES } from '@tributary/contract/entities/registry'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { shownColumns } from '../src/entities/field/columns.ts'
import { fieldValue, textOf } from '../src/entities/field/field-value.tsx'
import { fitColumns } from '../src/entities/list/fit-columns.ts'
import { en } from '../src/i18n/en/dictionary.ts'
import { labelsOf } from '../src/i18n/labels.ts'
import { ru } from '../src/i18n/ru/dictionary.ts'
import type { Dictionary } from '../src/i18n/shape.ts'
import { targetOf } from '../src/screens/finance/partner-ledger-screen.tsx'
import { feeOf } from '../src/screens/statement/line-figure.tsx'
import { shownTotals } from '../src/screens/statement/preview-screen.tsx'
import { nameOf } from '../src/screens/statement/statement-lines.tsx'

const labels = labelsOf(en as unknown as Dictionary)
const EUR = { id: 1, title: 'Euro', value: 'EUR' }

test('what nobody has done was done by the product [ENT-24] [MON-13]', () => {
  const { user } = ENTITIES.audit_log.fields
  const { created_by, approved_by } = ENTITIES.statement.fields
  const none = { labels, value: null } as const
  expect(fieldValue({ ...none, entity: 'audit_log', name: 'user', field: user })).toBe('System')
  expect(fieldValue({ ...none, entity: 'statement', name: 'created_by', field: created_by })).toBe('System')
  // Nobody has approved it yet.
  expect(fieldValue({ ...none, entity: 'statement', name: 'approved_by', field: approved_by })).not.toBe('System')
})

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

test('a column of amounts is as wide as its widest amount with its currency, unless the user set its width [LIST-04] [MON-03]', () => {
  const columns = shownColumns('adjustment', 'ADMIN', null, (path) => path)
  const row = { amount: '-1000000000.0000', currency: EUR }
  const widthOf = (rows: readonly object[], widths = {}) =>
    fitColumns(columns, rows as Record<string, unknown>[], widths, labels, 0).find(({ path }) => path === 'amount')
      ?.width ?? 0
  // '−1 000 000 000.00 EUR' in digits of eight pixels.
  expect(widthOf([row])).toBeGreaterThanOrEqual(21 * 8)
  expect(widthOf([row], { amount: 90 })).toBe(widthOf([]))
  expect(fitColumns(columns, [{ ...row, amount: '5' }], {}, labels, 0)).toBe(columns)
})

test('a column of states is as wide as the badge of the longest shown state [LIST-04] [I18N-02]', () => {
  const russian = labelsOf(ru)
  const columns = shownColumns('google_parse_result', 'ADMIN', null, (path) => path)
  const widthOf = (status: string) =>
    fitColumns(columns, [{ status }], {}, russian, 0).find(({ path }) => path === 'status')?.width ?? 0
  expect(widthOf('warnings')).toBeGreaterThanOrEqual('С предупреждениями'.length * 8)
  expect(widthOf('success')).toBeLessThan(widthOf('warnings'))
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

test('a line is named by its note, else its partner offer, else its kind, and says the rest below [MON-13]', () => {
  const link = { id: 1, title: 'site-1', offer: { id: 2, title: 'Betwell' } }
  const line = { kind: 'adjustment', note: 'Bonus for volume', explanation: 'Bonus', offer_partner: link } as const
  expect(nameOf(line, 'Adjustment')).toEqual({
    name: 'Bonus for volume',
    about: ['Adjustment', 'Bonus', 'Betwell · site-1'],
  })
  expect(nameOf({ ...line, note: null }, 'Adjustment')).toEqual({
    name: 'Betwell · site-1',
    about: ['Adjustment', 'Bonus'],
  })
  expect(nameOf({ ...line, note: null, offer_partner: null }, 'Adjustment')).toEqual({
    name: 'Adjustment',
    about: ['Bonus'],
  })
  const cpa = { kind: 'cpa', note: null, explanation: null, offer_partner: link } as const
  expect(nameOf(cpa, 'CPA')).toEqual({ name: 'Betwell · site-1', about: ['CPA'] })
})

test('a figure of the ledger opens a list that sums to it: no reversed payments, drafts or void statements [MON-16]', () => {
  const conditions = (figure: 'paid' | 'invoiced' | 'tax') => targetOf(figure, '2026-11', 45, false)?.search
  expect(conditions('paid')).toMatchObject({ 'filter[reversed]': 0, 'filter[partner]': 45 })
  for (const figure of ['invoiced', 'tax'] as const)
    expect(JSON.stringify(conditions(figure))).toMatch(/approved.*partly_paid.*paid/)
})

test('a preview leaves out currencies in which nothing is payable, unless there is no other [MON-11]', () => {
  const total = (value: string, amount: string) => ({
    currency: { ...EUR, value },
    amount,
    unrated: [] as { currency: typeof EUR; amount: string }[],
    provisional: false,
  })
  const [euro, dollar] = [total('EUR', '55.0000'), total('USD', '0.0000')]
  expect(shownTotals([dollar, euro])).toEqual([euro])
  expect(shownTotals([dollar])).toEqual([dollar])
  expect(shownTotals([])).toEqual([])
  const unrated = { ...dollar, unrated: [{ currency: EUR, amount: '5.0000' }] }
  expect(shownTotals([unrated, euro])).toEqual([unrated, euro])
})

test('a converted amount of the ledger is shown as other amounts are: in groups, with its currency, negative in red [MON-16]', () => {
  const { converted: field } = ENTITIES.ledger_entry.fields
  const show = (value: string) =>
    renderToStaticMarkup(fieldValue({ labels, entity: 'ledger_entry', name: 'converted', field, value }))
  expect(show('\u22121234567.50 EUR')).toMatch(/class="[^"]*negative[^"]*">\u22121\D234\D567\.50<.*EUR/)
  expect(show('1234.50 EUR')).not.toContain('negative')
  const { fx_rate: rate } = ENTITIES.ledger_entry.fields
  expect(fieldValue({ labels, entity: 'ledger_entry', name: 'fx_rate', field: rate, value: '0.87819823' })).toBe(
    '0.87819823',
  )
  const columns = shownColumns('ledger_entry', 'ADMIN', null, (path) => path)
  const [column] = fitColumns(columns, [{ converted: '2195495586013.10 GBP' }], {}, labels, 0).filter(
    ({ path }) => path === 'converted',
  )
  expect(column?.width).toBeGreaterThanOrEqual('2 195 495 586 013.10 GBP'.length * 8)
  // Lists show a text as it is.
  expect(textOf(labels, 'ledger_entry', 'converted', field, '1234.50 EUR')).toBeNull()
})
