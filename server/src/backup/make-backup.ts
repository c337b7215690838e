// Makes one back-up of both engines at one moment. While the writing of facts is paused, the record is fixed by a snapshot and ClickHouse by
// clones; everything is read afterwards, while the product runs.

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { PauseFacts } from '../facts/writer.ts'
import { StartError } from '../lib/app-error.ts'
import { cloneFacts, dropClones, exportFacts, listFactTables, readFactMigrations } from './dump-facts.ts'
import { dumpFiles } from './dump-files.ts'
import {
  dumpJobs,
  dumpSequences,
  dumpTables,
  openRecordSnapshot,
  type RecordSnapshot,
  readMigrationNumbers,
} from './dump-record.ts'
import { listManifests, type Manifest, objectsOf, readManifest, type StoredObject, writeManifest } from './manifest.ts'
import type { Writing } from './pieces.ts'
import { sealByPassphrase } from './seal.ts'
import { type BackupStore, objectKey } from './store.ts'

export type BackupStep = 'paused' | 'cloned' | 'record' | 'facts' | 'files' | 'manifest' | 'pruned'

export interface BackupSource {
  readonly postgresUrl: string
  readonly clickhouse: Clickhouse
  readonly dataDir: string
  /** The id of the installation. */
  readonly installation: string
  readonly secret: string
  readonly passphrase: string | undefined
  readonly pause: PauseFacts
  readonly signal: AbortSignal
  /** Tests interrupt a back-up here. */
  readonly onStep?: (step: BackupStep) => void | Promise<void>
  readonly limits?: MomentLimits
}

/** Milliseconds. */
interface MomentLimits {
  /** No table is cloned later: facts wait meanwhile, and reports would become visibly older. */
  readonly pause: number
  /** The wait before the second try. Before the third it is twice as long, and so on. */
  readonly retry: number
}

export interface MadeBackup {
  readonly key: string
  readonly moment: Date
  readonly objects: number
  readonly bytes: number
  /** Bytes that the store did not have before. */
  readonly newBytes: number
  readonly pauseMs: number
}

const MOMENT_LIMITS: MomentLimits = { pause: 5000, retry: 10_000 }
/** A machine that is busy now has time a little later. */
const MOMENT_TRIES = 4

class SlowMomentError extends Error {}

export async function makeBackup(store: BackupStore, target: string, source: BackupSource): Promise<MadeBackup> {
  const { clickhouse, dataDir, installation, secret, passphrase, signal } = source
  if (passphrase === undefined)
    throw new StartError('set BACKUP_PASSPHRASE for the server: it seals the secret that opens stored credentials')
  const step = async (name: BackupStep): Promise<void> => source.onStep?.(name)
  const latest = await readLatest(store)
  if (latest?.installation !== undefined && latest.installation !== installation)
    throw new StartError(`${target} holds back-ups of another installation: choose a place of its own for this one`)
  await clearStaging(store)
  await dropClones(clickhouse)
  const present = await readPresent(store)
  const before = latest && keepPresent(latest, present)
  const tables = await listFactTables(clickhouse)
  const { snapshot, pauseMs } = await fixMoment(tables, source)
  try {
    await step('cloned')
    const writing: Writing = { store, present, added: { objects: 0, bytes: 0 }, check: () => signal.throwIfAborted() }
    const record = await dumpTables(snapshot, writing)
    const jobs = await dumpJobs(snapshot, writing)
    const migrations = {
      postgresql: await readMigrationNumbers(snapshot),
      clickhouse: await readFactMigrations(clickhouse),
    }
    await step('record')
    const facts = await exportFacts(clickhouse, tables, before, writing)
    await step('facts')
    const files = await dumpFiles(dataDir, target, before?.files ?? [], writing)
    await step('files')
    const manifest: Manifest = {
      format: 1,
      moment: snapshot.moment.toISOString(),
      installation,
      migrations,
      secret: await sealByPassphrase(passphrase, secret),
      record,
      sequences: await dumpSequences(snapshot),
      jobs,
      facts,
      files,
    }
    const key = await writeManifest(store, manifest)
    await step('manifest')
    const objects = objectsOf(manifest)
    return {
      key,
      moment: snapshot.moment,
      objects: objects.length,
      bytes: objects.reduce((sum, object) => sum + object.bytes, 0),
      newBytes: writing.added.bytes,
      pauseMs,
    }
  } finally {
    await snapshot.close()
    await dropClones(clickhouse)
  }
}

/** Gives up a moment that takes too long, lets facts be written, and tries again. Throws SlowMomentError after the last try. */
async function fixMoment(tables: readonly string[], source: BackupSource): Promise<FixedMoment> {
  const { clickhouse, signal, limits = MOMENT_LIMITS } = source
  for (let attempt = 1; ; attempt++)
    try {
      return await tryMoment(tables, source, limits.pause)
    } catch (error) {
      if (!(error instanceof SlowMomentError) || attempt === MOMENT_TRIES) throw error
      await dropClones(clickhouse)
      await sleep(attempt * limits.retry, undefined, { signal })
    }
}

interface FixedMoment {
  readonly snapshot: RecordSnapshot
  readonly pauseMs: number
}

async function tryMoment(
  tables: readonly string[],
  { postgresUrl, clickhouse, pause, onStep }: BackupSource,
  limitMs: number,
): Promise<FixedMoment> {
  return pause(async () => {
    const began = performance.now()
    const pauseMs = (): number => Math.round(performance.now() - began)
    await onStep?.('paused')
    const snapshot = await openRecordSnapshot(postgresUrl)
    try {
      await cloneFacts(clickhouse, tables, () => {
        if (pauseMs() > limitMs)
          throw new SlowMomentError(
            `the moment of the back-up was not there after ${pauseMs()} ms, and facts may wait ${limitMs} ms`,
          )
      })
      return { snapshot, pauseMs: pauseMs() }
    } catch (error) {
      await snapshot.close()
      throw error
    }
  })
}

/** Deletes files of interrupted back-ups. */
async function clearStaging({ staging }: BackupStore): Promise<void> {
  for (const name of await readdir(staging)) await rm(join(staging, name), { force: true })
}

async function readLatest(store: BackupStore): Promise<Manifest | undefined> {
  const key = (await listManifests(store)).at(-1)
  return key === undefined ? undefined : readManifest(store, key)
}

async function readPresent(store: BackupStore): Promise<Map<string, number>> {
  const present = new Map<string, number>()
  for await (const { key, bytes } of store.list('objects/')) present.set(key, bytes)
  return present
}

/** Leaves out objects that were lost or cut since, so that this back-up stores them again. */
function keepPresent(manifest: Manifest, present: ReadonlyMap<string, number>): Pick<Manifest, 'facts' | 'files'> {
  const isPresent = ({ hash, bytes }: StoredObject): boolean => present.get(objectKey(hash)) === bytes
  return {
    facts: manifest.facts.map((table) => ({ ...table, parts: table.parts.filter(isPresent) })),
    files: manifest.files.filter(isPresent),
  }
}

const DAY_MS = 86_400_000

/**
 * Deletes back-ups older than so many days, but never the latest, then every object that no back-up names, and files of interrupted back-ups.
 * Returns the number of deleted back-ups.
 */
export async function pruneBackups(store: BackupStore, days: number, now: Date): Promise<number> {
  await clearStaging(store)
  const keys = await listManifests(store)
  const needed = new Set<string>()
  let deleted = 0
  for (const key of keys) {
    const manifest = await readManifest(store, key)
    const isOld = now.getTime() - Date.parse(manifest.moment) > days * DAY_MS
    if (isOld && key !== keys.at(-1)) {
      await store.remove(key)
      deleted++
    } else for (const { hash } of objectsOf(manifest)) needed.add(objectKey(hash))
  }
  for await (const { key } of store.list('objects/')) if (!needed.has(key)) await store.remove(key)
  return deleted
}
