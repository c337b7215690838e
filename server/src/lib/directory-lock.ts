// One process owns a data directory. The lock is a file that names its owner; an owner that is gone (kill -9, power) does not hold it.

import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

export interface DirectoryLock {
  release(): void
}

export class DirectoryInUseError extends StartError {}

interface Owner {
  pid: number
  /** Tells a living owner from another process that was given its number later. */
  born: string
}

/** Throws StartError when a living process holds the directory. */
export function lockDirectory(directory: string): DirectoryLock {
  const path = join(directory, 'server.lock')
  const owner: Owner = { pid: process.pid, born: birthOf(process.pid) ?? '' }
  // A whole file appears under the final name at once, so nobody reads half of it.
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

/** Takes a dead owner's file away; puts it back if a living one has taken its place in between. */
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

/** Boot and tick at which a process started; undefined where the system does not tell. */
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
