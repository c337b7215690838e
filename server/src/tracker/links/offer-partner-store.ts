// The maps of the partner offer index. Objects must be updated in place, because partner offers refer to them.

import { parseTemplate, type Template } from '@tributary/contract/macros'
import type { Pool } from 'pg'
import type { Advertiser, Closed, Landing, Offer, OfferPartner, Partner, Stream } from './offer-partner.ts'
import {
  type AdvertiserRow,
  findAdvertisersIn,
  type Ids,
  type LandingRow,
  type OfferPartnerRow,
  type OfferRow,
  readOfferPartnerPage,
  readRows,
  readUniquenessHours,
  SELECTS,
  type StateRow,
  type StreamRow,
} from './offer-partner-source.ts'

export interface OfferPartnerStore {
  readonly byUuid: ReadonlyMap<string, OfferPartner>
  readonly landings: ReadonlyMap<number, Landing>
  readonly uniquenessHours: number
  /** Reads changed rows again. `changes` are payloads of notifications: 'link:5', 'offer:7', … */
  refresh(changes: readonly string[]): Promise<void>
}

const PAGE = 20_000
const EMPTY_LIST: readonly never[] = []

const emptyMaps = () => ({
  byUuid: new Map<string, OfferPartner>(),
  byId: new Map<number, OfferPartner>(),
  offers: new Map<number, Offer>(),
  partners: new Map<number, Partner>(),
  streams: new Map<number, Stream>(),
  advertisers: new Map<number, Advertiser>(),
  landings: new Map<number, Landing>(),
  overrides: new Map<string, Template>(),
})
type Maps = ReturnType<typeof emptyMaps>

/** Reads one partner offer from PostgreSQL. */
export async function readOneOfferPartner(
  pool: Pool,
  id: number,
): Promise<Pick<OfferPartnerStore, 'byUuid' | 'landings'>> {
  const maps = emptyMaps()
  await putLandings(pool, maps, null)
  await putOfferPartners(pool, maps, await readRows(pool, SELECTS.offerPartners, [id]))
  return maps
}

export async function createOfferPartnerStore(pool: Pool): Promise<OfferPartnerStore> {
  const maps = emptyMaps()
  let uniquenessHours = await readUniquenessHours(pool)
  await putLandings(pool, maps, null)
  await putAdvertisers(pool, maps, null)
  await putOffers(pool, maps, null)
  await putPartners(pool, maps, null)
  await putStreams(pool, maps, null)
  for (let after = 0; ; ) {
    const rows = await readOfferPartnerPage(pool, after, PAGE)
    await putOfferPartners(pool, maps, rows)
    after = rows.at(-1)?.id ?? 0
    if (rows.length < PAGE) break
  }
  return {
    byUuid: maps.byUuid,
    landings: maps.landings,
    get uniquenessHours() {
      return uniquenessHours
    },
    async refresh(changes) {
      const changed = Map.groupBy(changes, (change) => change.split(':', 1)[0])
      const of = (kind: string): number[] => (changed.get(kind) ?? []).map((change) => Number(change.split(':')[1]))
      if (of('setting').length > 0) uniquenessHours = await readUniquenessHours(pool)
      const advertisers = of('advertiser')
      if (of('country').length > 0) advertisers.push(...(await findAdvertisersIn(pool, of('country'))))
      await putLandings(pool, maps, of('landing'))
      await putAdvertisers(pool, maps, advertisers)
      await putOffers(pool, maps, of('offer'))
      await putPartners(pool, maps, of('partner'))
      await putStreams(pool, maps, of('stream'))
      await replaceOfferPartners(pool, maps, of('link'))
    },
  }
}

async function replaceOfferPartners(pool: Pool, maps: Maps, ids: readonly number[]): Promise<void> {
  const rows = await readRows<OfferPartnerRow>(pool, SELECTS.offerPartners, ids)
  await putOfferPartners(pool, maps, rows)
  const present = new Set(rows.map(({ id }) => id))
  for (const id of ids) {
    const offerPartner = present.has(id) ? undefined : maps.byId.get(id)
    if (offerPartner === undefined) continue
    maps.byUuid.delete(offerPartner.uuid)
    maps.byId.delete(id)
  }
}

async function putOfferPartners(pool: Pool, maps: Maps, rows: readonly OfferPartnerRow[]): Promise<void> {
  await putOffers(pool, maps, missing(maps.offers, rows, 'offer_id'))
  await putPartners(pool, maps, missing(maps.partners, rows, 'partner_id'))
  await putStreams(pool, maps, missing(maps.streams, rows, 'stream_id'))
  for (const row of rows) {
    const offerPartner = readOfferPartner(maps, row)
    if (offerPartner === undefined) continue
    const previous = maps.byId.get(row.id)
    if (previous !== undefined) maps.byUuid.delete(previous.uuid)
    maps.byId.set(row.id, offerPartner)
    maps.byUuid.set(offerPartner.uuid, offerPartner)
  }
}

/** Undefined if a referenced row was deleted in the meantime; the notification of the partner offer's deletion follows. */
function readOfferPartner(maps: Maps, row: OfferPartnerRow): OfferPartner | undefined {
  const offer = maps.offers.get(row.offer_id)
  const partner = maps.partners.get(row.partner_id)
  const stream = maps.streams.get(row.stream_id)
  if (offer === undefined || partner === undefined || stream === undefined) return undefined
  return {
    id: row.id,
    uuid: row.uuid,
    closed: findClosed(row),
    offer,
    partner,
    stream,
    trafficSourceId: row.traffic_source_id,
    siteId: row.site_id,
    subId: row.sub_id || null,
    promocodes: row.promo_codes.length === 0 ? EMPTY_LIST : row.promo_codes,
    landings: row.landings.length === 0 ? EMPTY_LIST : row.landings,
    override: row.advertiser_link_template ? shareOverride(maps, row.advertiser_link_template) : null,
  }
}

/** Parses each template text only once, because partner offers of one advertiser often share it. */
function shareOverride(maps: Maps, text: string): Template {
  const template = maps.overrides.get(text) ?? parseTemplate(text)
  maps.overrides.set(text, template)
  return template
}

async function putOffers(pool: Pool, maps: Maps, ids: Ids): Promise<void> {
  const rows = await readRows<OfferRow>(pool, SELECTS.offers, ids)
  await putAdvertisers(pool, maps, missing(maps.advertisers, rows, 'advertiser_id'))
  for (const row of rows) {
    const advertiser = maps.advertisers.get(row.advertiser_id)
    if (advertiser === undefined) continue
    put(maps.offers, { id: row.id, closed: findClosed(row), advertiser, presenceId: row.advertiser_country_id })
  }
}

async function putPartners(pool: Pool, { partners }: Maps, ids: Ids): Promise<void> {
  for (const row of await readRows<StateRow>(pool, SELECTS.partners, ids))
    put(partners, { id: row.id, closed: findClosed(row) })
}

async function putStreams(pool: Pool, { streams }: Maps, ids: Ids): Promise<void> {
  for (const row of await readRows<StreamRow>(pool, SELECTS.streams, ids)) put(streams, row)
}

async function putLandings(pool: Pool, { landings }: Maps, ids: Ids): Promise<void> {
  const rows = await readRows<LandingRow>(pool, SELECTS.landings, ids)
  const present = new Set(rows.map(({ id }) => id))
  for (const id of ids ?? []) if (!present.has(id)) landings.delete(id)
  for (const { id, value, active } of rows) put(landings, { id, value, isActive: active })
}

async function putAdvertisers(pool: Pool, { advertisers }: Maps, ids: Ids): Promise<void> {
  for (const row of await readRows<AdvertiserRow>(pool, SELECTS.advertisers, ids)) put(advertisers, readAdvertiser(row))
}

function readAdvertiser(row: AdvertiserRow): Advertiser {
  const presences = row.presences.map((presence) => ({
    id: presence.id,
    countryId: presence.country_id,
    countryCode: presence.code,
    domain: presence.domain,
    mediaId: presence.media_id,
  }))
  return {
    id: row.id,
    isActive: row.active,
    domain: row.default_domain,
    mediaId: row.media_id,
    presences: new Map(presences.map((presence) => [presence.id, presence])),
    allowedLandings: new Set(row.allowed_landings),
    defaultLandings: new Map(row.default_landings.map((landing) => [landing.country_id ?? 0, landing.landing_id])),
  }
}

function put<T extends { id: number }>(map: Map<number, T>, value: T): void {
  const existing = map.get(value.id)
  if (existing === undefined) map.set(value.id, value)
  else Object.assign(existing, value)
}

/** The ids in a column that the map lacks. */
function missing<K extends string>(
  map: ReadonlyMap<number, unknown>,
  rows: readonly Readonly<Record<K, number>>[],
  column: K,
): number[] {
  return [...new Set(rows.map((row) => row[column]))].filter((id) => !map.has(id))
}

function findClosed(row: { active: boolean; state: string }): Closed {
  if (!row.active) return 'inactive'
  return row.state === 'approved' ? null : 'unapproved'
}
