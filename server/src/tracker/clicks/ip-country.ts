// Finds the country of an IP in an embedded database, which an operator may replace. Null if the database lacks the IP.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Reader, type Response } from 'mmdb-lib'
import { StartError } from '../../lib/app-error.ts'

export type CountryOf = (ip: string) => string | null

/** Without `path` it opens the product's data set. It accepts files whose rows have `country_code` or MaxMind's `country.iso_code`. */
export function openIpCountry(path: string | undefined): CountryOf {
  const file =
    path ??
    createRequire(import.meta.url).resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb')
  const reader = openReader(file)
  return (ip) => (isIP(ip) === 0 ? null : readCountry(reader.get(ip)))
}

function openReader(file: string): Reader<Response> {
  try {
    return new Reader<Response>(readFileSync(file))
  } catch (error) {
    throw new StartError(`GEOIP_DB_PATH=${file} is not a MaxMind DB file: ${String(error)}`)
  }
}

function readCountry(row: unknown): string | null {
  const code = memberOf(row, 'country_code') ?? memberOf(memberOf(row, 'country'), 'iso_code')
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Large enough to be quick, small enough to meet nearly every country. */
const STEP = 32_768 + 129
const LAST = 224 * 2 ** 24
const AT_ONCE = 5000

/** An address of nearly every country, by country. Other requests are served while it searches. */
export async function sampleAddresses(countryOf: CountryOf): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  let tried = 0
  for (let number = 2 ** 24 + 1; number < LAST; number += STEP) {
    const ip = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
    const country = countryOf(ip)
    if (country !== null && !found.has(country)) found.set(country, ip)
    tried += 1
    if (tried % AT_ONCE === 0) await nextTurn()
  }
  return found
}
