// Stores the files of DATA_DIR that neither engine owns: uploads, player reports, mails. A file that did not change is not read again.

import { copyFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredFile } from './manifest.ts'
import { storeWritten, type Writing } from './pieces.ts'

/** The engines' files, the secrets, and what belongs to a running process. */
const EXCLUDED =
  /^(postgres|clickhouse|secret|postgres-password|[^/]*\.lock(\.[^/]*)?|backup-staging|restore-unfinished|[^/]*\.sock)$/

/** True for paths in DATA_DIR that a copy must not have. Back-ups of earlier versions hold locks of processes. */
export const isExcluded = (path: string): boolean => EXCLUDED.test(path)

export async function dumpFiles(
  dataDir: string,
  target: string,
  before: readonly StoredFile[],
  writing: Writing,
): Promise<StoredFile[]> {
  const known = new Map(before.map((file) => [file.path, file]))
  const files: StoredFile[] = []
  for await (const path of filesBelow(dataDir, '', target)) {
    const found = await stat(join(dataDir, path)).catch(() => undefined)
    // Deleted meanwhile.
    if (found === undefined) continue
    const now = { path, mode: found.mode & 0o777, size: found.size, changed: found.mtimeMs }
    const old = known.get(path)
    if (old !== undefined && old.size === now.size && old.changed === now.changed) files.push(old)
    else {
      const object = await storeWritten(writing, '', (copy) => copyFile(join(dataDir, path), copy)).catch(ifDeleted)
      if (object !== undefined) files.push({ ...object, ...now })
    }
  }
  return files
}

async function* filesBelow(root: string, folder: string, target: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if ((folder === '' && isExcluded(entry.name)) || join(root, path) === target) continue
    if (entry.isDirectory()) yield* filesBelow(root, path, target)
    else if (entry.isFile()) yield path
  }
}

function ifDeleted(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
