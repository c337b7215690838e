// The checklist before a close: what blocks it, and what it warns about.

import type { CloseCheck } from '@tributary/contract/calls/period-close'
import { lastDayOf, today } from '@tributary/contract/period'
import type { MessageKey } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import {
  type Db,
  type Engines,
  type RequestContext,
  readBusinessZone,
  withoutScope,
} from '../entities/engine/model/request-context.ts'
import { findMissingDays } from '../entities/spends/missing-days.ts'

type Counts = Record<CloseCheck, number>

const BLOCKING = {
  month_not_over: 'period_not_over',
  facts_rebuilding: 'period_facts_rebuilding',
  rate_missing: 'period_rate_missing',
  claims_open: 'period_claims_open',
} as const satisfies Partial<Record<CloseCheck, MessageKey>>

export const isBlocking = (code: CloseCheck): boolean => code in BLOCKING

/** The messages of what blocks the close. */
export async function readBlocks(
  db: Db,
  engines: Engines,
  month: string,
  partners: readonly number[],
): Promise<MessageKey[]> {
  const counts = await countBlocks(db, engines, month, partners)
  return Object.entries(BLOCKING).flatMap(([code, key]) => (counts[code as keyof typeof BLOCKING] > 0 ? [key] : []))
}

interface Checklist {
  readonly counts: Counts
  /** Advertisers with earnings of the month who have not confirmed it. */
  readonly unconfirmed: { id: number; title: string }[]
  /** Ids of the first spends that belong to no agency offer. */
  readonly unallocated: readonly number[]
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
  const blocks = await countBlocks(db, engines, month, partners)
  const { unconfirmed, unallocated, ...warnings } = await readWarnings(db, engines, month, everyone)
  // A close covers all its partners, also those whom the caller may not see.
  const missing = await findMissingDays(withoutScope(context), everyone, month)
  const counts = {
    ...blocks,
    ...warnings,
    spends_missing: missing.reduce((sum, { days }) => sum + days.length, 0),
    advertisers_unconfirmed: unconfirmed.length,
  }
  return { counts, unconfirmed, unallocated }
}

async function countBlocks(
  db: Db,
  { clickhouse }: Engines,
  month: string,
  partners: readonly number[],
): Promise<Pick<Counts, keyof typeof BLOCKING>> {
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
  return {
    month_not_over: today(await readBusinessZone(db)) <= lastDayOf(month) ? 1 : 0,
    facts_rebuilding: rows[0]?.rebuilds ?? 0,
    rate_missing: missing?.missing ?? 0,
    claims_open: rows[0]?.claims ?? 0,
  }
}

/** So many ids fit into the address of a list. */
const SPENDS_NAMED = 500

const WITHIN = 'is_deleted = 0 and day between {from:Date} and {to:Date} and partner_id in {partners:Array(UInt32)}'
const params = (month: string, partners: readonly number[]) => ({ from: `${month}-01`, to: lastDayOf(month), partners })

async function readWarnings(
  db: Db,
  { clickhouse }: Engines,
  month: string,
  everyone: readonly number[],
): Promise<
  Omit<Counts, keyof typeof BLOCKING | 'advertisers_unconfirmed' | 'spends_missing'> &
    Pick<Checklist, 'unconfirmed' | 'unallocated'>
> {
  const [counts] = await clickhouse.query<{
    unresolved: number
    spends: number
    unallocated: number[]
    advertisers: number[]
  }>(
    `select
      (select count() from player_fact final where is_deleted = 0 and qualified_day between {from:Date} and {to:Date}
        and partner_id in {partners:Array(UInt32)} and cpa_spend != 0 and payment_resolution = 'none') as unresolved,
      (select count() from spend_fact final where ${WITHIN} and is_agency = 0) as spends,
      (select arraySort(groupArray(${SPENDS_NAMED})(spend_id)) from spend_fact final where ${WITHIN} and is_agency = 0) as unallocated,
      (select arrayDistinct(arrayConcat(
        (select groupUniqArray(advertiser_id) from activity_fact final where ${WITHIN} and (cpa_original != 0 or rs_original != 0)),
        (select groupUniqArray(advertiser_id) from spend_fact final where ${WITHIN} and is_agency = 1)))) as advertisers`,
    params(month, everyone),
  )
  const { rows: unconfirmed } = await sql<{ id: number; title: string }>`
    select a.id, a.title from advertiser a where a.id = any(${counts?.advertisers ?? []}::int[])
      and not exists (select from advertiser_confirmation c where c.advertiser_id = a.id and c.month = ${month})
    order by a.title`.execute(db)
  return {
    players_unresolved: counts?.unresolved ?? 0,
    unconfirmed,
    spend_unallocated: counts?.spends ?? 0,
    unallocated: counts?.unallocated ?? [],
  }
}
