// Rules of partner offers: one is created only if its clicks can be redirected and paid for; it gets a main postback URL and the offer's terms.

import { buildPostbackUrl } from '@tributary/contract/macros'
import type { Issue } from '@tributary/contract/validate'
import type { MessageKey } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import {
  type Change,
  type EntityRules,
  idOf,
  isChanging,
  isCreating,
  type Snapshot,
} from '../engine/model/entity-rules.ts'
import { entityNamed } from '../engine/model/model.ts'
import { insertAudited } from '../engine/save/write.ts'
import { areAllOfAdvertiser } from './allowed-landings.ts'
import { keepPastTerms } from './dated-terms.ts'
import { addLinkUrls } from './link-addresses.ts'
import { findSourceConflict, findStreamConflict, sourceConflictWords, streamConflictWords } from './stream-check.ts'

export const offerPartnerRules: EntityRules = {
  async prepare(change) {
    if (isCreating(change)) {
      await checkOffer(change)
      await checkPartner(change)
    }
    await checkLandings(change)
    await checkStream(change)
    await keepPastTerms(change)
  },
  async afterCreate({ db, context, collections }, id) {
    if (collections.postbacks?.some((row) => row.kind === 'main')) return
    await insertAudited(db, context, entityNamed('offer_partner_postback'), { offer_partner: id, kind: 'main' })
  },
  async prepareRemoval(change) {
    if (change.before !== null && (await hasTraffic(change, change.before))) change.reject('id', 'link_has_traffic')
  },
  derive: addLinkUrls,
}

interface OfferFacts {
  active: boolean
  state: string
  advertiser: number
  media_id: string | null
  domain: string | null
  currency: number
  baseline: string | null
  baseline_period_days: number | null
  max_days_from_registration: number | null
}

/** Rejects a partner offer that could not work; fills terms that the request leaves open. */
async function checkOffer(change: Change): Promise<void> {
  change.values.state ??= 'unapproved'
  const offer = idOf(change, 'offer')
  if (offer === null) return
  const statement = sql<OfferFacts>`select o.active, o.state, o.advertiser_id as advertiser, coalesce(nullif(p.media_id, ''), nullif(a.media_id, '')) as media_id,
      coalesce(nullif(p.domain, ''), nullif(a.default_domain, '')) as domain, o.currency_id as currency,
      coalesce(o.baseline, m.default_baseline) as baseline, coalesce(o.days, m.default_baseline_period_days) as baseline_period_days,
      m.default_max_days_from_registration as max_days_from_registration
    from offer as o join advertiser as a on a.id = o.advertiser_id join advertiser_country as p on p.id = o.advertiser_country_id
      join payment_model as m on m.id = o.payment_model_id where o.id = ${offer}`
  const facts = (await statement.execute(change.db)).rows[0]
  if (facts === undefined) return
  const [atOffer, atAdvertiser] = [
    { entity: 'offer', id: offer },
    { entity: 'advertiser', id: facts.advertiser },
  ]
  const faults: [boolean, MessageKey, Issue['mend']][] = [
    [facts.state !== 'approved', 'offer_not_approved', atOffer],
    [!facts.active, 'offer_inactive', atOffer],
    [facts.media_id === null, 'media_id_missing', atAdvertiser],
    [facts.domain === null, 'domain_missing', atAdvertiser],
  ]
  for (const [isFault, key, mend] of faults) if (isFault) change.reject('offer', key, undefined, mend)
  const { currency, baseline, baseline_period_days, max_days_from_registration } = facts
  const terms = { currency, baseline, baseline_period_days, max_days_from_registration }
  for (const [field, value] of Object.entries(terms)) if (value !== null) change.values[field] ??= value
}

/** Checks new landings only; existing ones may stay. */
async function checkLandings(change: Change): Promise<void> {
  const [offer, given] = [idOf(change, 'offer'), change.values.landings]
  if (offer === null || !Array.isArray(given)) return
  const known = change.before?.landings
  const added = given.map(Number).filter((id) => !(Array.isArray(known) && known.includes(id)))
  if (added.length === 0) return
  const statement = sql<{ advertiser: number }>`select advertiser_id as advertiser from offer where id = ${offer}`
  const advertiser = (await statement.execute(change.db)).rows[0]?.advertiser
  if (advertiser === undefined || (await areAllOfAdvertiser(change.db, advertiser, added))) return
  change.reject('landings', 'landing_not_allowed')
}

async function checkPartner(change: Change): Promise<void> {
  const partner = idOf(change, 'partner')
  if (partner === null) return
  const statement = sql<{ active: boolean; state: string }>`select active, state from partner where id = ${partner}`
  const facts = (await statement.execute(change.db)).rows[0]
  if (facts === undefined) return
  const mend = { entity: 'partner', id: partner }
  if (facts.state !== 'approved') change.reject('partner', 'partner_not_approved', undefined, mend)
  if (!facts.active) change.reject('partner', 'partner_inactive', undefined, mend)
}

/** Checked on activation too, because another partner offer may use the stream by then. */
async function checkStream(change: Change): Promise<void> {
  const stream = idOf(change, 'stream')
  const isConcerned = ['stream', 'traffic_source', 'active'].some((field) => isChanging(change, field))
  if (stream === null || !isConcerned || change.valueOf('active') === false) return
  const { db, before } = change
  const [partner, offer, trafficSource] = [
    idOf(change, 'partner'),
    idOf(change, 'offer'),
    idOf(change, 'traffic_source'),
  ]
  // The lock serializes new partner offers of one partner.
  const owner = await sql<{
    partner_id: number
  }>`select s.partner_id from partner_stream as s join partner as p on p.id = s.partner_id
    where s.id = ${stream} for no key update`.execute(db)
  const ownerId = owner.rows[0]?.partner_id
  if (ownerId === undefined) return
  if (ownerId !== partner) return change.reject('stream', 'stream_of_other_partner')
  const use = { stream, offerPartner: before?.id ?? null }
  const streamTaker = offer === null ? undefined : await findStreamConflict(db, { ...use, offer })
  if (streamTaker?.offerPartner) {
    const { key, values } = streamConflictWords(streamTaker)
    change.reject('stream', key, values)
  }
  const sourceTaker =
    trafficSource === null ? undefined : await findSourceConflict(db, { ...use, trafficSource, offer })
  if (sourceTaker === undefined) return
  const { key, values } = sourceConflictWords(sourceTaker)
  change.reject('traffic_source', key, values)
}

/** True if it has clicks or postbacks, which reports contain: it can then be deactivated, but not deleted. */
async function hasTraffic({ db, context }: Change, { id, partner }: Snapshot): Promise<boolean> {
  // The partner never changes, and postbacks have an index by partner.
  const recorded = sql`select from click_inbox where line like ${`${id}\t%`}
    union all select from postback where partner_id = ${partner} and offer_partner_id = ${id} limit 1`
  if ((await recorded.execute(db)).rows.length > 0) return true
  const find = (table: string) => `select 1 as found from ${table} where offer_partner_id = {id:UInt32} limit 1`
  const statement = `${find('click_day')} union all ${find('click')}`
  return (await context.engines.clickhouse.query(statement, { id })).length > 0
}

/** A percentage that only some payment models use: its range has a day with one of them when it is made. Ending a range is always possible. */
const usedByModels = (types: readonly string[], key: MessageKey): EntityRules => ({
  async prepare(change) {
    const [offerPartner, from, to] = [
      idOf(change, 'offer_partner'),
      change.valueOf('date_from'),
      change.valueOf('date_to'),
    ]
    if (!isChanging(change, 'value') && !isChanging(change, 'date_from')) return
    if (offerPartner === null || typeof from !== 'string' || (typeof to === 'string' && to < from)) return
    const { rows } = await sql`
      select from offer_partner l join offer o on o.id = l.offer_id join payment_model m on m.id = o.payment_model_id,
        datemultirange(daterange(${from}::date, ${to ?? null}::date, '[]')) as asked_days,
        lateral (select coalesce(range_agg(daterange(h.date_from, h.date_to, '[]')), '{}') as all_days,
            coalesce(range_agg(daterange(h.date_from, h.date_to, '[]')) filter (where v.type = any(${types}::text[])), '{}') as used_days
          from offer_payment_model_history h join payment_model v on v.id = h.value_id where h.offer_id = o.id and h.active) as ranges
      where l.id = ${offerPartner}
        and (asked_days && used_days or (m.type = any(${types}::text[]) and not isempty(asked_days - all_days)))`.execute(
      change.db,
    )
    if (rows.length === 0) change.reject('date_from', key)
  },
})

export const offerPartnerAgencyPercentageHistoryRules = usedByModels(['AGENCY'], 'link_not_agency')
export const offerPartnerRsShareHistoryRules = usedByModels(['RS', 'CPA_RS'], 'link_not_rs')

/** The main postback URL is created with the partner offer and cannot be deleted. */
export const offerPartnerPostbackRules: EntityRules = {
  async prepare(change) {
    if (change.action === 'create') change.values.kind ??= 'extra'
    else if (change.before?.kind === 'main' && change.valueOf('kind') !== 'main') change.reject('kind', 'fixed')
  },
  async prepareRemoval(change) {
    if (change.before?.kind === 'main') change.reject('kind', 'fixed')
  },
  async derive(_db, rows, { engines }) {
    const { trackerUrl } = engines.config
    for (const row of rows) row.url = buildPostbackUrl({ uuid: String(row.uuid), trackerUrl })
  },
}
