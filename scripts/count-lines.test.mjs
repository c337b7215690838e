// What is counted as the size of the product.
import { expect, test } from 'vitest'
import { countLines, countProduct, isProduct } from './count-lines.mjs'

test('blanks, comments and imports do not count, lines that end with a comment do', () => {
  const text = `// why
import { a } from 'a'
import {
  b,
  c,
} from 'b'
import 'side-effect'

/**
 * What it answers.
 */
const one = a /* here */ + b // sum
/* once */
export { c } from 'c'
`
  expect(countLines(text)).toBe(2)
})

test('tests, words and whatever is not TypeScript are not the product', () => {
  const left = ['contract/words/en.ts', 'contract/test/a.ts', 'web/src/i18n/a.ts', 'a.css']
  expect(left.filter(isProduct)).toEqual([])
  expect(['contract/money.ts', 'server/src/main.ts', 'web/src/app/frame.tsx'].filter(isProduct)).toHaveLength(3)
})

test('every place has files', () => {
  for (const { files, lines } of countProduct()) expect(files < lines && files > 0).toBe(true)
})
