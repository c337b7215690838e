// The structured log: JSON lines on stdout. Replaces secrets at any depth of a logged value.

import { AsyncLocalStorage } from 'node:async_hooks'
import { inspect } from 'node:util'
import { type Logger, pino } from 'pino'
import { currentTraceId } from './tracing.ts'

export type { Logger }

const SECRET_NAMES = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'token',
  'refreshtoken',
  'refresh_token',
  'code',
  'secret',
  'totp_secret',
  'api_key',
  'apikey',
  'otpauth_url',
  'tokendata',
  'secure',
  'signature',
  'credentials',
])
const HIDDEN = '[hidden]'
const isSecret = (name: string): boolean => SECRET_NAMES.has(name.toLowerCase())
const isFlat = (value: unknown): boolean => value !== null && ['string', 'number', 'boolean'].includes(typeof value)
const DEPTH = 8

/** A copy with all secret members replaced and deep levels cut. */
function hideSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (depth >= DEPTH) return '…'
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, depth + 1))
  if (Buffer.isBuffer(value)) return `<${value.length} bytes>`
  const shown: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    shown[name] = isSecret(name) ? HIDDEN : hideSecrets(member, depth + 1)
  }
  return shown
}

/** The URL without the values of secret parameters. */
export function hideUrlSecrets(url: string): string {
  // A name excludes the characters that begin one: otherwise the pattern takes quadratic time on '????…'.
  return url.replace(/([?&;]([^?=&;#]+)=)[^&;#]*/g, (whole, head: string, name: string) =>
    isSecret(name) ? `${head}${HIDDEN}` : whole,
  )
}

/** Fields of all lines that are written on behalf of a request or job. */
type LogFields = Readonly<Record<string, string | number>>

const fieldStorage = new AsyncLocalStorage<LogFields>()

/** Adds the fields to every line that `work` writes, also later. */
export const withLogFields = <T>(fields: LogFields, work: () => T): T => fieldStorage.run(fields, work)

/** The fields of the current request or job, without those that the line or its logger has already, and the trace that it belongs to. */
function contextFields(entry: object, _level: number, logger: Logger): object {
  const fields = fieldStorage.getStore()
  if (fields === undefined) return {}
  const known = { ...logger.bindings(), ...entry }
  const traceId = currentTraceId()
  return Object.fromEntries(
    Object.entries({ ...fields, ...(traceId !== undefined && { trace_id: traceId }) }).filter(
      ([name]) => !(name in known),
    ),
  )
}

interface Failure {
  readonly name?: unknown
  readonly message: string
  readonly stack?: unknown
  readonly code?: unknown
  readonly cause?: unknown
}

/** An error, also of another realm, or the copy of one: the queue's library reports plain objects with message and stack. */
const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'

function describeError(error: unknown): unknown {
  if (!isFailure(error)) return hideSecrets(error)
  // Scalar members only: drivers attach whole connections to their errors.
  const own = Object.fromEntries(
    Object.entries(error).filter(([name, value]) => isFlat(value) && (name === 'code' || !isSecret(name))),
  )
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { ...own, type: error.name ?? 'Error', message: error.message, stack: error.stack, cause }
}

/** A warning or an error that was written, for people who do not read the log. */
export interface Problem {
  readonly at: string
  readonly level: 'warn' | 'error'
  readonly process: string | null
  readonly message: string
  readonly error: string | null
  readonly request_id: string | null
  readonly job: string | null
}

const MOST_PROBLEMS = 50
const problemLists = new WeakMap<Logger, Problem[]>()

/** The latest warnings and errors that a log of `createLog` has written, oldest first. */
export const problemsOf = (log: Logger): readonly Problem[] => problemLists.get(log) ?? []

/** `processName` is in each line, for a process that shares its output with others. */
export function createLog(level: string, destination?: pino.DestinationStream, processName?: string): Logger {
  const problems: Problem[] = []
  const options: pino.LoggerOptions = {
    level,
    base: processName === undefined ? null : { process: processName },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: describeEntry },
    mixin: contextFields,
    hooks: { logMethod: limitRepeats(problems) },
  }
  const log = destination === undefined ? pino(options) : pino(options, destination)
  problemLists.set(log, problems)
  return log
}

function describeEntry(entry: Record<string, unknown>): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(entry)) {
    if (value instanceof Error || name === 'error') shown[name] = describeError(value)
    else if (isSecret(name)) shown[name] = HIDDEN
    else shown[name] = name === 'url' && typeof value === 'string' ? hideUrlSecrets(value) : hideSecrets(value)
  }
  return shown
}

const WARN = 40
const REPEAT_MS = 1000
/** Forgets old causes beyond this number. */
const MAX_CAUSES = 500

/**
 * Writes at most one warning or error a second for one cause, so that a full disk under load does not fill itself with lines. The next line
 * says how many were omitted. Faults of the product that answer a request are always written, because their request id must be found.
 */
function limitRepeats(problems: Problem[]): NonNullable<NonNullable<pino.LoggerOptions['hooks']>['logMethod']> {
  const causes = new Map<string, { at: number; omitted: number }>()
  return function write(args, method, level) {
    const [entry, message] = args as unknown[]
    if (level < WARN) return method.apply(this, args)
    if (!hasError(entry) || entry.code === 'internal') {
      keepProblem(problems, this, args, level)
      return method.apply(this, args)
    }
    const key = `${String(message)} ${causeOf(entry.error)}`
    const last = causes.get(key)
    const now = performance.now()
    if (last !== undefined && now - last.at < REPEAT_MS) {
      last.omitted++
      return
    }
    if (causes.size >= MAX_CAUSES) causes.clear()
    causes.set(key, { at: now, omitted: 0 })
    keepProblem(problems, this, args, level)
    if (last === undefined || last.omitted === 0) return method.apply(this, args)
    // `args` is the tuple of the caller: an entry and its message.
    return method.apply(this, [{ ...entry, omitted: last.omitted }, message] as unknown as typeof args)
  }
}

function keepProblem(problems: Problem[], logger: Logger, args: readonly unknown[], level: number): void {
  const [first, second] = args
  const entry = typeof first === 'object' && first !== null ? { ...first } : {}
  const fields: Record<string, unknown> = { ...logger.bindings(), ...fieldStorage.getStore(), ...entry }
  const textOf = (name: string): string | null => (typeof fields[name] === 'string' ? fields[name] : null)
  const { error } = fields
  problems.push({
    at: new Date().toISOString(),
    level: level > WARN ? 'error' : 'warn',
    process: textOf('process') ?? textOf('name'),
    message: [first, second].find((text) => typeof text === 'string') ?? '',
    error: error === undefined || error === null ? null : sayError(error),
    request_id: textOf('request_id'),
    job: textOf('job'),
  })
  if (problems.length > MOST_PROBLEMS) problems.shift()
}

const hasError = (entry: unknown): entry is { error: unknown; code?: unknown } =>
  typeof entry === 'object' && entry !== null && 'error' in entry && entry.error !== undefined && entry.error !== null

/** The queue's library adds its queue and its worker to what it passes on. */
const WORKER = / \(Queue: [^)]*\)/

/** A refused connection has a code and no message. */
const sayError = (error: unknown): string => (isFailure(error) && error.message !== '' ? error.message : causeOf(error))

const causeOf = (error: unknown): string => {
  if (!isFailure(error)) return typeof error === 'string' ? error : inspect(hideSecrets(error))
  const { code } = error
  return typeof code === 'string' || typeof code === 'number' ? String(code) : error.message.replace(WORKER, '')
}
