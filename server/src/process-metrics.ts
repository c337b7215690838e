// Gauges of the whole process and, in the role worker, of what waits in the record. A scrape reads them; nothing runs between two scrapes.

import { statfs } from 'node:fs/promises'
import { Gauge } from 'prom-client'
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

const INBOX_SQL = `select count(*) as clicks, coalesce(extract(epoch from now() - min(c.created_at)), 0)::float8 as age
  from click_inbox c left join click_writer w on w.id = c.writer where w.loaded_id is null or c.id > w.loaded_id`
const JOBS_SQL = `select name || ' ' || case state when 'active' then 'running' when 'failed' then 'dead' else 'waiting' end as key,
    count(*) as count from jobs.job where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_%' group by 1`
const BACKUP_SQL = `select extract(epoch from max(moment))::float8 as moment,
    count(*) filter (where state = 'failed' and finished_at > now() - interval '1 day') as failed from backup`
const POSTBACKS_SQL = `select count(*) as count from (select from postback where status = 'pending' limit 100001) waiting`

function measureRecord({ metrics, postgres: { pool } }: Services): void {
  const inbox = shareReads(async () => {
    const { rows } = await pool.query<{ clicks: number; age: number }>(INBOX_SQL)
    return rows[0] ?? { clicks: 0, age: 0 }
  })
  const backups = shareReads(async () => {
    const { rows } = await pool.query<{ moment: number | null; failed: number }>(BACKUP_SQL)
    return { moment: rows[0]?.moment ?? 0, failed: rows[0]?.failed ?? 0 }
  })
  gauge('tributary_inbox_clicks', 'Clicks that are not handed over to ClickHouse', async () => (await inbox()).clicks)
  gauge(
    'tributary_inbox_age_seconds',
    'Age of the oldest click that is not handed over',
    async () => (await inbox()).age,
  )
  gauge(
    'tributary_backup_moment_seconds',
    'Moment of the latest back-up in seconds since 1970; 0 without one',
    async () => (await backups()).moment,
  )
  gauge('tributary_backup_failures', 'Back-ups that failed within a day', async () => (await backups()).failed)
  gauge(
    'tributary_postbacks_waiting',
    'Postbacks that wait to be sent to partners; at most 100001 are counted',
    async () => {
      const { rows } = await pool.query<{ count: number }>(POSTBACKS_SQL)
      return rows[0]?.count ?? 0
    },
  )
  new Gauge({
    name: 'tributary_jobs',
    help: 'Jobs that wait, run, or have failed for good within a day',
    labelNames: ['job', 'state'],
    registers: [metrics],
    async collect() {
      this.reset()
      const { rows } = await pool.query<{ key: string; count: number }>(JOBS_SQL)
      for (const { key, count } of rows) {
        const [job = '', state = ''] = key.split(' ')
        this.set({ job, state }, count)
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
