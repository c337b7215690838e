// Closes pages for operators (metrics, description of the API) to the world: they answer addresses inside only, as a scraper of the own network has.

import { type Config, countHops } from '../config.ts'
import { AppError } from '../lib/app-error.ts'
import { isPrivateIp } from '../tracker/postbacks/target-guard.ts'

interface Visitor {
  readonly ip: string
  readonly headers: Readonly<Record<string, unknown>>
}

type Hops = Parameters<typeof countHops>[0]

/** A request that a proxy has passed on, without TRUST_PROXY, has the address of the proxy: it may come from anywhere. */
export function isInside({ ip, headers }: Visitor, config: Hops): boolean {
  const { 'x-forwarded-for': forwardedFor } = headers
  const addresses = (typeof forwardedFor === 'string' ? forwardedFor : '')
    .split(',')
    .filter((address) => address.trim() !== '')
  const isPassedOn = addresses.length > countHops(config) || headers.forwarded !== undefined
  return isPrivateIp(ip) && (config.trustProxy > 0 || !isPassedOn)
}

/** Throws AppError `not_found` for visitors from outside, if internal pages are closed. */
export function requireInside(visitor: Visitor, config: Hops & Pick<Config, 'closesInternalPages'>): void {
  if (config.closesInternalPages && !isInside(visitor, config)) throw new AppError('not_found')
}
