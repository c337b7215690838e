// Finds the players and spends that depend on a shared row (a partner offer, an offer, a rate). Yields ids in pieces, so that a million ids never
// stand in memory.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { Postgres } from '../postgres/client.ts'

type Pool = Pick<Postgres, 'pool'>

/** Each month that a piece touches costs ClickHouse a set of files, so pieces are large. */
const PIECE = 5000
/** Players are scanned in blocks of ids. */
const BLOCK = 50_000

/** Ids above the last piece's, in order: `sql` has the last id as $1 and the size as $2, then the values. */
async function* pieces({ pool }: Pool, sql: string, values: readonly unknown[] = []): AsyncGenerator<number[]> {
  for (let after = 0; ; ) {
    const { rows } = await pool.query<{ id: number }>(sql, [after, PIECE, ...values])
    const ids = rows.map((row) => row.id)
    if (ids.length > 0) yield ids
    if (ids.length < PIECE) return
    after = ids.at(-1) ?? after
  }
}

export interface PlayerOfOfferPartner {
  readonly id: number
  readonly offerPartnerId: number
}

/** Players of any of the partner offers, by blocks of ids: one scan serves all. */
export async function* playersOfOfferPartners(
  { pool }: Pool,
  offerPartnerIds: readonly number[],
): AsyncGenerator<PlayerOfOfferPartner[]> {
  if (offerPartnerIds.length === 0) return
  const last = await lastPlayer({ pool })
  for (let from = 0; from < last; from += BLOCK) {
    const { rows } = await pool.query<PlayerOfOfferPartner>(
      `select id, offer_partner_id as "offerPartnerId" from player
        where offer_partner_id = any($1) and id > $2 and id <= $3 order by id`,
      [offerPartnerIds, from, from + BLOCK],
    )
    for (let at = 0; at < rows.length; at += PIECE) yield rows.slice(at, at + PIECE)
  }
}

async function lastPlayer({ pool }: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('select coalesce(max(id), 0) as id from player')
  return rows[0]?.id ?? 0
}

export const allPlayers = (postgres: Pool): AsyncGenerator<number[]> =>
  pieces(postgres, 'select id from player where id > $1 order by id limit $2')

export const allSpends = (postgres: Pool): AsyncGenerator<number[]> =>
  pieces(postgres, 'select id from partner_spend where id > $1 order by id limit $2')

export const spendsOfStreams = (postgres: Pool, streamIds: readonly number[]): AsyncGenerator<number[]> =>
  pieces(postgres, 'select id from partner_spend where id > $1 and stream_id = any($3) order by id limit $2', [
    streamIds,
  ])

/** Spends of the partner offers' streams, and spends that facts still assign to the partner offers. */
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
  const given = await clickhouse.query<{ id: number }>(
    `select spend_id as id from spend_fact final
      where offer_partner_id in {ids:Array(UInt32)} and is_deleted = 0 order by id`,
    { ids: offerPartnerIds },
  )
  for (let at = 0; at < given.length; at += PIECE) yield given.slice(at, at + PIECE).map((row) => row.id)
}

export async function offerPartnersOfOffers(
  { pool }: Pool,
  offerIds: readonly number[],
): Promise<{ id: number; offerId: number }[]> {
  const sql = 'select id, offer_id as "offerId" from offer_partner where offer_id = any($1)'
  const { rows } = await pool.query<{ id: number; offerId: number }>(sql, [offerIds])
  return rows
}

export async function offersOfPaymentModels({ pool }: Pool, ids: readonly number[]): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>('select id from offer where payment_model_id = any($1)', [ids])
  return rows.map((row) => row.id)
}

/** Rates of a currency as they are now, and the first day from which they differ from those that facts were computed with. */
export interface RateChange {
  readonly currencyId: number
  /** Null: nothing differs. */
  readonly since: string | null
  readonly rates: readonly { date: string; rate: string }[]
}

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

export async function readAllRates(postgres: Pool): Promise<RateChange[]> {
  const { rows } = await postgres.pool.query<{ id: number }>('select id from currency order by id')
  const changes: RateChange[] = []
  for (const { id } of rows) changes.push(await readRateChange(postgres, id))
  return changes
}

export async function keepRates({ pool }: Pool, { currencyId, rates }: RateChange): Promise<void> {
  await pool.query(
    `with gone as (delete from facts_rate where currency_id = $1 and not date = any($2::date[]))
      insert into facts_rate (currency_id, date, rate) select $1, * from unnest($2::date[], $3::numeric[])
      on conflict (currency_id, date) do update set rate = excluded.rate where facts_rate.rate <> excluded.rate`,
    [currencyId, rates.map((row) => row.date), rates.map((row) => row.rate)],
  )
}

/** A day earlier than the first one in the business zone, whatever the zone. */
const PLAYERS_BY_RATE = `select p.id from player p
    join advertiser a on a.id = p.advertiser_id
    left join offer_partner l on l.id = p.offer_partner_id
    left join offer o on o.id = l.offer_id
  where p.id > $1 and p.id <= $2 and (
    exists (select from player_event e where e.player_id = p.id and e.happened_at >= $4::date - 1
      and $3 in (coalesce(e.currency_id, l.currency_id, a.default_currency_id), l.currency_id, o.currency_id))
    or exists (select from player_report r where r.player_id = p.id and r.report_date >= $4::date
      and $3 in (r.currency_id, l.currency_id, o.currency_id))
    or (p.qualified_at >= $4::date and $3 in (l.currency_id, o.currency_id)))
  order by p.id`

/** Players with an amount on or after the day that the currency's rate can move. */
export async function* playersByRate({ pool }: Pool, currencyId: number, since: string): AsyncGenerator<number[]> {
  const last = await lastPlayer({ pool })
  for (let from = 0; from < last; from += BLOCK) {
    const { rows } = await pool.query<{ id: number }>(PLAYERS_BY_RATE, [from, from + BLOCK, currencyId, since])
    for (let at = 0; at < rows.length; at += PIECE) yield rows.slice(at, at + PIECE).map((row) => row.id)
  }
}

export const spendsByRate = (postgres: Pool, currencyId: number, since: string): AsyncGenerator<number[]> =>
  pieces(
    postgres,
    'select id from partner_spend where id > $1 and currency_id = $3 and date >= $4 order by id limit $2',
    [currencyId, since],
  )
