// What a request tells of its sender, remembered for the texts seen lately: is the agent a bot, of which country is the address.
// Both are asked for every click, and neither changes for the same text.

import { isbot } from 'isbot'
import { type Fingerprint, fingerprint } from './hash.ts'
import { createRecentCache, type RecentCache } from './recent-cache.ts'

export interface Agent {
  readonly isBot: boolean
  readonly print: Fingerprint
}

export interface Address {
  /** ISO 3166-1 alpha-2; null when unknown. */
  readonly country: string | null
  readonly print: Fingerprint
}

export interface Visitors {
  agents: RecentCache<Agent>
  addresses: RecentCache<Address>
}

const AGENTS = 20_000
const ADDRESSES = 50_000

export function createVisitors(countryOf: (ip: string) => string | null): Visitors {
  return {
    agents: createRecentCache((text) => ({ isBot: isbot(text), print: fingerprint(text) }), AGENTS),
    addresses: createRecentCache((ip) => ({ country: countryOf(ip), print: fingerprint(ip) }), ADDRESSES),
  }
}
