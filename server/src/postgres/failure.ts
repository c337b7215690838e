// Recognises errors that mean that PostgreSQL is unavailable or a statement took too long.

import { AppError } from '../lib/app-error.ts'

const RETRY_SECONDS = 2
const RETRY_FULL_SECONDS = 30

/** disk_full, io_error, and the system's error code. */
const FULL = new Set(['53100', '58030', 'ENOSPC'])

const GONE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // too_many_connections, out_of_memory, cannot_connect_now, admin_shutdown, crash_shutdown, idle-session and transaction time-outs
  '53300',
  '53200',
  '57P03',
  '57P01',
  '57P02',
  '57P05',
  '25P03',
  // the connection exceptions of class 08
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
])

/** Messages of pg without a code when a connection ends. */
const GONE_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|connection error and is not queryable|cannot use a pool after calling end/i

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && FULL.has(String(error.code))

/** AppError `unavailable` (503 with retry_after) if PostgreSQL is stopped, unreachable or out of space; undefined for any other error. */
export function asUnavailable(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error.code === 'unavailable' ? error : undefined
  if (!(error instanceof Error)) return undefined
  if (error instanceof AggregateError) return error.errors.map(asUnavailable).find((found) => found !== undefined)
  const code = 'code' in error ? String(error.code) : ''
  if (FULL.has(code)) return unavailable(RETRY_FULL_SECONDS, error)
  if (GONE.has(code) || GONE_MESSAGE.test(error.message)) return unavailable(RETRY_SECONDS, error)
  return undefined
}

/** query_canceled: by the time limit or an operator. After an abort, statements reject with the signal's reason instead. */
const CANCELLED = '57014'

/** AppError `unavailable` (503) or `timeout` (504) for a failed statement; undefined for any other error. */
export function asFailure(error: unknown): AppError | undefined {
  if (error instanceof Error && 'code' in error && error.code === CANCELLED)
    return new AppError('timeout', {}, { cause: error })
  return asUnavailable(error)
}

const unavailable = (seconds: number, cause: Error): AppError =>
  new AppError('unavailable', { retry_after: seconds }, { cause })
