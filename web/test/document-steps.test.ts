import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import { expect, test } from 'vitest'
import { stepsOf } from '../src/screens/statement/document-steps.ts'

const entry = (id: number, more: Partial<HistoryEntry>): HistoryEntry => ({
  id,
  at: `2026-11-0${id}T10:00:00.000Z`,
  user: { id: 5, title: 'Anna' },
  action: 'update',
  cause: 'approve a statement',
  request_id: null,
  entity: 'statement',
  entity_id: 7,
  title: '#7',
  changes: [],
  units: { before: {}, after: {} },
  restorable: false,
  ...more,
})

test('the steps of a document name the person and the reason, wherever the reason is stored [MON-13] [ENT-24]', () => {
  const disputed = [{ field: 'dispute_reason', before: null, after: 'too much' }]
  const resolved = [{ field: 'resolve_reason', before: 'earlier', after: null }]
  const steps = stepsOf('statement', [
    entry(5, { entity: 'payment', cause: 'record a payment' }),
    entry(4, { cause: 'resolve a dispute', changes: resolved }),
    entry(3, { cause: 'dispute a statement', changes: disputed }),
    entry(2, {
      cause: 'approve a statement: checked: twice',
      changes: [{ field: 'state', before: 'draft', after: 'approved' }],
    }),
    entry(1, { cause: 'make a statement', user: null }),
  ])
  expect(steps.map(({ id, person, cause, reason, state }) => [id, person, cause, reason, state])).toEqual([
    [4, 'Anna', 'resolve a dispute', null, null],
    [3, 'Anna', 'dispute a statement', 'too much', null],
    [2, 'Anna', 'approve a statement', 'checked: twice', 'approved'],
    [1, null, 'make a statement', null, null],
  ])
})
