// Finds the players and spends that depend on a shared row (a partner offer, an offer, a rate).
// It yields ids in pieces, so that a million ids are never in memory at once.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { Postgres } from '../postgres/client.ts'

type Pool = Pick<Postgres, 'pool'>

/** ClickHouse writes a set of files for each month of a piece, so pieces are large. */
const PIECE_SIZE = 5000
/** Ids per scan of the player table. */
const BLOCK_SIZE = 50_000

/** Yields ids in ascending order. `sql` gets the last id so far as $1, the piece size as $2, then `values`. */
async function* readIdPieces({ pool }: Pool, sql: string, values: readonly unknown[] = []): AsyncGenerator<number[]> {
  for (let after = 0; ; ) {
    const { rows } = await pool.query<{ id: number }>(sql, [after, PIECE_SIZE, ...values])
    const ids = rows.map((row) => row.id)
    if (ids.length > 0) yield ids
    if (ids.length < PIECE_SIZE) return
    after = ids.at(-1) ?? after
  }
}

/** A player and the partner offer that it belongs to. */
export interface PlayerOfOfferPartner {
  readonly id: number
  readonly offerPartnerId: number
}

/** Players of any of these partner offers. One scan of the table serves all of them. */
export async function* playersOfOfferPartners(
  { pool }: Pool,
  offerPartnerIds: readonly number[],
): AsyncGenerator<PlayerOfOfferPartner[]> {
  if (offerPartnerIds.length === 0) return
  const last = await readLastPlayerId({ pool })
  for (let from = 0; from < last; from += BLOCK_SIZE) {
    const { rows } = await pool.query<PlayerOfOfferPartner>(
      `select id, offer_partner_id as "offerPartnerId" from player
        where offer_partner_id = any($1) and id > $2 and id <= $3 order by id`,
      [offerPartnerIds, from, from + BLOCK_SIZE],
    )
    for (let at = 0; at < rows.length; at += PIECE_SIZE) yield rows.slice(at, at + PIECE_SIZE)
  }
}

async function readLastPlayerId({ pool }: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('select coalesce(max(id), 0) as id from player')
  return rows[0]?.id ?? 0
}

/** Ids of all players, in pieces. */
export const allPlayers = (postgres: Pool): AsyncGenerator<number[]> =>
  readIdPieces(postgres, 'select id from player where id > $1 order by id limit $2')

/** Ids of all spends, in pieces. */
export const allSpends = (postgres: Pool): AsyncGenerator<number[]> =>
  readIdPieces(postgres, 'select id from partner_spend where id > $1 order by id limit $2')

/** Ids of the spends of these streams, in pieces. */
export const spendsOfStreams = (postgres: Pool, streamIds: readonly number[]): AsyncGenerator<number[]> =>
  readIdPieces(postgres, 'select id from partner_spend where id > $1 and stream_id = any($3) order by id limit $2', [
    streamIds,
  ])

/** Spends of the partner offers' streams, then spends that ClickHouse still assigns to these partner offers. */
export async function* spendsOfOfferPartners(
  postgres: Pool,
  clickhouse: Clickhouse,
  offerPartnerIds: readonly number[],
): AsyncGenerator<number[]> {
  if (offerPartnerIds.length === 0) return
  const { rows } = await postgres.pool.query<{ stream_id: number }>(
    'select distinct stream_id from offer_partner where id = any($1)',
    [offerPartnerIds],
  )
  yield* spendsOfStreams(
    postgres,
    rows.map((row) => row.stream_id),
  )
  const assigned = await clickhouse.query<{ id: number }>(
    `select spend_id as id from spend_fact final
      where offer_partner_id in {ids:Array(UInt32)} and is_deleted = 0 order by id`,
    { ids: offerPartnerIds },
  )
  for (let at = 0; at < assigned.length; at += PIECE_SIZE)
    yield assigned.slice(at, at + PIECE_SIZE).map((row) => row.id)
}

/** The partner offers of these offers. */
export async function offerPartnersOfOffers(
  { pool }: Pool,
  offerIds: readonly number[],
): Promise<{ id: number; offerId: number }[]> {
  const sql = 'select id, offer_id as "offerId" from offer_partner where offer_id = any($1)'
  const { rows } = await pool.query<{ id: number; offerId: number }>(sql, [offerIds])
  return rows
}

/** Offers that have one of these payment models, now or by a range. */
export async function offersOfPaymentModels({ pool }: Pool, ids: readonly number[]): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `select id from offer where payment_model_id = any($1)
      union select offer_id from offer_payment_model_history where value_id = any($1)`,
    [ids],
  )
  return rows.map((row) => row.id)
}

/** The current rates of a currency, and the first day on which they differ from the rates that facts were computed with. */
export interface RateChange {
  readonly currencyId: number
  /** Business day; null if nothing differs. */
  readonly since: string | null
  readonly rates: readonly { date: string; rate: string }[]
}

/** The rates of a currency, and the first day from which they differ from those that facts use; null if none does. */
export async function readRateChange({ pool }: Pool, currencyId: number): Promise<RateChange> {
  const { rows: changed } = await pool.query<{ since: string | null }>(
    `select min(date) as since
      from (select date, rate from currency_rate where currency_id = $1 and active) now
        full join (select date, rate from facts_rate where currency_id = $1) used using (date)
      where now.rate is distinct from used.rate`,
    [currencyId],
  )
  const { rows: rates } = await pool.query<{ date: string; rate: string }>(
    'select date, rate from currency_rate where currency_id = $1 and active',
    [currencyId],
  )
  return { currencyId, since: changed[0]?.since ?? null, rates }
}

/** Reads `readRateChange` of every currency. */
export async function readAllRates(postgres: Pool): Promise<RateChange[]> {
  const { rows } = await postgres.pool.query<{ id: number }>('select id from currency order by id')
  const changes: RateChange[] = []
  for (const { id } of rows) changes.push(await readRateChange(postgres, id))
  return changes
}

/** Stores the rates of a currency as those that facts use. */
export async function storeRates({ pool }: Pool, { currencyId, rates }: RateChange): Promise<void> {
  await pool.query(
    `with gone as (delete from facts_rate where currency_id = $1 and not date = any($2::date[]))
      insert into facts_rate (currency_id, date, rate) select $1, * from unnest($2::date[], $3::numeric[])
      on conflict (currency_id, date) do update set rate = excluded.rate where facts_rate.rate <> excluded.rate`,
    [currencyId, rates.map((row) => row.date), rates.map((row) => row.rate)],
  )
}

/**
 * Starts one day early, because the business day may begin before the UTC day. A partner offer is priced in a currency if it, its offer, or a
 * range of either has it.
 */
const PLAYERS_BY_RATE = `with priced as materialized (
    select l.id from offer_partner l join offer o on o.id = l.offer_id
    where $3 in (l.currency_id, o.currency_id)
      or exists (select from offer_partner_currency_history h where h.offer_partner_id = l.id and h.value_id = $3)
      or exists (select from offer_terms_history h where h.offer_id = o.id and h.currency_id = $3)
  )
  select p.id from player p
    join advertiser a on a.id = p.advertiser_id
    left join priced l on l.id = p.offer_partner_id
  where p.id > $1 and p.id <= $2 and (
    exists (select from player_event e where e.player_id = p.id and e.happened_at >= $4::date - 1
      and (l.id is not null or $3 = coalesce(e.currency_id, a.default_currency_id)))
    or exists (select from player_report r where r.player_id = p.id and r.report_date >= $4::date
      and (l.id is not null or $3 = r.currency_id))
    or (p.qualified_at >= $4::date and l.id is not null))
  order by p.id`

/** Players with an amount on or after `since` that the currency's rate can change. */
export async function* playersByRate({ pool }: Pool, currencyId: number, since: string): AsyncGenerator<number[]> {
  const last = await readLastPlayerId({ pool })
  for (let from = 0; from < last; from += BLOCK_SIZE) {
    const { rows } = await pool.query<{ id: number }>(PLAYERS_BY_RATE, [from, from + BLOCK_SIZE, currencyId, since])
    for (let at = 0; at < rows.length; at += PIECE_SIZE) yield rows.slice(at, at + PIECE_SIZE).map((row) => row.id)
  }
}

/** Ids of the spends in a currency from a day on, in pieces. */
export const spendsByRate = (postgres: Pool, currencyId: number, since: string): AsyncGenerator<number[]> =>
  readIdPieces(
    postgres,
    'select id from partner_spend where id > $1 and currency_id = $3 and date >= $4 order by id limit $2',
    [currencyId, since],
  )
