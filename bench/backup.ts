// A back-up of a running product, and its restore: how long each step takes, how much is stored, and what 2,000 clicks a second feel of it.
// BENCH_SIZE (or --size 100M) as in reports.ts (0.05 here: a million clicks).

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median, sizeOf } from './figure.ts'
import { fillProduct, MAIN, p99, startClickProcess, startProduct, takeQuietWaits } from './product.ts'
import { FULL, part } from './seed-facts.ts'
import { productEnv } from './whole-server.ts'

const SHARE = sizeOf(FULL.clicks) * 0.05
const PER_SECOND = 2000
const ALONE_MS = 15_000
const PASSPHRASE = { BACKUP_PASSPHRASE: 'a passphrase of some length' }

export async function run(): Promise<Figure[]> {
  const [dataDir, place, restored] = [
    makeDataDirectory('backup'),
    makeDataDirectory('place'),
    makeDataDirectory('restored'),
  ]
  try {
    await fillProduct(dataDir, part(SHARE))
    const made = await measureBackups(dataDir, place)
    const verify = await time(() => runCommand(restored, 'backup:verify', place))
    const restore = await time(() => runCommand(restored, 'restore', place))
    const start = await time(async () => (await startProduct(restored, 1, PASSPHRASE)).stop())
    return [
      ...made,
      { name: 'backup.verify_seconds', value: verify, unit: 's' },
      { name: 'backup.restore_seconds', value: restore, unit: 's' },
      { name: 'backup.start_and_stop_seconds', value: start, unit: 's' },
    ]
  } finally {
    for (const folder of [dataDir, place, restored]) rmSync(folder, { recursive: true, force: true })
  }
}

/** The first back-up, which stores everything, beside clicks; and one more without them. */
async function measureBackups(dataDir: string, place: string): Promise<Figure[]> {
  const product = await startProduct(dataDir, 1, PASSPHRASE)
  const clicks = startClickProcess(product.url, PER_SECOND)
  try {
    const before = await takeQuietWaits(clicks, ALONE_MS)
    const first = await time(() => runCommand(dataDir, 'backup', place))
    const beside = await clicks.takeWaits()
    const after = await takeQuietWaits(clicks, ALONE_MS)
    clicks.stop()
    const megabytes = bytesOf(place) / 1e6
    const again = await time(() => runCommand(dataDir, 'backup', place))
    const quiet = median([p99(before), p99(after)])
    return [
      { name: 'backup.alone_p99', value: quiet, unit: 'ms', runs: [p99(before), p99(after)] },
      { name: 'backup.beside_p99', value: p99(beside), unit: 'ms' },
      { name: 'backup.beside_clicks', value: beside.length, unit: '' },
      { name: 'backup.ratio', value: p99(beside) / quiet, unit: '×' },
      { name: 'backup.first_seconds', value: first, unit: 's' },
      { name: 'backup.stored', value: megabytes, unit: 'MB' },
      { name: 'backup.again_seconds', value: again, unit: 's' },
    ]
  } finally {
    clicks.stop()
    await product.stop()
  }
}

/** Runs a command as `npm run` does. Throws with its output if it fails. */
async function runCommand(dataDir: string, command: string, place: string): Promise<void> {
  const child = spawn(process.execPath, [MAIN, command, place], {
    env: { ...productEnv(dataDir), ...PASSPHRASE },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`)
}

/** Seconds. */
async function time(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

function bytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
