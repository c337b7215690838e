// Tests a tracking link with the code that decides clicks, without recording anything. It can also follow the advertiser's redirects.

import { fillTemplate, type Macro } from '@tributary/contract/macros'
import type { Pool } from 'pg'
import type { InboxClick } from '../../facts/columns.ts'
import { decideClick, type RejectionReason } from '../clicks/click-decision.ts'
import { createClickIds } from '../clicks/click-id.ts'
import { type CountryOf, openIpCountry } from '../clicks/ip-country.ts'
import { createVisitors } from '../clicks/visitor.ts'
import { openPartnerClient } from '../postbacks/partner-client.ts'
import type { OfferPartner, OfferPartners } from './offer-partner.ts'
import { buildTemplate } from './offer-partner-index.ts'
import { readOneOfferPartner } from './offer-partner-store.ts'

export interface TestVisit {
  readonly offerPartnerId: number
  readonly params: Readonly<Record<string, string>>
  readonly ip: string
  readonly userAgent: string
}

export interface TestVisitResult {
  readonly status: number
  readonly reason: RejectionReason | null
  readonly offerPartner: OfferPartner
  readonly click: InboxClick | null
  readonly filled: Macro[]
  readonly missing: Macro[]
}

let countryOf: CountryOf | undefined

/** Decides a visit of a tracking link. Undefined if the partner offer does not exist. */
export async function testVisit(
  pool: Pool,
  visit: TestVisit,
  geoipDbPath: string | undefined,
): Promise<TestVisitResult | undefined> {
  const { byUuid, landings } = await readOneOfferPartner(pool, visit.offerPartnerId)
  const offerPartner = [...byUuid.values()][0]
  if (offerPartner === undefined) return undefined
  countryOf ??= openIpCountry(geoipDbPath)
  const offerPartners: OfferPartners = {
    find: (uuid) => byUuid.get(uuid),
    landing: (id) => landings.get(id),
    template: (of, landing) => of.override ?? buildTemplate(of, landing),
  }
  const verdict = decideClick(
    {
      method: 'GET',
      url: `/c/${offerPartner.uuid}?${new URLSearchParams(visit.params).toString()}`,
      ip: visit.ip,
      userAgent: visit.userAgent,
      isPrefetch: false,
      now: Date.now(),
    },
    {
      offerPartners,
      visitors: createVisitors(countryOf),
      // A test must ignore earlier clicks of the same visitor.
      uniqueness: { claim: () => null, release: () => undefined, restore: () => undefined, size: 0 },
      ids: createClickIds(),
    },
  )
  if (verdict.kind === 'reject') {
    const { status, reason } = verdict
    return { status, reason, offerPartner, click: null, filled: [], missing: [] }
  }
  const { click } = verdict
  const landing = click.landing_id === null ? null : (landings.get(click.landing_id) ?? null)
  return {
    status: 302,
    reason: null,
    offerPartner,
    click,
    ...splitMacros(click, offerPartners.template(offerPartner, landing).macros),
  }
}

const COLUMN: Partial<Record<Macro, keyof InboxClick>> = {
  click_id: 'id',
  geo: 'ip_country',
  landing: 'landing_id',
  stream: 'stream_id',
  country: 'country_id',
}

function splitMacros(click: InboxClick, macros: readonly Macro[]): { filled: Macro[]; missing: Macro[] } {
  const distinct = [...new Set(macros)]
  const hasValue = (macro: Macro): boolean => {
    if (macro === 'uuid') return true
    const name = COLUMN[macro] ?? macro
    return name in click && Boolean(click[name as keyof InboxClick])
  }
  return { filled: distinct.filter(hasValue), missing: distinct.filter((macro) => !hasValue(macro)) }
}

export interface Hop {
  url: string
  code: number | null
  location: string | null
  error: string | null
  duration_ms: number
}

const HOPS = 10

/** Follows redirects like a browser, at most HOPS. The client checks each URL before it is called. */
export async function followHops(start: string, allowsPrivateTargets: boolean, userAgent: string): Promise<Hop[]> {
  const client = openPartnerClient({ allowsPrivateTargets })
  const hops: Hop[] = []
  try {
    for (let url: string | null = start; url !== null && hops.length < HOPS; ) {
      const began = performance.now()
      const answer = await client.probe(url, userAgent)
      const location: string | null = answer.location === null ? null : new URL(answer.location, url).href
      hops.push({ url, ...answer, location, duration_ms: Math.round(performance.now() - began) })
      url = location
    }
  } finally {
    await client.close()
  }
  return hops
}

/** Fills a template with sample values and lists which of its macros have a value. */
export function fillForTest(
  template: Parameters<typeof fillTemplate>[0],
  values: Readonly<Partial<Record<Macro, string>>>,
): { url: string; filled: Macro[]; missing: Macro[] } {
  const distinct = [...new Set(template.macros)]
  return {
    url: fillTemplate(template, values),
    filled: distinct.filter((macro) => Boolean(values[macro])),
    missing: distinct.filter((macro) => !values[macro]),
  }
}
