// Books the differences between what is owed and what is booked, for closed months of partners: at a close, at a closing again, and as true-ups.

import { monthAfter } from '@tributary/contract/period'
import { sql } from 'kysely'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Db } from '../entities/engine/model/request-context.ts'
import { type ChangedKey, readCauses } from './causes.ts'
import { type Difference, findDifference, type Lines, NO_LINES, totalOf } from './ledger-diff.ts'
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
const readUntil = (month: ClosedMonth, isNew: boolean): Date | null =>
  isNew ? month.reopenedKnownAt : month.closeKnownAt

interface FoundDifference {
  readonly key: LedgerKey
  readonly source: NewEntry['source']
  readonly difference: Difference
  /** Null: nothing was booked before. */
  readonly since: Date | null
}

interface Booking {
  readonly knownAt: Date
  /** The closes that are being written. Their months get `close` or `reclose`, all others `true_up`. */
  readonly closes: readonly number[]
}

/** Returns the number of entries. Call it under the lock of the ledger, with all standing closes of the partners. */
export async function bookDifferences(
  db: Db,
  clickhouse: Clickhouse,
  months: readonly ClosedMonth[],
  { knownAt, closes }: Booking,
): Promise<number> {
  const owed = new Map((await readOwed(clickhouse, months, knownAt)).map((one) => [keyText(one.key), one]))
  const booked = await readBooked(db, months)
  const byMonth = new Map(months.map((month) => [partnerMonthText(month), month]))
  const nextMonths = findNextMonths(months)
  const found: FoundDifference[] = []
  for (const text of new Set([...owed.keys(), ...booked.keys()])) {
    const [is, was] = [owed.get(text), booked.get(text)]
    const key = is?.key ?? was?.key
    const month = key === undefined ? undefined : byMonth.get(partnerMonthText(key))
    if (key === undefined || month === undefined) continue
    const difference = findDifference(key, is?.lines ?? NO_LINES, was?.lines ?? NO_LINES, was?.total ?? 0n)
    const isNew = closes.includes(month.close)
    const since = was?.knownAt ?? readUntil(month, isNew)
    const source = !isNew ? 'true_up' : since === null ? 'close' : 'reclose'
    if (difference !== null) found.push({ key, source, difference, since })
  }
  found.push(...(await releaseReopened(db, months, found)))
  const changed = found.flatMap(({ key, difference, since }): ChangedKey[] =>
    since === null ? [] : [{ key, items: difference.items, since }],
  )
  const causes = await readCauses(clickhouse, changed, knownAt)
  const entries = found.map(
    ({ key, source, difference, since }): NewEntry => ({
      key,
      bookedMonth: since === null ? key.month : (nextMonths.get(key.partner) ?? key.month),
      amount: difference.amount,
      source,
      knownAt,
      causes: causes.get(keyText(key)) ?? [],
      close: source === 'true_up' ? null : (byMonth.get(partnerMonthText(key))?.close ?? null),
      items: difference.items,
    }),
  )
  await writeEntries(db, entries)
  return entries.length
}

/** −1 for players who are booked now and still stand in a reopened month: over all entries, a player of a partner offer counts once. */
async function releaseReopened(
  db: Db,
  months: readonly PartnerMonth[],
  found: readonly FoundDifference[],
): Promise<FoundDifference[]> {
  const placeOf = (key: LedgerKey, player: number | null): string => `${key.offerPartner} ${player}`
  const gained = new Set(
    found.flatMap(({ key, difference }) =>
      difference.items.filter(({ quantity }) => quantity === 1).map(({ player }) => placeOf(key, player)),
    ),
  )
  if (gained.size === 0) return []
  const reopened = await readReopenedMonths(db, [...new Set(months.map(({ partner }) => partner))])
  const left = await readBooked(db, reopened)
  return [...left.values()].flatMap(({ key, lines: { players }, knownAt }): FoundDifference[] => {
    const released = players.filter(({ player }) => gained.has(placeOf(key, player)))
    const booked: Lines = { players: released, days: [] }
    const difference = findDifference(key, NO_LINES, booked, totalOf(key, booked))
    return difference === null ? [] : [{ key, source: 'true_up', difference, since: knownAt }]
  })
}

/** Months that were closed for the partners and are open again. */
async function readReopenedMonths(db: Db, partners: readonly number[]): Promise<PartnerMonth[]> {
  const { rows } = await sql<PartnerMonth>`
    select partner_id as partner, month::text as month from period_close_partner where partner_id = any(${partners}::int[])
    group by partner_id, month having count(*) filter (where reopened_at is null) = 0`.execute(db)
  return rows
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
