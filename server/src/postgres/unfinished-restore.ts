// Marks a database whose restore has not ended. A server does not start on it.

import type { Client } from 'pg'
import { StartError } from '../lib/app-error.ts'

export const UNFINISHED_RESTORE = 'unfinished_restore'

/** Throws StartError if a restore into this database was interrupted. */
export async function rejectUnfinishedRestore(client: Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('public.${UNFINISHED_RESTORE}') is not null as found`,
  )
  if (rows[0]?.found === true)
    throw new StartError('a restore into this database has not ended: run the same `npm run restore` again')
}
