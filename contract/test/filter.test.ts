// Which texts a filter on a field can hold.
import { expect, test } from 'vitest'
import type { Field } from '../field.ts'
import { keepFilterValues } from '../filter.ts'
import type { Operator } from '../list-query.ts'

const kept = (field: Field, operator: Operator, ...values: string[]) =>
  keepFilterValues(field, { path: 'field', operator, values })?.values ?? null

test('values that a field cannot hold are left out, and the condition with the last of them [LIST-08]', () => {
  const month: Field = { kind: 'text', format: 'month', whole: true }
  expect(kept(month, 'in', '2026-10', '2026-13', 'zzz')).toEqual(['2026-10'])
  expect(kept(month, 'eq', 'zzz')).toBeNull()
  const number: Field = { kind: 'integer' }
  expect(kept(number, 'in', '1', 'abc')).toEqual(['1'])
  expect(kept(number, 'bwn', '', '9')).toEqual(['', '9'])
  expect(kept(number, 'bwn', 'abc', '9')).toBeNull()
  const choice: Field = { kind: 'choice', options: ['new', 'old'] }
  expect(kept(choice, 'eq', 'NEW')).toBeNull()
  expect(kept(choice, 'like', 'new')).toBeNull()
  const moment: Field = { kind: 'datetime' }
  expect(kept(moment, 'bwn', '2026-10-01', '2026-10-31T12:00Z')).toEqual(['2026-10-01', '2026-10-31T12:00Z'])
  expect(kept(moment, 'eq', 'yesterday')).toBeNull()
})
