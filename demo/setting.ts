// Types of the demo network's writers: their input, and the ids that they return.

import type { Network } from './network.ts'

/** Ids in the order of the plan's lists. */
export interface NetworkIds {
  readonly currencies: ReadonlyMap<string, number>
  readonly countries: readonly number[]
  readonly advertisers: readonly number[]
  readonly offers: readonly number[]
  readonly partners: readonly number[]
  readonly streams: readonly number[]
  readonly offerPartners: readonly number[]
  readonly landings: readonly number[]
  readonly trafficSources: readonly number[]
}

export interface NetworkSetting {
  readonly network: Network
  readonly seed: number
  /** First business day of the history. */
  readonly firstDay: string
  /** The n-th day of the history. */
  readonly dayAt: (n: number) => string
  readonly days: number
  /** Hash of the password that all demo people share. */
  readonly passwordHash: string
  /** URL of the fake partners for postbacks. */
  readonly partnersUrl: string
}
