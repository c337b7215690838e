// The record's side of postbacks: what deciding needs to know, and writing what was decided, for one postback or for thousands at once.

import { sql, type Transaction } from 'kysely'
import type { Database } from '../postgres/tables.ts'
import type { CandidateLink } from './attribution.ts'
import { isUuid } from './click-id.ts'
import type { PartnerTarget } from './partner-told.ts'
import type { KnownPlayer, PostbackAddress, PostbackMeaning } from './postback-decision.ts'
import type { PostbackEvent } from './postback-event.ts'
import type { PlayerEventRow, PlayerState, PostbackRow } from './postback-rows.ts'

type Trx = Transaction<Database>

const CAUSE = 'postback'

/** Names the cause of all that follows in the transaction, and takes the next ids of postbacks. */
export async function beginPostbacks(trx: Trx, ids: number): Promise<number[]> {
  await sql`select set_config('tributary.cause', ${CAUSE}, true)`.execute(trx)
  return reservePostbacks(trx, ids)
}

export async function reservePostbacks(trx: Trx, ids: number): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select nextval(pg_get_serial_sequence('postback', 'id')) as id from generate_series(1, ${ids}::int)`.execute(trx)
  return rows.map((row) => row.id)
}

export async function findAddress(trx: Trx, uuid: string): Promise<PostbackAddress | undefined> {
  if (!isUuid(uuid)) return undefined
  const { rows } =
    await sql<PostbackAddress>`select p.active as is_active, l.id as offer_partner_id, l.offer_id, l.partner_id,
      o.advertiser_id, l.traffic_source_id, l.site_id, l.currency_id, s.server_time_zone as zone
    from offer_partner_postback p join offer_partner l on l.id = p.offer_partner_id join offer o on o.id = l.offer_id, setting s
    where p.uuid = ${uuid}`.execute(trx)
  return rows[0]
}

interface MeaningRow {
  currency: { id: number; value: string } | null
  country: { id: number; title: string } | null
}

/** The actual country is told by title, code or one of the alternative titles. */
export async function findMeaning(trx: Trx, event: PostbackEvent): Promise<PostbackMeaning> {
  if (event.currency === null && event.country === null) return { currency: undefined, country: null }
  const { rows } = await sql<MeaningRow>`select
    (select jsonb_build_object('id', id, 'value', value) from currency
      where lower(value) = lower(${event.currency}) or lower(title) = lower(${event.currency})
      order by active desc, lower(value) = lower(${event.currency}) desc limit 1) as currency,
    (select jsonb_build_object('id', c.id, 'title', c.title) from country c
      where c.code = upper(${event.country}) or lower(c.title) = lower(${event.country}) or exists (
        select from country_mapping m where m.country_id = c.id and m.active and lower(m.title) = lower(${event.country}))
      order by c.active desc, lower(c.title) = lower(${event.country}) desc limit 1) as country`.execute(trx)
  const found = rows[0]
  return { currency: event.currency === null ? undefined : (found?.currency ?? null), country: found?.country ?? null }
}

/** The amount stands by itself: in jsonb it would be a float. */
interface FoundPlayer {
  player: PlayerState
  amount: string | null
}

/** From here to the end of the transaction nobody else changes this player, also when the player does not exist yet. */
export async function lockPlayer(trx: Trx, advertiserId: number, event: PostbackEvent): Promise<KnownPlayer> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${event.playerOuterId}, ${advertiserId}))`.execute(trx)
  const { rows } = await sql<FoundPlayer>`select to_jsonb(p) as player, first_deposit_amount as amount from player p
    where advertiser_id = ${advertiserId} and outer_id = ${event.playerOuterId} for update`.execute(trx)
  const found = rows[0]
  if (found === undefined) return { player: undefined, newPlayerId: await nextPlayerId(trx), isRepeated: false }
  const player: PlayerState = readState(found)
  return { player, newPlayerId: player.id, isRepeated: await isCounted(trx, player.id, event) }
}

async function nextPlayerId(trx: Trx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('player', 'id')) as id`.execute(trx)
  return rows[0]?.id ?? 0
}

async function isCounted(trx: Trx, playerId: number, { type, identity }: PostbackEvent): Promise<boolean> {
  const { rows } = await sql`select from player_event
    where player_id = ${playerId} and type = ${type} and identity = ${identity}`.execute(trx)
  return rows.length > 0
}

const CANDIDATES = 50

export async function findCandidates(
  trx: Trx,
  advertiserId: number,
  { siteId, promocode }: PostbackEvent,
): Promise<CandidateLink[]> {
  if (siteId === null && promocode === null) return []
  const codes = promocode === null ? [] : [promocode, promocode.toLowerCase(), promocode.toUpperCase()]
  const { rows } =
    await sql<CandidateLink>`select l.id as offer_partner_id, l.offer_id, l.partner_id, l.stream_id, l.traffic_source_id,
      l.site_id, l.sub_id, l.promo_codes, coalesce(c.media_id, a.media_id) as media_id
    from offer_partner l join offer o on o.id = l.offer_id join advertiser a on a.id = o.advertiser_id
    join advertiser_country c on c.id = o.advertiser_country_id
    where o.advertiser_id = ${advertiserId} and (l.site_id = ${siteId} or l.promo_codes && ${codes}::text[])
    order by l.id limit ${CANDIDATES}`.execute(trx)
  return rows
}

const TARGET = sql`l.uuid as link_uuid, s.title as stream, c.code as country,
  (select value from landing where id = p.landing_id) as landing,
  coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'url', u.url, 'method', u.method, 'events', u.events,
      'since', u.created_at) order by u.id)
    from partner_postback_url u where u.partner_id = p.partner_id and u.active), '[]') as urls`
const TARGET_JOINS = sql`join offer_partner l on l.id = p.offer_partner_id join partner_stream s on s.id = l.stream_id
  join offer o on o.id = l.offer_id join advertiser_country a on a.id = o.advertiser_country_id join country c on c.id = a.country_id`

/** Undefined for a player without a link. The player's row is written already. */
export async function findTarget(
  trx: Trx,
  playerId: number,
  currencyId: number | null,
): Promise<PartnerTarget | undefined> {
  const { rows } =
    await sql<PartnerTarget>`select ${TARGET}, (select value from currency where id = ${currencyId}) as currency
    from player p ${TARGET_JOINS} where p.id = ${playerId}`.execute(trx)
  return rows[0]
}

export interface PlayerTarget {
  player: PlayerState
  target: PartnerTarget
}

/** Players whose partner has an address, each with what the partner is told with. */
export async function findTargets(trx: Trx, playerIds: readonly number[]): Promise<PlayerTarget[]> {
  const { rows } = await sql<
    FoundPlayer & PartnerTarget
  >`select to_jsonb(p) as player, p.first_deposit_amount as amount, ${TARGET}, null as currency
    from player p ${TARGET_JOINS} where p.id = any(${playerIds}::bigint[])
    and exists (select from partner_postback_url u where u.partner_id = p.partner_id and u.active) order by p.id`.execute(
    trx,
  )
  return rows.map((row) => ({ player: readState(row), target: row }))
}

export interface DecidedRows {
  players: readonly PlayerState[]
  events: readonly PlayerEventRow[]
  postbacks: readonly PostbackRow[]
}

/** Players by id, each once, as they shall be at the end; events of players that are among them or exist. */
export async function writeDecided(trx: Trx, { players, events, postbacks }: DecidedRows): Promise<void> {
  if (players.length > 0) await writePlayers(trx, players)
  if (events.length > 0) {
    await sql`insert into player_event (player_id, type, happened_at, received_at, amount, currency_id, transaction_id, identity, postback_id)
      select player_id, type, happened_at, received_at, amount, currency_id, transaction_id, identity, postback_id
      from jsonb_populate_recordset(null::player_event, ${JSON.stringify(events)}::jsonb)`.execute(trx)
  }
  if (postbacks.length > 0) await writePostbacks(trx, postbacks)
}

const PLAYER_COLUMNS = [
  'id',
  'outer_id',
  'advertiser_id',
  'click_id',
  'registered_at',
  'first_deposit_at',
  'first_deposit_amount',
  'first_deposit_currency_id',
  'actual_country_id',
  'ip_country',
  'geo_country',
  'site_id',
  'sub_id',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'partner_click_id',
  'promocode',
  'landing_id',
  'traffic_source_id',
  'stream_id',
  'partner_id',
  'media_id',
  'offer_id',
  'offer_partner_id',
  'attribution',
] as const satisfies readonly (keyof PlayerState)[]

const FIXED: ReadonlySet<string> = new Set(['id', 'outer_id', 'advertiser_id'])
const COLUMN_LIST = sql.raw(PLAYER_COLUMNS.join(', '))
const CHANGES = sql.raw(
  PLAYER_COLUMNS.filter((name) => !FIXED.has(name))
    .map((name) => `${name} = excluded.${name}`)
    .join(', '),
)

async function writePlayers(trx: Trx, players: readonly PlayerState[]): Promise<void> {
  await sql`insert into player (${COLUMN_LIST})
    select ${COLUMN_LIST} from jsonb_populate_recordset(null::player, ${JSON.stringify(players)}::jsonb)
    on conflict (id) do update set ${CHANGES}`.execute(trx)
}

function readState({ player, amount }: FoundPlayer): PlayerState {
  const state: Partial<Record<keyof PlayerState, unknown>> = {}
  for (const name of PLAYER_COLUMNS) state[name] = player[name]
  // A row of the table has all of its columns.
  return { ...state, first_deposit_amount: amount } as PlayerState
}

async function writePostbacks(trx: Trx, postbacks: readonly PostbackRow[]): Promise<void> {
  await sql`insert into postback select * from jsonb_populate_recordset(null::postback, ${JSON.stringify(postbacks)}::jsonb)`.execute(
    trx,
  )
}
