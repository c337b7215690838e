// Typed amounts of the budget plan.
import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { en } from '../src/i18n/en/dictionary.ts'
import { actOnEnter, explainPercent, explainPlan, readPlan } from '../src/screens/budget-plan/read-plan.ts'

beforeAll(async () => {
  await i18next.init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } })
})

test.each([
  ['2,500.00', '2500'],
  ['2.500,50', '2500.5'],
  ['2 500', '2500'],
  ['12,5', '12.5'],
  ['.5', '0.5'],
  ['12.', '12'],
  ['007', '7'],
  ['1.2340', '1.234'],
  [' ', null],
])('a plan %s is %s [MON-07] [MON-09]', (text, amount) => {
  expect(readPlan(text)).toEqual({ amount, problem: null })
})

test.each([
  ['1,234', '“1,234” can be read in two ways: write it without thousands'],
  ['2.500', '“2.500” can be read in two ways: write it without thousands'],
  ['1 23', '“1 23” is not an amount'],
  ['-5', 'A plan cannot be negative'],
  ['12.34567', 'No more than 4 digits after the point'],
  ['1 000 000 001', 'No more than 1\u202f000\u202f000\u202f000'],
])('a plan %s is refused: %s [MON-07] [MON-09]', (text, words) => {
  const { amount, problem } = readPlan(text)
  expect(amount).toBeNull()
  expect(problem && explainPlan(problem, text)).toBe(words)
})

test('the saved amount that a cell opens with is not refused [MON-09]', () => {
  expect(readPlan('1.234', '1.234')).toEqual({ amount: '1.234', problem: null })
})

test('Enter in an emptied plan says that the amount is missing; in one that was empty, or is unchanged, it closes the field [MON-09] [NAV-10]', () => {
  expect(actOnEnter(' ', '2500')).toBe('missing')
  expect(actOnEnter('', '')).toBe('close')
  expect(actOnEnter('2 500', '2500')).toBe('close')
  expect(actOnEnter('0', '2500')).toBe('save')
})

test('a percentage out of range is refused in words, never changed into another one [MON-09] [FORM-04]', () => {
  for (const percent of ['0', '-15.5', '-100', '1000']) expect(explainPercent(percent)).toBeNull()
  expect(explainPercent('-100.01')).toBe('No less than -100')
  expect(explainPercent('1550')).toMatch(/^No more than 1.?000$/)
  for (const nothing of ['', '-']) expect(explainPercent(nothing)).toBe('This field is required')
})
