// How far the clicks are is said only for writers that have been looked at: a tracker that has just begun holds the word back.
import { expect, test } from 'vitest'
import { createScanPlan } from '../src/facts/clicks/scan-plan.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const OLD = { id: 1, loaded_id: '01a1fa89-1854-7000-a38f-83784f913d0c' }
const NEW = { id: 2, loaded_id: null }

test('a writer nobody has looked at keeps the report from calling itself current [TRK-03] [REP-15]', () => {
  const plan = createScanPlan()
  const first = plan.next([OLD], NOW)
  plan.finished(first, NOW, 1000)
  expect(plan.dataTo()).toBe(NOW)
  const second = plan.next([OLD, NEW], NOW + 500)
  expect(plan.dataTo()).toBeUndefined()
  expect(second.writers).toContain(NEW.id)
  plan.finished(second, NOW + 500, 1)
  expect(plan.dataTo()).toBe(NOW + 500)
})
