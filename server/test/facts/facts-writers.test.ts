// Freshness of clicks counts only checked writers: a new tracker holds it back.
import { expect, test } from 'vitest'
import { createScanPlan } from '../../src/facts/clicks/scan-plan.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const OLD = { id: 1, loaded_id: '01a1fa89-1854-7000-a38f-83784f913d0c' }
const NEW = { id: 2, loaded_id: null }

test('an unchecked writer keeps the report from being called current [TRK-03] [REP-15]', () => {
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
