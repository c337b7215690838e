// Reads what is booked and writes entries with their items and the frozen rates. Every change of the ledger holds the exclusive lock of closes,
// so that two of them never read the same booked sums.

import { formatMoney, unitsOf } from '@tributary/contract/money'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import type { Cause } from './causes.ts'
import type { DayLine, Item, Lines, PlayerLine } from './ledger-diff.ts'
import { keyText, type LedgerKey, type LedgerKind, type PartnerMonth } from './ledger-key.ts'

/** The same lock as in migration 0220: creating a partner and writing spend take it shared. */
export const lockLedger = (db: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('period_close'))`.execute(db)

export interface Booked {
  readonly key: LedgerKey
  /** Σ entries. */
  readonly total: bigint
  readonly lines: Lines
  /** The latest moment that its entries have read. Not of those of a reopened month: they compare only players who are booked elsewhere. */
  readonly knownAt: Date
}

interface BookedRow {
  partner: number
  month: string
  offerPartner: number
  stream: number
  trafficSource: number
  country: number
  advertiser: number
  kind: LedgerKind
  currency: number
  total: string
  known_at: Date
  players: readonly { player: number; day: string; price: string }[]
  days: readonly { day: string; rate: string; base: string; amount: string }[]
}

/** SQL: all of the key was compared for the entry `e`. Entries of a reopened month compare only players who are booked elsewhere. */
const isWhole = (e: 'e' | 'b'): RawBuilder<boolean> =>
  sql.raw(`(${e}.source <> 'true_up' or exists (select from period_close_partner p where p.partner_id = ${e}.partner_id
    and p.month = ${e}.earned_month and p.created_at <= ${e}.created_at and (p.reopened_at is null or p.reopened_at > ${e}.created_at)))`)

/** The time in which the causes of an entry became known. */
export interface CauseRange {
  /** Null: from the first version on. */
  readonly since: Date | null
  readonly until: Date
  readonly offerPartner: number
  readonly kind: LedgerKind
}

/** From the moment for which all of the entry's key was compared before, until that of the entry. */
export async function readCauseRange(db: Db, entry: number): Promise<CauseRange> {
  const { rows } = await sql<CauseRange>`
    select e.known_at as until, e.offer_partner_id as "offerPartner", e.kind, (
      select max(b.known_at) from ledger_entry b where b.id < e.id and b.partner_id = e.partner_id and b.earned_month = e.earned_month
        and b.offer_partner_id = e.offer_partner_id and b.advertiser_id = e.advertiser_id and b.kind = e.kind and b.currency_id = e.currency_id
        and (b.stream_id, b.traffic_source_id, b.country_id) is not distinct from (e.stream_id, e.traffic_source_id, e.country_id)
        and ${isWhole('b')}) as since
    from ledger_entry e where e.id = ${entry}`.execute(db)
  return rows[0] ?? { since: null, until: new Date(0), offerPartner: 0, kind: 'cpa' }
}

/** By key. A player counts with the last +1 that no −1 has followed. */
export async function readBooked(db: Db, months: readonly PartnerMonth[]): Promise<Map<string, Booked>> {
  const { rows } = await sql<BookedRow>`
    with entry as (
      select e.id, e.amount, e.known_at, e.kind, dense_rank() over (order by partner_id, earned_month, offer_partner_id, stream_id,
          traffic_source_id, country_id, advertiser_id, kind, currency_id) as key_no,
        e.partner_id, e.earned_month, e.offer_partner_id, e.stream_id, e.traffic_source_id, e.country_id, e.advertiser_id, e.currency_id,
        ${isWhole('e')} as is_whole
      from ledger_entry e
        join unnest(${months.map(({ partner }) => partner)}::int[], ${months.map(({ month }) => month)}::text[]) as m (partner, month)
          on m.partner = e.partner_id and m.month = e.earned_month
    ), player as (
      select key_no, jsonb_agg(jsonb_build_object('player', player_id, 'day', day, 'price', base::text)) as players
      from (select e.key_no, i.player_id, sum(i.quantity) as net,
          (array_agg(i.day order by i.id desc) filter (where i.quantity = 1))[1] as day,
          (array_agg(i.base order by i.id desc) filter (where i.quantity = 1))[1] as base
        from entry e join ledger_item i on i.ledger_entry_id = e.id where i.player_id is not null group by 1, 2) as p
      where net > 0 group by key_no
    ), day as (
      select key_no, jsonb_agg(jsonb_build_object('day', day, 'rate', rate::text, 'base', base::text, 'amount', amount::text)) as days
      from (select e.key_no, i.day, i.rate, sum(i.base) as base, sum(i.amount) as amount
        from entry e join ledger_item i on i.ledger_entry_id = e.id where i.player_id is null group by 1, 2, 3) as d
      group by key_no
    ), key as (
      select key_no, min(partner_id) as partner, min(earned_month::text) as month, min(offer_partner_id) as "offerPartner",
        coalesce(min(stream_id), 0) as stream, coalesce(min(traffic_source_id), 0) as "trafficSource", coalesce(min(country_id), 0) as country,
        min(advertiser_id) as advertiser, min(kind) as kind, min(currency_id) as currency, sum(amount) as total,
        max(known_at) filter (where is_whole) as known_at
      from entry group by key_no
    )
    select key.*, coalesce(players, '[]') as players, coalesce(days, '[]') as days
    from key left join player using (key_no) left join day using (key_no)`.execute(db)
  return new Map(
    rows.map(({ total, known_at, players, days, ...row }) => {
      const key = toKey(row)
      return [keyText(key), { key, total: unitsOf(total), knownAt: known_at, lines: toLines(players, days) }]
    }),
  )
}

const toKey = (row: LedgerKey): LedgerKey => ({
  partner: row.partner,
  month: row.month,
  offerPartner: row.offerPartner,
  stream: row.stream,
  trafficSource: row.trafficSource,
  country: row.country,
  advertiser: row.advertiser,
  kind: row.kind,
  currency: row.currency,
})

const toLines = (players: BookedRow['players'], days: BookedRow['days']): Lines => ({
  players: players.map(({ player, day, price }): PlayerLine => ({ player, day, price: unitsOf(price) })),
  days: days.map(
    ({ day, rate, base, amount }): DayLine => ({
      day,
      rate: unitsOf(rate),
      base: unitsOf(base),
      amount: unitsOf(amount),
    }),
  ),
})

export interface NewEntry {
  readonly key: LedgerKey
  readonly bookedMonth: string
  readonly amount: bigint
  readonly source: 'close' | 'reclose' | 'true_up'
  readonly knownAt: Date
  readonly causes: readonly Cause[]
  readonly close: number | null
  readonly items: readonly Item[]
}

/** Writes all entries and items by two statements, and freezes the rates of their months. */
export async function writeEntries(db: Db, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('ledger_entry', 'id')) as id from generate_series(1, ${entries.length}::int)`.execute(
    db,
  )
  const numbered = entries.map((entry, index) => ({ id: rows[index]?.id ?? 0, entry }))
  await sql`insert into ledger_entry (id, partner_id, earned_month, booked_month, offer_partner_id, stream_id, traffic_source_id, country_id,
      advertiser_id, kind, currency_id, amount, source, known_at, causes, period_close_id)
    select id, partner, month, booked, link, nullif(stream, 0), nullif(source_id, 0), nullif(country, 0), advertiser, kind, currency, amount,
      source, known, causes, close
    from jsonb_to_recordset(${JSON.stringify(numbered.map(toEntryRecord))}::jsonb) as e (id bigint, partner int, month text, booked text, link int,
      stream int, source_id int, country int, advertiser int, kind text, currency int, amount numeric, source text, known timestamptz,
      causes jsonb, close int)`.execute(db)
  const items = numbered.flatMap(({ id, entry }) => entry.items.map((item) => toItemRecord(id, item)))
  await sql`insert into ledger_item (ledger_entry_id, player_id, day, quantity, base, rate, amount)
    select entry, player, day, quantity, base, rate, amount
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i (entry bigint, player bigint, day date, quantity smallint, base numeric,
      rate numeric, amount numeric)`.execute(db)
  await freezeRates(db, [...new Set(entries.map(({ key }) => key.month))])
}

const toEntryRecord = ({ id, entry: { key, ...entry } }: { id: number; entry: NewEntry }) => ({
  id,
  partner: key.partner,
  month: key.month,
  booked: entry.bookedMonth,
  link: key.offerPartner,
  stream: key.stream,
  source_id: key.trafficSource,
  country: key.country,
  advertiser: key.advertiser,
  kind: key.kind,
  currency: key.currency,
  amount: formatMoney(entry.amount),
  source: entry.source,
  known: entry.knownAt.toISOString(),
  causes: entry.causes,
  close: entry.close,
})

const toItemRecord = (entry: number, item: Item) => ({
  entry,
  player: item.player,
  day: item.day,
  quantity: item.quantity,
  base: formatMoney(item.base),
  rate: item.rate === null ? null : formatMoney(item.rate),
  amount: formatMoney(item.amount),
})

/** The rates of each month's last day to the report currency, for all currencies that have one. Existing rates stay. */
async function freezeRates(db: Db, months: readonly string[]): Promise<void> {
  await sql`insert into ledger_rate (month, currency_id, rate)
    select m, c.id, r.rate from unnest(${months}::text[]) as m cross join currency c
      cross join lateral (select rate from currency_rate where currency_id = c.id and active
        and date < (m || '-01')::date + interval '1 month' order by date desc limit 1) as r
    on conflict do nothing`.execute(db)
}
