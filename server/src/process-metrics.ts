// Gauges of the whole process and, in the role worker, of what waits in the record. A scrape reads them; nothing runs between two scrapes.

import { statfs } from 'node:fs/promises'
import { Gauge } from 'prom-client'
import { countPostbacks, readBackups, readInbox, readJobs } from './postgres/waiting-work.ts'
import type { Services } from './services.ts'

export function measureProcess(services: Services): void {
  measurePool(services)
  measureDisk(services)
  if (services.config.roles.includes('worker')) measureRecord(services)
}

function measurePool({ metrics, postgres: { pool } }: Services): void {
  new Gauge({
    name: 'tributary_postgres_connections',
    help: 'Connections of the pool: busy, idle, and statements that wait for one',
    labelNames: ['state'],
    registers: [metrics],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
}

function measureDisk({ metrics, config }: Services): void {
  new Gauge({
    name: 'tributary_disk_bytes',
    help: 'Size of the disk of DATA_DIR, and what is free for the product',
    labelNames: ['kind'],
    registers: [metrics],
    async collect() {
      const { blocks, bavail, bsize } = await statfs(config.dataDir)
      this.set({ kind: 'size' }, blocks * bsize)
      this.set({ kind: 'free' }, bavail * bsize)
    },
  })
}

function measureRecord({ metrics, postgres: { pool } }: Services): void {
  const inbox = shareReads(() => readInbox(pool))
  const backups = shareReads(() => readBackups(pool))
  gauge('tributary_inbox_clicks', 'Clicks that are not handed over to ClickHouse', async () => (await inbox()).clicks)
  gauge(
    'tributary_inbox_age_seconds',
    'Age of the oldest click that is not handed over',
    async () => (await inbox()).age,
  )
  gauge(
    'tributary_backup_moment_seconds',
    'Moment of the latest back-up in seconds since 1970; 0 without one',
    async () => ((await backups()).moment?.getTime() ?? 0) / 1000,
  )
  gauge(
    'tributary_backup_failures',
    'Back-ups that failed within a day and since the last one that was made',
    async () => (await backups()).failures,
  )
  gauge('tributary_postbacks_waiting', 'Postbacks that wait to be sent to partners; at most 100001 are counted', () =>
    countPostbacks(pool),
  )
  void new Gauge({
    name: 'tributary_jobs',
    help: 'Jobs that wait, run, or have failed for good within a day',
    labelNames: ['job', 'state'],
    registers: [metrics],
    async collect() {
      this.reset()
      for (const { name: job, waiting, running, dead } of await readJobs(pool)) {
        this.set({ job, state: 'waiting' }, waiting)
        this.set({ job, state: 'running' }, running)
        this.set({ job, state: 'dead' }, dead)
      }
    },
  })

  function gauge(name: string, help: string, read: () => Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        this.set(await read())
      },
    })
  }
}

const REUSE_MS = 1000

/** Calls of the result within a second share one `read`, because several gauges of a scrape read the same row. */
function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined
  return () => {
    if (last === undefined || performance.now() - last.at > REUSE_MS) last = { at: performance.now(), result: read() }
    return last.result
  }
}
