// Authenticates and authorizes each request before its body is read. Sets `request.person` on every route that is not public.
import { isAllowed, type Requirement } from '@tributary/contract/access'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { API_KEY, findApiKey } from '../access/api-key.ts'
import type { AuthService } from '../access/auth-service.ts'
import { loadKeyHolder, loadPerson, type Person } from '../access/person.ts'
import { AppError } from '../lib/app-error.ts'
import type { Postgres } from '../postgres/client.ts'
import type { ApiApp } from './app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller. Throws on a public route. */
    readonly person: Person
  }
}

/** How the caller was authenticated; a long-lived answer uses it to check again. */
export interface Identity {
  readonly person: Person
  /** Expiry of the token in milliseconds since 1970. */
  readonly until: number
  /** Loads the person again; undefined if they no longer have access. */
  readonly reload: () => Promise<Person | undefined>
}

const identities = new WeakMap<FastifyRequest, Identity>()

export function identityOf(request: FastifyRequest): Identity {
  const identity = identities.get(request)
  if (identity === undefined) throw new Error('a public route has no person')
  return identity
}

const BEARER = /^Bearer +([\w-]+(?:\.[\w-]+\.[\w-]+)?)$/i
/** Maximum number of calls per minute with one API key, for each process. */
const KEY_CALLS = 600

/** Must run before routes are added to the scope. */
export function guardRoutes(app: ApiApp, postgres: Postgres, findAuth: () => AuthService): void {
  const keyCalls = createCallLimit(KEY_CALLS)
  app.decorateRequest('person', {
    getter(this: FastifyRequest): Person {
      return identityOf(this).person
    },
  })
  app.addHook('onRoute', requireAccess)
  app.addHook('onRequest', async (request) => {
    const { access, sessionOnly } = request.routeOptions.config
    if (request.is404 || access === 'public') return
    if (access === undefined) throw new AppError('forbidden')
    const identity = await authenticate(request)
    if (sessionOnly === true && identity.person.sessionId === '') throw new AppError('forbidden')
    authorize(access, identity.person)
    rejectChange(request, identity.person)
    identities.set(request, identity)
  })

  async function authenticate(request: FastifyRequest): Promise<Identity> {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw new AppError('unauthorized')
    const header = request.headers['group-filter']
    const { ignoresGroupFilter } = request.routeOptions.config
    const filter = typeof header === 'string' && ignoresGroupFilter !== true ? header : undefined
    const { until, reload } = API_KEY.test(token) ? await readKey(token, filter) : await readToken(token, filter)
    const person = await reload()
    if (person === undefined) throw new AppError('unauthorized')
    return { person, until, reload }
  }

  async function readKey(key: string, filter: string | undefined): Promise<Omit<Identity, 'person'>> {
    const id = await findApiKey(postgres.db, key)
    if (id === undefined) throw new AppError('unauthorized')
    keyCalls.count(id)
    return { until: Number.POSITIVE_INFINITY, reload: () => loadKeyHolder(postgres, id, filter) }
  }

  async function readToken(token: string, filter: string | undefined): Promise<Omit<Identity, 'person'>> {
    const claims = await findAuth().readToken(token)
    return { until: claims.until, reload: () => loadPerson(postgres, claims, filter) }
  }
}

const WINDOW_MS = 60_000

export interface CallLimit {
  /** Counts one call. Throws `too_many_requests` with `retry_after` in seconds. */
  count(id: number): void
}

/** Limits the calls per API key and minute; each process counts separately. */
function createCallLimit(limit: number): CallLimit {
  let began = 0
  const counts = new Map<number, number>()
  return {
    count(id) {
      const now = Date.now()
      if (now - began >= WINDOW_MS) {
        counts.clear()
        began = now - (now % WINDOW_MS)
      }
      const calls = (counts.get(id) ?? 0) + 1
      counts.set(id, calls)
      if (calls > limit)
        throw new AppError('too_many_requests', { retry_after: Math.ceil((began + WINDOW_MS - now) / 1000) })
    },
  }
}

/** 'public' needs no token. */
export type RouteAccess = Requirement | 'public'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess
    /** Rejects API keys. */
    sessionOnly?: boolean
    /** An admin's group filter does not narrow it. */
    ignoresGroupFilter?: boolean
    /** Changes nothing despite its method. */
    isReading?: boolean
  }
}

/** Stops the start of the server if a route below /api declares no `config.access`. */
function requireAccess({ method, url, config }: RouteOptions): void {
  if (config?.access === undefined)
    throw new Error(`the route ${String(method)} ${url} does not say who may call it: give it config.access`)
}

/** Throws `forbidden`. */
export function authorize(access: Requirement, person: Person): void {
  if (!isAllowed(access, person)) throw new AppError('forbidden')
}

/** True for GET and HEAD, and for routes that declare that they change nothing. */
export const isReading = ({ method, routeOptions }: FastifyRequest): boolean =>
  ['GET', 'HEAD'].includes(method) || routeOptions.config.isReading === true

/** Throws `view_only` if an admin who views as another user calls a route that may change something. */
function rejectChange(request: FastifyRequest, person: Person): void {
  if (person.viewedBy !== null && !isReading(request)) throw new AppError('view_only')
}
