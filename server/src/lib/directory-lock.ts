// Lets one process own a data folder. The lock is a file that names its owner; a dead owner (kill -9, power loss) does not hold it.

import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './app-error.ts'

export interface DirectoryLock {
  release(): void
}

export class DirectoryInUseError extends StartError {}

interface Owner {
  pid: number
  /** Distinguishes the owner from a later process with the same id. */
  born: string
}

/** Throws StartError if a running process holds the folder. */
export function lockDirectory(directory: string): DirectoryLock {
  const path = join(directory, 'server.lock')
  const owner: Owner = { pid: process.pid, born: birthOf(process.pid) ?? '' }
  // Linking makes the whole file appear at once, so that nobody reads half of it.
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      if (tryLink(draft, path)) return { release: () => rmSync(path, { force: true }) }
      const held = readOwner(path)
      if (held !== undefined && isAlive(held)) {
        throw new DirectoryInUseError(
          `DATA_DIR=${directory} is in use by another server (process ${held.pid}): stop it or choose another DATA_DIR`,
        )
      }
      setAside(path, held)
    }
  } finally {
    unlinkSync(draft)
  }
  throw new StartError(`DATA_DIR=${directory} cannot be locked: remove ${path} if no server runs there`)
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Removes a dead owner's file, and restores it if a running process has locked the folder meanwhile. */
function setAside(path: string, expected: Owner | undefined): void {
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  const taken = readOwner(aside)
  if (taken !== undefined && (taken.pid !== expected?.pid || taken.born !== expected.born)) tryLink(aside, path)
  unlinkSync(aside)
}

function readOwner(path: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('born' in value)) return undefined
    return { pid: Number(value.pid), born: String(value.born) }
  } catch {
    return undefined
  }
}

function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    if (!isCode(error, 'EPERM')) return false
  }
  const born = birthOf(owner.pid)
  return born === undefined || born === owner.born
}

/** Boot id and clock tick of a process's start; undefined if the system does not provide them. */
function birthOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return undefined
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
