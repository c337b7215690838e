import { expect, test } from 'vitest'
import { labelOption, rowTitle } from '../src/entities/field/row-text.ts'
import { isolate, joinTexts } from '../src/lib/isolate.ts'

const NAME = 'חברה'
const KEPT = `\u2068${NAME}\u2069`

test('the text around a right-to-left name keeps its order [NAV-11]', () => {
  expect(isolate(NAME)).toBe(KEPT)
  expect(isolate('Northwind «Север»')).toBe('Northwind «Север»')
  expect(joinTexts(['No. 1', NAME, '12.00'])).toBe(`No. 1 · ${KEPT} · 12.00`)
  const row = { id: 1, partner: { id: 3, title: NAME }, month: '2026-10-01' }
  expect(rowTitle('adjustment', row)).toContain(`#1 · ${KEPT} · `)
  expect(labelOption('landing', { id: 1, title: NAME, value: '103' })).toBe(`${KEPT} · 103`)
})
