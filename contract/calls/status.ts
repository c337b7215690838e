// Call of the status of the installation: what a server measures, what waits in the record, the last errors, and the jobs.
import { z } from 'zod'
import { ADMIN_ONLY } from '../access.ts'
import { defineCall } from '../call.ts'
import { schedule } from './schedule.ts'

/** Why a server is not ready. */
export const MISSING = ['postgresql', 'record', 'clickhouse', 'clicks', 'server'] as const

/** Jobs of the server. Words name them. */
export const JOBS = [
  'apply-retention',
  'check-parts',
  'drop-uploads',
  'find-alerts',
  'import-reports',
  'mail-alerts',
  'parse-sheet',
  'plan-alert-mails',
  'plan-sheet-parses',
  'retrieve-players',
  'send-account-link',
  'send-account-notices',
  'send-due-reports',
  'send-invoices',
  'send-report',
  'sweep-access',
  'true-up-ledger',
] as const
export type JobName = (typeof JOBS)[number]

const count = z.object({ name: z.string(), count: z.int() })
const moment = z.string()

const job = z.object({
  name: z.string(),
  waiting: z.int(),
  running: z.int(),
  /** Failed at the last attempt within a day. */
  dead: z.int(),
  last_at: moment.nullable(),
  last_seconds: z.number().nullable(),
  /** Why the latest run that failed for good did so. */
  last_error: z.string().nullable(),
  /** The next run by the clock, or of a waiting job. */
  next_at: moment.nullable(),
})

const problem = z.object({
  at: moment,
  level: z.enum(['warn', 'error']),
  /** The process of the server that wrote it; null if there is one only. */
  process: z.string().nullable(),
  message: z.string(),
  error: z.string().nullable(),
  request_id: z.string().nullable(),
  job: z.string().nullable(),
})

const queries = z.object({
  kind: z.string(),
  done: z.int(),
  failed: z.int(),
  /** 95 of 100 take no longer; null without any. */
  p95_seconds: z.number().nullable(),
})

export const statusRead = defineCall({
  name: 'status_read',
  method: 'GET',
  path: 'status',
  access: ADMIN_ONLY,
  answer: z.object({
    at: moment,
    started_at: moment,
    /** Empty: ready. */
    missing: z.array(z.enum(MISSING)),
    is_sending_held: z.boolean(),
    /** Counts of this server cover so many seconds: five minutes, or less after its start. */
    window_seconds: z.int(),
    clicks: z.object({
      /** Empty if this server does not answer clicks. */
      outcomes: z.array(count),
      p50_seconds: z.number().nullable(),
      p99_seconds: z.number().nullable(),
      /** Not handed over to ClickHouse. */
      waiting: z.int(),
      oldest_seconds: z.number(),
    }),
    facts: z.object({ clicks_to: moment, record_to: moment, waiting_changes: z.int() }),
    postbacks: z.object({
      verdicts: z.array(count),
      calls: z.array(count),
      waiting: z.int(),
      /** Null if this server does not send. */
      hosts: z.object({ open: z.int(), shut: z.int() }).nullable(),
    }),
    requests: z.object({ count: z.int(), failed: z.int(), p95_seconds: z.number().nullable() }),
    clickhouse: z.array(queries),
    connections: z.object({ busy: z.int(), idle: z.int(), waiting: z.int() }),
    machine: z.object({
      disk_bytes: z.int(),
      disk_free_bytes: z.int(),
      memory_bytes: z.int(),
      /** The slowest hundredth of turns of the event loop. */
      loop_p99_seconds: z.number(),
    }),
    backup: z.object({
      is_scheduled: z.boolean(),
      moment: moment.nullable(),
      /** Within a day. */
      failures: z.int(),
      last_error: z.string().nullable(),
    }),
    schedules: z.array(schedule),
    jobs: z.array(job),
    /** The newest first. */
    problems: z.array(problem),
  }),
})
