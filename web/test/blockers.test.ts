// Blockers of a preview of many partners.
import { expect, test } from 'vitest'
import { groupBlockers } from '../src/screens/statement/preview-screen.tsx'

const blocker = (id: number, message: string) => ({
  code: 'month_open' as const,
  blocks: 'create' as const,
  message,
  link: `/period-closes?partner=${id}`,
  partner: { id, title: `Partner ${id}` },
})

test('a blocker that several partners share stands once, with their number and the first one’s link [MON-11]', () => {
  const [open, missing, ...others] = groupBlockers([
    blocker(1, 'The month is open'),
    blocker(2, 'The currency is missing'),
    blocker(3, 'The month is open'),
  ])
  expect(open).toMatchObject({ message: 'The month is open', partners: 2, link: '/period-closes?partner=1' })
  expect(missing).toMatchObject({ message: 'The currency is missing', partners: 1 })
  expect(others).toEqual([])
})
