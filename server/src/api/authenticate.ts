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

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

/** Must run before any route of the scope is added. */
export function guardRoutes(app: ApiApp, postgres: Postgres, findDesk: () => AccessDesk): void {
  const persons = new WeakMap<FastifyRequest, Person>()
  app.decorateRequest('person', {
    getter(this: FastifyRequest): Person {
      const person = persons.get(this)
      if (person === undefined) throw new Error('a public route has no person')
      return person
    },
  })
  app.addHook('onRoute', requireAccess)
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (request.is404 || access === 'public') return
    if (access === undefined) throw new AppError('forbidden')
    const person = await authenticate(request, postgres, findDesk())
    authorize(access, person)
    persons.set(request, person)
  })
}

async function authenticate(request: FastifyRequest, postgres: Postgres, { keys }: AccessDesk): Promise<Person> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) throw new AppError('unauthorized')
  const claims = await readAccessToken(keys, token)
  const filter = request.headers['group-filter']
  const person = await loadPerson(postgres, claims, typeof filter === 'string' ? filter : undefined)
  if (person === undefined) throw new AppError('unauthorized')
  return person
}
