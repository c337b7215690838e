// Opens the store that a target names: a folder by its absolute path, or a bucket of an S3-compatible store.

import { isAbsolute } from 'node:path'
import { StartError } from '../lib/app-error.ts'
import { openFolderStore } from './folder-store.ts'
import type { BackupStore, StoreUse } from './store.ts'

/** `target` is an absolute path or `s3://bucket/folder`. Throws StartError if the place cannot be used. */
export async function openStore(target: string, use: StoreUse): Promise<BackupStore> {
  if (/^s3:\/\/[^/]+/.test(target)) {
    // The library is loaded only where it is used.
    const { openS3Store } = await import('./s3-store.ts')
    return openS3Store(target)
  }
  if (!isAbsolute(target))
    throw new StartError(`the place of back-ups must be an absolute path or s3://bucket/folder, not ${target}`)
  return openFolderStore(target, use)
}
