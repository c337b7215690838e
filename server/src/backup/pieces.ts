// Writes content into a store and reads it back: hashed, compressed, checked.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { StartError } from '../lib/app-error.ts'
import type { StoredObject } from './manifest.ts'
import { type BackupStore, objectKey } from './store.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

export interface Writing {
  readonly store: BackupStore
  /** The bytes of each object in the store by its key. */
  readonly present: Map<string, number>
  /** Counts objects that the store did not have. */
  readonly added: { objects: number; bytes: number }
  /** Throws when the back-up shall end. */
  check(): void
}

let counter = 0
const stagingFile = (store: BackupStore): string => join(store.staging, `part-${process.pid}-${++counter}`)

export async function writePiece(writing: Writing, content: Buffer): Promise<StoredObject> {
  const file = stagingFile(writing.store)
  await writeFile(file, await compress(content, LEVEL), { mode: 0o600 })
  return storeFile(writing, file)
}

/** Moves the file into the store, or deletes it if the store has its content. An object of another size is damaged and written again. */
async function storeFile(writing: Writing, file: string): Promise<StoredObject> {
  writing.check()
  const { store, present, added } = writing
  const hash = await hashFile(file)
  const { size: bytes } = await stat(file)
  const key = objectKey(hash)
  if (present.get(key) === bytes) {
    await rm(file)
    return { hash, bytes }
  }
  await store.put(key, file)
  present.set(key, bytes)
  added.objects++
  added.bytes += bytes
  return { hash, bytes }
}

/** Writes a file by `write`, which receives its path, and stores it. */
export async function storeWritten(
  writing: Writing,
  ending: string,
  write: (path: string) => Promise<void>,
): Promise<StoredObject> {
  const file = `${stagingFile(writing.store)}${ending}`
  await write(file)
  return storeFile(writing, file)
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}

/** Fetches an object into a file, checks its content, and deletes the file after `use`. Throws StartError if it is damaged. */
export async function withObject<T>(
  store: BackupStore,
  { hash }: StoredObject,
  ending: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const file = `${stagingFile(store)}${ending}`
  try {
    await store.fetch(objectKey(hash), file)
    if ((await hashFile(file)) !== hash) throw new StartError(`${objectKey(hash)} is damaged`)
    return await use(file)
  } finally {
    await rm(file, { force: true })
  }
}

export const readPiece = (store: BackupStore, object: StoredObject): Promise<Buffer> =>
  withObject(store, object, '', async (path) => decompress(await readFile(path)))
