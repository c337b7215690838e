// The folder of back-ups, as a writer and as a reader opens it.

import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { dumpFiles, isExcluded } from '../../src/backup/dump-files.ts'
import type { Manifest } from '../../src/backup/manifest.ts'
import { openStore } from '../../src/backup/open-store.ts'
import { prepareRecord } from '../../src/backup/restore-record.ts'
import { createTestDatabase, makeDirectory } from '../support/harness.ts'

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

test('readers write nothing into the folder, not even a file of their own, and one does not end another [SYS-05]', async () => {
  const folder = makeDirectory()
  mkdirSync(join(folder, 'objects/ab'), { recursive: true })
  writeFileSync(join(folder, 'objects/ab/abcd'), 'content')
  const [reader, other, writer] = [
    await openStore(folder, 'read'),
    await openStore(folder, 'read'),
    await openStore(folder, 'write'),
  ]
  expect(new Set([reader, other, writer].map(({ staging }) => staging)).size).toBe(3)
  const object = join(reader.staging, 'object')
  await reader.fetch('objects/ab/abcd', object)
  await expect(reader.fetch('objects/ab/other', object)).rejects.toThrow('objects/ab/other is missing')
  expect(readdirSync(folder)).toEqual(['objects', 'staging'])
  await other.close()
  await writer.close()
  expect(readFileSync(object, 'utf8')).toBe('content')
  await reader.close()
  expect(existsSync(reader.staging)).toBe(false)
  expect(readFileSync(join(folder, 'objects/ab/abcd'), 'utf8')).toBe('content')
})

test('files that belong to a running process are neither stored nor restored, and files of people are [SYS-05]', async () => {
  const dataDir = makeDirectory()
  mkdirSync(join(dataDir, 'uploads'))
  const names = [
    'server.lock',
    'clickhouse.lock',
    'clickhouse.lock.5f2c',
    'app.sock',
    'secret',
    'uploads/a.lock',
    'note',
  ]
  for (const name of names) writeFileSync(join(dataDir, name), name)
  const store = await openStore(join(makeDirectory(), 'back-ups'), 'write')
  const writing = { store, present: new Map<string, number>(), added: { objects: 0, bytes: 0 }, check: () => undefined }
  const files = await dumpFiles(dataDir, '', [], writing)
  expect(files.map(({ path }) => path)).toEqual(['note', 'uploads/a.lock'])
  expect(names.filter(isExcluded)).toEqual(names.slice(0, 5))
  await store.close()
})

test('a repeated restore that is killed while it empties the database can be repeated again [SYS-05]', async () => {
  const { url } = await createTestDatabase('empty')
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const manifest = { migrations: { postgresql: [], clickhouse: [] } } as unknown as Manifest
  expect(await prepareRecord(client, manifest, 'first')).toBe(false)
  await client.query(`
    create schema elsewhere;
    create function elsewhere.fail() returns event_trigger language plpgsql as $$ begin raise 'killed'; end $$;
    create event trigger killed on ddl_command_end when tag in ('CREATE TABLE') execute function elsewhere.fail()`)
  await expect(prepareRecord(client, manifest, 'second')).rejects.toThrow('killed')
  await client.query('drop event trigger killed')
  expect(await prepareRecord(client, manifest, 'third')).toBe(true)
})

test('what a killed reader has left is deleted after a day [SYS-05]', async () => {
  const [temporary, place] = [makeDirectory(), makeDirectory()]
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const name of ['tributary-backup-old', 'tributary-backup-new', 'another']) {
    mkdirSync(join(temporary, name))
    writeFileSync(join(temporary, name, 'part'), 'left')
  }
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400
  for (const name of ['tributary-backup-old', 'another']) utimesSync(join(temporary, name), twoDaysAgo, twoDaysAgo)
  const reader = await openStore(place, 'read')
  await reader.close()
  expect(readdirSync(temporary).sort()).toEqual(['another', 'tributary-backup-new'])
})
