// The product as `npm start` runs it: a supervisor, trackers, and a process for everything else. And clicks from a process of their own.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { loadConfig } from '../server/src/config.ts'
import { createLog } from '../server/src/lib/log.ts'
import { stopAll, type Undo } from '../server/src/lib/undo.ts'
import { startServices } from '../server/src/server.ts'
import { NETWORK } from './network.ts'
import { type Size, seedFacts } from './seed-facts.ts'
import { productEnv } from './whole-server.ts'

export const MAIN = join(import.meta.dirname, '../server/src/main.ts')
const READY = /is ready on (http\S+)/
const WARM_MS = 5000
/** Of 16 MB: together the `min_wal_size` of the embedded PostgreSQL. */
const LOG_SEGMENTS = 64

export interface Product {
  readonly process: ChildProcess
  readonly url: string
  stop(): Promise<void>
}

export interface Clicks {
  /** Milliseconds of each redirect since the last call. */
  takeWaits(): Promise<number[]>
  stop(): void
}

/** A network with a partner offer that takes all clicks, and a year of facts. */
export async function fillProduct(dataDir: string, size: Size): Promise<void> {
  const log = createLog('error')
  const undo: Undo[] = []
  try {
    const services = await startServices(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }), log, [], undo)
    await services.postgres.pool.query(NETWORK)
    await seedFacts(services.clickhouse, size)
    await fillLog(services.postgres.pool)
  } finally {
    await stopAll(undo, log)
  }
}

/** An installation that has run for some days makes no new segments of PostgreSQL's log. This makes them before anything is measured. */
async function fillLog(pool: Pool): Promise<void> {
  for (let segment = 0; segment < LOG_SEGMENTS; segment++) {
    await pool.query("select pg_logical_emit_message(false, 'bench', 'x'), pg_switch_wal()")
  }
  await pool.query('checkpoint')
}

export async function startProduct(
  dataDir: string,
  trackers: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...productEnv(dataDir), ...env, TRACKERS: String(trackers) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  for (let url: string | undefined; ; url = READY.exec(output)?.[1]) {
    if (url !== undefined) {
      const stop = async () => {
        child.kill('SIGINT')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
      return { process: child, url: url.replace('localhost', '127.0.0.1'), stop }
    }
    if (child.exitCode !== null) throw new Error(`the product has ended:\n${output}`)
    await sleep(50)
  }
}

export function startClickProcess(url: string, perSecond: number): Clicks {
  // In a session of its own, as clients are: it shares no core time with the product.
  const child = fork(join(import.meta.dirname, 'click-process.ts'), [url, String(perSecond)], { detached: true })
  return {
    async takeWaits() {
      child.send('take')
      const [waits] = (await once(child, 'message')) as [number[]]
      return waits
    },
    stop() {
      if (child.connected) child.disconnect()
    },
  }
}

/** The waits of `milliseconds` in which nothing else runs. */
export async function takeQuietWaits(clicks: Clicks, milliseconds: number): Promise<number[]> {
  await sleep(WARM_MS)
  await clicks.takeWaits()
  await sleep(milliseconds)
  return clicks.takeWaits()
}

export function p99(waits: readonly number[]): number {
  return waits.toSorted((a, b) => a - b)[Math.ceil(waits.length * 0.99) - 1] ?? Number.NaN
}
