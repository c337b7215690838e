// Writes decided postbacks, one or thousands at once, and reads the URLs and macro values of the partners to call.

import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../../postgres/client.ts'
import type { PartnerTarget } from './outbound-postbacks.ts'
import { readState } from './postback-lookup.ts'
import { blankRow, PLAYER_COLUMNS, type PlayerEventRow, type PlayerState, type PostbackRow } from './postback-rows.ts'

type Trx = Transaction<Database>

const CAUSE = 'postback'

/** Sets the cause of the transaction's further changes and reserves ids of postbacks. */
export const beginPostbacks = (trx: Trx, ids: number): Promise<number[]> => reserveIds(trx, ids, sql`true`)

/**
 * Like `beginPostbacks`, for inbound postbacks. Generic plans save a fifth of PostgreSQL's time per postback, because each statement is planned
 * only once per connection. Sequential scans are off, because a plan made for a small table is also used when the table is large.
 */
export const beginArrivals = (trx: Trx, ids: number): Promise<number[]> =>
  reserveIds(
    trx,
    ids,
    sql`set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`,
  )

async function reserveIds(trx: Trx, ids: number, settings: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`with named as materialized (
      select pg_get_serial_sequence('postback', 'id')::regclass as sequence,
        set_config('tributary.cause', ${CAUSE}, true), ${settings})
    select nextval(sequence) as id from named, generate_series(1, ${ids}::int)`.execute(trx)
  return rows.map((row) => row.id)
}

export async function reservePlayers(trx: Trx, ids: number): Promise<number[]> {
  if (ids === 0) return []
  const { rows } = await sql<{ id: number }>`with named as materialized (
      select pg_get_serial_sequence('player', 'id')::regclass as sequence)
    select nextval(sequence) as id from named, generate_series(1, ${ids}::int)`.execute(trx)
  return rows.map((row) => row.id)
}

export interface PlayerTarget {
  player: PlayerState
  target: PartnerTarget
}

/** Finds attributed players, each with the partner's URLs and macro values. */
export async function findTargets(trx: Trx, playerIds: readonly number[]): Promise<PlayerTarget[]> {
  if (playerIds.length === 0) return []
  const { rows } = await sql<{ player: PlayerState; amount: string | null }>`select
      to_json(p) as player, p.first_deposit_amount as amount
    from player p where p.id = any(${playerIds}::bigint[]) order by p.id`.execute(trx)
  const players = rows.map(readState)
  const targets = await findTargetsOf(trx, players)
  return players.flatMap((player) => {
    const target = targets.get(player.id)
    return target === undefined ? [] : [{ player, target }]
  })
}

type OfferPartnerTarget = Pick<PartnerTarget, 'link_uuid' | 'stream' | 'country' | 'urls' | 'names'>

/** Targets by player id. It reads each partner offer once, because players of a batch usually share a few partner offers. */
export async function findTargetsOf(trx: Trx, players: readonly PlayerState[]): Promise<Map<number, PartnerTarget>> {
  const offerPartners = new Map(
    players.flatMap((player) => (player.offer_partner_id === null ? [] : [[offerPartnerKey(player), player]])),
  )
  if (offerPartners.size === 0) return new Map()
  const ofOfferPartner = await findOfferPartnerTargets(trx, [...offerPartners.values()])
  const landings = await findValues(trx, 'landing', distinctIds(players, 'landing_id'))
  const currencies = await findValues(trx, 'currency', distinctIds(players, 'first_deposit_currency_id'))
  return new Map(
    players.flatMap((player) => {
      const target = ofOfferPartner.get(offerPartnerKey(player))
      if (target === undefined) return []
      const landing = landings.get(player.landing_id) ?? null
      const first_deposit_currency = currencies.get(player.first_deposit_currency_id) ?? null
      return [[player.id, { ...target, landing, first_deposit_currency }]]
    }),
  )
}

const offerPartnerKey = ({ offer_partner_id, partner_id }: PlayerState): string => `${offer_partner_id}|${partner_id}`

const distinctIds = (players: readonly PlayerState[], name: 'landing_id' | 'first_deposit_currency_id'): number[] => [
  ...new Set(players.flatMap((player) => player[name] ?? [])),
]

async function findOfferPartnerTargets(
  trx: Trx,
  players: readonly PlayerState[],
): Promise<Map<string, OfferPartnerTarget>> {
  const { rows } = await sql<OfferPartnerTarget & Pick<PlayerState, 'offer_partner_id' | 'partner_id'>>`select
      w.offer_partner_id, w.partner_id, l.uuid as link_uuid, s.title as stream, c.code as country,
      coalesce((select json_agg(json_build_object('id', u.id, 'url', u.url, 'method', u.method, 'events', u.events,
          'since', u.created_at) order by u.id)
        from partner_postback_url u where u.partner_id = w.partner_id and u.active), '[]') as urls,
      coalesce((select json_object_agg(m.name, m.parameter_name) from (
        select distinct on (lower(e.name)) lower(e.name) as name, e.parameter_name from event e
        cross join lateral (select case when e.partner_id = w.partner_id then 1
          when exists (select from partner_event_group_event ge join partner_event_group g on g.id = ge.partner_event_group_id
            join partner_event_group_partner gp on gp.partner_event_group_id = g.id
            where ge.event_id = e.id and g.active and gp.partner_id = w.partner_id) then 2
          when e.partner_id is null then 3 end as rank) r
        where e.active and r.rank is not null order by lower(e.name), r.rank, e.id) m), '{}') as names
    from unnest(${players.map((player) => player.offer_partner_id)}::int[], ${players.map((player) => player.partner_id)}::int[])
      as w (offer_partner_id, partner_id)
    join offer_partner l on l.id = w.offer_partner_id join partner_stream s on s.id = l.stream_id
    join offer o on o.id = l.offer_id join advertiser_country a on a.id = o.advertiser_country_id
    join country c on c.id = a.country_id`.execute(trx)
  return new Map(
    rows.map(({ offer_partner_id, partner_id, ...target }) => [`${offer_partner_id}|${partner_id}`, target]),
  )
}

async function findValues(
  trx: Trx,
  table: 'landing' | 'currency',
  ids: readonly number[],
): Promise<Map<number | null, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; value: string }>`select id, value from ${sql.table(table)}
    where id = any(${ids}::int[])`.execute(trx)
  return new Map(rows.map(({ id, value }) => [id, value]))
}

export interface DecidedRows {
  players: readonly PlayerState[]
  events: readonly PlayerEventRow[]
  postbacks: readonly PostbackRow[]
}

const FIXED: ReadonlySet<string> = new Set(['id', 'outer_id', 'advertiser_id'])
const COLUMN_LIST = sql.raw(PLAYER_COLUMNS.join(', '))
const CHANGES = sql.raw(
  PLAYER_COLUMNS.filter((name) => !FIXED.has(name))
    .map((name) => `${name} = excluded.${name}`)
    .join(', '),
)
const POSTBACK_NAMES = Object.keys(blankRow(0, '', ''))
const POSTBACK_LIST = sql.raw(POSTBACK_NAMES.join(', '))
/** A first call is due at once, even if this server's clock is ahead of PostgreSQL's. */
const POSTBACK_VALUES = sql.raw(
  POSTBACK_NAMES.map((name) =>
    name === 'next_attempt_at' ? 'case when next_attempt_at > now() then now() else next_attempt_at end' : name,
  ).join(', '),
)

/**
 * Writes everything in one statement. `players` must have each player once, in the final state; the player of each event must exist or be among
 * them. Rows are passed as one json text per table; json parses faster than jsonb.
 */
export async function writeDecided(trx: Trx, { players, events, postbacks }: DecidedRows): Promise<void> {
  await sql`with players as (insert into player (${COLUMN_LIST})
      select ${COLUMN_LIST} from json_populate_recordset(null::player, ${toJson(players)}::json)
      on conflict (id) do update set ${CHANGES}),
    events as (insert into player_event (player_id, type, happened_at, received_at, amount, currency_id, transaction_id, identity, postback_id)
      select player_id, type, happened_at, received_at, amount, currency_id, transaction_id, identity, postback_id
      from json_populate_recordset(null::player_event, ${toJson(events)}::json))
    insert into postback (${POSTBACK_LIST})
      select ${POSTBACK_VALUES} from json_populate_recordset(null::postback, ${toJson(postbacks)}::json)`.execute(trx)
}

/** Omits nulls, because most columns of a row are null. It writes member by member, because filtered copies of rows would double the cost. */
function toJson(rows: readonly object[]): string {
  let text = '['
  for (const row of rows) {
    let separator = text.length > 1 ? ',{' : '{'
    for (const [name, value] of Object.entries(row)) {
      if (value === null) continue
      text += `${separator}"${name}":${JSON.stringify(value)}`
      separator = ','
    }
    text += separator === ',' ? '}' : `${separator}}`
  }
  return `${text}]`
}

/** Assigns a new id to each row. */
export async function numberCalls(trx: Trx, calls: readonly PostbackRow[]): Promise<PostbackRow[]> {
  if (calls.length === 0) return []
  const ids = await beginPostbacks(trx, calls.length)
  return calls.map((row, index) => ({ ...row, id: ids[index] ?? row.id }))
}

export async function writeCalls(trx: Trx, calls: readonly PostbackRow[]): Promise<void> {
  if (calls.length > 0) await writeDecided(trx, { players: [], events: [], postbacks: await numberCalls(trx, calls) })
}
