// Runs jobs with pg-boss. Jobs are rows of PostgreSQL, so that a transaction can enqueue them and none is lost.
// Only processes with the role worker run them.

import { fromKysely, type JobWithMetadata, PgBoss, type Queue, type SendOptions } from 'pg-boss'
import { type Logger, withLogFields } from '../lib/log.ts'
import { withStatementScope } from '../lib/statement-scope.ts'
import { inRootSpan } from '../lib/tracing.ts'
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts'
import { isSendingHeld } from '../postgres/sending.ts'
import { statementTimeout } from '../postgres/statement-pool.ts'
import type { EnqueueOptions, JobQueue, Services } from '../services.ts'
import { queueClock } from './queue-clock.ts'
import type { AnyJob } from './registry.ts'

export interface JobRunner extends JobQueue {
  /** Creates the queues; jobs can be enqueued afterwards. */
  prepare(jobs: readonly AnyJob[]): Promise<void>
  /** Starts to run jobs. */
  work(services: Services): Promise<void>
  /** Jobs in flight get some time to finish; the next start repeats the others. */
  stop(): Promise<void>
}

const POLL_SECONDS = 2
/** With NOTIFY, polling is only a fallback. */
const NOTIFY_POLL_SECONDS = 5
const STOP_MS = 20_000
const KEEP_DONE_SECONDS = 86_400
const DEFAULT_TIMEOUT_SECONDS = 300
const CONNECTIONS = 4
/** Jobs of a killed process are retried after this time instead of after their timeout. */
const HEARTBEAT_SECONDS = 30
const SUPERVISION_SECONDS = 15
/**
 * How long workers cache that a single job is running. With the library's default of a minute, an import waited a minute after the
 * previous one had ended.
 */
const QUEUE_CACHE_SECONDS = 2
const HELD_SECONDS = 60
/**
 * At each supervision the library notes which single jobs are running, and until the next one no worker starts a job of their queues: a report
 * uploaded after an import had ended waited up to half a minute. The index of the jobs alone keeps two from running, so nothing is noted.
 */
const FORGET_RUNNING = `
  select pg_advisory_xact_lock(${ADVISORY_LOCKS.jobQueues});
  create or replace function jobs.forget_running() returns trigger language plpgsql as $$
    begin new.singletons_active := null; return new; end $$;
  create or replace trigger forget_running before update on jobs.queue for each row execute function jobs.forget_running()`

export function createJobRunner(url: string, log: Logger): JobRunner {
  const boss = new PgBoss({
    connectionString: url,
    schema: 'jobs',
    max: CONNECTIONS,
    application_name: 'tributary jobs',
    options: `-c statement_timeout=${statementTimeout('queue')}`,
    useListenNotify: true,
    schedule: true,
    superviseIntervalSeconds: SUPERVISION_SECONDS,
    monitorIntervalSeconds: SUPERVISION_SECONDS,
    queueCacheIntervalSeconds: QUEUE_CACHE_SECONDS,
    clock: queueClock,
  })
  boss.on('error', (error) => log.warn({ error }, 'the job queue has trouble'))
  let known: readonly AnyJob[] = []
  let isStarted = false

  return {
    async prepare(jobs) {
      known = jobs
      await boss.start()
      isStarted = true
      const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
      for (const job of jobs) await createOrUpdateQueue(boss, job, existing.get(job.name)?.policy)
      await boss.getDb().executeSql(FORGET_RUNNING)
    },
    async work(services) {
      for (const job of known) await startWorker(boss, job, services)
      await storeSchedules(boss, known)
      // Finds the jobs of a killed process at the start instead of at the first regular check.
      void boss.supervise().catch((error: unknown) => log.warn({ error }, 'the job queue has trouble'))
    },
    async enqueue(job, data, options = {}) {
      return (await boss.send(job.name, job.schema.parse(data), sendOptions(options))) ?? undefined
    },
    async enqueueSingle(job, data) {
      for (;;) {
        const id = await boss.send(job.name, job.schema.parse(data))
        if (id !== null) return id
        const [waiting] = await boss.findJobs(job.name, { queued: true })
        if (waiting !== undefined) return waiting.id
        // It has begun in between, so that another one may wait.
      }
    },
    async enqueueAll(job, data, options = {}) {
      if (data.length === 0) return
      const { startAfter, db } = sendOptions(options)
      const rows = data.map((item) => ({
        data: job.schema.parse(item),
        ...(startAfter === undefined ? {} : { startAfter }),
      }))
      await boss.insert(job.name, rows, db === undefined ? {} : { db })
    },
    async stop() {
      if (isStarted) await boss.stop({ graceful: true, close: true, timeout: STOP_MS })
    },
  }
}

function sendOptions(options: EnqueueOptions): SendOptions {
  return {
    ...(options.after === undefined ? {} : { startAfter: options.after }),
    ...(options.key === undefined ? {} : { singletonKey: options.key }),
    ...(options.trx === undefined ? {} : { db: fromKysely(options.trx) }),
  }
}

function queueOptions(job: AnyJob): Omit<Queue, 'name'> {
  const { retry } = job
  return {
    retryLimit: retry?.limit ?? 2,
    retryDelay: retry?.delaySeconds ?? 5,
    retryBackoff: retry?.backoff ?? false,
    ...(retry?.backoff === true && retry.maxDelaySeconds !== undefined ? { retryDelayMax: retry.maxDelaySeconds } : {}),
    expireInSeconds: job.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEEP_DONE_SECONDS,
    notify: true,
  }
}

async function createOrUpdateQueue(boss: PgBoss, job: AnyJob, existing: string | undefined): Promise<void> {
  const options = queueOptions(job)
  if (existing === undefined)
    await boss.createQueue(job.name, { ...options, policy: job.isSingle === true ? 'stately' : 'standard' })
  else await boss.updateQueue(job.name, options)
}

async function startWorker(boss: PgBoss, job: AnyJob, services: Services): Promise<void> {
  const options = {
    includeMetadata: true as const,
    localConcurrency: job.concurrency ?? 1,
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: NOTIFY_POLL_SECONDS,
  }
  const worker = await boss.work<object, void, typeof options>(job.name, options, async ([row]) => {
    try {
      if (row !== undefined && !(await putOffIfHeld(boss, job, row, services))) await runOne(job, row, services)
    } finally {
      // Jobs that were enqueued meanwhile start when this one ends, not at the next poll.
      boss.notifyWorker(worker)
    }
  })
}

/** While sending is held, enqueues a job that sends once more for later and returns true. A scheduled job comes again by its schedule. */
async function putOffIfHeld(
  boss: PgBoss,
  job: AnyJob,
  { data, singletonKey }: JobWithMetadata<object>,
  { postgres }: Services,
): Promise<boolean> {
  if (job.isSending !== true || !(await isSendingHeld(postgres.pool))) return false
  if (job.schedule === undefined)
    await boss.send(job.name, data, { startAfter: HELD_SECONDS, ...(singletonKey !== null && { singletonKey }) })
  return true
}

async function runOne(job: AnyJob, row: JobWithMetadata<object>, services: Services): Promise<void> {
  const attempt = row.retryCount + 1
  const isLastAttempt = row.retryCount >= row.retryLimit
  const { log } = services
  const started = performance.now()
  const context = { services, signal: row.signal, id: row.id, attempt, isLastAttempt }
  const fields = { job: job.name, job_id: row.id, attempt }
  await withLogFields(fields, () =>
    inRootSpan(`job ${job.name}`, 'job', fields, async () => {
      try {
        await withStatementScope('job', () => job.run(row.data ?? {}, context))
        log.debug({ ms: Math.round(performance.now() - started) }, 'job done')
      } catch (error) {
        log[isLastAttempt ? 'error' : 'warn'](
          { error },
          isLastAttempt ? 'job failed' : 'job failed and will be tried again',
        )
        throw error
      }
    }),
  )
}

/** Stores the schedules and deletes those of jobs that no longer have one. */
async function storeSchedules(boss: PgBoss, jobs: readonly AnyJob[]): Promise<void> {
  for (const { name, key } of await boss.getSchedules()) {
    if (!jobs.some((job) => job.name === name && job.schedule !== undefined)) await boss.unschedule(name, key)
  }
  for (const job of jobs) if (job.schedule !== undefined) await boss.schedule(job.name, job.schedule, {}, { tz: 'UTC' })
}
