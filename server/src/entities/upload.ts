// Stores uploaded files: metadata in PostgreSQL, contents in DATA_DIR/uploads under generated names. A job deletes unused ones after a day.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Postgres } from '../postgres/client.ts'

export interface Upload {
  readonly id: string
  /** Name given by the sender, without folders and invisible characters. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly path: string
}

/** An upload as found. */
export interface FoundUpload extends Upload {
  /** What the file was read for, as its reader has noted it; null if nothing was noted. */
  readonly scope: Readonly<Record<string, unknown>> | null
}

interface Store {
  readonly config: Pick<Config, 'dataDir'>
  readonly postgres: Pick<Postgres, 'pool'>
}

const UNUSED_HOURS = 24
const BATCH_SIZE = 100

export const uploadFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'uploads')
const pathOf = ({ config }: Store, id: string): string => join(uploadFolder(config), id)

export async function recordUpload({ postgres }: Store, file: Upload, userId: number | null): Promise<void> {
  await postgres.pool.query('insert into upload (id, name, size, user_id) values ($1, $2, $3, $4)', [
    file.id,
    file.name,
    file.size,
    userId,
  ])
}

/** Undefined if it does not exist or belongs to another user. */
export async function findUpload(store: Store, id: string, userId: number): Promise<FoundUpload | undefined> {
  const { rows } = await store.postgres.pool.query<Pick<FoundUpload, 'name' | 'size' | 'scope'>>(
    'select name, size, scope from upload where id = $1 and user_id = $2',
    [id, userId],
  )
  return rows[0] && { id, ...rows[0], path: pathOf(store, id) }
}

/** Notes what the file was read for, so that it is taken for the same. */
export async function noteScope({ postgres }: Store, id: string, scope: object): Promise<void> {
  await postgres.pool.query('update upload set scope = $2 where id = $1', [id, JSON.stringify(scope)])
}

/** Excludes the file from deletion after a day. */
export async function keepUpload({ postgres }: Store, id: string): Promise<void> {
  await postgres.pool.query('update upload set kept = true where id = $1', [id])
}

/** Deletes the file, then its row, because a file without a row would never be found. */
export async function dropUpload(store: Store, id: string): Promise<void> {
  await rm(pathOf(store, id), { force: true })
  await store.postgres.pool.query('delete from upload where id = $1', [id])
}

/** Deletes files that no record has used for a day; returns their number. */
export async function dropUnusedUploads(store: Store): Promise<number> {
  let dropped = 0
  for (;;) {
    const { rows } = await store.postgres.pool.query<{ id: string }>(
      'select id from upload where not kept and created_at < now() - make_interval(hours => $1) order by created_at limit $2',
      [UNUSED_HOURS, BATCH_SIZE],
    )
    for (const { id } of rows) await dropUpload(store, id)
    dropped += rows.length
    if (rows.length < BATCH_SIZE) return dropped
  }
}
