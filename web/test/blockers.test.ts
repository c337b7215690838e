// Blockers of a preview of many partners.
import type { BlockerCode } from '@tributary/contract/calls/payment-invoice'
import { expect, test } from 'vitest'
import { groupBlockers } from '../src/screens/statement/blocker-list.tsx'

const blocker = (code: BlockerCode, id: number, message: string) => ({
  code,
  blocks: 'create' as const,
  message,
  link: `/period-closes?partner=${id}`,
  partner: { id, title: `Partner ${id}` },
})

test('blockers of one kind are one group with the number of its partners, whatever their texts say [MON-11]', () => {
  const given = [
    blocker('rate_missing', 1, 'No rate for Partner 1'),
    blocker('month_open', 1, 'The month is open'),
    blocker('rate_missing', 2, 'No rate for Partner 2'),
    blocker('rate_missing', 2, 'No other rate for Partner 2'),
    blocker('month_open', 3, 'The month is open'),
  ]
  const [missing, open, ...others] = groupBlockers(given)
  expect(missing).toMatchObject({ code: 'rate_missing', partners: 2, isUniform: false })
  expect(missing?.blockers).toEqual([given[0], given[2], given[3]])
  expect(open).toMatchObject({ code: 'month_open', partners: 2, isUniform: true })
  expect(others).toEqual([])
})

test('what waits for another month because a statement is approved is a note below the problems [MON-11]', () => {
  const groups = groupBlockers([
    blocker('statement_approved', 1, 'The statement is approved'),
    blocker('month_open', 2, 'The month is open'),
    { ...blocker('below_minimum', 3, 'Below the minimum'), blocks: 'send' },
  ])
  expect(groups.map(({ code, tone }) => [code, tone])).toEqual([
    ['month_open', 'blocker'],
    ['below_minimum', 'warning'],
    ['statement_approved', 'quiet'],
  ])
})
