// What a report without levels leaves out of its address.
import { expect, test } from 'vitest'
import { findLeftOut } from '../src/reports/flat/flat-state.ts'
import { setHolder } from '../src/state/profile-facts.ts'

const CHOICES = { period: ['week', 'day', 'month'], second: ['previous', 'off'] } as const

test('names the parameters that cannot be read or are hidden from the reader [NAV-12] [PERM-07]', () => {
  const sent = { from: '2026-11-01', to: '2026-11-28', period: 'day', partners: [1, 2], advertisers: [1], other: 'x' }
  setHolder({ role: 'ADMIN', permissions: [] })
  expect(findLeftOut(sent, CHOICES)).toEqual([])
  expect(findLeftOut({ ...sent, from: '2026-02-31', period: 'year', partners: 'abc' }, CHOICES)).toEqual([
    'from',
    'to',
    'partners',
    'period',
  ])
  setHolder({ role: 'PARTNER', permissions: [] })
  expect(findLeftOut(sent, CHOICES)).toEqual(['advertisers'])
})
