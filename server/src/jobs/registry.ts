// What a job is: a name, the shape of its data, what it does, and how often it is tried again. One file declares one job.

import type { z } from 'zod'
import type { Services } from '../services.ts'

export interface JobContext {
  services: Services
  /** Aborted when the time is over or the server stops. */
  signal: AbortSignal
  id: string
  /** 1 for the first attempt. */
  attempt: number
  /** No further attempt follows when this one fails. */
  isLast: boolean
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
  /** Throwing means a further attempt, or failure after the last. It may run twice: it must be idempotent. */
  readonly handle: (data: T, context: JobContext) => Promise<void>
  readonly retry?: RetryRule
  /** Cron expression (five fields, UTC); its data is {}. */
  readonly schedule?: string
  /** How many of this job one process runs at once; 1 by default. */
  readonly concurrency?: number
  readonly timeoutSeconds?: number
  /** At most one waits and one runs at a time: for work that looks at everything there is to do. */
  readonly isSingle?: boolean
}

/** A job of any data, as lists hold them. */
export type AnyJob = Pick<Job, 'name' | 'retry' | 'schedule' | 'concurrency' | 'timeoutSeconds' | 'isSingle'> & {
  run(data: unknown, context: JobContext): Promise<void>
}

type DefinedJob<T extends object> = AnyJob & { readonly schema: z.ZodType<T> }

export function defineJob<T extends object>(job: Job<T>): DefinedJob<T> {
  const { handle, ...rest } = job
  return { ...rest, run: async (data, context) => handle(job.schema.parse(data), context) }
}
