// Rules of players: setting the partner offer attributes the player and copies offer, partner and stream. The outbox updates the facts.

import { sql } from 'kysely'
import { type Change, type EntityRules, idOf, isChanging } from '../engine/model/entity-rules.ts'
import type { Row } from '../engine/model/model.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import { hasClosedFigures, nameAct, nameReason } from './closed-player.ts'
import { addLinkUrls } from './link-addresses.ts'
import { restoreResolutions } from './payment-resolution.ts'

export const playerRules: EntityRules = {
  async prepare(change) {
    const reason = typeof change.values.reason === 'string' ? change.values.reason.trim() : ''
    Reflect.deleteProperty(change.values, 'reason')
    if (isChanging(change, 'offer_partner')) {
      await attribute(change)
      await explain(change, reason)
    } else if (change.before !== null && isChanging(change, 'active')) {
      await nameAct(change.db, change.values.active === false ? 'deactivate player' : 'activate player')
    } else if (change.action === 'create') change.values.attribution = 'none'
    if (isChanging(change, 'registered_at')) rejectFuture(change)
    if (isChanging(change, 'geo_country') && !isChanging(change, 'actual_country')) await matchCountry(change)
  },
  async prepareRemoval(change) {
    const { db, before } = change
    // Report entries are listed as referrers; events of postbacks have no entity, so they are checked here.
    const events = sql`select from player_event where player_id = ${before?.id} limit 1`
    if ((await events.execute(db)).rows.length > 0) change.reject('id', 'player_has_past')
  },
  async derive(db, rows, context) {
    await addLinks(db, rows, context)
    await addDeposits(db, rows)
  },
  undo: { payment_resolution: restoreResolutions },
}

const CLOCK_TOLERANCE_MS = 5 * 60_000

/** Rejects a registration in the future: qualification counts days from it. */
function rejectFuture(change: Change): void {
  const registeredAt = change.valueOf('registered_at')
  if (typeof registeredAt === 'string' && Date.parse(registeredAt) > Date.now() + CLOCK_TOLERANCE_MS)
    change.reject('registered_at', 'date_future')
}

interface OfferPartnerFacts {
  offer: number
  partner: number
  stream: number
  traffic_source: number
  advertiser: number
  site_id: string
  sub_id: string | null
  media_id: string | null
}

/** Fields copied from the partner offer; without a partner offer they are cleared. */
const OFFER_PARTNER_FIELDS = ['offer', 'partner', 'stream', 'traffic_source', 'media_id'] as const

async function attribute(change: Change): Promise<void> {
  const { values, db } = change
  const offerPartner = idOf(change, 'offer_partner')
  if (offerPartner === null) {
    for (const name of OFFER_PARTNER_FIELDS) values[name] = null
    values.attribution = 'none'
    return
  }
  const { rows } =
    await sql<OfferPartnerFacts>`select l.offer_id as offer, l.partner_id as partner, l.stream_id as stream,
      l.traffic_source_id as traffic_source, o.advertiser_id as advertiser, l.site_id, l.sub_id, coalesce(c.media_id, a.media_id) as media_id
    from offer_partner as l join offer as o on o.id = l.offer_id join advertiser as a on a.id = o.advertiser_id
      join advertiser_country as c on c.id = o.advertiser_country_id
    where l.id = ${offerPartner}`.execute(db)
  const facts = rows[0]
  // The store rejects references to rows that are missing or out of scope.
  if (facts === undefined) return
  if (facts.advertiser !== idOf(change, 'advertiser')) change.reject('offer_partner', 'link_of_other_advertiser')
  for (const name of OFFER_PARTNER_FIELDS) values[name] = facts[name]
  if (!isChanging(change, 'site_id')) values.site_id = facts.site_id
  if (!isChanging(change, 'sub_id')) values.sub_id = change.valueOf('sub_id') ?? facts.sub_id
  values.attribution = 'manual'
}

async function explain(change: Change, reason: string): Promise<void> {
  const { db, before, values } = change
  if (before === null) return
  if (reason !== '') {
    await nameReason(db, 'assign player', reason)
    return
  }
  await nameAct(db, 'assign player')
  const partners = sql`array[${before.partner ?? null}::int, ${values.partner ?? null}::int]`
  const { rows } = await sql<{ is_closed: boolean }>`
    select ${hasClosedFigures(sql`${before.id}::bigint`, partners)} as is_closed`.execute(db)
  if (rows[0]?.is_closed === true) change.reject('reason', 'required')
}

/** Finds a country by title, code or alternative title. */
async function matchCountry(change: Change): Promise<void> {
  const name = change.valueOf('geo_country')
  if (typeof name !== 'string' || change.valueOf('actual_country') != null) return
  const { rows } = await sql<{ id: number }>`select c.id from country as c
    where c.code = upper(${name}) or lower(c.title) = lower(${name}) or exists (
      select from country_mapping as m where m.country_id = c.id and m.active and lower(m.title) = lower(${name}))
    order by c.active desc, lower(c.title) = lower(${name}) desc limit 1`.execute(change.db)
  if (rows[0] !== undefined) change.values.actual_country = rows[0].id
}

const idIn = (reference: unknown): number | null =>
  typeof reference === 'object' && reference !== null && 'id' in reference ? Number(reference.id) : null

/** Adds each first deposit in the report currency by the rate of its business day, as '12.34 EUR'. */
async function addDeposits(db: Db, rows: readonly Row[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const { rows: converted } = await sql<{ id: number; text: string }>`
    select p.id, round(p.first_deposit_amount * case when p.first_deposit_currency_id = c.id then 1 else r.rate end, 2)::text || ' ' || c.value as text
    from player p cross join setting s
      join currency c on c.id = coalesce(s.report_currency_id,
        (select id from currency where value = 'EUR' or title = 'EUR' order by id limit 1))
      left join lateral (select rate from currency_rate where currency_id = p.first_deposit_currency_id and active
        and date <= (p.first_deposit_at at time zone s.business_time_zone)::date order by date desc limit 1) r on true
    where p.id = any(${ids}::bigint[]) and p.first_deposit_amount is not null
      and (p.first_deposit_currency_id = c.id or r.rate is not null)`.execute(db)
  const texts = new Map(converted.map(({ id, text }) => [Number(id), text]))
  for (const row of rows) row.first_deposit_in_report_currency = texts.get(Number(row.id)) ?? null
}

/** Adds the UUID of each player's partner offer, and its tracking and advertiser link. */
async function addLinks(db: Db, rows: readonly Row[], context: RequestContext): Promise<void> {
  const ids = [...new Set(rows.map((row) => idIn(row.offer_partner)).filter((id) => id !== null))]
  const offerPartners = ids.map((id): Row => ({ id }))
  await addLinkUrls(db, offerPartners, context)
  const { rows: named } = await sql<{ id: number; uuid: string }>`select id, uuid from offer_partner
    where id = any(${ids}::bigint[])`.execute(db)
  const uuids = new Map(named.map(({ id, uuid }) => [id, uuid]))
  const byId = new Map(offerPartners.map((offerPartner) => [offerPartner.id, offerPartner]))
  for (const row of rows) {
    const id = idIn(row.offer_partner)
    const offerPartner = byId.get(id)
    row.offer_partner_uuid = id === null ? null : (uuids.get(id) ?? null)
    row.links =
      offerPartner === undefined
        ? null
        : {
            partner: offerPartner.partner_link ?? null,
            ...(context.holder.role !== 'PARTNER' && { advertiser: offerPartner.advertiser_link ?? null }),
          }
  }
}
