// `npm run backup:verify -- DIR`: reads all objects of all back-ups in a store and compares them with the manifests. Needs no engine.

import { StartError, textOf } from '../lib/app-error.ts'
import type { OfflineContext } from '../server-module.ts'
import { listManifests, type Manifest, readManifest } from './manifest.ts'
import { openStore } from './open-store.ts'
import { readPiece, withObject } from './pieces.ts'
import { openByPassphrase } from './seal.ts'
import type { BackupStore } from './store.ts'

const NEW_LINE = 10

export async function verifyCommand({ config, args, say }: OfflineContext): Promise<void> {
  const [target] = args
  if (target === undefined)
    throw new StartError('name the place of the back-ups: npm run backup:verify -- /path, or s3://bucket/folder')
  const store = await openStore(target, 'read')
  try {
    const keys = await listManifests(store)
    if (keys.length === 0) throw new StartError('there is no back-up in this place')
    const verified = new Set<string>()
    let [damaged, unopened] = [0, 0]
    for (const key of keys) {
      const manifest = await readManifest(store, key)
      const problems = await verifyBackup(store, manifest, verified)
      const isOpened = await opens(config.backupPassphrase, manifest)
      const state = problems.length === 0 ? 'is whole' : 'is damaged'
      say(`${key} ${state}${isOpened ? '' : ', and BACKUP_PASSPHRASE does not open it'}`)
      for (const problem of problems) say(`  ${problem}`)
      damaged += problems.length === 0 ? 0 : 1
      unopened += isOpened ? 0 : 1
    }
    const of = `of ${keys.length} back-ups`
    if (damaged > 0)
      throw new StartError(
        `${damaged} ${of} are damaged. Delete the objects named above and make a back-up: it stores again what the product still has`,
      )
    if (unopened > 0)
      throw new StartError(`BACKUP_PASSPHRASE does not open ${unopened} ${of}, which are whole otherwise`)
  } finally {
    await store.close()
  }
}

/** True without a passphrase: the content can be checked without it. */
const opens = async (passphrase: string | undefined, { secret }: Manifest): Promise<boolean> =>
  passphrase === undefined || (await openByPassphrase(passphrase, secret)) !== undefined

/** Returns what is wrong. `verified` remembers objects that other back-ups share. */
async function verifyBackup(store: BackupStore, manifest: Manifest, verified: Set<string>): Promise<string[]> {
  const problems: string[] = []
  const check = async (what: string, hash: string, work: () => Promise<void>): Promise<void> => {
    if (verified.has(hash)) return
    await work().then(
      () => verified.add(hash),
      (error: unknown) => problems.push(`${what}: ${textOf(error)}`),
    )
  }
  for (const { name, pieces } of manifest.record)
    for (const piece of pieces)
      await check(`table ${name}`, piece.hash, async () => {
        const rows = countLines(await readPiece(store, piece))
        if (rows !== piece.rows) throw new StartError(`${rows} rows instead of ${piece.rows}`)
      })
  for (const { name, parts } of manifest.facts)
    for (const part of parts)
      await check(`reports ${name}`, part.hash, () => withObject(store, part, '', async () => undefined))
  for (const job of manifest.jobs)
    await check('jobs', job.hash, () => withObject(store, job, '', async () => undefined))
  for (const file of manifest.files)
    await check(`file ${file.path}`, file.hash, () => withObject(store, file, '', async () => undefined))
  return problems
}

function countLines(text: Buffer): number {
  let lines = 0
  for (let at = text.indexOf(NEW_LINE); at >= 0; at = text.indexOf(NEW_LINE, at + 1)) lines++
  return lines
}
