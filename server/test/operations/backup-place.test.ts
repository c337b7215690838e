// The folder of back-ups, as a writer and as a reader opens it.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/backup/open-store.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'back-ups-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a reader of a mistyped place is told so, and the place is not created [SYS-05]', async () => {
  const missing = join(makeFolder(), 'mistyped')
  await expect(openStore(missing, 'read')).rejects.toThrow(`the back-up folder ${missing} cannot be read: `)
  expect(existsSync(missing)).toBe(false)
  const file = join(makeFolder(), 'file')
  writeFileSync(file, '')
  await expect(openStore(file, 'read')).rejects.toThrow(`the back-up folder ${file} is not a folder`)
  const written = await openStore(missing, 'write')
  await written.close()
  expect(existsSync(missing)).toBe(true)
})

test('a reader leaves nothing in the place, and needs no right to write there [SYS-05]', async () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'objects/ab'), { recursive: true })
  writeFileSync(join(folder, 'objects/ab/abcd'), 'content')
  const store = await openStore(folder, 'read')
  await store.close()
  expect(readdirSync(folder)).toEqual(['objects'])

  // A file instead of the folder for temporary files: nothing can be written there, not even by root.
  writeFileSync(join(folder, 'staging'), '')
  const reader = await openStore(folder, 'read')
  expect(dirname(reader.staging)).toBe(tmpdir())
  const copy = join(reader.staging, 'copy')
  await reader.fetch('objects/ab/abcd', copy)
  expect(readFileSync(copy, 'utf8')).toBe('content')
  rmSync(copy)
  await reader.close()
  expect(existsSync(reader.staging)).toBe(false)
})
