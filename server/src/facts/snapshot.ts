// A snapshot of the record, so that one projection reads a consistent state.

import type { PoolClient } from 'pg'
import type { Postgres } from '../postgres/client.ts'
import type { FactsSetting } from './setting.ts'
import { readSetting } from './setting.ts'

/** A consistent view of the record for the duration of one projection. */
export interface Snapshot {
  /** The version of the rows that derive from this snapshot. Later snapshots have higher versions. */
  readonly version: number
  readonly setting: FactsSetting
  read<T>(sql: string, values?: readonly unknown[]): Promise<T[]>
}

/** Runs `read` in one repeatable-read transaction. The version is drawn first, so that a later snapshot never has a lower version. */
export function readSnapshot<T>(postgres: Postgres, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return postgres.withClient(async (client) => {
    const version = await drawVersion(client)
    await client.query('begin isolation level repeatable read read only')
    const snapshot: Snapshot = {
      version,
      setting: await readSetting(client),
      read: async <R>(sql: string, values: readonly unknown[] = []) => {
        const { rows } = await client.query(sql, [...values])
        // The caller knows the shape of its select.
        return rows as R[]
      },
    }
    const result = await read(snapshot)
    await client.query('commit')
    return result
  })
}

async function drawVersion(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ version: number }>(`select nextval('facts_version') as version`)
  const version = rows[0]?.version
  if (version === undefined) throw new Error('facts_version gave no version')
  return version
}
