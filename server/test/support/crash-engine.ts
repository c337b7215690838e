// The engines of a server process, from outside: to inspect and to kill them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findPostmaster } from '../../src/postgres/postmaster.ts'
import type { ServerProcess } from './server-process.ts'
import { LINK, makeNetwork, visit } from './tracker-network.ts'

const postmaster = (dataDir: string) => findPostmaster(join(dataDir, 'postgres', 'data'))

export function postmasterPid(dataDir: string): number {
  const found = postmaster(dataDir)
  if (found === undefined) throw new Error('PostgreSQL does not run')
  return found.pid
}

/** Connects to the PostgreSQL of a running server. */
export async function openRecord(dataDir: string): Promise<Client> {
  const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim()
  const client = new Client(`postgres://tributary:${password}@127.0.0.1:${postmaster(dataDir)?.port}/postgres`)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export async function fillRecord({ dataDir, url }: ServerProcess): Promise<void> {
  const record = await openRecord(dataDir)
  await makeNetwork(record)
  await record.query('update setting set report_currency_id = 1')
  await record.end()
  while (
    (await visit(url, `/c/${LINK}`, { 'x-forwarded-for': '9.9.9.9', 'user-agent': 'Googlebot/2.1' })).status !== 302
  )
    await sleep(20)
}

/** Workers look for jobs at once, not at their next poll. */
export async function wakeWorkers(record: Client, queue: string): Promise<void> {
  await record.query(`select pg_notify('pgboss_' || left(encode(sha224('jobs'::bytea), 'hex'), 24), $1)`, [queue])
}

export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Some may have ended meanwhile. 0 would be the process group of the test itself. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids.filter((one) => one > 0)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Already ended.
    }
  }
}
