// What a close would book now for partners whose month has never been closed. A reopened month is booked in the next one.
import { sql } from 'kysely'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Db } from '../entities/engine/model/request-context.ts'
import { totalOf } from './ledger-diff.ts'
import { type Owed, readOwed } from './owed.ts'

export async function readProvisional(
  db: Db,
  clickhouse: Clickhouse,
  month: string,
  partners: readonly number[],
): Promise<Owed[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from unnest(${partners}::int[]) as p (id)
    where not exists (select from period_close_partner c where c.partner_id = p.id and c.month = ${month})`.execute(db)
  const months = rows.map(({ id }) => ({ partner: id, month }))
  const owed = await readOwed(clickhouse, months, null)
  return owed.filter(({ key, lines }) => key.kind === 'cpa' || totalOf(key, lines) !== 0n)
}
