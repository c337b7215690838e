// Calls the server: headers, query rules, time-out, silent refresh with replay, uniform errors. Tests create it with their own edge.
import type { Language } from '@tributary/contract/language'
import { REQUEST_TIMEOUT_MS } from '@tributary/contract/limits'
import type { TokenData, TokenStore } from '../state/token-store.ts'
import { HttpError, readErrorReply } from './http-error.ts'
import { guardAgainstStall, type OnProgress, sendFile } from './upload-request.ts'

/** 'renewed': retry with the stored token. 'rejected': the session has ended. Throws when the server cannot be reached. */
type RefreshOutcome = 'renewed' | 'rejected'

interface RefreshEdge {
  readonly tokens: TokenStore
  /** Runs work while no other tab runs work under the same lock. */
  readonly lock: <T>(work: () => Promise<T>) => Promise<T>
  /** Sends the refresh token; null if the server rejects it. */
  readonly send: (refreshToken: string) => Promise<TokenData | null>
}

/**
 * Returns a function that renews the token with which a call has just failed. Only one refresh runs at a time (a shared promise in this
 * tab, a lock between tabs): tokens rotate, so a second one would end the session.
 */
function createRefresh({ tokens, lock, send }: RefreshEdge): (failedToken: string) => Promise<RefreshOutcome> {
  let underWay: Promise<RefreshOutcome> | null = null

  async function renew(failedToken: string): Promise<RefreshOutcome> {
    const held = tokens.read()
    if (held === null) return 'rejected'
    // Another tab or an earlier call renewed the token in the meantime.
    if (held.token !== failedToken) return 'renewed'
    const next = await send(held.refreshToken)
    if (next === null) {
      tokens.clear('expired')
      return 'rejected'
    }
    tokens.save(next)
    return 'renewed'
  }

  return (failedToken) => {
    underWay ??= lock(() => renew(failedToken)).finally(() => {
      underWay = null
    })
    return underWay
  }
}

export type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly QueryValue[]
  | { readonly [key: string]: QueryValue }
export type Query = Iterable<readonly [string, string]> | { readonly [key: string]: QueryValue }

/** Returns '' or '?a=1&b[]=2'. Query rules of the wire: empty values are omitted, booleans are 1/0, arrays and objects use brackets. */
function writeQuery(query: Query | undefined): string {
  if (query === undefined) return ''
  const params = new URLSearchParams()
  if (Symbol.iterator in query)
    for (const [key, value] of query as Iterable<readonly [string, string]>) append(params, key, value)
  else for (const [key, value] of Object.entries(query as Record<string, QueryValue>)) append(params, key, value)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

function append(params: URLSearchParams, key: string, value: QueryValue): void {
  if (value === '' || value === null || value === undefined) return
  if (typeof value === 'boolean') params.append(key, value ? '1' : '0')
  else if (typeof value !== 'object') params.append(key, String(value))
  else if (Array.isArray(value)) for (const item of value as readonly QueryValue[]) append(params, `${key}[]`, item)
  else for (const [name, inner] of Object.entries(value)) append(params, `${key}[${name}]`, inner)
}

export interface CallOptions {
  readonly query?: Query | undefined
  readonly signal?: AbortSignal | undefined
  /** Idempotency key of a creation: a repeated request with it creates nothing new. */
  readonly onceKey?: string
  /** The id under which live events report the call's progress. */
  readonly requestId?: string
  /** Requests ids and titles only, for the options of a select. */
  readonly lookup?: boolean
  /** The time-out ends when the response headers arrive, because the body is an endless stream. */
  readonly isEndless?: boolean
}

/** Options of a call that the browser completes even if its page closes. */
export interface PartingOptions extends CallOptions {
  readonly isParting?: boolean
}

export interface UploadOptions extends CallOptions {
  readonly onProgress?: OnProgress
}

export interface HttpEdge {
  /** '/api', or a full URL in tests. */
  readonly baseUrl: string
  readonly tokens: TokenStore
  readonly lock: <T>(work: () => Promise<T>) => Promise<T>
  readonly language: () => Language
  readonly groupFilter: () => number
  readonly say: { noResponse(): string; timeout(): string; unexpected(status: number): string }
  readonly timeoutMs?: number
}

/** Each method resolves with the parsed body (undefined for 204) or rejects with HttpError; an aborted call rejects with the signal's reason. */
export interface Http {
  get<T>(path: string, options?: CallOptions): Promise<T>
  post<T>(path: string, body: unknown, options?: CallOptions): Promise<T>
  put<T>(path: string, body: unknown, options?: PartingOptions): Promise<T>
  patch<T>(path: string, body: unknown, options?: CallOptions): Promise<T>
  delete<T = void>(path: string, options?: PartingOptions): Promise<T>
  /** Sends one file by POST. Aborts when the upload makes no progress for the time-out of a call. */
  upload<T>(path: string, file: File, options?: UploadOptions): Promise<T>
  /** Resolves with the response itself, for downloads and streams. Rejects like the other methods. */
  open(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Response>
}

/** Calls about tokens must not start a refresh. */
const isTokenCall = (path: string) => /^token(\/|\?|$)/.test(path)
const endsSession = (path: string) => path.startsWith('token/refresh') || path.startsWith('token/logout')

/** Aborts after `ms`. With `onlyHead`, `lift` cancels the limit once the response headers have arrived. */
function limitTime(ms: number, onlyHead: boolean): { limit: AbortSignal; lift: () => void } {
  if (!onlyHead) return { limit: AbortSignal.timeout(ms), lift: () => undefined }
  const control = new AbortController()
  const timer = setTimeout(() => control.abort(), ms)
  return { limit: control.signal, lift: () => clearTimeout(timer) }
}

export function createHttp(edge: HttpEdge): Http {
  const timeoutMs = edge.timeoutMs ?? REQUEST_TIMEOUT_MS
  const refresh = createRefresh({ tokens: edge.tokens, lock: edge.lock, send: requestTokens })

  async function requestTokens(refreshToken: string): Promise<TokenData | null> {
    const answer = await send('POST', 'token/refresh', { refreshToken }, {}, null)
    if (answer.ok) return (await answer.json()) as TokenData
    // Only a rejection ends the session; a failing or overloaded server does not.
    if (answer.status >= 500 || answer.status === 429) throw await toError(answer, edge.say)
    return null
  }

  function headersOf(token: string | null, options: CallOptions, hasBody: boolean): Headers {
    const headers = new Headers({ Accept: 'application/json', 'Accept-Language': edge.language() })
    if (!options.lookup) headers.set('additional-groups', 'detailed')
    if (hasBody) headers.set('Content-Type', 'application/json')
    if (token !== null) headers.set('Authorization', `Bearer ${token}`)
    if (options.onceKey !== undefined) headers.set('idempotency-key', options.onceKey)
    if (options.requestId !== undefined) headers.set('x-request-id', options.requestId)
    if (edge.groupFilter() !== 0) headers.set('group-filter', String(edge.groupFilter()))
    return headers
  }

  async function send(
    method: string,
    path: string,
    body: unknown,
    options: PartingOptions,
    token: string | null,
  ): Promise<Response> {
    if (body instanceof File) return upload(path, body, options, token)
    const { limit, lift } = limitTime(timeoutMs, options.isEndless ?? false)
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
    const init: RequestInit = { method, headers: headersOf(token, options, body !== undefined), signal }
    if (options.isParting) init.keepalive = true
    if (body !== undefined) init.body = JSON.stringify(body)
    try {
      return await fetch(`${edge.baseUrl}/${path}${writeQuery(options.query)}`, init)
    } catch (cause) {
      throw explainFailure(cause, options.signal, limit, edge.say)
    } finally {
      lift()
    }
  }

  async function upload(path: string, file: File, options: UploadOptions, token: string | null): Promise<Response> {
    const stall = guardAgainstStall(timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, stall.signal]) : stall.signal
    const url = `${edge.baseUrl}/${path}${writeQuery(options.query)}`
    try {
      return await sendFile(url, { headers: headersOf(token, options, false), file, signal }, (fraction) => {
        stall.renew()
        options.onProgress?.(fraction)
      })
    } catch (cause) {
      throw explainFailure(cause, options.signal, stall.signal, edge.say)
    } finally {
      stall.end()
    }
  }

  async function open(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Response> {
    const token = edge.tokens.read()?.token ?? null
    const answer = await send(method, path, body, options, token)
    if (answer.ok) return answer
    if (answer.status !== 401) throw await toError(answer, edge.say)
    if (isTokenCall(path) || token === null) {
      if (endsSession(path)) edge.tokens.clear('expired')
      throw await toError(answer, edge.say)
    }
    if ((await refresh(token)) === 'rejected') throw await toError(answer, edge.say)
    const again = await send(method, path, body, options, edge.tokens.read()?.token ?? null)
    if (again.ok) return again
    if (again.status === 401) edge.tokens.clear('expired')
    throw await toError(again, edge.say)
  }

  async function call<T>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<T> {
    const answer = await open(method, path, body, options)
    if (answer.status === 204) return undefined as T
    try {
      // Server and screens derive T from the same declarations.
      return (await answer.json()) as T
    } catch (cause) {
      if (options?.signal?.aborted) throw options.signal.reason
      throw new HttpError(
        { code: 'unreadable', status: answer.status, message: edge.say.unexpected(answer.status) },
        cause,
      )
    }
  }

  return {
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    put: (path, body, options) => call('PUT', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
    upload: (path, file, options) => call('POST', path, file, options),
    open,
  }
}

function explainFailure(
  cause: unknown,
  signal: AbortSignal | undefined,
  limit: AbortSignal,
  say: HttpEdge['say'],
): unknown {
  if (signal?.aborted) return signal.reason
  if (limit.aborted) return new HttpError({ code: 'timeout', status: 524, message: say.timeout() }, cause)
  return new HttpError({ code: 'no_response', status: 0, message: say.noResponse() }, cause)
}

async function toError(answer: Response, say: HttpEdge['say']): Promise<HttpError> {
  const reply = readErrorReply(await answer.json().catch(() => undefined))
  if (answer.status === 524 || answer.status === 504)
    return new HttpError({
      code: 'timeout',
      status: answer.status,
      message: say.timeout(),
      requestId: reply?.request_id,
    })
  if (!reply)
    return new HttpError({ code: 'unreadable', status: answer.status, message: say.unexpected(answer.status) })
  return new HttpError({
    code: reply.code,
    status: answer.status,
    message: reply.message,
    formErrors: reply.formErrors,
    retryAfter: reply.retry_after,
    requestId: reply.request_id,
    reply,
  })
}
