// Reads and writes many spends in single statements, each change with its entry in the audit log.

import type { SPEND_SOURCES } from '@tributary/contract/entities/partner-spend'
import type { Period } from '@tributary/contract/period'
import { sql } from 'kysely'
import { type Fragment, typed } from '../engine/model/model.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import { CellMap } from './cell-map.ts'
import type { SpendCell } from './spend-cell.ts'

export type SpendSource = (typeof SPEND_SOURCES)[number]

/** A spend as stored. */
export interface StoredSpend extends SpendCell {
  readonly id: number
  /** The accepted sum; null while only a claim exists. */
  readonly sum: string | null
  readonly currency: number
  readonly source: SpendSource
  readonly claim: string | null
  /** Null without a claim. */
  readonly claimCurrency: number | null
  readonly active: boolean
  readonly offerPartner: number | null
  readonly version: number
  readonly keepsPercentage: boolean
}

const COLUMNS = sql`s.id, s.stream_id as stream, s.country_id as country, s.site_id as site, s.date as day, s.sum, s.currency_id as currency,
  s.source, s.claim_sum as claim, s.claim_currency_id as "claimCurrency", s.active, s.offer_partner_id as "offerPartner", s.version, s.keeps_percentage as "keepsPercentage"`

/** Spends of the streams in the period, in the order of their ids; `isLocked` locks them until the transaction ends. */
export async function readSpends(
  db: Db,
  streams: readonly number[],
  { from, to }: Period,
  isLocked = false,
): Promise<StoredSpend[]> {
  const { rows } = await sql<StoredSpend>`select ${COLUMNS} from partner_spend s
    where s.stream_id = any(${streams}::int[]) and s.date between ${from}::date and ${to}::date
    order by s.id ${isLocked ? sql`for no key update of s` : sql``}`.execute(db)
  return rows
}

export interface NewSpend extends SpendCell {
  readonly sum: string
  readonly currency: number
  readonly offerPartner: number
}

export interface ChangedSpend extends Pick<NewSpend, 'sum' | 'currency' | 'offerPartner'> {
  readonly id: number
  /** The sum equals the claim, which is accepted with it. */
  readonly acceptsClaim: boolean
}

export interface SpendChanges {
  readonly source: SpendSource
  readonly added: readonly NewSpend[]
  readonly changed: readonly ChangedSpend[]
  /** Spends that are deleted. */
  readonly removed: readonly number[]
  /** Spends that lose the accepted sum and keep the claim. */
  readonly released: readonly number[]
}

const PORTION = 5000

/** Returns the places that another transaction has filled meanwhile, there or with another site; nothing is added there. */
export async function writeSpends(db: Db, context: RequestContext, changes: SpendChanges): Promise<SpendCell[]> {
  const { source, added, changed, removed, released } = changes
  const taken: SpendCell[] = []
  // First, because a day's spend may move from one site to another.
  if (removed.length > 0) await removeSpends(db, context, removed)
  if (released.length > 0) await releaseSpends(db, context, released)
  for (const rows of portions(changed)) await updateSpends(db, context, source, rows)
  // In one order for all writers, so that two of them do not wait for each other.
  for (const rows of portions(added.toSorted(byPlace))) taken.push(...(await insertSpends(db, context, source, rows)))
  return taken
}

function* portions<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += PORTION) yield rows.slice(at, at + PORTION)
}

const byPlace = (a: NewSpend, b: NewSpend): number =>
  a.stream - b.stream || a.country - b.country || compare(a.site ?? '', b.site ?? '') || compare(a.day, b.day)
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A row of the audit log, as the store writes it. A record is turned into JSON at once, which takes a third of the time of its fields one by one. */
const fieldsOf = (
  row: Fragment,
): Fragment => sql`(select to_jsonb(fields) from (select ${row}.id, ${row}.active, ${row}.stream_id as stream,
  ${row}.site_id, ${row}.country_id as country, ${row}.date, ${row}.sum::text as sum, ${row}.currency_id as currency,
  ${row}.claim_sum::text as claim_sum, ${row}.claim_currency_id as claim_currency, ${row}.claim_by_id as claim_by,
  to_char(${row}.claim_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as claim_at, ${row}.accepted_by_id as accepted_by, ${row}.state,
  ${row}.source, ${row}.offer_partner_id as offer_partner, ${row}.version) as fields)`
const ROW = fieldsOf(sql.ref('s'))
/** What an update returns: the id, and the fields before and after it. */
const REPLACED = sql`new.id, ${fieldsOf(sql.ref('old'))} as before, ${fieldsOf(sql.ref('new'))} as after`

const audit = (
  { userId, requestId }: RequestContext,
  action: 'create' | 'update' | 'delete',
  [before, after]: readonly [Fragment, Fragment],
): Fragment => sql`insert into audit_log (user_id, action, entity, entity_id, before, after, request_id, cause)
  select ${userId}::int, ${action}::text, 'partner_spend', s.id, ${before}, ${after}, ${requestId}::text,
    nullif(current_setting('tributary.cause', true), '')`

async function insertSpends(
  db: Db,
  context: RequestContext,
  source: SpendSource,
  rows: readonly NewSpend[],
): Promise<SpendCell[]> {
  const { rows: answer } = await sql<{ ids: number[] | null }>`with s as (
      insert into partner_spend (stream_id, country_id, site_id, date, sum, currency_id, source, offer_partner_id)
      select stream, country, site, day, sum, currency, ${source}::text, "offerPartner"
      from jsonb_to_recordset(${typed(JSON.stringify(rows), 'jsonb')})
        as t (stream int, country int, site text, day date, sum numeric, currency int, "offerPartner" int)
      on conflict do nothing
      returning *
    ), noted as (${audit(context, 'create', [sql`null`, ROW])} from s)
    select case when count(*) < ${rows.length}::int then coalesce(array_agg(id), '{}') end as ids from s`.execute(db)
  const ids = answer[0]?.ids ?? null
  if (ids === null) return []
  const inserted = await sql<SpendCell>`select stream_id as stream, country_id as country, site_id as site, date as day
    from partner_spend where id = any(${ids}::bigint[])`.execute(db)
  const done = CellMap.of(inserted.rows)
  return rows.filter((row) => !done.has(row))
}

async function updateSpends(
  db: Db,
  context: RequestContext,
  source: SpendSource,
  rows: readonly ChangedSpend[],
): Promise<void> {
  await sql`with given as (
      select * from jsonb_to_recordset(${typed(JSON.stringify(rows), 'jsonb')})
        as t (id bigint, sum numeric, currency int, "offerPartner" int, "acceptsClaim" boolean)
    ), s as (
      update partner_spend p set sum = g.sum, currency_id = g.currency, source = ${source}::text, offer_partner_id = g."offerPartner", active = true,
        claim_sum = case when not g."acceptsClaim" then p.claim_sum end,
        claim_currency_id = case when not g."acceptsClaim" then p.claim_currency_id end, claim_by_id = case when not g."acceptsClaim" then p.claim_by_id end,
        claim_at = case when not g."acceptsClaim" then p.claim_at end,
        accepted_by_id = case when g."acceptsClaim" then ${context.userId}::int else p.accepted_by_id end
      from given g where p.id = g.id returning ${REPLACED}
    ) ${audit(context, 'update', [sql`s.before`, sql`s.after`])} from s`.execute(db)
}

async function removeSpends(db: Db, context: RequestContext, ids: readonly number[]): Promise<void> {
  await sql`with s as (delete from partner_spend where id = any(${ids}::bigint[]) returning *)
    ${audit(context, 'delete', [ROW, sql`null`])} from s`.execute(db)
}

async function releaseSpends(db: Db, context: RequestContext, ids: readonly number[]): Promise<void> {
  await sql`with s as (update partner_spend set sum = null, source = 'manual' where id = any(${ids}::bigint[]) returning ${REPLACED})
    ${audit(context, 'update', [sql`s.before`, sql`s.after`])} from s`.execute(db)
}
