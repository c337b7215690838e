import { expect, test } from 'vitest'
import { breakName } from '../src/reports/table/break-name.ts'

const broken = (name: string, letters = 8) => breakName(name, 3, (text) => text.length <= letters)

test('a name on the axis of a chart breaks at spaces, and inside of words that are too long [REP-09]', () => {
  expect(broken('Northwind')).toEqual(['Northw', 'ind'])
  expect(broken('Lucky Harbor Co')).toEqual(['Lucky', 'Harbor', 'Co'])
  expect(broken('Short')).toEqual(['Short'])
})

test('a name of 200 characters takes three lines and is cut at its end [REP-09]', () => {
  const lines = broken('W'.repeat(200))
  expect(lines).toEqual(['WWWWWWWW', 'WWWWWWWW', 'WWWWWWW…'])
  expect(broken(`${'слово '.repeat(40)}`)).toEqual(['слово', 'слово', 'слово с…'])
})
