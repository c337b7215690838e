// A disk that can be filled without harming the machine: a small file system of its own where one may be mounted (root), else the real one
// with a limit on how long a file of PostgreSQL may become, which refuses it room for new rows in the same place.

import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { atEndOfFile } from './cleanup.ts'
import { makeDirectory } from './harness.ts'

export interface SmallDisk {
  path: string
  /** Nothing more can be written after it; what it answers makes room again. */
  fill(openRecord: () => Promise<Client>, postmaster: number): Promise<() => Promise<void>>
}

/** Room for a new record, the facts and what a test adds. */
const MEGABYTES = 320
const BLOCKS = [1024 * 1024, 4096, 1]

export async function makeSmallDisk(): Promise<SmallDisk> {
  const path = makeDirectory()
  const options = `size=${MEGABYTES}m,mode=755`
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path])
  if (status !== 0) return { path, fill: limitFiles }
  atEndOfFile(() => spawnSync('umount', ['--lazy', path]))
  return { path, fill: () => fillUp(join(path, 'ballast')) }
}

export async function fillUp(ballast: string): Promise<() => Promise<void>> {
  const file = openSync(ballast, 'w')
  for (const size of BLOCKS) writeUntilFull(file, Buffer.alloc(size, 1))
  closeSync(file)
  return async () => rmSync(ballast)
}

function writeUntilFull(file: number, block: Buffer): void {
  try {
    for (;;) writeSync(file, block)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

/** Files of the log of changes have this length and are not touched: without them PostgreSQL could not even start. */
const LIMIT_BYTES = 16 * 1024 * 1024

async function limitFiles(openRecord: () => Promise<Client>, postmaster: number): Promise<() => Promise<void>> {
  const record = await openRecord()
  // Rows that fill a page each reach the limit soon.
  await record.query('alter table click_inbox set (fillfactor = 10, autovacuum_enabled = false)')
  await record.end()
  setLimit(postmaster, String(LIMIT_BYTES))
  return async () => setLimit(postmaster, 'unlimited')
}

/** The soft limit alone, as the user whose process it is: that needs no rights. */
function setLimit(postmaster: number, bytes: string): void {
  const { uid, gid } = statSync(`/proc/${postmaster}`)
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ').filter(Boolean)
  for (const pid of [String(postmaster), ...children])
    execFileSync('prlimit', ['--pid', pid, `--fsize=${bytes}:unlimited`], { uid, gid })
}
