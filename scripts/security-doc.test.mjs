// Every test file and title that docs/security.md names exists.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './root.mjs'

const DOC = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')

/** @param {string} name as the document writes it: `T/operations/app`, `contract/test/validate`, `e2e/hostile` */
function fileOf(name) {
  const path = name.replace(/^T\//, 'server/test/')
  const endings = name.startsWith('e2e/') ? ['.spec.ts'] : ['.test.ts', '.test.tsx']
  return endings.map((ending) => join(ROOT, path + ending)).find((file) => existsSync(file))
}

/** Titles of a file without their ids; what a title takes from its cases is `…`. @param {string} file */
function titlesIn(file) {
  const titles = readFileSync(file, 'utf8').matchAll(/[\w)]\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1,/g)
  return [...titles].map(([, , title = '']) =>
    title
      .replace(/\\(.)/g, '$1')
      .replace(/(?: \[[A-Z0-9]+-\d+\])+$/, '')
      .replace(/%[a-z]|\$\w+/g, '…'),
  )
}

/** @typedef {{ file: string, titles: string[] }} Named */

/** Every file that is named, with the titles quoted after it. @returns {Named[]} */
function readNamed() {
  /** @type {Named[]} */
  const named = []
  for (const [, file, title] of DOC.matchAll(/`((?:T|e2e|contract\/test|web\/test)\/[\w./-]+)`|“([^”]+)”/g)) {
    if (file !== undefined) named.push({ file, titles: [] })
    else if (title !== undefined) named.at(-1)?.titles.push(title)
  }
  return named
}

/** `…` stands for anything. @param {string} quoted @param {string} title */
const isTitle = (quoted, title) =>
  new RegExp(
    `^${quoted
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
  ).test(title)

test('every test that the document on security names is there, under its title', () => {
  const named = readNamed()
  expect(named.length).toBeGreaterThan(100)
  const missing = named.flatMap(({ file, titles }) => {
    const path = fileOf(file)
    if (path === undefined) return [file]
    const known = titlesIn(path)
    return titles
      .filter((quoted) => !known.some((title) => isTitle(quoted, title)))
      .map((quoted) => `${file}: ${quoted}`)
  })
  expect(missing).toEqual([])
})
