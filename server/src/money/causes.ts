// Why what is owed by a key has changed: the causes of the versions of its facts that became known since it was booked.

import type { Clickhouse } from '../clickhouse/client.ts'
import { isoOf } from '../clickhouse/statement.ts'
import { type ChangedRecord, readChangedRecords } from './changed-records.ts'
import type { Item } from './ledger-diff.ts'
import { keyText, type LedgerKey } from './ledger-key.ts'

export interface Cause {
  readonly cause: string
  /** Id of the user; 0: the product itself. */
  readonly user: number
  readonly at: string
  /** Players or spends. */
  readonly facts: number
  /** The first of them, as they were when the key was booked before and as they are. */
  readonly records: readonly ChangedRecord[]
}

export interface ChangedKey {
  readonly key: LedgerKey
  readonly items: readonly Item[]
  readonly since: Date
}

interface CauseRow {
  link: number
  on_day: string
  source: 'activity' | 'spend'
  cause: string
  user: number
  at: string
  facts: number
  ids: readonly number[]
}

/** Records that a cause names, of each day. */
const NAMED = 5

const textOf = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '')

/** By key, the latest cause first. A version counts if one of its neighbours in the log belonged to the key's partner offer and day. */
export async function readCauses(
  clickhouse: Clickhouse,
  changed: readonly ChangedKey[],
  knownAt: Date,
): Promise<Map<string, Cause[]>> {
  if (changed.length === 0) return new Map()
  const days = changed.flatMap(({ items }) => items.map(({ day }) => day)).sort()
  const params = {
    links: [...new Set(changed.map(({ key }) => key.offerPartner))],
    from: days[0] ?? '1970-01-02',
    to: days.at(-1) ?? '1970-01-02',
    since: textOf(new Date(Math.min(...changed.map(({ since }) => since.getTime())))),
    known: textOf(knownAt),
  }
  const within = 'day between {from:Date} and {to:Date}'
  const rows = await clickhouse.query<CauseRow>(
    `select k.link as link, toString(k.day) as on_day, 'activity' as source, toString(l.cause) as cause, l.actor_id as user,
  toString(max(l.known_at)) as at, uniqExact(l.player_id) as facts, arraySlice(arraySort(groupUniqArray(l.player_id)), 1, ${NAMED}) as ids
from (select distinct player_id, day, offer_partner_id as link from activity_fact_log
  where offer_partner_id in {links:Array(UInt32)} and ${within}) as k
join (select player_id, day, cause, actor_id, known_at from activity_fact_log
  where ${within} and known_at > {since:DateTime64(3)} and known_at <= {known:DateTime64(3)}) as l
on l.player_id = k.player_id and l.day = k.day
group by link, on_day, cause, user
union all
select k.link, toString(k.day), 'spend', toString(l.cause), l.actor_id, toString(max(l.known_at)), uniqExact(l.spend_id),
  arraySlice(arraySort(groupUniqArray(l.spend_id)), 1, ${NAMED})
from (select distinct spend_id, day, offer_partner_id as link from spend_fact_log
  where offer_partner_id in {links:Array(UInt32)} and ${within}) as k
join (select spend_id, cause, actor_id, known_at from spend_fact_log
  where known_at > {since:DateTime64(3)} and known_at <= {known:DateTime64(3)}) as l on l.spend_id = k.spend_id
group by 1, 2, 4, 5`,
    params,
    { lane: 'long' },
  )
  const byLink = Map.groupBy(rows, ({ link }) => link)
  const found = changed.map((one) => ({ one, rows: rowsOf(one, byLink.get(one.key.offerPartner) ?? []) }))
  const records = await readChangedRecords(
    clickhouse,
    found.flatMap(({ one, rows: own }) => own.flatMap((row) => row.ids.map((id) => ({ ...row, id, key: one.key })))),
    params.known,
  )
  return new Map(
    found.map(({ one, rows: own }) => [keyText(one.key), causesOf(own, (row) => records(one, row.on_day, row.ids))]),
  )
}

/** The rows of the key's days that became known since it was booked. */
function rowsOf({ key, items, since }: ChangedKey, rows: readonly CauseRow[]): CauseRow[] {
  const days = new Set(items.map(({ day }) => day))
  const source = key.kind === 'agency' ? 'spend' : 'activity'
  return rows.filter(
    (row) => row.source === source && days.has(row.on_day) && new Date(isoOf(row.at)).getTime() > since.getTime(),
  )
}

function causesOf(rows: readonly CauseRow[], recordsOf: (row: CauseRow) => readonly ChangedRecord[]): Cause[] {
  const byCause = Map.groupBy(rows, ({ cause, user }) => `${user} ${cause}`)
  return [...byCause.values()]
    .flatMap((same) => {
      const [first] = same
      const at = same
        .map((row) => isoOf(row.at))
        .sort()
        .at(-1)
      if (first === undefined || at === undefined) return []
      const facts = same.reduce((sum, row) => sum + row.facts, 0)
      const records = same.flatMap(recordsOf).slice(0, NAMED)
      return [{ cause: first.cause, user: first.user, at, facts, records }]
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1))
}
