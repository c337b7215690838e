// What a close would book now for partners whose month is open: all that is owed, or, of a reopened month, the difference to what is booked.
import { sql } from 'kysely'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Db } from '../entities/engine/model/request-context.ts'
import { type Difference, findDifference, NO_LINES } from './ledger-diff.ts'
import { keyText, type LedgerKey } from './ledger-key.ts'
import { readBooked } from './ledger-store.ts'
import { readOwed } from './owed.ts'

/** What is not booked yet of a key. */
export interface Provisional {
  readonly key: LedgerKey
  readonly difference: Difference
}

export async function readProvisional(
  db: Db,
  clickhouse: Clickhouse,
  month: string,
  partners: readonly number[],
): Promise<Provisional[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from unnest(${partners}::int[]) as p (id) where not exists (
      select from period_close_partner c where c.partner_id = p.id and c.month = ${month} and c.reopened_at is null)`.execute(
    db,
  )
  const months = rows.map(({ id }) => ({ partner: id, month }))
  const owed = new Map((await readOwed(clickhouse, months, null)).map((one) => [keyText(one.key), one]))
  const booked = await readBooked(db, months)
  return [...new Set([...owed.keys(), ...booked.keys()])].flatMap((text) => {
    const [is, was] = [owed.get(text), booked.get(text)]
    const key = is?.key ?? was?.key
    if (key === undefined) return []
    const difference = findDifference(key, is?.lines ?? NO_LINES, was?.lines ?? NO_LINES, was?.total ?? 0n)
    return difference === null ? [] : [{ key, difference }]
  })
}
