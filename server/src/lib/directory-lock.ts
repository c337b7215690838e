// Lets one process own a data folder. The lock is a file that names its owner; a dead owner (kill -9, power loss) does not hold it.

import { randomUUID } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

/** A killed process may need this long until the kernel has freed its memory and closed its files. */
const DYING_MS = 10_000
/** A process that was just killed may look alive for a moment. */
const LOOKS_ALIVE_MS = 300
const CHECK_EVERY_MS = 50

interface LockOptions {
  /** The lock's file. Processes that hold locks of different names may share the folder. */
  readonly name?: string
  /** Longest wait for a running owner, in milliseconds. */
  readonly waitMs?: number
}

/** Waits for an owner that was killed and is still ending. Throws StartError if a running process holds the folder. */
export async function lockDirectory(
  directory: string,
  { name = 'server.lock', waitMs = LOOKS_ALIVE_MS }: LockOptions = {},
): Promise<DirectoryLock> {
  const path = join(directory, name)
  const owner: Owner = { pid: process.pid, born: birthOf(process.pid) ?? '' }
  // Linking makes the whole file appear at once, so that nobody reads half of it.
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      if (tryLink(draft, path)) return { release: () => rmSync(path, { force: true }) }
      const held = readOwner(path)
      if (held !== undefined && !(await waitForEnd(held, waitMs))) {
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

/** False if the process still runs, or does not end in time after it was killed. */
async function waitForEnd(owner: Owner, waitMs: number): Promise<boolean> {
  const began = performance.now()
  for (;;) {
    const state = stateOf(owner)
    if (state === 'gone') return true
    if (performance.now() - began > (state === 'dying' ? Math.max(DYING_MS, waitMs) : waitMs)) return false
    await sleep(CHECK_EVERY_MS)
  }
}

function stateOf(owner: Owner): 'running' | 'dying' | 'gone' {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    if (!isCode(error, 'EPERM')) return 'gone'
  }
  const born = birthOf(owner.pid)
  if (born !== undefined && born !== owner.born) return 'gone'
  return born === undefined ? 'running' : describeEnd(owner.pid)
}

/** Bit of SIGKILL in the masks of pending signals. */
const SIGKILL_BIT = 0x100n

/** A process that has ended but was not awaited by its parent is gone; while threads are left, its files are open. */
function describeEnd(pid: number): 'running' | 'dying' | 'gone' {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const hasEnded = /^State:\s*[ZX]/m.test(status)
    if (hasEnded) return readdirSync(`/proc/${pid}/task`).length > 1 ? 'dying' : 'gone'
    const masks = [...status.matchAll(/^(?:Sig|Shd)Pnd:\s*([0-9a-f]+)/gm)].map(([, mask]) => BigInt(`0x${mask}`))
    const isKilled = masks.some((mask) => (mask & SIGKILL_BIT) !== 0n)
    return isKilled || !/^VmSize:/m.test(status) ? 'dying' : 'running'
  } catch {
    return 'gone'
  }
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
