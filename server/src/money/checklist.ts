// The checklist before a close: what blocks it, and what it warns about.

import type { CloseCheck } from '@tributary/contract/calls/period-close'
import { formatDay, lastDayOf, today } from '@tributary/contract/period'
import type { Issue } from '@tributary/contract/validate'
import type { MessageKey } from '@tributary/contract/words/messages'
import { type RawBuilder, sql } from 'kysely'
import {
  type Db,
  type Engines,
  type RequestContext,
  readBusinessZone,
  withoutScope,
} from '../entities/engine/model/request-context.ts'
import { IS_PAID_BY_PLAYER } from '../entities/rules/closed-player.ts'
import { readReportCurrency } from '../entities/rules/finance.ts'
import { findLeftSpendsOfMonth } from '../entities/spends/left-spends.ts'
import { findMissingDays } from '../entities/spends/missing-days.ts'
import { statementCurrency } from './read-drafts.ts'

type Counts = Record<CloseCheck, number>

const BLOCKING = {
  month_not_over: 'period_not_over',
  facts_rebuilding: 'period_facts_rebuilding',
  rate_missing: 'period_rate_missing',
  billing_rate_missing: 'period_billing_rate_missing',
  claims_open: 'period_claims_open',
} as const satisfies Partial<Record<CloseCheck, MessageKey>>

export const isBlocking = (code: CloseCheck): boolean => code in BLOCKING

/** What blocks the close. Missing rates are named with the first day that needs them. */
export async function readBlocks(
  db: Db,
  engines: Engines,
  month: string,
  partners: readonly number[],
): Promise<Issue[]> {
  const { counts } = await countBlocks(db, engines, month, partners)
  const rates = counts.rate_missing === 0 ? [] : await readMissingRates(db, engines, month, partners)
  const currencies = rates.map(({ currency, since }) => `${currency.value} ${formatDay(since)}`).join(', ')
  return Object.entries(BLOCKING).flatMap(([code, key]) =>
    counts[code as keyof typeof BLOCKING] === 0 ? [] : [{ key, ...(currencies !== '' && { values: { currencies } }) }],
  )
}

interface Checklist {
  readonly counts: Counts
  /** Advertisers with earnings of the month who have not confirmed it. */
  readonly unconfirmed: { id: number; title: string }[]
  /** Ids of the first spends that belong to no agency offer. */
  readonly unallocated: readonly number[]
  /** The offers of players without resolution; null: all offers that have such players. */
  readonly unresolvedOffers: readonly number[] | null
  /** Partners with money of the month whose billing currency has no rate. */
  readonly unrated: readonly number[]
  /** Currencies of amounts that have no rate. */
  readonly rates: MissingRate[]
}

interface ChecklistScope {
  /** Those whom a close would take. */
  readonly partners: readonly number[]
  /** With those for whom the month is closed already: warnings hold for them, too. */
  readonly everyone: readonly number[]
}

export async function readChecklist(
  context: RequestContext,
  month: string,
  { partners, everyone }: ChecklistScope,
): Promise<Checklist> {
  const { engines } = context
  const { db } = engines.postgres
  const { counts: blocks, unrated } = await countBlocks(db, engines, month, partners)
  const unconfirmed = await readUnconfirmed(db, engines, month, everyone)
  const unresolved = await readUnresolved(db, month, everyone)
  const left = await findLeftSpendsOfMonth(db, month, everyone, SPENDS_NAMED)
  // A close covers all its partners, also those whom the caller may not see.
  const missing = await findMissingDays(withoutScope(context), everyone, month)
  const counts = {
    ...blocks,
    spend_unallocated: left.count,
    players_unresolved: unresolved.count,
    spends_missing: missing.reduce((sum, { days }) => sum + days.length, 0),
    advertisers_unconfirmed: unconfirmed.length,
    issuer_missing: await countMissingIssuer(db),
  }
  const rates = counts.rate_missing === 0 ? [] : await readMissingRates(db, engines, month, partners)
  return { counts, unconfirmed, unallocated: left.ids, unrated, rates, unresolvedOffers: unresolved.offers }
}

async function countBlocks(
  db: Db,
  { clickhouse }: Engines,
  month: string,
  partners: readonly number[],
): Promise<{ counts: Pick<Counts, keyof typeof BLOCKING>; unrated: readonly number[] }> {
  const { rows } = await sql<{ claims: number; rebuilds: number }>`select
    (select count(*) from partner_spend s join partner_stream t on t.id = s.stream_id
      where s.active and s.claim_sum is not null and t.partner_id = any(${partners}::int[])
        and s.date between ${`${month}-01`}::date and ${lastDayOf(month)}::date) as claims,
    (select count(*) from facts_rebuild where state in ('waiting', 'running')) as rebuilds`.execute(db)
  const [missing] = await clickhouse.query<{ missing: number }>(
    `select (select count() from activity_fact final where ${WITHIN} and rate_missing = 1)
      + (select count() from spend_fact final where ${WITHIN} and rate_missing = 1) as missing`,
    params(month, partners),
  )
  const unrated = await findUnrated(db, clickhouse, month, partners)
  const counts = {
    month_not_over: today(await readBusinessZone(db)) <= lastDayOf(month) ? 1 : 0,
    facts_rebuilding: rows[0]?.rebuilds ?? 0,
    rate_missing: missing?.missing ?? 0,
    billing_rate_missing: unrated.length,
    claims_open: rows[0]?.claims ?? 0,
  }
  return { counts, unrated }
}

/** Partners with money of the month whose statement could not be converted into their billing currency. */
async function findUnrated(
  db: Db,
  clickhouse: Engines['clickhouse'],
  month: string,
  partners: readonly number[],
): Promise<readonly number[]> {
  const earning = await clickhouse.query<{ id: number }>(
    `select distinct partner_id as id from (
      select partner_id from activity_fact final where ${WITHIN} and (cpa_original != 0 or rs_original != 0)
      union all select partner_id from spend_fact final where ${WITHIN} and is_agency = 1)`,
    params(month, partners),
  )
  const isUnrated = (earned: RawBuilder<unknown>) => sql`not exists (select from currency_rate r
      where r.currency_id = billed.currency_id and r.active and r.date < (${earned} || '-01')::date + interval '1 month')`
  const { rows } = await sql<{ id: number }>`
    select p.id from partner p, lateral (select ${statementCurrency('p.id', month)} as currency_id) as billed
    where p.id = any(${[...partners]}::int[])
      and billed.currency_id is distinct from ${await readReportCurrency(db)}::int
      and (p.id = any(${earning.map(({ id }) => id)}::int[]) and ${isUnrated(sql`${month}::text`)}
        or exists (select from adjustment a where a.partner_id = p.id and a.month = ${month} and a.amount <> 0
          and a.currency_id <> billed.currency_id and ${isUnrated(sql`a.month`)})
        or exists (select from ledger_entry e where e.partner_id = p.id and e.booked_month = ${month} and e.amount <> 0
          and e.currency_id <> billed.currency_id and ${isUnrated(sql`e.earned_month`)}))
    order by p.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** 1 while the settings do not say who issues statements: files of approved ones would never name it. */
async function countMissingIssuer(db: Db): Promise<number> {
  const { rows } = await sql<{ missing: number }>`select count(*)::int as missing from setting
    where coalesce(trim(statement_issuer), '') = ''`.execute(db)
  return rows[0]?.missing ?? 0
}

/** So many ids fit into the address of a list. */
const SPENDS_NAMED = 4000

/**
 * Qualified players of the month without a payment resolution, as a list finds them. If offers without payment by player have such players too,
 * the offers that do pay are named.
 */
async function readUnresolved(
  db: Db,
  month: string,
  partners: readonly number[],
): Promise<{ count: number; offers: readonly number[] | null }> {
  const { rows } = await sql<{ offer: number; players: number; is_paid: boolean }>`
    select t.offer_id as offer, count(*)::int as players, bool_or(${IS_PAID_BY_PLAYER}) as is_paid
    from player t cross join setting s
    where t.active and t.qualification = 'qualified' and t.payment_resolution is null
      and t.qualified_at between ${`${month}-01`}::date and ${lastDayOf(month)}::date and t.partner_id = any(${partners}::int[])
    group by 1 order by 1`.execute(db)
  const paid = rows.filter(({ is_paid }) => is_paid)
  const count = paid.reduce((sum, { players }) => sum + players, 0)
  return { count, offers: paid.length === rows.length ? null : paid.map(({ offer }) => offer) }
}

const WITHIN = 'is_deleted = 0 and day between {from:Date} and {to:Date} and partner_id in {partners:Array(UInt32)}'
const params = (month: string, partners: readonly number[]) => ({ from: `${month}-01`, to: lastDayOf(month), partners })

/** Advertisers with earnings of the month who have not confirmed it. */
async function readUnconfirmed(
  db: Db,
  { clickhouse }: Engines,
  month: string,
  everyone: readonly number[],
): Promise<Checklist['unconfirmed']> {
  const earning = await clickhouse.query<{ id: number }>(
    `select distinct advertiser_id as id from (
      select advertiser_id from activity_fact final where ${WITHIN} and (cpa_original != 0 or rs_original != 0)
      union all select advertiser_id from spend_fact final where ${WITHIN} and is_agency = 1)`,
    params(month, everyone),
  )
  const { rows } = await sql<{ id: number; title: string }>`
    select a.id, a.title from advertiser a where a.id = any(${earning.map(({ id }) => id)}::int[])
      and not exists (select from advertiser_confirmation c where c.advertiser_id = a.id and c.month = ${month})
    order by a.title`.execute(db)
  return rows
}

interface MissingRate {
  readonly currency: { readonly id: number; readonly title: string; readonly value: string }
  /** The first day of the month with an amount that has no rate, 'YYYY-MM-DD'. */
  readonly since: string
}

/** Currencies without a rate, among those of reported amounts, postbacks, prices and spends of the month. */
async function readMissingRates(
  db: Db,
  { clickhouse }: Pick<Engines, 'clickhouse'>,
  month: string,
  partners: readonly number[],
): Promise<MissingRate[]> {
  const [from, to] = [`${month}-01`, lastDayOf(month)]
  const zone = await readBusinessZone(db)
  const prices = await clickhouse.query<{ currency: number; day: string }>(
    `select distinct cpa_currency_id as currency, day from activity_fact final
      where ${WITHIN} and rate_missing = 1 and cpa_currency_id != 0`,
    params(month, partners),
  )
  const { rows } = await sql<{ id: number; title: string; value: string; since: string }>`
    with used as (
      select r.currency_id, r.report_date as day from player_report r join player p on p.id = r.player_id
        where p.active and p.partner_id = any(${[...partners]}::int[]) and r.report_date between ${from}::date and ${to}::date
      union
      select e.currency_id, (e.happened_at at time zone ${zone}::text)::date from player_event e join player p on p.id = e.player_id
        where p.active and p.partner_id = any(${[...partners]}::int[]) and e.happened_at >= ${from}::date - 1
          and e.happened_at < ${to}::date + 2
      union
      select s.currency_id, s.date from partner_spend s join partner_stream t on t.id = s.stream_id
        where s.active and s.sum is not null and t.partner_id = any(${[...partners]}::int[])
          and s.date between ${from}::date and ${to}::date
      union
      select currency, day::date from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb) as t (currency int, day text)
    )
    select c.id, c.title, c.value, min(u.day)::text as since from used u join currency c on c.id = u.currency_id
    where u.day between ${from}::date and ${to}::date and c.id is distinct from (select report_currency_id from setting)
      and not exists (select from currency_rate r where r.currency_id = c.id and r.active and r.date <= u.day)
    group by 1, 2, 3 order by 3`.execute(db)
  return rows.map(({ since, ...currency }) => ({ currency, since }))
}
