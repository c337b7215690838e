// An address of each country, found by looking one up here and there. Made once, a piece at a time, so that no request waits for it.

import { setImmediate as breathe } from 'node:timers/promises'
import type { CountryOf } from './ip-country.ts'

/** Large enough to be quick, small enough to meet nearly every country. */
const STEP = 32_768 + 129
const LAST = 224 * 2 ** 24
const AT_ONCE = 5000

export async function sampleAddresses(countryOf: CountryOf): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  let tried = 0
  for (let number = 2 ** 24 + 1; number < LAST; number += STEP) {
    const ip = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
    const country = countryOf(ip)
    if (country !== null && !found.has(country)) found.set(country, ip)
    tried += 1
    if (tried % AT_ONCE === 0) await breathe()
  }
  return found
}
