// Declaration of a job: name, schema of its data, handler, retries, schedule. Each file declares one job.

import type { z } from 'zod'
import type { Services } from '../services.ts'

export interface JobContext {
  services: Services
  /** Aborts on the job's timeout and when the server stops. */
  signal: AbortSignal
  id: string
  /** 1 for the first attempt. */
  attempt: number
  /** True if no attempt follows a failure of this one. */
  isLastAttempt: boolean
}

export interface RetryRule {
  /** Attempts after the first one. */
  limit: number
  delaySeconds: number
  /** Doubles the delay at each attempt, up to maxDelaySeconds. */
  backoff?: boolean
  maxDelaySeconds?: number
}

export interface Job<T extends object = object> {
  readonly name: string
  readonly schema: z.ZodType<T>
  /** Throws to be retried. Must be idempotent, because a job may run twice. */
  readonly handle: (data: T, context: JobContext) => Promise<void>
  readonly retry?: RetryRule
  /** Cron expression (five fields, UTC); its data is {}. */
  readonly schedule?: string
  /** Number of runs at once in one process; 1 by default. */
  readonly concurrency?: number
  readonly timeoutSeconds?: number
  /** At most one run waits and one is active: for work that handles everything there is to do. */
  readonly isSingle?: boolean
  /** It sends something to others. While sending is held (a restored copy), it waits. */
  readonly isSending?: boolean
}

/** A job with any data. */
export type AnyJob = Pick<
  Job,
  'name' | 'retry' | 'schedule' | 'concurrency' | 'timeoutSeconds' | 'isSingle' | 'isSending'
> & {
  run(data: unknown, context: JobContext): Promise<void>
}

type DefinedJob<T extends object> = AnyJob & { readonly schema: z.ZodType<T> }

export function defineJob<T extends object>(job: Job<T>): DefinedJob<T> {
  const { handle, ...rest } = job
  return { ...rest, run: async (data, context) => handle(job.schema.parse(data), context) }
}
