// Finds, checks and stops the PostgreSQL process of a data directory.

import { readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { ignore } from '../lib/promises.ts'

/** `socket`: directory of the socket file; empty if only TCP on this machine works. */
export interface ServerAddress {
  port: number
  socket: string
}

/** A running PostgreSQL by its process and address. */
export interface Postmaster extends ServerAddress {
  pid: number
}

/** The process named by postmaster.pid if it runs in this directory; undefined for a stale file. */
export function findPostmaster(dataDirectory: string): Postmaster | undefined {
  const lines = readLines(join(dataDirectory, 'postmaster.pid'))
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!Number.isInteger(pid) || pid <= 0 || !isProcess(pid)) return undefined
  return worksIn(pid, dataDirectory) ? { pid, port, socket: lines[4] ?? '' } : undefined
}

/** False for a zombie. */
export function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return !/^State:\s+Z/m.test(readLines(`/proc/${pid}/status`).join('\n'))
}

/** Waits until a query is answered. False if the process ended or the time is over. */
export async function waitUntilReady(url: string, isRunning: () => boolean, seconds: number): Promise<boolean> {
  const deadline = Date.now() + seconds * 1000
  while (Date.now() < deadline && isRunning()) {
    if (await answers(url)) return true
    await sleep(40)
  }
  return false
}

/** Fast shutdown; immediate shutdown after `seconds`. */
export async function endPostmaster(pid: number, seconds: number): Promise<void> {
  if (!isProcess(pid)) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + seconds * 1000
  while (isProcess(pid) && Date.now() < deadline) await sleep(25)
  // Nothing committed is lost: the next start replays the log.
  if (isProcess(pid)) process.kill(pid, 'SIGQUIT')
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000, statement_timeout: 2000 })
  client.on('error', ignore)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(ignore)
  }
}

/** Trusts the pid file where the system does not show a process's directory. */
function worksIn(pid: number, dataDirectory: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDirectory)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES' ? isPostgres(pid) : !hasProc()
  }
}

const isPostgres = (pid: number): boolean => readLines(`/proc/${pid}/comm`)[0] === 'postgres'
const hasProc = (): boolean => readLines('/proc/self/comm').length > 0

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}
