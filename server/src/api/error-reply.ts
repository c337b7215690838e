// Answers every error in one form: a stable code, a message in the request's language, and the request's id. Unexpected errors are logged
// completely and answered without their text.

import { ERRORS, type ErrorCode, type ErrorReply, type FieldErrors } from '@tributary/contract/error'
import { ISSUES_LISTED } from '@tributary/contract/limits'
import type { Issue } from '@tributary/contract/validate'
import { chooseLanguage, say } from '@tributary/contract/words/messages'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { AppError, type ErrorDetails, type IssueTree } from '../lib/app-error.ts'
import { asFailure } from '../postgres/failure.ts'
import { collectIssues } from './schema-issues.ts'

type Language = Parameters<typeof say>[0]

export const languageOf = (request: Pick<FastifyRequest, 'headers'>): Language =>
  chooseLanguage(request.headers['accept-language'])

/** Error codes of Fastify and its plugins; others are mapped by their status. */
const FRAMEWORK_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_MAX_PARAM_LENGTH: 'bad_request',
  FST_ERR_NOT_FOUND: 'not_found',
  FST_REQ_FILE_TOO_LARGE: 'too_large',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_media',
}

const BY_STATUS: Record<number, ErrorCode> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  413: 'too_large',
  415: 'unsupported_media',
  422: 'invalid',
  429: 'too_many_requests',
  503: 'unavailable',
}

/** Maps any thrown value to an AppError. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ZodError) return new AppError('invalid', collectIssues(error.issues))
  const databaseFailure = asFailure(error)
  if (databaseFailure !== undefined) return databaseFailure
  if (!(error instanceof Error)) return new AppError('internal', {}, { cause: error })
  // The client disconnected while its request was running.
  if (error.name === 'AbortError') return new AppError('timeout', {}, { cause: error })
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = FRAMEWORK_CODES[code] ?? (statusCode < 500 || statusCode === 503 ? BY_STATUS[statusCode] : undefined)
  const seconds = 'ttl' in error && typeof error.ttl === 'number' ? { retry_after: Math.ceil(error.ttl / 1000) } : {}
  return new AppError(known ?? (statusCode >= 400 && statusCode < 500 ? 'bad_request' : 'internal'), seconds, {
    cause: error,
  })
}

export function describeFailure(failure: AppError, language: Language, requestId: string): ErrorReply {
  const { issues: all, ...rest } = failure.details
  const { issues, omitted } = all === undefined ? {} : limitIssues(all, rest.omitted)
  return {
    code: failure.code,
    message: translateGeneral(issues, language) ?? say(language, failure.code, { seconds: rest.retry_after ?? '' }),
    request_id: requestId,
    ...(issues === undefined
      ? {}
      : { formErrors: translateIssues(issues, language), reasons: listReasons(issues, language) }),
    ...rest,
    ...(omitted !== undefined && { omitted }),
  }
}

/** Message of issues without a field, which is more specific than the message of the code. */
function translateGeneral(issues: ErrorDetails['issues'], language: Language): string | undefined {
  return issues !== undefined && isList(issues) && issues.length > 0
    ? translateList(issues, language).join(' ')
    : undefined
}

/** The first issues, in the order of the tree, and the number of all others. */
function limitIssues(
  issues: NonNullable<ErrorDetails['issues']>,
  omittedBefore = 0,
): Pick<ErrorDetails, 'issues' | 'omitted'> {
  let remaining = ISSUES_LISTED
  let omitted = omittedBefore
  const limitList = (list: readonly Issue[]): readonly Issue[] => {
    const listed = list.slice(0, remaining)
    remaining -= listed.length
    omitted += list.length - listed.length
    return listed
  }
  const limitTree = (tree: IssueTree): IssueTree =>
    Object.fromEntries(
      Object.entries(tree).flatMap(([field, nested]) => {
        const limited = isList(nested) ? limitList(nested) : limitTree(nested)
        return Object.keys(limited).length === 0 ? [] : [[field, limited]]
      }),
    )
  const limited = isList(issues) ? limitList(issues) : limitTree(issues)
  return omitted === 0 ? { issues: limited } : { issues: limited, omitted }
}

const translateList = (issues: readonly Issue[], language: Language): string[] =>
  issues.map(({ key, values }) => say(language, key, values))

function translateIssues(issues: NonNullable<ErrorDetails['issues']>, language: Language): string[] | FieldErrors {
  if (isList(issues)) return translateList(issues, language)
  return Object.fromEntries(Object.entries(issues).map(([field, nested]) => [field, translateIssues(nested, language)]))
}

function listReasons(
  issues: NonNullable<ErrorDetails['issues']>,
  language: Language,
  path: readonly string[] = [],
): NonNullable<ErrorReply['reasons']> {
  if (!isList(issues))
    return Object.entries(issues).flatMap(([field, nested]) => listReasons(nested, language, [...path, field]))
  return issues.map(({ key, values, mend }) => ({
    field: path.join('.'),
    code: key,
    message: say(language, key, values),
    ...(mend && { mend }),
  }))
}

const isList = (issues: NonNullable<ErrorDetails['issues']>): issues is readonly Issue[] => Array.isArray(issues)

export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = toAppError(error)
  const status = ERRORS[failure.code]
  if (isDisconnect(error)) request.log.debug({ error }, 'nobody waited for the answer')
  else if (status >= 500) request.log.error({ error: failure.cause ?? error, code: failure.code }, 'a request failed')
  else request.log.debug({ error: failure.cause ?? error }, 'a request was rejected')
  if (failure.details.retry_after !== undefined) reply.header('retry-after', failure.details.retry_after)
  void reply
    .status(status)
    .header('cache-control', 'no-store')
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(describeFailure(failure, languageOf(request), request.id)))
}

/** True if the client disconnected while the answer was sent; the server did not fail. */
const isDisconnect = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))
