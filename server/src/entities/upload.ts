// Files that people have sent: who sent what is in the record, the bytes are in DATA_DIR/uploads under a name of our own. Whoever needs a file
// for longer than a day keeps it, and drops it when it is done.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Postgres } from '../postgres/client.ts'

export interface Upload {
  readonly id: string
  /** As the sender called it, without folders and signs that cannot be seen. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly path: string
}

interface Store {
  readonly config: Pick<Config, 'dataDir'>
  readonly postgres: Pick<Postgres, 'pool'>
}

const PASSING_HOURS = 24
const AT_ONCE = 100

export const uploadFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'uploads')
const pathOf = ({ config }: Store, id: string): string => join(uploadFolder(config), id)

export async function recordUpload({ postgres }: Store, file: Upload, userId: number): Promise<void> {
  await postgres.pool.query('insert into upload (id, name, size, user_id) values ($1, $2, $3, $4)', [
    file.id,
    file.name,
    file.size,
    userId,
  ])
}

/** Undefined when there is none, or it is somebody else's. */
export async function findUpload(store: Store, id: string, userId: number): Promise<Upload | undefined> {
  const { rows } = await store.postgres.pool.query<{ name: string; size: number }>(
    'select name, size from upload where id = $1 and user_id = $2',
    [id, userId],
  )
  return rows[0] && { id, ...rows[0], path: pathOf(store, id) }
}

/** From now on it stays until it is dropped. */
export async function keepUpload({ postgres }: Store, id: string): Promise<void> {
  await postgres.pool.query('update upload set kept = true where id = $1', [id])
}

/** The row goes last: a file without a row would never be found again. */
export async function dropUpload(store: Store, id: string): Promise<void> {
  await rm(pathOf(store, id), { force: true })
  await store.postgres.pool.query('delete from upload where id = $1', [id])
}

/** Drops what nobody has kept; returns how many. */
export async function dropPassingUploads(store: Store): Promise<number> {
  let dropped = 0
  for (;;) {
    const { rows } = await store.postgres.pool.query<{ id: string }>(
      'select id from upload where not kept and created_at < now() - make_interval(hours => $1) order by created_at limit $2',
      [PASSING_HOURS, AT_ONCE],
    )
    for (const { id } of rows) await dropUpload(store, id)
    dropped += rows.length
    if (rows.length < AT_ONCE) return dropped
  }
}
