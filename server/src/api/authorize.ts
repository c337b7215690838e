// Closed by default: a route below /api says who may call it, in `config.access`, or the server does not start.
import { isAllowed, type Requirement } from '@tributary/contract/access'
import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Person } from '../access/person.ts'
import { AppError } from '../lib/app-error.ts'

/** 'public' answers without a token. */
export type RouteAccess = Requirement | 'public'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess
    /** A person at a screen only: an API key does not open it. */
    sessionOnly?: boolean
    /** Changes nothing, though its method could. */
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

/** Closed by default: a route that may have an effect says itself that it has none. */
export const isReading = ({ method, routeOptions }: FastifyRequest): boolean =>
  ['GET', 'HEAD'].includes(method) || routeOptions.config.isReading === true

/** Whoever looks on as someone else changes nothing. */
export function refuseChange(request: FastifyRequest, person: Person): void {
  if (person.viewedBy !== null && !isReading(request)) throw new AppError('view_only')
}
