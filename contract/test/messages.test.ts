// The sentences of messages with their values.
import { expect, test } from 'vitest'
import { say } from '../words/messages.ts'

test('months and days within a sentence look as on screens, in both languages [I18N-03] [MON-02]', () => {
  const closed = { month: '2026-10', who: 'Anna', day: '2026-11-03' }
  expect(say('en', 'period_closed_by', closed)).toContain('Oct 2026 was closed by Anna on 03.11.2026.')
  expect(say('ru', 'period_closed_by', closed)).toContain('окт. 2026 г.: месяц закрыт (Anna, 03.11.2026)')
  expect(say('en', 'spend_claim_late', { days: 7, from: '2026-11-17' })).toContain('from 17.11.2026 on')
})

test('a value that is no date stays as it is', () => {
  expect(say('en', 'sheet_day_foreign', { day: '31 or so', month: '2026-10' })).toMatch(
    /“31 or so” is not a day of Oct 2026/,
  )
  expect(say('en', 'blocker_month_open', { month: '2026-10', partner: '2026-10' })).toBe(
    'Oct 2026 is not closed for 2026-10',
  )
})

test('a part of a sentence in brackets is said with its value only [SPD-03]', () => {
  const paid = { day: '2026-11-20', model: 'CPA' }
  expect(say('en', 'not_agency', paid)).toContain('is paid by CPA: spend')
  expect(say('ru', 'not_agency', { ...paid, since: '03.11.2026' })).toContain('«CPA» с 03.11.2026: расходы')
})

test('limits have a space between thousands, and numbers of documents none [FORM-03]', () => {
  expect(say('en', 'max_value', { max: 1_000_000_000 })).toBe('No more than 1\u202f000\u202f000\u202f000')
  expect(say('ru', 'min_value', { min: -1500 })).toMatch(/-1\u202f500$/)
  expect(say('en', 'min_value', { min: 1e-8 })).toContain('1e-8')
  expect(say('en', 'statement_is_carried', { number: 12345, month: '2026-10' })).toContain('Statement 12345 ')
})
