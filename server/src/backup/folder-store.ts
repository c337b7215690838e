// A folder as a store of back-ups. An object appears under its name only when it is complete and on disk.

import { mkdir, open, readdir, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError, textOf } from '../lib/app-error.ts'
import { type BackupStore, MissingObjectError, type StoreUse } from './store.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Who writes creates the folder; who reads needs it, and may read from a place that cannot be written. */
export async function openFolderStore(folder: string, use: StoreUse): Promise<BackupStore> {
  const staging = use === 'write' ? await makeStaging(folder) : await makeReading(folder)
  const pathOf = (key: string): string => join(folder, key)
  return {
    staging,
    async put(key, file) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await sync(file)
      await rename(file, path)
      await sync(dirname(path))
    },
    async fetch(key, file) {
      const path = await realpath(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new MissingObjectError(`${key} is missing`) : error
      })
      // A copy would need room, which a full disk has not.
      await symlink(path, file)
    },
    async *list(prefix) {
      const entries = await readdir(pathOf(prefix), { recursive: true, withFileTypes: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return []
          throw error
        },
      )
      for (const entry of entries.filter((one) => one.isFile())) {
        const path = join(entry.parentPath, entry.name)
        yield { key: path.slice(folder.length + 1), bytes: (await stat(path)).size }
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    async close() {
      if (use === 'read') await rm(staging, { recursive: true, force: true })
    },
  }
}

async function makeStaging(folder: string): Promise<string> {
  const staging = join(folder, 'staging')
  try {
    await mkdir(staging, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StartError(`the back-up folder ${folder} cannot be used: ${textOf(error)}`)
  }
  return staging
}

/** A reader writes nothing into the place of the back-ups. */
async function makeReading(folder: string): Promise<string> {
  const found = await stat(folder).catch((error: unknown) => {
    throw new StartError(`the back-up folder ${folder} cannot be read: ${textOf(error)}`)
  })
  if (!found.isDirectory()) throw new StartError(`the back-up folder ${folder} is not a folder`)
  return makeTemporaryFolder()
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
