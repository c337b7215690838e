// A folder as a store of back-ups. An object appears under its name only when it is complete and on disk.

import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError, textOf } from '../lib/app-error.ts'
import { type BackupStore, MissingObjectError } from './store.ts'

export async function openFolderStore(folder: string): Promise<BackupStore> {
  const staging = join(folder, 'staging')
  try {
    await mkdir(staging, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StartError(`the back-up folder ${folder} cannot be used: ${textOf(error)}`)
  }
  const pathOf = (key: string): string => join(folder, key)
  return {
    staging,
    has: (key) =>
      stat(pathOf(key)).then(
        () => true,
        () => false,
      ),
    async put(key, file) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await sync(file)
      await rename(file, path)
      await sync(dirname(path))
    },
    async fetch(key, file) {
      await copyFile(pathOf(key), file, constants.COPYFILE_FICLONE).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new MissingObjectError(`${key} is missing`) : error
      })
    },
    async *list(prefix) {
      const entries = await readdir(pathOf(prefix), { recursive: true, withFileTypes: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return []
          throw error
        },
      )
      for (const entry of entries) if (entry.isFile()) yield join(entry.parentPath, entry.name).slice(folder.length + 1)
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    close: () => undefined,
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
