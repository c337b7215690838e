// Maps errors of both ClickHouse clients to ClickhouseError, or to the AppError of the answer.

import { AppError } from '../lib/app-error.ts'
import { toError } from '../lib/promises.ts'

/** ClickHouse rejected a statement or could not finish it. `code` is ClickHouse's error number. */
class ClickhouseError extends Error {
  override readonly name = 'ClickhouseError'
  readonly code: number | undefined

  constructor(message: string, code: number | undefined, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

const TIMEOUT_EXCEEDED = 159
const TOO_SLOW = 160
/** too many queries, network, memory of all, all connections tried, no free space, table is read-only, shutting down, no live replica */
const CANNOT_SERVE = new Set([202, 209, 210, 241, 242, 243, 252, 279, 236, 319, 394])
/** a part's bytes on disk are damaged, until it is made again */
const DAMAGED = new Set([32, 33, 39, 40, 226, 228, 246, 271, 432])
/** too many groups, a condition of the statement itself, too many bytes of an answer */
const TOO_LARGE = new Set([158, 395, 396])
const MEMORY = 241
/** The engine's total memory is exhausted, which may pass; otherwise the limit of this statement was exceeded. */
const TOTAL_MEMORY = /\(total\)/
const NETWORK = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/
const RETRY_SECONDS = 5

/** Converts an error of a driver to AppError `timeout`, `too_large` or `unavailable`, else to ClickhouseError. An abort gives its reason. */
export function toClickhouseFailure(error: unknown, signal?: AbortSignal): Error {
  // The reason of the abort is more precise than the driver's error.
  if (signal?.aborted === true) return toError(signal.reason)
  if (error instanceof AppError || error instanceof ClickhouseError) return error
  if (!(error instanceof Error)) return new ClickhouseError(String(error), undefined, error)
  if (error.name === 'AbortError') return error
  const code = readCode(error)
  if (code === TIMEOUT_EXCEEDED || code === TOO_SLOW) return new AppError('timeout', {}, { cause: error })
  if (code === MEMORY && !TOTAL_MEMORY.test(error.message))
    return new AppError('too_large', { issues: [{ key: 'answer_too_large' }] }, { cause: error })
  const isGone = 'code' in error && NETWORK.test(String(error.code))
  const isSlowNetwork = /^timeout error|socket hang up/i.test(error.message)
  if (isGone || isSlowNetwork || (code !== undefined && (CANNOT_SERVE.has(code) || DAMAGED.has(code)))) {
    return new AppError('unavailable', { retry_after: RETRY_SECONDS }, { cause: error })
  }
  return new ClickhouseError(error.message, code, error)
}

/** True if the statement exceeded a size limit, so that a smaller one may succeed. */
export function isTooLarge(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'too_large'
  return error instanceof ClickhouseError && error.code !== undefined && TOO_LARGE.has(error.code)
}

/** True if bytes on disk are not those that were written. */
export function isDamage(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  return cause instanceof Error && DAMAGED.has(readCode(cause) ?? 0)
}

function readCode(error: Error): number | undefined {
  if ('clickhouseCode' in error && typeof error.clickhouseCode === 'number') return error.clickhouseCode
  if ('code' in error && /^\d+$/.test(String(error.code))) return Number(error.code)
  const code = /Code: (\d+)\./.exec(error.message)?.[1]
  return code === undefined ? undefined : Number(code)
}
