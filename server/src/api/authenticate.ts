// Authenticates and authorizes each request before its body is read. Sets `request.person` on every route that is not public.
import type { FastifyRequest } from 'fastify'
import { API_KEY, findApiKey } from '../access/api-key.ts'
import type { AuthService } from '../access/auth-service.ts'
import { createCallLimit } from '../access/call-limit.ts'
import { loadKeyHolder, loadPerson, type Person } from '../access/person.ts'
import { readAccessToken } from '../access/session-token.ts'
import { AppError } from '../lib/app-error.ts'
import type { Postgres } from '../postgres/client.ts'
import type { ApiApp } from './app.ts'
import { authorize, refuseChange, requireAccess } from './authorize.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller. Throws on a public route. */
    readonly person: Person
  }
}

/** How the caller was authenticated, so that a long-lived answer can check again. */
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
    refuseChange(request, identity.person)
    identities.set(request, identity)
  })

  async function authenticate(request: FastifyRequest): Promise<Identity> {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw new AppError('unauthorized')
    const header = request.headers['group-filter']
    const filter = typeof header === 'string' ? header : undefined
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
    const claims = await readAccessToken(findAuth().keys, token)
    return { until: claims.until, reload: () => loadPerson(postgres, claims, filter) }
  }
}
