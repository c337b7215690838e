// Loads the record of a back-up into an empty database. The rows appear in one transaction; until then a table marks the database as unfinished,
// so that no server starts on it and a repeated restore begins again.

import { type Client, escapeIdentifier } from 'pg'
import { from } from 'pg-copy-streams'
import { StartError } from '../lib/app-error.ts'
import { migratePostgres } from '../postgres/migrate.ts'
import { FINISHED_RESTORE, UNFINISHED_RESTORE } from '../postgres/restore-state.ts'
import type { Manifest, RecordTable } from './manifest.ts'
import { readPiece } from './pieces.ts'
import { type BackupStore, manifestKey } from './store.ts'

/**
 * Creates the tables as they were in the back-up. Throws StartError if the database is in use. True if an interrupted restore was there: one
 * that had not ended, or the one with this `id`, which was killed after its last transaction.
 */
export async function prepareRecord(client: Client, { migrations }: Manifest, id: string): Promise<boolean> {
  const { rows } = await client.query<{ unfinished: boolean; finished: boolean; used: boolean }>(
    `select to_regclass('public.${UNFINISHED_RESTORE}') is not null as unfinished,
      to_regclass('public.${FINISHED_RESTORE}') is not null as finished, to_regclass('public.migration') is not null as used`,
  )
  const [state] = rows
  const isRepeated = state?.unfinished === true || (state?.finished === true && (await hasFinished(client, id)))
  if (!isRepeated && state?.used === true)
    throw new StartError('the database is not empty: restore into a new DATA_DIR, or into a new database')
  // One transaction: a kill leaves the mark of the interrupted restore, or that of this one.
  const dropTables = isRepeated
    ? 'drop schema public cascade; create schema public; drop schema if exists jobs cascade;'
    : ''
  await client.query(`${dropTables} create table ${UNFINISHED_RESTORE} (began_at timestamptz not null default now())`)
  await migratePostgres(client, undefined, new Set(migrations.postgresql))
  return isRepeated
}

async function hasFinished(client: Client, id: string): Promise<boolean> {
  const { rowCount } = await client.query(`select from ${FINISHED_RESTORE} where id = $1`, [id])
  return rowCount === 1
}

/** Commits everything at once, as the last step of a restore. */
export async function loadRecord(client: Client, store: BackupStore, manifest: Manifest, id: string): Promise<void> {
  const names = manifest.record.map(({ name }) => escapeIdentifier(name))
  await client.query('begin')
  try {
    await client.query('set local timezone = utc; set local datestyle = iso; set local synchronous_commit = on')
    const references = await dropReferences(client)
    for (const name of names) await client.query(`alter table ${name} disable trigger user`)
    await client.query(`truncate ${names.join(', ')}`)
    for (const table of manifest.record) await loadTable(client, store, table)
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
    for (const { table, name, definition } of references)
      await client.query(`alter table ${table} add constraint ${escapeIdentifier(name)} ${definition}`)
    for (const { name, value } of manifest.sequences)
      await client.query('select setval(format($1, $2::text)::regclass, $3)', ['public.%I', name, value])
    await loadJobs(client, store, manifest)
    await holdSending(client)
    await closeBackups(client, manifest)
    await client.query(`drop table ${UNFINISHED_RESTORE}`)
    await client.query(`create table ${FINISHED_RESTORE} (id text primary key)`)
    await client.query(`insert into ${FINISHED_RESTORE} (id) values ($1)`, [id])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
  await client.query('analyze')
}

interface Reference {
  table: string
  name: string
  definition: string
}

/** Foreign keys are checked when they are added again, which needs no special rights, unlike switching their triggers off. */
async function dropReferences(client: Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by oid`,
  )
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${escapeIdentifier(name)}`)
  return rows
}

async function loadTable(client: Client, store: BackupStore, { name, columns, pieces }: RecordTable): Promise<void> {
  if (pieces.length === 0) return
  const sql = `copy ${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')}) from stdin`
  for (const piece of pieces) {
    const stream = client.query(from(sql))
    const finished = new Promise<void>((resolve, reject) => stream.once('finish', resolve).once('error', reject))
    stream.end(await readPiece(store, piece))
    await finished
    if (stream.rowCount !== piece.rows)
      throw new StartError(`${stream.rowCount} rows of ${name} were read, and the manifest has ${piece.rows}`)
  }
}

/** The queue's tables belong to its library, so that only columns which this version knows are filled. */
async function loadJobs(client: Client, store: BackupStore, { jobs }: Manifest): Promise<void> {
  for (const object of jobs) {
    const rows = (await readPiece(store, object)).toString()
    const { rows: found } = await client.query<{ columns: string }>(
      `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
        where attrelid = 'jobs.job'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
          and attname in (select jsonb_object_keys($1::jsonb -> 0))`,
      [rows],
    )
    const columns = found[0]?.columns ?? ''
    await client.query(
      `insert into jobs.job (${columns}) select ${columns} from jsonb_populate_recordset(null::jobs.job, $1::jsonb) j
        where exists (select from jobs.queue q where q.name = j.name) on conflict do nothing`,
      [rows],
    )
  }
}

/** A copy must not act in place of the original: neither towards others nor in its store of back-ups. */
async function holdSending(client: Client): Promise<void> {
  await client.query('alter table setting disable trigger user')
  await client.query('update setting set sending_held = true')
  await client.query('alter table setting enable trigger user')
}

/** The back-up that the copy is made from was still running in it; those that waited were for the original. */
async function closeBackups(client: Client, { moment }: Manifest): Promise<void> {
  await client.query(
    `update backup set state = 'done', finished_at = $1, moment = $1, manifest = $2 where state = 'running'`,
    [moment, manifestKey(new Date(moment))],
  )
  await client.query(`delete from backup where state = 'waiting'`)
}
