// Before anything else of a request is read: who is it, and may they. Afterwards `request.person` is there, on every route but public ones.
import type { FastifyRequest } from 'fastify'
import type { AccessDesk } from '../access/desk.ts'
import { loadPerson, type Person } from '../access/person.ts'
import { readAccessToken } from '../access/session-token.ts'
import { AppError } from '../lib/app-error.ts'
import type { Postgres } from '../postgres/client.ts'
import type { ApiApp } from './app.ts'
import { authorize, requireAccess } from './authorize.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. Reading it on a public route is a mistake and throws. */
    readonly person: Person
  }
}

/** By what someone was let in: enough to ask again later, for an answer that lasts. */
export interface Identity {
  readonly person: Person
  /** When the token runs out, in milliseconds. */
  readonly until: number
  /** Undefined when they would no longer be let in. */
  readonly reload: () => Promise<Person | undefined>
}

const identities = new WeakMap<FastifyRequest, Identity>()

export function identityOf(request: FastifyRequest): Identity {
  const identity = identities.get(request)
  if (identity === undefined) throw new Error('a public route has no person')
  return identity
}

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

/** Must run before any route of the scope is added. */
export function guardRoutes(app: ApiApp, postgres: Postgres, findDesk: () => AccessDesk): void {
  app.decorateRequest('person', {
    getter(this: FastifyRequest): Person {
      return identityOf(this).person
    },
  })
  app.addHook('onRoute', requireAccess)
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (request.is404 || access === 'public') return
    if (access === undefined) throw new AppError('forbidden')
    const identity = await authenticate(request, postgres, findDesk())
    authorize(access, identity.person)
    identities.set(request, identity)
  })
}

async function authenticate(request: FastifyRequest, postgres: Postgres, { keys }: AccessDesk): Promise<Identity> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) throw new AppError('unauthorized')
  const claims = await readAccessToken(keys, token)
  const filter = request.headers['group-filter']
  const reload = () => loadPerson(postgres, claims, typeof filter === 'string' ? filter : undefined)
  const person = await reload()
  if (person === undefined) throw new AppError('unauthorized')
  return { person, until: claims.until, reload }
}
