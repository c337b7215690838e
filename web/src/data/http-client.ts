// The one way to the server: headers, query rules, time-out, silent refresh with replay, and errors in one shape. Made by a function so that tests can point it anywhere.
import type { Language } from '@tributary/contract/language'
import { REQUEST_TIMEOUT_MS } from '@tributary/contract/limits'
import type { TokenData, TokenStore } from '../state/token-store.ts'
import { HttpError, readErrorReply } from './http-error.ts'
import { guardAgainstStall, type OnProgress, sendFile } from './upload-request.ts'

// One refresh at a time, in this tab by a shared promise and between tabs by a lock: refresh tokens rotate, so a second one would end the session.

/** 'renewed' = try again with what the store holds now; 'refused' = the session is over. Throws when the server could not be asked. */
type RefreshOutcome = 'renewed' | 'refused'

interface RefreshEdge {
  readonly tokens: TokenStore
  /** Runs work while no other tab does the same. */
  readonly lock: <T>(work: () => Promise<T>) => Promise<T>
  /** Asks the server; null = refused. */
  readonly ask: (refreshToken: string) => Promise<TokenData | null>
}

/** Returns a function that renews the token with which a call has just failed. */
function createRefresh({ tokens, lock, ask }: RefreshEdge): (failedToken: string) => Promise<RefreshOutcome> {
  let underWay: Promise<RefreshOutcome> | null = null

  async function renew(failedToken: string): Promise<RefreshOutcome> {
    const held = tokens.read()
    if (held === null) return 'refused'
    // Another tab, or an earlier call, has renewed it while we waited.
    if (held.token !== failedToken) return 'renewed'
    const next = await ask(held.refreshToken)
    if (next === null) {
      tokens.clear('expired')
      return 'refused'
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

// Query rules of the wire: empty values removed, booleans as 1/0, arrays and objects in bracket form.
export type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly QueryValue[]
  | { readonly [key: string]: QueryValue }
export type Query = Iterable<readonly [string, string]> | { readonly [key: string]: QueryValue }

/** '' or '?a=1&b[]=2'. */
export function writeQuery(query: Query | undefined): string {
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
  /** Names a creation, so that sending it again makes nothing new. */
  readonly onceKey?: string
  /** Under which live messages tell how far the call is. */
  readonly requestId?: string
  /** A look-up of a select: answers ids and titles only. */
  readonly lookup?: boolean
  /** The answer goes on for as long as it is wanted: the time-out ends with its head. */
  readonly isEndless?: boolean
}

/** Of a call that is made while its page goes away: the browser finishes it. */
export interface PartingOptions extends CallOptions {
  readonly isParting?: boolean
}

export interface UploadOptions extends CallOptions {
  readonly onProgress?: OnProgress
}

export interface HttpEdge {
  /** '/api', or a whole URL in tests. */
  readonly baseUrl: string
  readonly tokens: TokenStore
  readonly lock: <T>(work: () => Promise<T>) => Promise<T>
  readonly language: () => Language
  readonly groupFilter: () => number
  readonly say: { noResponse(): string; timeout(): string; unexpected(status: number): string }
  readonly timeoutMs?: number
}

/** Each resolves with the parsed body (undefined for 204) or rejects with HttpError; an aborted call rejects with the signal's reason. */
export interface Http {
  get<T>(path: string, options?: CallOptions): Promise<T>
  post<T>(path: string, body: unknown, options?: CallOptions): Promise<T>
  put<T>(path: string, body: unknown, options?: CallOptions): Promise<T>
  patch<T>(path: string, body: unknown, options?: CallOptions): Promise<T>
  delete<T = void>(path: string, options?: PartingOptions): Promise<T>
  /** POST of one file; it is ended when nothing of it has moved for the time of a call. */
  upload<T>(path: string, file: File, options?: UploadOptions): Promise<T>
  /** The answer itself, for downloads and streams. A failed one rejects like the others. */
  open(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Response>
}

/** Calls about tokens never start a refresh of their own. */
const isTokenCall = (path: string) => /^token(\/|\?|$)/.test(path)
const endsSession = (path: string) => path.startsWith('token/refresh') || path.startsWith('token/logout')

/** Aborts after the time, to the end of the answer or only until its head is there. */
function limitTime(ms: number, onlyHead: boolean): { limit: AbortSignal; lift: () => void } {
  if (!onlyHead) return { limit: AbortSignal.timeout(ms), lift: () => undefined }
  const control = new AbortController()
  const timer = setTimeout(() => control.abort(), ms)
  return { limit: control.signal, lift: () => clearTimeout(timer) }
}

export function createHttp(edge: HttpEdge): Http {
  const timeoutMs = edge.timeoutMs ?? REQUEST_TIMEOUT_MS
  const refresh = createRefresh({ tokens: edge.tokens, lock: edge.lock, ask: askForTokens })

  async function askForTokens(refreshToken: string): Promise<TokenData | null> {
    const answer = await send('POST', 'token/refresh', { refreshToken }, {}, null)
    if (answer.ok) return (await answer.json()) as TokenData
    // Only a refusal ends the session; a server that is starting does not.
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
      throw explain(cause, options.signal, limit, edge.say)
    } finally {
      lift()
    }
  }

  async function upload(path: string, file: File, options: UploadOptions, token: string | null): Promise<Response> {
    const stall = guardAgainstStall(timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, stall.signal]) : stall.signal
    const url = `${edge.baseUrl}/${path}${writeQuery(options.query)}`
    try {
      return await sendFile(url, { headers: headersOf(token, options, false), file, signal }, (share) => {
        stall.renew()
        options.onProgress?.(share)
      })
    } catch (cause) {
      throw explain(cause, options.signal, stall.signal, edge.say)
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
    if ((await refresh(token)) === 'refused') throw await toError(answer, edge.say)
    const again = await send(method, path, body, options, edge.tokens.read()?.token ?? null)
    if (again.ok) return again
    if (again.status === 401) edge.tokens.clear('expired')
    throw await toError(again, edge.say)
  }

  async function call<T>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<T> {
    const answer = await open(method, path, body, options)
    if (answer.status === 204) return undefined as T
    try {
      // The contract is what makes T true: server and screens derive from the same declarations.
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

function explain(cause: unknown, asked: AbortSignal | undefined, limit: AbortSignal, say: HttpEdge['say']): unknown {
  if (asked?.aborted) return asked.reason
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
