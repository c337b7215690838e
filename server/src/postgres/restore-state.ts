// What a restore leaves in its database: a table while it has not ended, on which no server starts; and one that names the restore that ended,
// until a server starts.

import type { Client } from 'pg'
import { StartError } from '../lib/app-error.ts'

export const UNFINISHED_RESTORE = 'unfinished_restore'
/** Its one row has the id that the restore wrote into its DATA_DIR. */
export const FINISHED_RESTORE = 'finished_restore'

/** Throws StartError if a restore into this database was interrupted. From now on nothing may be restored into the database. */
export async function leaveRestore(client: Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('public.${UNFINISHED_RESTORE}') is not null as found`,
  )
  if (rows[0]?.found === true)
    throw new StartError('a restore into this database has not ended: run the same `npm run restore` again')
  await client.query(`drop table if exists ${FINISHED_RESTORE}`)
}
