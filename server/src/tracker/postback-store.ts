// The record's side of postbacks: writing what was decided, for one postback or for thousands at once, and whom a partner's calls go to.

import { sql, type Transaction } from 'kysely'
import type { Database } from '../postgres/tables.ts'
import type { PartnerTarget } from './partner-told.ts'
import { readState } from './postback-lookup.ts'
import { blankRow, PLAYER_COLUMNS, type PlayerEventRow, type PlayerState, type PostbackRow } from './postback-rows.ts'

type Trx = Transaction<Database>

const CAUSE = 'postback'

/** Names the cause of all that follows in the transaction, and takes the next ids of postbacks. */
export async function beginPostbacks(trx: Trx, ids: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('postback', 'id')) as id
    from generate_series(1, ${ids}::int), (select set_config('tributary.cause', ${CAUSE}, true)) named`.execute(trx)
  return rows.map((row) => row.id)
}

export async function reservePlayers(trx: Trx, ids: number): Promise<number[]> {
  if (ids === 0) return []
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('player', 'id')) as id
    from generate_series(1, ${ids}::int)`.execute(trx)
  return rows.map((row) => row.id)
}

const TARGET = sql`l.uuid as link_uuid, s.title as stream, c.code as country,
  (select value from landing where id = p.landing_id) as landing,
  (select value from currency where id = p.first_deposit_currency_id) as first_deposit_currency,
  coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'url', u.url, 'method', u.method, 'events', u.events,
      'since', u.created_at) order by u.id)
    from partner_postback_url u where u.partner_id = p.partner_id and u.active), '[]') as urls,
  coalesce((select jsonb_object_agg(m.name, m.parameter_name) from (
    select distinct on (lower(e.name)) lower(e.name) as name, e.parameter_name from event e
    cross join lateral (select case when e.partner_id = p.partner_id then 1
      when exists (select from partner_event_group_event ge join partner_event_group g on g.id = ge.partner_event_group_id
        join partner_event_group_partner gp on gp.partner_event_group_id = g.id
        where ge.event_id = e.id and g.active and gp.partner_id = p.partner_id) then 2
      when e.partner_id is null then 3 end as rank) r
    where e.active and r.rank is not null order by lower(e.name), r.rank, e.id) m), '{}') as names`
const TARGET_JOINS = sql`join offer_partner l on l.id = p.offer_partner_id join partner_stream s on s.id = l.stream_id
  join offer o on o.id = l.offer_id join advertiser_country a on a.id = o.advertiser_country_id join country c on c.id = a.country_id`

export interface PlayerTarget {
  player: PlayerState
  target: PartnerTarget
}

/** Players that belong to a link, each with what the partner is told with. Their rows are written already. */
export async function findTargets(trx: Trx, playerIds: readonly number[]): Promise<PlayerTarget[]> {
  if (playerIds.length === 0) return []
  const { rows } = await sql<{ player: PlayerState; amount: string | null } & PartnerTarget>`select
      to_jsonb(p) as player, p.first_deposit_amount as amount, ${TARGET}
    from player p ${TARGET_JOINS} where p.id = any(${playerIds}::bigint[]) order by p.id`.execute(trx)
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

const POSTBACK_LIST = sql.raw(Object.keys(blankRow(0, '', '')).join(', '))

async function writePostbacks(trx: Trx, postbacks: readonly PostbackRow[]): Promise<void> {
  await sql`insert into postback (${POSTBACK_LIST})
    select ${POSTBACK_LIST} from jsonb_populate_recordset(null::postback, ${JSON.stringify(postbacks)}::jsonb)`.execute(
    trx,
  )
}

/** Gives each row the next id, and writes them. */
export async function writeCalls(trx: Trx, calls: readonly PostbackRow[]): Promise<void> {
  if (calls.length === 0) return
  const ids = await beginPostbacks(trx, calls.length)
  await writePostbacks(
    trx,
    calls.map((row, index) => ({ ...row, id: ids[index] ?? row.id })),
  )
}
