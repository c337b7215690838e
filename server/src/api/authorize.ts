// Closed by default: a route below /api says who may call it, in `config.access`, or the server does not start.
import { isAllowed, type Requirement } from '@tributary/contract/access'
import type { RouteOptions } from 'fastify'
import type { Person } from '../access/person.ts'
import { AppError } from '../lib/app-error.ts'

/** 'public' answers without a token. */
export type RouteAccess = Requirement | 'public'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess
  }
}

export function requireAccess({ method, url, config }: RouteOptions): void {
  if (config?.access === undefined)
    throw new Error(`the route ${String(method)} ${url} does not say who may call it: give it config.access`)
}

/** Throws `forbidden`. */
export function authorize(access: Requirement, person: Person): void {
  if (!isAllowed(access, person)) throw new AppError('forbidden')
}
