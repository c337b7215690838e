// Which amount of a spend a person enters: a claimant the claim, staff the accepted sum.
import { expect, test } from 'vitest'
import { currencyOfLatest } from '../src/screens/partner-spend/claim-currency.tsx'
import { PARTNER_SPEND_FORM } from '../src/screens/partner-spend/spend-form.ts'
import { setHolder } from '../src/state/profile-facts.ts'

const { fields, check } = PARTNER_SPEND_FORM
const isReadOnly = (field: string, loaded?: unknown) => fields?.[field]?.isReadOnly?.(loaded)

test('a claimant enters the claim alone and must enter it [SPD-01] [MON-06]', () => {
  setHolder({ role: 'PARTNER', permissions: ['partners_spend_partner_edit'] })
  expect(isReadOnly('sum')).toBe(true)
  expect(isReadOnly('claim_sum')).toBe(false)
  expect([isReadOnly('currency'), isReadOnly('claim_currency')]).toEqual([false, true])
  expect([isReadOnly('currency', { id: 1 }), isReadOnly('claim_currency', null)]).toEqual([true, false])
  expect(fields?.claim_sum?.isRequired?.()).toBe(true)
  expect(check?.({ sum: '', claim_sum: '' })).toEqual({ claim_sum: { key: 'required' } })
  expect(check?.({ sum: '5', claim_sum: '' })).toEqual({})
})

test('staff enter the accepted sum, and empty a claim to decline it [SPD-01] [MON-06]', () => {
  setHolder({ role: 'ADMIN', permissions: [] })
  expect(isReadOnly('sum')).toBe(false)
  expect(isReadOnly('claim_sum')).toBe(true)
  expect(isReadOnly('claim_sum', '7.5')).toBe(false)
  expect([isReadOnly('currency', { id: 1 }), isReadOnly('claim_currency', { id: 1 })]).toEqual([false, true])
  expect(check?.({ sum: '', claim_sum: '' })).toEqual({})
})

test('a claim begins with the currency of the latest claim or sum; an empty one is left to the server [SPD-01] [MON-06]', () => {
  const [euro, dollar] = [{ id: 1 }, { id: 2 }]
  expect(currencyOfLatest({ items: [{ currency: euro, claim_currency: dollar }] })).toBe(dollar)
  expect(currencyOfLatest({ items: [{ currency: euro, claim_currency: null }] })).toBe(euro)
  expect(currencyOfLatest({ items: [] })).toBe(null)
  expect(fields?.currency?.filledBy).toBeDefined()
})
