// Opens the store that a target names: a folder by its absolute path.

import { isAbsolute } from 'node:path'
import { StartError } from '../lib/app-error.ts'
import { openFolderStore } from './folder-store.ts'
import type { BackupStore } from './store.ts'

export async function openStore(target: string): Promise<BackupStore> {
  if (!isAbsolute(target)) throw new StartError(`the place of back-ups must be an absolute path, not ${target}`)
  return openFolderStore(target)
}
