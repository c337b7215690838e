// Reads numbered SQL files and chooses those that have not run yet. A file that has run must not change.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './app-error.ts'

export interface Migration {
  number: number
  name: string
  sql: string
  checksum: string
}

export interface MigrationResult {
  applied: string[]
  total: number
}

const FILE = /^(\d{4})-[a-z0-9-]+\.sql$/

/** Reads the NNNN-name.sql files of a folder. Throws StartError if two have the same number. */
export function readMigrations(folder: string): Migration[] {
  const migrations = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readMigration(folder, name))
  for (const [index, { name, number }] of migrations.entries()) {
    if (number === migrations[index - 1]?.number)
      throw new StartError(`migration ${name}: its number is taken by ${migrations[index - 1]?.name}`)
  }
  return migrations
}

function readMigration(folder: string, name: string): Migration {
  const number = FILE.exec(name)?.[1]
  if (number === undefined) throw new StartError(`migration ${name}: the name is not NNNN-name.sql`)
  const sql = readFileSync(join(folder, name), 'utf8')
  return { number: Number(number), name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

/** The files with the numbers `only`, which had run when a back-up was made. Throws StartError if one is missing. */
export function chooseMigrations(migrations: readonly Migration[], only: ReadonlySet<number> | undefined): Migration[] {
  if (only === undefined) return [...migrations]
  const chosen = migrations.filter(({ number }) => only.has(number))
  if (chosen.length < only.size)
    throw new StartError('the back-up was made by a newer version of the product: restore it with that version')
  return chosen
}

export interface Recorded {
  number: number
  name: string
  checksum: string
}

/** Files that have not run yet. Throws StartError if one that has run is changed or missing, or if a new one has a lower number. */
export function choosePending(
  migrations: readonly Migration[],
  recorded: readonly Recorded[],
  engine: string,
): Migration[] {
  for (const done of recorded) {
    const file = migrations.find((migration) => migration.number === done.number)
    if (file === undefined) {
      throw new StartError(
        `the ${engine} database has migration ${done.name}, which this version does not know: start a newer version`,
      )
    }
    if (file.checksum !== done.checksum) {
      throw new StartError(
        `migration ${file.name} was changed after it had run on this ${engine} database: restore the file and add a new one`,
      )
    }
  }
  const last = recorded.at(-1)?.number ?? 0
  const pending = migrations.filter((migration) => !recorded.some((done) => done.number === migration.number))
  const late = pending.find((migration) => migration.number < last)
  if (late !== undefined)
    throw new StartError(
      `migration ${late.name} comes before ${recorded.at(-1)?.name}, which has run already: give it a later number`,
    )
  return pending
}
