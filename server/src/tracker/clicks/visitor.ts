// Reads a visitor's user agent (is it a bot?) and IP (which country?). Each click needs both, so recent results are cached.

import { isbot } from 'isbot'
import { type Fingerprint, fingerprint } from '../../lib/text-fingerprint.ts'
import { cleanText } from '../query-text.ts'

export interface Agent {
  /** The recorded text: cleaned and cut to AGENT_CAP. */
  readonly text: string | null
  readonly isBot: boolean
  readonly print: Fingerprint
}

export interface Address {
  /** ISO 3166-1 alpha-2; null when unknown. */
  readonly country: string | null
  readonly print: Fingerprint
}

export interface Visitors {
  agent(header: string | undefined): Agent
  address(ip: string): Address
}

const AGENT_CAP = 1024
const MAX_AGENTS = 20_000
const MAX_ADDRESSES = 50_000

export function createVisitors(countryOf: (ip: string) => string | null): Visitors {
  const agents = createRecentCache(readAgent, MAX_AGENTS)
  const addresses = createRecentCache((ip) => ({ country: countryOf(ip), print: fingerprint(ip) }), MAX_ADDRESSES)
  return {
    agent: (header = '') => agents.get(header.length > AGENT_CAP ? header.slice(0, AGENT_CAP) : header),
    address: (ip) => addresses.get(ip),
  }
}

function readAgent(header: string): Agent {
  const text = cleanText(header, AGENT_CAP)
  return { text, isBot: isbot(text), print: fingerprint(text ?? '') }
}

interface RecentCache<T> {
  get(key: string): T
}

/** Caches the values of about `size` recent keys in two generations. When the younger is full, the older is dropped. */
export function createRecentCache<T>(compute: (key: string) => T, size: number): RecentCache<T> {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return {
    get(key) {
      const found = young.get(key)
      if (found !== undefined) return found
      const value = old.get(key) ?? compute(key)
      if (young.size >= size) {
        old = young
        young = new Map()
      }
      young.set(key, value)
      return value
    },
  }
}
