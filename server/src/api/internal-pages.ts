// Closes pages for operators (metrics, description of the API) to the world: they answer addresses inside only, as a scraper of the own network has.

import { isIP } from 'node:net'
import { type Config, countHops } from '../config.ts'
import { AppError } from '../lib/app-error.ts'
import { isPrivateIp } from '../tracker/postbacks/target-guard.ts'

interface Visitor {
  readonly ip: string
  readonly headers: Readonly<Record<string, unknown>>
}

type Hops = Parameters<typeof countHops>[0]

/** Other headers of proxies. What they say of the visitor is not believed, only that there is a proxy. */
const PASSED_ON = ['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip']

/** A request that a proxy has passed on, without TRUST_PROXY, has the address of the proxy: it may come from anywhere. */
export function isInside({ ip, headers }: Visitor, config: Hops): boolean {
  const { 'x-forwarded-for': forwardedFor } = headers
  const addresses = (typeof forwardedFor === 'string' ? forwardedFor : '')
    .split(',')
    .filter((address) => address.trim() !== '')
  const hops = countHops(config)
  const isPassedOn = PASSED_ON.some((name) => headers[name] !== undefined)
  // A trusted proxy adds to X-Forwarded-For; what was passed on without that has the address of the proxy, too.
  const isUnknown =
    config.trustProxy > 0 ? isPassedOn && addresses.length < hops : isPassedOn || addresses.length > hops
  // A proxy may add what is no address.
  return isIP(ip) !== 0 && isPrivateIp(ip) && !isUnknown
}

/** Throws AppError `not_found` for visitors from outside, if internal pages are closed. */
export function requireInside(visitor: Visitor, config: Hops & Pick<Config, 'closesInternalPages'>): void {
  if (config.closesInternalPages && !isInside(visitor, config)) throw new AppError('not_found')
}
