// Access checks, closed by default: the server does not start if a route below /api declares no `config.access`.
import { isAllowed, type Requirement } from '@tributary/contract/access'
import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Person } from '../access/person.ts'
import { AppError } from '../lib/app-error.ts'

/** 'public' needs no token. */
export type RouteAccess = Requirement | 'public'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess
    /** Refuses API keys. */
    sessionOnly?: boolean
    /** Changes nothing despite its method. */
    isReading?: boolean
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

/** Closed by default: a route with another method must declare that it changes nothing. */
export const isReading = ({ method, routeOptions }: FastifyRequest): boolean =>
  ['GET', 'HEAD'].includes(method) || routeOptions.config.isReading === true

/** Throws `view_only` if an admin who views as another user calls a route that may change something. */
export function refuseChange(request: FastifyRequest, person: Person): void {
  if (person.viewedBy !== null && !isReading(request)) throw new AppError('view_only')
}
