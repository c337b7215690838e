// Closes a month, reopens it, and books true-ups. A close takes its partners, its rows and its entries in one transaction.

import { sql } from 'kysely'
import type { Clickhouse } from '../clickhouse/client.ts'
import { entityNamed } from '../entities/engine/model/model.ts'
import type { Db, RequestContext } from '../entities/engine/model/request-context.ts'
import { insertAudited, updateAudited } from '../entities/engine/save/write.ts'
import { changeRecord } from '../entities/engine/store.ts'
import { waitForFacts } from '../facts/catch-up.ts'
import { readWatermark } from '../facts/watermark.ts'
import { AppError } from '../lib/app-error.ts'
import type { Postgres } from '../postgres/client.ts'
import { bookDifferences, readClosedMonths } from './book.ts'
import { readBlocks } from './checklist.ts'
import { lockLedger } from './ledger-store.ts'

const periodClose = entityNamed('period_close')
const periodClosePartner = entityNamed('period_close_partner')

export interface CloseRequest {
  readonly month: string
  readonly group: number | null
}

/** Facts are behind the record by less than a second, unless much has changed. */
const FACTS_WAIT_MS = 15_000

/** Closes a month, as `closeMonths` does. */
export async function closeMonth(context: RequestContext, { month, group }: CloseRequest): Promise<number> {
  const [close] = await closeMonths(context, [month], group)
  if (close === undefined) throw new Error('a month has one close')
  return close
}

/**
 * Closes months together. Returns the ids of the closes, which contain every change committed before the call. Throws `conflict` if the checklist blocks it, if no
 * partner is left to close, or if the facts do not follow in time.
 */
export async function closeMonths(
  context: RequestContext,
  names: readonly string[],
  group: number | null,
): Promise<number[]> {
  if (!(await waitForFacts(context.engines, FACTS_WAIT_MS)))
    throw new AppError('conflict', { issues: { month: [{ key: 'period_facts_rebuilding' }] } })
  return changeRecord(context, 'close month', async (db) => {
    // One close at a time waits for the ledger: more of them would hold every connection that the first one needs.
    if (!(await lockClosing(db)))
      throw new AppError('conflict', { issues: { month: [{ key: 'period_close_running' }] } })
    await lockLedger(db)
    const { record: knownAt } = await readWatermark(context.engines.postgres)
    const written: { readonly close: number; readonly partners: readonly number[] }[] = []
    for (const month of names) written.push(await writeClose(db, context, { month, group }, knownAt))
    const months = await readClosedMonths(db, [...new Set(written.flatMap(({ partners }) => partners))])
    const closes = written.map(({ close }) => close)
    await bookDifferences(db, context.engines.clickhouse, months, { knownAt, closes })
    return closes
  })
}

/** False if another close is being written. */
async function lockClosing(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_free: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('period_close'), 1) as is_free`.execute(db)
  return rows[0]?.is_free === true
}

async function writeClose(
  db: Db,
  context: RequestContext,
  { month, group }: CloseRequest,
  knownAt: Date,
): Promise<{ close: number; partners: readonly number[] }> {
  const partners = await readOpenPartners(db, month, group)
  if (partners.length === 0) throw new AppError('conflict', { issues: { month: [{ key: 'period_nobody' }] } })
  const blocks = await readBlocks(db, context.engines, month, partners)
  if (blocks.length > 0) throw new AppError('conflict', { issues: { month: blocks } })
  const close = await insertAudited(db, context, periodClose, {
    month,
    partner_group: group,
    closed_at: new Date().toISOString(),
    closed_by: context.userId,
    known_at: knownAt.toISOString(),
  })
  await sql`insert into period_close_partner (period_close_id, month, partner_id)
    select ${close}, ${month}, unnest(${partners}::int[])`.execute(db)
  return { close, partners }
}

/** Partners for whom the month is not closed: members of the group, or all. */
export const readOpenPartners = async (db: Db, month: string, group: number | null): Promise<number[]> =>
  (await readPartnersOf(db, month, group)).flatMap(({ id, is_closed }) => (is_closed ? [] : [id]))

/** Members of the group, or all partners, and whether the month is closed for each. */
export async function readPartnersOf(
  db: Db,
  month: string,
  group: number | null,
): Promise<{ id: number; is_closed: boolean }[]> {
  const { rows } = await sql<{ id: number; is_closed: boolean }>`select p.id,
      exists (select from period_close_partner c where c.partner_id = p.id and c.month = ${month} and c.reopened_at is null) as is_closed
    from partner p
    where ${group}::int is null or exists (select from partner_partner_group g
        where g.partner_id = p.id and g.partner_group_id = ${group}::int and g.active)
    order by p.id`.execute(db)
  return rows
}

/** The numbers of partners and entries of a close. */
export async function readCloseSize(db: Db, close: number): Promise<{ partners: number; entries: number }> {
  const { rows } = await sql<{ partners: number; entries: number }>`select
    (select count(*) from period_close_partner where period_close_id = ${close}) as partners,
    (select count(*) from ledger_entry where period_close_id = ${close}) as entries`.execute(db)
  return rows[0] ?? { partners: 0, entries: 0 }
}

/** Reopens the month for all partners of the close, or for one. Nothing that is booked changes. Throws `not_found` or `conflict`. */
export function reopenMonth(
  context: RequestContext,
  close: number,
  { reason, partner }: { readonly reason: string; readonly partner: number | null },
): Promise<void> {
  return changeRecord(context, 'reopen month', async (db) => {
    await lockLedger(db)
    const { rows: known } = await sql`select from period_close where id = ${close}`.execute(db)
    if (known.length === 0) throw new AppError('not_found')
    const { rows } = await sql<{ id: number }>`select id from period_close_partner
      where period_close_id = ${close} and reopened_at is null and (${partner}::int is null or partner_id = ${partner}::int)
      order by id`.execute(db)
    if (rows.length === 0) throw new AppError('conflict', { issues: { id: [{ key: 'period_not_closed' }] } })
    const reopened = { reopened_at: new Date().toISOString(), reopened_by: context.userId, reason }
    for (const { id } of rows) await updateAudited(db, context, periodClosePartner, id, reopened)
    const { rows: left } =
      await sql`select from period_close_partner where period_close_id = ${close} and reopened_at is null
      limit 1`.execute(db)
    if (left.length === 0) await updateAudited(db, context, periodClose, close, reopened)
  })
}

/** Books the differences of all closed months in one transaction, and returns the number of entries. Running it again books nothing. */
export function trueUp({ postgres, clickhouse }: { postgres: Postgres; clickhouse: Clickhouse }): Promise<number> {
  return postgres.withTransaction(async (db) => {
    await lockLedger(db)
    const { record: knownAt } = await readWatermark(postgres)
    const months = await readClosedMonths(db, null)
    return bookDifferences(db, clickhouse, months, { knownAt, closes: [] })
  })
}

/**
 * Books what is known after every change before the call, for which it waits so long. False if the facts did not follow in time: what they lack
 * is for another run.
 */
export async function trueUpCurrent(
  engines: { postgres: Postgres; clickhouse: Clickhouse },
  limitMs: number,
): Promise<boolean> {
  const isCurrent = await waitForFacts(engines, limitMs)
  await trueUp(engines)
  return isCurrent
}
