// A connection to the embedded PostgreSQL of a running server.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { findPostmaster } from '../server/src/postgres/postmaster.ts'

export function recordUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim()
  const port = findPostmaster(join(dataDir, 'postgres', 'data'))?.port
  return `postgres://tributary:${password}@127.0.0.1:${port}/postgres`
}

/** Connects, runs `work` and disconnects. */
export async function withRecord<T>(dataDir: string, work: (record: Client) => Promise<T>): Promise<T> {
  const record = new Client(recordUrl(dataDir))
  await record.connect()
  try {
    return await work(record)
  } finally {
    await record.end()
  }
}
