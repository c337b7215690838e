// `npm run count`: how large the product is. A file counts if it is TypeScript of contract, server/src or web/src, and neither a test nor
// words. A line counts if it holds code: blanks, comments and imports (also those over several lines) do not.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { ROOT } from './root.mjs'

const PLACES = ['contract', 'server/src', 'web/src']
const LEFT_OUT = [
  /(^|\/)(node_modules|test|dist|golden)\//,
  /\.(test|spec|config)\.tsx?$/,
  /\.d\.ts$/,
  /^contract\/words\//,
  /^web\/src\/i18n\//,
]

/** @param {string} path from the root, with slashes */
export const isProduct = (path) => /\.tsx?$/.test(path) && !LEFT_OUT.some((pattern) => pattern.test(path))

/**
 * Number of lines of code of a file. A line with code and a comment counts as code.
 * @param {string} text
 */
export function countLines(text) {
  let lines = 0
  /** @type {'code' | 'comment' | 'import'} */
  let inside = 'code'
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (inside === 'comment') {
      if (line.includes('*/')) inside = 'code'
    } else if (inside === 'import') {
      if (isEndOfImport(line)) inside = 'code'
    } else if (/^(\/\*|\{\/\*)/.test(line)) {
      if (!line.includes('*/')) inside = 'comment'
    } else if (/^import[\s{*'"]/.test(line)) {
      if (!isEndOfImport(line)) inside = 'import'
    } else if (line !== '' && !line.startsWith('//')) lines++
  }
  return lines
}

/** @param {string} line */
const isEndOfImport = (line) => /(from\s+|^import\s+)['"][^'"]+['"]/.test(line)

/** @returns {{ place: string, files: number, lines: number }[]} */
export function countProduct() {
  return PLACES.map((place) => {
    const files = readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter(isProduct)
    const lines = files.reduce((sum, file) => sum + countLines(readFileSync(join(ROOT, file), 'utf8')), 0)
    return { place, files: files.length, lines }
  })
}

if (import.meta.main) {
  const places = countProduct()
  const all = {
    place: 'all',
    files: places.reduce((sum, { files }) => sum + files, 0),
    lines: places.reduce((sum, { lines }) => sum + lines, 0),
  }
  for (const { place, files, lines } of [...places, all])
    console.log(`${place.padEnd(12)}${String(files).padStart(6)} files${String(lines).padStart(8)} lines`)
}
