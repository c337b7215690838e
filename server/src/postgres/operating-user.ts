// As whom the embedded PostgreSQL runs: it refuses root, so root starts it as another user, who must be able to reach the binaries and the data.

import { execFileSync } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from '../lib/start-error.ts'

export interface OperatingUser {
  name: string
  uid: number
  gid: number
}

export interface Launch {
  command: string
  args: string[]
  options: { uid?: number; gid?: number }
}

/** Undefined when this process is an ordinary user and PostgreSQL simply runs as the same one. */
export function chooseUser(): OperatingUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  return findUser('postgres') ?? createUser('postgres') ?? findUser('nobody') ?? refuse()
}

/**
 * How to start a program as that user. A home of root that others cannot enter is passed with the one capability
 * that lets a process walk through folders; files stay with their owner.
 */
export function launchAs(user: OperatingUser | undefined, program: string, args: string[], paths: string[]): Launch {
  if (user === undefined) return { command: program, args, options: {} }
  const closed = [program, ...paths].map((path) => findClosedFolder(path, user)).find((path) => path !== undefined)
  if (closed === undefined) return { command: program, args, options: { uid: user.uid, gid: user.gid } }
  if (!canPassClosedFolders()) {
    throw new StartError(
      `PostgreSQL runs as the user "${user.name}", who cannot enter ${closed}: allow it (chmod o+x ${closed}), choose another DATA_DIR, or set DATABASE_URL`,
    )
  }
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return { command: 'setpriv', args: [...identity, ...capability, '--', program, ...args], options: {} }
}

function findClosedFolder(path: string, user: OperatingUser): string | undefined {
  for (let folder = dirname(realpathSync(path)); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder)
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return folder
    if (folder === dirname(folder)) return undefined
  }
}

function canPassClosedFolders(): boolean {
  return run('setpriv', ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', 'true']) !== undefined
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

function refuse(): never {
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
