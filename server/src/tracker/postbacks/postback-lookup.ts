// Looks up the data that decisions need for many postbacks at once, with one statement for each kind of data.

import { sql, type Transaction } from 'kysely'
import type { Database } from '../../postgres/client.ts'
import { isUuid } from '../clicks/click-id.ts'
import type { CandidateOfferPartner } from './attribution.ts'
import type { PostbackAddress, PostbackMeaning } from './postback-decision.ts'
import type { PostbackEvent } from './postback-event.ts'
import { PLAYER_COLUMNS, type PlayerState } from './postback-rows.ts'

type Trx = Transaction<Database>

/** Finds postback addresses by UUID. The keys of the result are in lower case. */
export async function findAddresses(trx: Trx, uuids: readonly string[]): Promise<Map<string, PostbackAddress>> {
  const distinctKeys = [...new Set(uuids.filter(isUuid).map((uuid) => uuid.toLowerCase()))]
  if (distinctKeys.length === 0) return new Map()
  const { rows } = await sql<PostbackAddress & { uuid: string }>`select p.uuid, p.active as is_active,
      l.id as offer_partner_id, l.offer_id, l.partner_id, o.advertiser_id, l.traffic_source_id, l.site_id, c.id as currency_id,
      c.value as currency, s.server_time_zone as zone
    from offer_partner_postback p join offer_partner l on l.id = p.offer_partner_id join offer o on o.id = l.offer_id
    cross join setting s
    join currency c on c.id = offer_partner_currency_on(l.id, (now() at time zone s.business_time_zone)::date)
    where p.uuid = any(${distinctKeys}::uuid[])`.execute(trx)
  return new Map(rows.map(({ uuid, ...address }) => [uuid, address]))
}

type MeaningValue<K extends keyof PostbackMeaning> = NonNullable<PostbackMeaning[K]>

/** Resolves the currencies and countries of events. A country is found by title, code or alternative title. */
export async function findMeanings(
  trx: Trx,
  events: readonly PostbackEvent[],
): Promise<(event: PostbackEvent) => PostbackMeaning> {
  const currencies = distinct(events.map((event) => event.currency))
  const countries = distinct(events.map((event) => event.country))
  const meant = await findTexts(trx, currencies, countries)
  const currencyOf = new Map(meant.map((row) => [row.text, row.currency]))
  const countryOf = new Map(meant.map((row) => [row.text, row.country]))
  return ({ currency, country }) => ({
    currency: currency === null ? undefined : (currencyOf.get(currency) ?? null),
    country: country === null ? null : (countryOf.get(country) ?? null),
  })
}

interface FoundText {
  text: string
  currency: MeaningValue<'currency'> | null
  country: MeaningValue<'country'> | null
}

async function findTexts(
  trx: Trx,
  currencies: readonly string[],
  countries: readonly string[],
): Promise<readonly FoundText[]> {
  const texts = distinct([...currencies, ...countries])
  if (texts.length === 0) return []
  const { rows } = await sql<FoundText>`select t.text,
    (select jsonb_build_object('id', id, 'value', value) from currency
      where t.text = any(${currencies}::text[]) and (lower(value) = lower(t.text) or lower(title) = lower(t.text))
      order by active desc, lower(value) = lower(t.text) desc limit 1) as currency,
    (select jsonb_build_object('id', c.id, 'title', c.title) from country c
      where t.text = any(${countries}::text[]) and (c.code = upper(t.text) or lower(c.title) = lower(t.text) or exists (
        select from country_mapping m where m.country_id = c.id and m.active and lower(m.title) = lower(t.text)))
      order by c.active desc, lower(c.title) = lower(t.text) desc limit 1) as country
    from unnest(${texts}::text[]) as t (text)`.execute(trx)
  return rows
}

const distinct = (texts: readonly (string | null)[]): string[] => [
  ...new Set(texts.filter((text): text is string => text !== null)),
]

export interface PlayerKey {
  readonly advertiserId: number
  readonly outerId: string
}

/** The key of a player in maps. */
export const playerMapKey = ({ advertiserId, outerId }: PlayerKey): string => `${advertiserId}|${outerId}`

/** The amount is a separate column, because in JSON it would be a float. */
interface FoundPlayer {
  player: PlayerState
  amount: string | null
}

/**
 * Locks these players until the end of the transaction, even those that do not exist yet, and returns the existing ones. Locks are acquired in
 * a fixed order, so that two transactions never deadlock.
 */
export async function lockPlayers(trx: Trx, players: readonly PlayerKey[]): Promise<Map<string, PlayerState>> {
  const distinctKeys = [...new Map(players.map((player) => [playerMapKey(player), player])).values()]
  const outerIds = distinctKeys.map((player) => player.outerId)
  const advertisers = distinctKeys.map((player) => player.advertiserId)
  await sql`select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(outer_id, advertiser_id) as key
    from unnest(${outerIds}::text[], ${advertisers}::bigint[]) as w (outer_id, advertiser_id) order by key) k`.execute(
    trx,
  )
  const { rows } = await sql<FoundPlayer>`select to_json(p) as player, p.first_deposit_amount as amount
    from unnest(${outerIds}::text[], ${advertisers}::int[]) as w (outer_id, advertiser_id)
    join player p on p.advertiser_id = w.advertiser_id and p.outer_id = w.outer_id
    order by p.id for update of p`.execute(trx)
  return new Map(
    rows
      .map(readState)
      .map((state) => [playerMapKey({ advertiserId: state.advertiser_id, outerId: state.outer_id }), state]),
  )
}

export function readState({ player, amount }: FoundPlayer): PlayerState {
  const state: Partial<Record<keyof PlayerState, unknown>> = {}
  for (const name of PLAYER_COLUMNS) state[name] = player[name]
  // A row of the table has all columns.
  return { ...state, first_deposit_amount: amount } as PlayerState
}

export interface EventKey {
  readonly playerId: number
  readonly type: string
  readonly identity: string
}

export const eventMapKey = ({ playerId, type, identity }: EventKey): string => `${playerId}|${type}|${identity}`

/** The keys of those events that have been counted before. */
export async function findCounted(trx: Trx, events: readonly EventKey[]): Promise<Set<string>> {
  if (events.length === 0) return new Set()
  const { rows } = await sql<{
    player_id: number
    type: string
    identity: string
  }>`select e.player_id, e.type, e.identity
    from unnest(${events.map((event) => event.playerId)}::bigint[], ${events.map((event) => event.type)}::text[],
      ${events.map((event) => event.identity)}::text[]) as w (player_id, type, identity)
    join player_event e on e.player_id = w.player_id and e.type = w.type and e.identity = w.identity`.execute(trx)
  return new Set(rows.map(({ player_id, type, identity }) => eventMapKey({ playerId: player_id, type, identity })))
}

/** Players with a deposit that a postback reported. Deposits of player reports do not count, because partners never receive them. */
export async function findDeposited(trx: Trx, players: readonly number[]): Promise<Set<number>> {
  if (players.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`select distinct player_id as id from player_event
    where player_id = any(${players}::bigint[]) and type = 'dep'`.execute(trx)
  return new Set(rows.map((row) => row.id))
}

const MAX_CANDIDATES = 50

interface Hint {
  readonly advertiserId: number
  readonly siteId: string | null
  readonly promocode: string | null
}

export const hintKey = ({ advertiserId, siteId, promocode }: Hint): string =>
  JSON.stringify([advertiserId, siteId, promocode])

/** Partner offers that a site ID or promo code may refer to, by `hintKey`. */
export async function findCandidates(
  trx: Trx,
  hints: readonly Hint[],
): Promise<ReadonlyMap<string, readonly CandidateOfferPartner[]>> {
  const distinctKeys = [...new Map(hints.map((hint) => [hintKey(hint), hint])).values()].filter(
    ({ siteId, promocode }) => siteId !== null || promocode !== null,
  )
  const found = new Map<string, CandidateOfferPartner[]>()
  if (distinctKeys.length === 0) return found
  const { rows } = await sql<CandidateOfferPartner & { place: number }>`select w.place::int, f.* from
    unnest(${distinctKeys.map((hint) => hint.advertiserId)}::bigint[], ${distinctKeys.map((hint) => hint.siteId)}::text[],
      ${distinctKeys.map((hint) => hint.promocode)}::text[]) with ordinality as w (advertiser_id, site_id, promocode, place)
    cross join lateral (select l.id as offer_partner_id, l.offer_id, l.partner_id, l.stream_id, l.traffic_source_id,
        l.site_id, l.sub_id, l.promo_codes, coalesce(c.media_id, a.media_id) as media_id
      from offer_partner l join offer o on o.id = l.offer_id join advertiser a on a.id = o.advertiser_id
      join advertiser_country c on c.id = o.advertiser_country_id
      where o.advertiser_id = w.advertiser_id and (l.site_id = w.site_id
        or l.promo_codes && array[w.promocode, lower(w.promocode), upper(w.promocode)])
      order by l.id limit ${MAX_CANDIDATES}) f`.execute(trx)
  for (const { place, ...offerPartner } of rows) {
    const hint = distinctKeys[place - 1]
    if (hint === undefined) continue
    const key = hintKey(hint)
    found.set(key, [...(found.get(key) ?? []), offerPartner])
  }
  return found
}
