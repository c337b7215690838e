// Handler of the status: numbers of this server and its processes, and what waits in the record, whichever server writes it.
import { statfs } from 'node:fs/promises'
import type { Calls } from '@tributary/contract/calls/registry'
import { MISSING } from '@tributary/contract/calls/status'
import { CronExpressionParser } from 'cron-parser'
import { readWatermark } from '../facts/watermark.ts'
import { problemsOf } from '../lib/log.ts'
import { readValues } from '../lib/process-report.ts'
import { isSendingHeld } from '../postgres/sending.ts'
import {
  countChanges,
  countPostbacks,
  type JobState,
  readBackups,
  readInbox,
  readJobs,
} from '../postgres/waiting-work.ts'
import type { Services } from '../services.ts'
import type { Answer, Handler } from './handler.ts'
import { type Counts, quantile, recentCounts, sumBy } from './recent-counts.ts'
import { readSchedules } from './schedule.ts'

type Status = Answer<Calls['status_read']>

const MOST_PROBLEMS = 50
const CLICKHOUSE = 'tributary_clickhouse_query_seconds'
const REQUESTS = 'tributary_http_request_seconds'

export const readStatus: Handler<Calls['status_read']> = async (_input, services) => {
  const { postgres, config, readiness } = services
  const { pool } = postgres
  const now = new Date()
  const [missing, recent, inbox, watermark, changes, postbacks, backup, jobs, schedules, held, machine, hosts] =
    await Promise.all([
      readiness.findFailing(),
      recentCounts.of(services).read(),
      readInbox(pool),
      readWatermark(postgres),
      countChanges(pool),
      countPostbacks(pool),
      readBackups(pool),
      readJobs(pool),
      readSchedules(services),
      isSendingHeld(pool),
      readMachine(services),
      readHosts(services),
    ])
  const { counts, seconds } = recent
  return {
    at: now.toISOString(),
    started_at: new Date(now.getTime() - process.uptime() * 1000).toISOString(),
    missing: MISSING.filter((name) => missing.includes(name)),
    is_sending_held: held,
    window_seconds: seconds,
    clicks: {
      outcomes: sumBy(counts, 'tributary_clicks_total', 'outcome').filter(({ count }) => count > 0),
      p50_seconds: quantile(counts, 'tributary_redirect_seconds', 0.5),
      p99_seconds: quantile(counts, 'tributary_redirect_seconds', 0.99),
      waiting: inbox.clicks,
      oldest_seconds: inbox.age,
    },
    facts: {
      clicks_to: watermark.clicks.toISOString(),
      record_to: watermark.record.toISOString(),
      waiting_changes: changes,
    },
    postbacks: {
      verdicts: sumBy(counts, 'tributary_postbacks_received_total', 'verdict'),
      calls: sumBy(counts, 'tributary_postback_calls_total', 'outcome'),
      waiting: postbacks,
      hosts,
    },
    requests: countRequests(counts),
    clickhouse: listQueries(counts),
    connections: { busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount },
    machine,
    backup: {
      is_scheduled: config.backupTarget !== undefined,
      moment: backup.moment?.toISOString() ?? null,
      failures: backup.failures,
      last_error: backup.last_error,
    },
    schedules,
    jobs: jobs.map((job) => describeJob(job, now)),
    problems: listProblems(services),
  }
}

function countRequests(counts: Counts): Status['requests'] {
  const statuses = sumBy(counts, `${REQUESTS}_count`, 'status')
  const sum = (list: typeof statuses): number => list.reduce((total, { count }) => total + count, 0)
  return {
    count: sum(statuses),
    failed: sum(statuses.filter(({ name }) => name.startsWith('5'))),
    p95_seconds: quantile(counts, REQUESTS, 0.95),
  }
}

function listQueries(counts: Counts): Status['clickhouse'] {
  const only = (outcome: string): Counts => new Map([...counts].filter(([, { labels }]) => labels.outcome === outcome))
  const [done, failed] = [only('done'), only('failed')].map((some) => sumBy(some, `${CLICKHOUSE}_count`, 'kind'))
  return sumBy(counts, `${CLICKHOUSE}_count`, 'kind').map(({ name: kind }) => ({
    kind,
    done: done?.find(({ name }) => name === kind)?.count ?? 0,
    failed: failed?.find(({ name }) => name === kind)?.count ?? 0,
    p95_seconds: quantile(counts, CLICKHOUSE, 0.95, (labels) => labels.kind === kind),
  }))
}

/** Hosts of partners, if this server sends postbacks. */
async function readHosts(services: Services): Promise<Status['postbacks']['hosts']> {
  const values = await readValues(services, 'tributary_partner_hosts')
  const stateOf = (state: string): number => values.find(({ labels }) => labels.state === state)?.value ?? 0
  return values.length === 0 ? null : { open: stateOf('open'), shut: stateOf('shut') }
}

async function readMachine(services: Services): Promise<Status['machine']> {
  const { blocks, bavail, bsize } = await statfs(services.config.dataDir)
  // Reading the mean measures the others as well.
  await readValues(services, 'tributary_nodejs_eventloop_lag_seconds')
  const lags = await readValues(services, 'tributary_nodejs_eventloop_lag_p99_seconds')
  const memory = await readValues(services, 'tributary_process_resident_memory_bytes')
  return {
    disk_bytes: blocks * bsize,
    disk_free_bytes: bavail * bsize,
    memory_bytes: memory.reduce((sum, { value }) => sum + value, 0),
    loop_p99_seconds: Math.max(0, ...lags.map(({ value }) => value)),
  }
}

function describeJob({ cron, last_at, next_at, ...job }: JobState, now: Date): Status['jobs'][number] {
  const byClock =
    cron === null ? null : CronExpressionParser.parse(cron, { currentDate: now, tz: 'UTC' }).next().toDate()
  // A job that should have begun waits for a worker.
  const waiting = next_at === null || next_at > now ? next_at : now
  const next = [byClock, waiting].filter((at) => at !== null).sort((a, b) => a.getTime() - b.getTime())[0]
  return { ...job, last_at: last_at?.toISOString() ?? null, next_at: next?.toISOString() ?? null }
}

function listProblems({ log, others }: Services): Status['problems'] {
  const all = [...problemsOf(log), ...[...others.values()].flatMap(({ problems }) => problems)]
  return all.sort((a, b) => b.at.localeCompare(a.at)).slice(0, MOST_PROBLEMS)
}
