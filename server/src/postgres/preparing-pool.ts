// A pool as Kysely takes it, whose statements are prepared on each connection: for the few that come thousands of times with other values,
// planning them each time would cost PostgreSQL more than running them.

import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'

/** Texts beyond these are planned each time: a text that is made anew with every call must not fill the connections. */
const MOST = 100

export function preparingPool(pool: Pool): PostgresPool {
  const names = new Map<string, string>()
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= MOST) return known
    const name = `repeated-${names.size + 1}`
    names.set(text, name)
    return name
  }

  function wrap(client: PoolClient): PostgresPoolClient {
    const query = (text: unknown, values: readonly unknown[] = []): unknown => {
      if (typeof text !== 'string') throw new Error('repeated statements have no cursors')
      const name = values.length === 0 ? undefined : nameOf(text)
      return client.query({ text, values: [...values], ...(name !== undefined && { name }) })
    }
    // Of a client Kysely uses these two and `processID`.
    const { processID } = client as PoolClient & { processID: number }
    return { query, processID, release: (error?: boolean) => client.release(error) } as PostgresPoolClient
  }

  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? wrap(client)
      clients.set(client, known)
      return known
    },
    end: () => Promise.resolve(),
  }
}
