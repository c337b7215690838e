// The manifest of a back-up: everything that a restore needs to know. It is written last, so that without it there is no back-up.

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../lib/app-error.ts'
import { type BackupStore, manifestKey } from './store.ts'

const object = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int() })
export type StoredObject = z.output<typeof object>

const recordTable = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** Rows in PostgreSQL's text format, compressed, in the order of the primary key. */
  pieces: z.array(z.object({ ...object.shape, rows: z.int() })),
})
export type RecordTable = z.output<typeof recordTable>

const factTable = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** Parts of ClickHouse in its Native format, compressed. Parts with one fingerprint are equal. */
  parts: z.array(z.object({ ...object.shape, fingerprint: z.string(), rows: z.int() })),
})
export type FactTable = z.output<typeof factTable>

const storedFile = z.object({ ...object.shape, path: z.string(), mode: z.int(), size: z.int(), changed: z.number() })
export type StoredFile = z.output<typeof storedFile>

const manifestSchema = z.object({
  format: z.literal(1),
  moment: z.iso.datetime(),
  /** The id of the installation. Earlier versions did not store it. */
  installation: z.uuid().optional(),
  migrations: z.object({ postgresql: z.array(z.int()), clickhouse: z.array(z.int()) }),
  /** The installation's secret, sealed by the passphrase. */
  secret: z.string(),
  record: z.array(recordTable),
  sequences: z.array(z.object({ name: z.string(), value: z.int() })),
  /** Waiting and running jobs as rows of the queue. */
  jobs: z.array(object),
  facts: z.array(factTable),
  files: z.array(storedFile),
})
export type Manifest = z.output<typeof manifestSchema>

export function objectsOf(manifest: Manifest): StoredObject[] {
  const all = [
    ...manifest.record.flatMap((table) => table.pieces),
    ...manifest.jobs,
    ...manifest.facts.flatMap((table) => table.parts),
    ...manifest.files,
  ]
  return [...new Map(all.map((one) => [one.hash, { hash: one.hash, bytes: one.bytes }])).values()]
}

/** Returns the key. */
export async function writeManifest(store: BackupStore, manifest: Manifest): Promise<string> {
  const key = manifestKey(new Date(manifest.moment))
  const file = join(store.staging, 'manifest.json')
  await writeFile(file, JSON.stringify(manifest), { mode: 0o600 })
  await store.put(key, file)
  return key
}

/** Keys in the order of their moments. */
export async function listManifests(store: BackupStore): Promise<string[]> {
  const entries = await Array.fromAsync(store.list('manifests/'))
  return entries.flatMap(({ key }) => (key.endsWith('.json') ? [key] : [])).sort()
}

export async function readManifest(store: BackupStore, key: string): Promise<Manifest> {
  const file = join(store.staging, 'manifest-read.json')
  await store.fetch(key, file)
  const text = await readFile(file, 'utf8')
  await rm(file)
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new StartError(`${key} is not a manifest that this version can read`, { cause: error })
  }
}

/** The manifest of the latest back-up, or of the latest one until `moment`. Throws StartError if there is none. */
export async function chooseManifest(
  store: BackupStore,
  moment?: string,
): Promise<{ key: string; manifest: Manifest }> {
  const keys = await listManifests(store)
  const wanted = moment === undefined ? undefined : new Date(moment)
  if (wanted !== undefined && Number.isNaN(wanted.getTime())) throw new StartError(`--at=${moment} is not a moment`)
  const key = keys.filter((one) => wanted === undefined || one <= manifestKey(wanted)).at(-1)
  if (key === undefined)
    throw new StartError(
      keys.length === 0
        ? 'there is no back-up in this place'
        : `there is no back-up until ${moment}: the first is ${keys[0]}`,
    )
  return { key, manifest: await readManifest(store, key) }
}
