// The same promises as a folder's, kept by a bucket of an S3-compatible store.

import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../src/backup/open-store.ts'
import { MissingObjectError } from '../../src/backup/store.ts'
import { makeDirectory } from '../support/harness.ts'
import { startS3Server } from '../support/s3-server.ts'

const s3 = await startS3Server()

beforeAll(() => {
  for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value)
  return () => void vi.unstubAllEnvs()
})

async function open(target: string) {
  const store = await openStore(target, 'write')
  onTestFinished(() => store.close())
  return store
}

test('a bucket stores, lists, returns and removes objects, large ones in parts [SYS-05]', async () => {
  const store = await open('s3://backups/tributary')
  const large = randomBytes(20_000_000)
  const file = join(store.staging, 'large')
  writeFileSync(file, large)
  await store.put('objects/aa/large', file)
  expect(s3.parts).toBeGreaterThan(1)
  expect(await Array.fromAsync(store.list('objects/'))).toEqual([{ key: 'objects/aa/large', bytes: large.length }])
  const copy = join(makeDirectory(), 'copy')
  await store.fetch('objects/aa/large', copy)
  expect(readFileSync(copy).equals(large)).toBe(true)
  await store.remove('objects/aa/large')
  await expect(store.fetch('objects/aa/large', copy)).rejects.toThrow(MissingObjectError)
})

test('a listing of several pages names every object of the own folder, and none of another [SYS-05]', async () => {
  const store = await open('s3://backups/mine')
  const other = await open('s3://backups/mine-too')
  for (const [place, count] of [
    [store, 120],
    [other, 1],
  ] as const)
    for (let number = 0; number < count; number++) {
      const file = join(place.staging, 'file')
      writeFileSync(file, `content ${number}`)
      await place.put(`objects/00/${String(number).padStart(3, '0')}`, file)
    }
  const listed = await Array.fromAsync(store.list('objects/'))
  expect(listed).toHaveLength(120)
  expect(new Set(listed.map(({ key }) => key)).size).toBe(120)
  expect(await Array.fromAsync(store.list('manifests/'))).toEqual([])
})

test('a bucket that is missing or closed, and a place that is none, are named at once [SYS-05]', async () => {
  await expect(openStore('s3://nowhere/x', 'read')).rejects.toThrow(
    'the place of back-ups s3://nowhere/x cannot be used',
  )
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'SOMEBODY')
  onTestFinished(() => void vi.stubEnv('AWS_ACCESS_KEY_ID', s3.env.AWS_ACCESS_KEY_ID))
  await expect(openStore('s3://backups/x', 'read')).rejects.toThrow('cannot be used: ')
  await expect(openStore('s3://', 'read')).rejects.toThrow('must be an absolute path or s3://bucket/folder')
  await expect(openStore('back-ups', 'read')).rejects.toThrow('must be an absolute path or s3://bucket/folder')
})
