// Where the embedded PostgreSQL's files lie: in DATA_DIR/postgres or, if its user cannot enter that folder, in a folder of their own in the
// open directory, which DATA_DIR/postgres then links to. Files of an existing cluster are moved there; nothing is ever deleted from one.

import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartError, textOf } from '../lib/app-error.ts'
import type { Logger } from '../lib/log.ts'
import { findClosedFolder, type OperatingUser } from './operating-user.ts'
import { endPostmaster, findPostmaster } from './postmaster.ts'

/** Any user can enter it; only root writes to it. */
export const OPEN_DIRECTORY = '/var/lib/tributary'

/** What decides where PostgreSQL has its files. */
export interface HomeOptions {
  dataDir: string
  /** The cluster's password: unlike the path, it belongs to one data folder only. */
  password: string
  user: OperatingUser | undefined
  openDirectory: string
  log: Logger
}

/** Names the DATA_DIR that uses a folder of the open directory. */
const OWNER_FILE = 'data-dir'
const STOP_SECONDS = 20

/** The real path of the PostgreSQL folder of a DATA_DIR; undefined before the first start. */
export function findClusterHome(dataDir: string): string | undefined {
  const path = join(dataDir, 'postgres')
  return existsSync(path) ? realpathSync(path) : undefined
}

/** Makes the folder if it is missing and gives it to the user. Throws StartError if no folder can be used. */
export async function prepareClusterHome(options: HomeOptions): Promise<string> {
  const { dataDir, user } = options
  const path = join(dataDir, 'postgres')
  if (isLink(path)) return claim(followLink(path), dataDir, user)
  const closed = findClosedFolder(dataDir, user)
  if (closed !== undefined && user !== undefined) return moveToOpenDirectory(path, closed, { ...options, user })
  mkdirSync(path, { recursive: true })
  own(path, user)
  return path
}

/** Makes a folder that any user can enter, whatever the umask is. */
export function makeOpenFolder(path: string): void {
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o755)
}

/** Gives the path to the user; does nothing without one. Throws the error of `chown`. */
export function own(path: string, user: OperatingUser | undefined): void {
  if (user !== undefined) chownSync(path, user.uid, user.gid)
}

async function moveToOpenDirectory(
  path: string,
  closed: string,
  { dataDir, password, user, openDirectory, log }: HomeOptions & { user: OperatingUser },
): Promise<string> {
  const key = createHash('sha256').update(`${dataDir}\0${password}`).digest('hex').slice(0, 16)
  const home = join(openDirectory, key)
  try {
    makeOpenFolder(openDirectory)
    if (hasCluster(path)) await moveCluster(path, home)
    // What a failed first start left behind.
    rmSync(path, { recursive: true, force: true })
    makeOpenFolder(home)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`${explain(user, closed)}, and ${home} cannot be used instead (${textOf(error)}): ${REMEDIES}`)
  }
  claim(home, dataDir, user)
  symlinkSync(home, path)
  log.warn(`${explain(user, closed)}: its files are in ${home}, and ${path} links there`)
  return home
}

async function moveCluster(path: string, home: string): Promise<void> {
  if (hasCluster(home)) {
    throw new StartError(`both ${path} and ${home} hold PostgreSQL's files of this DATA_DIR: move the older one away`)
  }
  const running = findPostmaster(join(path, 'data'))
  if (running !== undefined) await endPostmaster(running.pid, STOP_SECONDS)
  try {
    renameSync(path, home)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    throw new StartError(
      `PostgreSQL's files must move from ${path} to another file system, because its user cannot enter DATA_DIR; run: mv ${path} ${home}`,
    )
  }
}

/** A copied DATA_DIR links to the files of its original; two servers must not share them. */
function claim(home: string, dataDir: string, user: OperatingUser | undefined): string {
  const closed = findClosedFolder(home, user)
  if (closed !== undefined && user !== undefined) throw new StartError(`${explain(user, closed)}: ${REMEDIES}`)
  const file = join(home, OWNER_FILE)
  const owner = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (owner !== undefined && owner !== dataDir && findClusterHome(owner) === home) {
    throw new StartError(
      `${join(dataDir, 'postgres')} links to the files of DATA_DIR=${owner}: copy ${home} too, and let the link lead to the copy`,
    )
  }
  if (owner !== dataDir) writeFileSync(file, dataDir)
  own(home, user)
  return home
}

function followLink(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  throw new StartError(
    `${path} links to a folder that does not exist: bring PostgreSQL's files back, or remove the link to begin with an empty database`,
  )
}

const REMEDIES = 'let it enter (chmod o+x), choose another DATA_DIR, or set DATABASE_URL'

const explain = (user: OperatingUser, closed: string): string =>
  `PostgreSQL runs as the user "${user.name}", who cannot enter ${closed}`

const hasCluster = (home: string): boolean => existsSync(join(home, 'data', 'PG_VERSION'))
const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
