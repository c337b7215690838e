// The services that every module of a running server may use. The file imports no layer above the engines, so that every layer can import it.

import type { Transaction } from 'kysely'
import type { Registry } from 'prom-client'
import type { z } from 'zod'
import type { Clickhouse } from './clickhouse/client.ts'
import type { Config } from './config.ts'
import type { Logger } from './lib/log.ts'
import type { ProcessReports } from './lib/process-report.ts'
import type { Readiness } from './lib/readiness.ts'
import type { Database, Postgres } from './postgres/client.ts'

export interface Services {
  readonly config: Config
  readonly log: Logger
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
  readonly jobs: JobQueue
  readonly metrics: Registry
  readonly readiness: Readiness
  /** Latest reports of processes that have no API of their own: trackers before this process, and their supervisor. */
  readonly others: ProcessReports
}

/** What the queue needs of a job; `jobs/registry.ts` declares whole jobs. */
interface QueuedJob<T extends object> {
  readonly name: string
  readonly schema: z.ZodType<T>
}

export interface EnqueueOptions {
  /** The job exists if and only if this transaction commits. */
  readonly trx?: Transaction<Database>
  /** Earliest moment of the run, or the number of seconds until then. */
  readonly after?: Date | number
  /** While a job of this name and key waits, no other one is added. */
  readonly key?: string
}

export interface JobQueue {
  /** Validates the data. Returns the id, or undefined if a job with the same key waits already. */
  enqueue<T extends object>(job: QueuedJob<T>, data: T, options?: EnqueueOptions): Promise<string | undefined>
  /** The id of the job of a single kind that waits already, or else of a new one. */
  enqueueSingle<T extends object>(job: QueuedJob<T>, data: T): Promise<string>
  /** Adds many jobs in one statement. */
  enqueueAll<T extends object>(
    job: QueuedJob<T>,
    data: readonly T[],
    options?: Pick<EnqueueOptions, 'trx' | 'after'>,
  ): Promise<void>
}
