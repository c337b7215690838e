// Colours of the states of reports, retrievals and postbacks.
import { POSTBACK_STATUSES } from '@tributary/contract/entities/postback'
import { REPORT_STATUSES } from '@tributary/contract/entities/report'
import { expect, test } from 'vitest'
import { sinceClick } from '../src/screens/postback/postback-panel.tsx'
import { toneOf } from '../src/ui/state-badge.tsx'

test('success is positive, failure negative, and a state that needs attention a warning [PLY-08] [TRK-06]', () => {
  const tones = Object.fromEntries([...REPORT_STATUSES, ...POSTBACK_STATUSES].map((status) => [status, toneOf(status)]))
  expect(tones).toEqual({
    waiting: 'neutral',
    processing: 'accent',
    success: 'positive',
    warnings: 'warning',
    failed: 'negative',
    cancelled: 'neutral',
    accepted: 'positive',
    duplicate: 'neutral',
    refused: 'negative',
    sent: 'positive',
    pending: 'warning',
    skipped: 'neutral',
  })
})

test('an event shows the time since its click, if the click’s id contains a time [TRK-05]', () => {
  const at = Date.parse('2026-03-01T10:00:00.000Z')
  const hex = at.toString(16).padStart(12, '0')
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
  const since = (event: string, language = 'en') => sinceClick(id, event, language)
  expect(since('2026-03-01T10:00:00.400Z')).toBe('0 sec')
  expect(since('2026-03-01T13:12:09.000Z')).toBe('3 hr 12 min')
  expect(since('2026-03-03T10:00:30.000Z', 'ru')).toBe('2 дн. 30 с')
  expect(since('2026-03-01T09:59:59.000Z')).toBeNull()
  expect(sinceClick('0b0e0b0e-0000-4000-8000-000000000001', '2026-03-01T10:00:00Z', 'en')).toBeNull()
  expect(sinceClick(null, '2026-03-01T10:00:00Z', 'en')).toBeNull()
})
