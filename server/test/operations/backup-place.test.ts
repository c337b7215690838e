// The folder of back-ups, as a writer and as a reader opens it.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../src/backup/open-store.ts'
import { makeDirectory } from '../support/harness.ts'

test('reading back-ups from a folder that does not exist fails and does not create it [SYS-05]', async () => {
  const missing = join(makeDirectory(), 'mistyped')
  await expect(openStore(missing, 'read')).rejects.toThrow(`the back-up folder ${missing} cannot be read: `)
  expect(existsSync(missing)).toBe(false)
  const file = join(makeDirectory(), 'file')
  writeFileSync(file, '')
  await expect(openStore(file, 'read')).rejects.toThrow(`the back-up folder ${file} is not a folder`)
  const written = await openStore(missing, 'write')
  await written.close()
  expect(existsSync(missing)).toBe(true)
})

test('a reader removes its own files only, and nobody else removes them [SYS-05]', async () => {
  const folder = makeDirectory()
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

test('back-ups are read from a folder that cannot be written [SYS-05]', async () => {
  const folder = makeDirectory()
  // Root may write everywhere; in a folder of the kernel nobody makes one.
  const place = process.getuid?.() === 0 ? '/proc/self/fd' : folder
  if (place === folder) chmodSync(folder, 0o500)
  const store = await openStore(place, 'read')
  expect(dirname(store.staging)).toBe(tmpdir())
  await store.close()
  expect(existsSync(store.staging)).toBe(false)
})
