// A snapshot of the record: everything that one projection reads is of the same instant.

import type { PoolClient } from 'pg'
import type { Postgres } from '../postgres/client.ts'
import type { FactsSetting } from './setting.ts'
import { readSetting } from './setting.ts'

export interface Snapshot {
  /** Greater than that of every earlier snapshot: the version of the rows made from it. */
  readonly version: number
  readonly setting: FactsSetting
  read<T>(sql: string, values?: readonly unknown[]): Promise<T[]>
}

/** The version is drawn before the snapshot is taken, so that later reads never get a lower version. */
export function readSnapshot<T>(postgres: Postgres, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return postgres.withClient(async (client) => {
    const version = await drawVersion(client)
    await client.query('begin isolation level repeatable read read only')
    const snapshot: Snapshot = {
      version,
      setting: await readSetting(client),
      read: async <R>(sql: string, values: readonly unknown[] = []) => {
        const { rows } = await client.query(sql, [...values])
        // The caller names the shape of its own select.
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
