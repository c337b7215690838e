// Chooses the user of the embedded PostgreSQL: it refuses to run as root, so root starts it as another user.

import { execFileSync } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from '../lib/app-error.ts'

/** A user of the operating system. */
export interface OperatingUser {
  name: string
  uid: number
  gid: number
}

/** Undefined if this process is not root: PostgreSQL then runs as the same user. */
export function chooseUser(): OperatingUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  return findUser('postgres') ?? createUser('postgres') ?? findUser('nobody') ?? fail()
}

/** The first folder from `path` upwards that the user cannot enter; undefined if there is none. */
export function findClosedFolder(path: string, user: OperatingUser | undefined): string | undefined {
  if (user === undefined) return undefined
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder)
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return folder
    if (folder === dirname(folder)) return undefined
  }
}

function findUser(name: string): OperatingUser | undefined {
  const uid = run('id', ['-u', name])
  const gid = run('id', ['-g', name])
  return uid === undefined || gid === undefined ? undefined : { name, uid: Number(uid), gid: Number(gid) }
}

function createUser(name: string): OperatingUser | undefined {
  run('groupadd', ['--system', name])
  run('useradd', ['--system', '--gid', name, '--no-create-home', '--shell', '/usr/sbin/nologin', name])
  return findUser(name)
}

function fail(): never {
  throw new StartError(
    'PostgreSQL cannot run as root and no other user could be found: run as an ordinary user or set DATABASE_URL',
  )
}

function run(program: string, args: string[]): string | undefined {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
