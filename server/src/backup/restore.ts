// `npm run restore -- DIR`: brings a back-up into an empty DATA_DIR, or into empty engines by URL. The last step is one transaction, so that an
// interrupted restore is repeated as a whole.

import { chmod, copyFile, mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { Client } from 'pg'
import { openClickhouse } from '../clickhouse/open.ts'
import { type Config, prepareDirectory } from '../config.ts'
import { createJobRunner } from '../jobs/runner.ts'
import { StartError } from '../lib/app-error.ts'
import { lockDirectory } from '../lib/directory-lock.ts'
import type { Logger } from '../lib/log.ts'
import { startEmbeddedPostgres } from '../postgres/embedded.ts'
import { withMigrationLock } from '../postgres/migrate.ts'
import type { OfflineContext } from '../server-module.ts'
import { isExcluded } from './dump-files.ts'
import { chooseManifest, type Manifest, objectsOf } from './manifest.ts'
import { openStore } from './open-store.ts'
import { withObject } from './pieces.ts'
import { loadFacts, prepareFacts } from './restore-facts.ts'
import { forgetRestore, markRestore, rejectUsedFolder } from './restore-folder.ts'
import { loadRecord, prepareRecord } from './restore-record.ts'
import { openByPassphrase } from './seal.ts'
import type { BackupStore } from './store.ts'

const MB = 1_000_000

export async function restoreCommand(context: OfflineContext): Promise<void> {
  const { config, log, say, args } = context
  const target = args.find((arg) => !arg.startsWith('--'))
  if (target === undefined)
    throw new StartError(
      'name the place of the back-ups: npm run restore -- /path (or s3://bucket/folder) [--at=2026-01-31T12:00:00Z]',
    )
  const at = args.find((arg) => arg.startsWith('--at='))?.slice('--at='.length)
  const began = performance.now()
  const { dataDir } = config
  rejectUsedFolder(dataDir)
  const store = await openStore(target, 'read')
  try {
    const { key, manifest } = await chooseManifest(store, at)
    const secret = await openSecret(config, manifest)
    prepareDirectory(dataDir)
    const lock = await lockDirectory(dataDir)
    try {
      const id = markRestore(dataDir)
      const megabytes = objectsOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0) / MB
      say(`restoring ${key}, ${megabytes.toFixed(1)} MB, as of ${manifest.moment}`)
      await withEngines(config, log, (url) => restoreInto(url, { store, manifest, secret, id }, context))
      forgetRestore(dataDir)
    } finally {
      lock.release()
    }
  } finally {
    await store.close()
  }
  say(`restored in ${((performance.now() - began) / 1000).toFixed(1)} s. Start it with \`npm start\`.`)
  say('It sends no postbacks, mails or invoices and makes no scheduled back-ups until an admin allows it in Settings.')
}

interface Restore {
  readonly store: BackupStore
  readonly manifest: Manifest
  readonly secret: string
  /** Written into the folder and into the database, so that a repeated restore recognises its own database. */
  readonly id: string
}

async function restoreInto(
  url: string,
  { store, manifest, secret, id }: Restore,
  { config, log, modules, say }: OfflineContext,
): Promise<void> {
  const clickhouse = openClickhouse(config, log)
  try {
    await withMigrationLock(url, async (client) => {
      const isRepeated = await prepareRecord(client, manifest, id)
      await prepareFacts(clickhouse, manifest, isRepeated)
    })
    await loadFacts(clickhouse, store, manifest)
    say('reports are back')
    await restoreFiles(config.dataDir, store, manifest)
    await writeFile(join(config.dataDir, 'secret'), secret, { mode: 0o600 })
    // Creates the tables of the queue.
    const jobs = createJobRunner(url, log)
    try {
      await jobs.prepare(modules.flatMap((module) => module.jobs ?? []))
    } finally {
      await jobs.stop()
    }
    const client = new Client({ connectionString: url, application_name: 'tributary restore', keepAlive: true })
    await client.connect()
    try {
      await loadRecord(client, store, manifest, id)
    } finally {
      await client.end()
    }
    say('the record is back')
  } finally {
    await clickhouse.close()
  }
}

async function withEngines(config: Config, log: Logger, work: (url: string) => Promise<void>): Promise<void> {
  if (config.databaseUrl !== undefined) return work(config.databaseUrl)
  const embedded = await startEmbeddedPostgres(config.dataDir, log)
  try {
    await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}

/** The secret of the back-up. Throws StartError if the passphrase does not open it, or if SECRET is set to another one. */
async function openSecret({ backupPassphrase, secret }: Config, manifest: Manifest): Promise<string> {
  if (backupPassphrase === undefined) throw new StartError('set BACKUP_PASSPHRASE, with which the back-up was made')
  const opened = await openByPassphrase(backupPassphrase, manifest.secret)
  if (opened === undefined) throw new StartError('BACKUP_PASSPHRASE does not open this back-up')
  if (secret !== '' && secret !== opened)
    throw new StartError('SECRET differs from that of the back-up: leave it unset, or set it to the same value')
  return opened
}

async function restoreFiles(dataDir: string, store: BackupStore, { files }: Manifest): Promise<void> {
  for (const file of files) {
    if (isExcluded(file.path)) continue
    if (isAbsolute(file.path) || normalize(file.path).startsWith('..'))
      throw new StartError(`the back-up names a file outside of DATA_DIR: ${file.path}`)
    const path = join(dataDir, file.path)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await withObject(store, file, '', (from) => copyFile(from, path))
    await chmod(path, file.mode)
    await utimes(path, file.changed / 1000, file.changed / 1000)
  }
}
