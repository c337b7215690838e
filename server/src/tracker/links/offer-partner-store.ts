// The maps behind the partner offer index. Objects are updated in place, because partner offers refer to them.

import { parseTemplate, type Template } from '@tributary/contract/macros'
import type { Pool } from 'pg'
import type { Advertiser, Closed, Landing, Offer, OfferPartner, Partner, Stream } from './offer-partner.ts'
import {
  type AdvertiserRow,
  findAdvertisersIn,
  type Ids,
  type OfferPartnerRow,
  readAdvertisers,
  readLandings,
  readOfferPartnerPage,
  readOfferPartners,
  readOffers,
  readPartners,
  readStreams,
  readUniquenessHours,
} from './offer-partner-source.ts'

export interface OfferPartnerStore {
  readonly byUuid: ReadonlyMap<string, OfferPartner>
  readonly landings: ReadonlyMap<number, Landing>
  readonly uniquenessHours: number
  /** Reads the rows again that notifications named: 'link:5', 'offer:7', … */
  refresh(changes: readonly string[]): Promise<void>
}

interface Maps {
  byUuid: Map<string, OfferPartner>
  byId: Map<number, OfferPartner>
  offers: Map<number, Offer>
  partners: Map<number, Partner>
  streams: Map<number, Stream>
  advertisers: Map<number, Advertiser>
  landings: Map<number, Landing>
  overrides: Map<string, Template>
}

const PAGE = 20_000
const NONE: readonly never[] = []

const emptyMaps = (): Maps => ({
  byUuid: new Map(),
  byId: new Map(),
  offers: new Map(),
  partners: new Map(),
  streams: new Map(),
  advertisers: new Map(),
  landings: new Map(),
  overrides: new Map(),
})

/** One partner offer, read now. */
export async function readOneOfferPartner(
  pool: Pool,
  id: number,
): Promise<Pick<OfferPartnerStore, 'byUuid' | 'landings'>> {
  const maps = emptyMaps()
  await putLandings(pool, maps, null)
  await putOfferPartners(pool, maps, await readOfferPartners(pool, [id]))
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
      const changed = sortChanges(changes)
      const of = (kind: string): number[] => changed.get(kind) ?? []
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

function sortChanges(changes: readonly string[]): Map<string, number[]> {
  const sorted = new Map<string, number[]>()
  for (const change of changes) {
    const [kind = '', id = ''] = change.split(':')
    const ids = sorted.get(kind)
    if (ids === undefined) sorted.set(kind, [Number(id)])
    else ids.push(Number(id))
  }
  return sorted
}

async function replaceOfferPartners(pool: Pool, maps: Maps, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await readOfferPartners(pool, ids)
  const left = new Set(ids)
  for (const row of rows) left.delete(row.id)
  await putOfferPartners(pool, maps, rows)
  for (const id of left) {
    const offerPartner = maps.byId.get(id)
    if (offerPartner !== undefined) maps.byUuid.delete(offerPartner.uuid)
    maps.byId.delete(id)
  }
}

async function putOfferPartners(pool: Pool, maps: Maps, rows: readonly OfferPartnerRow[]): Promise<void> {
  await putOffers(
    pool,
    maps,
    missing(
      maps.offers,
      rows.map((row) => row.offer_id),
    ),
  )
  await putPartners(
    pool,
    maps,
    missing(
      maps.partners,
      rows.map((row) => row.partner_id),
    ),
  )
  await putStreams(
    pool,
    maps,
    missing(
      maps.streams,
      rows.map((row) => row.stream_id),
    ),
  )
  for (const row of rows) {
    const offerPartner = readOfferPartner(maps, row)
    if (offerPartner === undefined) continue
    const known = maps.byId.get(row.id)
    if (known !== undefined) maps.byUuid.delete(known.uuid)
    maps.byId.set(row.id, offerPartner)
    maps.byUuid.set(offerPartner.uuid, offerPartner)
  }
}

/** Undefined if a referenced row was deleted meanwhile: the notification of the partner offer's own deletion follows. */
function readOfferPartner(maps: Maps, row: OfferPartnerRow): OfferPartner | undefined {
  const offer = maps.offers.get(row.offer_id)
  const partner = maps.partners.get(row.partner_id)
  const stream = maps.streams.get(row.stream_id)
  if (offer === undefined || partner === undefined || stream === undefined) return undefined
  return {
    id: row.id,
    uuid: row.uuid,
    closed: closedOf(row),
    offer,
    partner,
    stream,
    trafficSourceId: row.traffic_source_id,
    siteId: row.site_id,
    subId: row.sub_id || null,
    promocodes: row.promo_codes.length === 0 ? NONE : row.promo_codes,
    landings: row.landings.length === 0 ? NONE : row.landings,
    override: row.advertiser_link_template ? overrideOf(maps, row.advertiser_link_template) : null,
  }
}

/** Partner offers of one advertiser tend to share their template. */
function overrideOf(maps: Maps, text: string): Template {
  const template = maps.overrides.get(text) ?? parseTemplate(text)
  maps.overrides.set(text, template)
  return template
}

async function putOffers(pool: Pool, maps: Maps, ids: Ids): Promise<void> {
  if (ids?.length === 0) return
  const rows = await readOffers(pool, ids)
  await putAdvertisers(
    pool,
    maps,
    missing(
      maps.advertisers,
      rows.map((row) => row.advertiser_id),
    ),
  )
  for (const row of rows) {
    const advertiser = maps.advertisers.get(row.advertiser_id)
    if (advertiser === undefined) continue
    put(maps.offers, { id: row.id, closed: closedOf(row), advertiser, presenceId: row.advertiser_country_id })
  }
}

async function putPartners(pool: Pool, maps: Maps, ids: Ids): Promise<void> {
  if (ids?.length === 0) return
  for (const row of await readPartners(pool, ids)) put(maps.partners, { id: row.id, closed: closedOf(row) })
}

async function putStreams(pool: Pool, maps: Maps, ids: Ids): Promise<void> {
  if (ids?.length === 0) return
  for (const row of await readStreams(pool, ids)) put(maps.streams, { id: row.id, title: row.title })
}

async function putLandings(pool: Pool, maps: Maps, ids: Ids): Promise<void> {
  if (ids?.length === 0) return
  const rows = await readLandings(pool, ids)
  const found = new Set(rows.map((row) => row.id))
  for (const id of ids ?? []) if (!found.has(id)) maps.landings.delete(id)
  for (const row of rows) put(maps.landings, { id: row.id, value: row.value, isActive: row.active })
}

async function putAdvertisers(pool: Pool, maps: Maps, ids: Ids): Promise<void> {
  if (ids?.length === 0) return
  for (const row of await readAdvertisers(pool, ids)) put(maps.advertisers, readAdvertiser(row))
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
  const known = map.get(value.id)
  if (known === undefined) map.set(value.id, value)
  else Object.assign(known, value)
}

function missing(map: ReadonlyMap<number, unknown>, ids: readonly number[]): number[] {
  return [...new Set(ids)].filter((id) => !map.has(id))
}

function closedOf(row: { active: boolean; state: string }): Closed {
  if (!row.active) return 'inactive'
  return row.state === 'approved' ? null : 'unapproved'
}
