// The folder of back-ups, as a writer and as a reader opens it.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
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

test('a reader leaves nothing in the place, and keeps its files while a back-up is made there [SYS-05]', async () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'objects/ab'), { recursive: true })
  writeFileSync(join(folder, 'objects/ab/abcd'), 'content')
  const [reader, other, writer] = [
    await openStore(folder, 'read'),
    await openStore(folder, 'read'),
    await openStore(folder, 'write'),
  ]
  expect(new Set([reader, other, writer].map(({ staging }) => staging)).size).toBe(3)
  const copy = join(reader.staging, 'copy')
  await reader.fetch('objects/ab/abcd', copy)
  await other.close()
  await writer.close()
  expect(readFileSync(copy, 'utf8')).toBe('content')
  await reader.close()
  expect(readdirSync(folder)).toEqual(['objects', 'staging'])
})

test('a place that cannot be written can be read [SYS-05]', async () => {
  const folder = makeFolder()
  // Root may write everywhere; in a folder of the kernel nobody makes one.
  const place = process.getuid?.() === 0 ? '/proc/self/fd' : folder
  if (place === folder) chmodSync(folder, 0o500)
  const store = await openStore(place, 'read')
  expect(dirname(store.staging)).toBe(tmpdir())
  await store.close()
  expect(existsSync(store.staging)).toBe(false)
})
