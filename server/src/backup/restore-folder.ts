// The DATA_DIR of a restore. It must be empty, so that no installation loses its secret or its files. A mark lets an interrupted restore be repeated.

import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../lib/app-error.ts'

export const RESTORE_MARK = 'restore-unfinished'
/** What a disk of its own has from the beginning, and what a restore leaves that was killed before it wrote its mark. */
const HARMLESS = /^(lost\+found|server\.lock.*)$/
const OF_INSTALLATION = new Set(['secret', 'postgres', 'postgres-password', 'clickhouse', 'uploads', 'reports', 'mail'])
const MOST_NAMES = 8

/** Throws StartError if the folder holds anything but an interrupted restore. Writes nothing. */
export function rejectUsedFolder(dataDir: string): void {
  if (!existsSync(dataDir) || existsSync(join(dataDir, RESTORE_MARK))) return
  const names = namesIn(dataDir).filter((name) => !HARMLESS.test(name))
  if (names.length === 0) return
  const kind = names.some((name) => OF_INSTALLATION.has(name)) ? 'an installation' : 'other files'
  const rest = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  throw new StartError(
    `DATA_DIR=${dataDir} is not empty, it holds ${kind}: ${names.slice(0, MOST_NAMES).join(', ')}${rest}. Nothing was written. ` +
      'Set DATA_DIR to a new folder, or stop the server of this one and move it away',
  )
}

function namesIn(dataDir: string): string[] {
  try {
    return readdirSync(dataDir).sort()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOTDIR') throw new StartError(`DATA_DIR=${dataDir} is a file, not a folder`)
    throw new StartError(`DATA_DIR=${dataDir} cannot be read: ${String(code)}`)
  }
}

/** Marks the folder. Returns the id of its restore: that of the interrupted one, or a new one. */
export function markRestore(dataDir: string): string {
  const path = join(dataDir, RESTORE_MARK)
  const known = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (known !== '') return known
  const id = randomUUID()
  writeFileSync(path, id, { mode: 0o600 })
  return id
}

/** From now on the folder is an installation, into which nothing may be restored. */
export const forgetRestore = (dataDir: string): void => rmSync(join(dataDir, RESTORE_MARK), { force: true })
