// Books the differences between what is owed and what is booked, for closed months of partners: at a close, at a closing again, and as true-ups.

import { monthAfter } from '@tributary/contract/period'
import { sql } from 'kysely'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Db } from '../entities/engine/model/request-context.ts'
import { type ChangedKey, readCauses } from './causes.ts'
import { type Difference, findDifference, NO_LINES } from './ledger-diff.ts'
import { keyText, type LedgerKey, type PartnerMonth, partnerMonthText } from './ledger-key.ts'
import { type NewEntry, readBooked, writeEntries } from './ledger-store.ts'
import { readOwed } from './owed.ts'

/** A standing close of a partner's month. */
export interface ClosedMonth extends PartnerMonth {
  readonly close: number
  readonly closeKnownAt: Date
  /** Of the latest earlier close, which was reopened; null: the month is closed for the first time. */
  readonly reopenedKnownAt: Date | null
}

/** All standing closes, or those of some partners. */
export async function readClosedMonths(db: Db, partners: readonly number[] | null): Promise<ClosedMonth[]> {
  const { rows } = await sql<ClosedMonth>`
    select p.partner_id as partner, p.month::text as month, c.id as close, c.known_at as "closeKnownAt",
      (select max(e.known_at) from period_close_partner q join period_close e on e.id = q.period_close_id
        where q.partner_id = p.partner_id and q.month = p.month and q.reopened_at is not null) as "reopenedKnownAt"
    from period_close_partner p join period_close c on c.id = p.period_close_id
    where p.reopened_at is null and (${partners === null} or p.partner_id = any(${partners ?? []}::int[]))`.execute(db)
  return rows
}

/** The moment up to which nothing was owed by a key without entries; null if it is booked by the first close of its month. */
const readUntil = (month: ClosedMonth, close: number | null): Date | null =>
  month.close === close ? month.reopenedKnownAt : month.closeKnownAt

interface Booking {
  readonly knownAt: Date
  /** The close that is being written; null for true-ups alone. Its months get `close` or `reclose`, all others `true_up`. */
  readonly close: number | null
}

/** Returns the number of entries. Call it under the lock of the ledger, with all standing closes of the partners. */
export async function bookDifferences(
  db: Db,
  clickhouse: Clickhouse,
  months: readonly ClosedMonth[],
  { knownAt, close }: Booking,
): Promise<number> {
  const owed = new Map((await readOwed(clickhouse, months, knownAt)).map((one) => [keyText(one.key), one]))
  const booked = await readBooked(db, months)
  const byMonth = new Map(months.map((month) => [partnerMonthText(month), month]))
  const nextMonths = findNextMonths(months)
  const found: { key: LedgerKey; month: ClosedMonth; difference: Difference; since: Date | null }[] = []
  for (const text of new Set([...owed.keys(), ...booked.keys()])) {
    const [is, was] = [owed.get(text), booked.get(text)]
    const key = is?.key ?? was?.key
    const month = key === undefined ? undefined : byMonth.get(partnerMonthText(key))
    if (key === undefined || month === undefined) continue
    const difference = findDifference(key, is?.lines ?? NO_LINES, was?.lines ?? NO_LINES, was?.total ?? 0n)
    if (difference !== null) found.push({ key, month, difference, since: was?.knownAt ?? readUntil(month, close) })
  }
  const changed = found.flatMap(({ key, difference, since }): ChangedKey[] =>
    since === null ? [] : [{ key, items: difference.items, since }],
  )
  const causes = await readCauses(clickhouse, changed, knownAt)
  const entries = found.map(
    ({ key, month, difference, since }): NewEntry => ({
      key,
      bookedMonth: since === null ? key.month : (nextMonths.get(key.partner) ?? key.month),
      amount: difference.amount,
      source: month.close !== close ? 'true_up' : since === null ? 'close' : 'reclose',
      knownAt,
      causes: causes.get(keyText(key)) ?? [],
      close: month.close === close ? close : null,
      items: difference.items,
    }),
  )
  await writeEntries(db, entries)
  return entries.length
}

/** For each partner, the month after the last closed one. */
function findNextMonths(months: readonly PartnerMonth[]): Map<number, string> {
  const next = new Map<number, string>()
  for (const { partner, month } of months) {
    const after = monthAfter(month)
    if (after > (next.get(partner) ?? '')) next.set(partner, after)
  }
  return next
}
