// The table of what runs by the clock: its last run that has ended, and one that runs now.
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { beforeAll, expect, test } from 'vitest'
import { en } from '../src/i18n/en/dictionary.ts'
import { ScheduleTable } from '../src/screens/status/status-tables.tsx'

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: en } } })
})

const BACKUP = {
  name: 'backup_time',
  last_at: '2026-03-01T03:10:00.000Z',
  running_since: null,
  count: null,
  failure: null,
  next_at: '2026-03-03T03:00:00.000Z',
  off: null,
} as const

const textOf = (running_since: string | null): string =>
  renderToStaticMarkup(<ScheduleTable schedules={[{ ...BACKUP, running_since }]} />).replace(/<[^>]+>/g, ' ')

test('a back-up that runs is shown since when, beside the last one that has ended [ENT-23] [SYS-05]', () => {
  expect(textOf('2026-03-02T03:01:00.000Z')).toMatch(/03:10.*running since .*03:01.* UTC/)
  expect(textOf(null)).toMatch(/03:10/)
  expect(textOf(null)).not.toContain('running')
})
