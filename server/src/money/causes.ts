// Why what is owed by a key has changed: the causes of the versions of its facts that became known since it was booked.

import type { ChangedRecord, LedgerCause } from '@tributary/contract/entities/ledger-entry'
import { lastDayOf } from '@tributary/contract/period'
import type { Clickhouse } from '../clickhouse/client.ts'
import { isoOf } from '../clickhouse/statement.ts'
import { timeText } from '../facts/cause.ts'
import { readChangedRecords } from './changed-records.ts'
import type { Item } from './ledger-diff.ts'
import { keyText, type LedgerKey, type LedgerKind } from './ledger-key.ts'

export type Cause = Required<LedgerCause>

export interface ChangedKey {
  readonly key: LedgerKey
  readonly items: readonly Item[]
  readonly since: Date
}

/** Which changes can be a cause: CPA is owed for players, RS for the income of days, agency for the spends of days. */
type CauseSource = 'player' | 'activity' | 'spend'

const SOURCES: Record<LedgerKind, CauseSource> = { cpa: 'player', rs: 'activity', agency: 'spend' }

interface CauseRow {
  /** 0 for players. */
  link: number
  on_day: string
  source: CauseSource
  cause: string
  user: number
  at: string
  facts: number
  ids: readonly number[]
}

/** Records that a cause names, of each day. */
const NAMED = 5

/**
 * By key, the latest cause first. For days, a version counts if one of its neighbours in the log belonged to the key's partner offer and day. For
 * players, if it or the version before it has a CPA: a player who was booked can have moved to other days since.
 */
export async function readCauses(
  clickhouse: Clickhouse,
  changed: readonly ChangedKey[],
  knownAt: Date,
): Promise<Map<string, Cause[]>> {
  if (changed.length === 0) return new Map()
  const days = changed.flatMap(({ items }) => items.map(({ day }) => day)).sort()
  const months = changed.map(({ key }) => key.month).sort()
  const params = {
    links: [...new Set(changed.map(({ key }) => key.offerPartner))],
    from: days[0] ?? '1970-01-02',
    to: days.at(-1) ?? '1970-01-02',
    monthsFrom: `${months[0]}-01`,
    monthsTo: lastDayOf(months.at(-1) ?? ''),
    since: timeText(Math.min(...changed.map(({ since }) => since.getTime()))),
    known: timeText(knownAt.getTime()),
  }
  const within = 'day between {from:Date} and {to:Date}'
  const inMonths = 'day between {monthsFrom:Date} and {monthsTo:Date}'
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
select toUInt32(0), toString(day), 'player', toString(cause), actor_id, toString(max(known_at)), toUInt64(1), [player_id]
from (select player_id, day, cause, actor_id, known_at, cpa_original,
    lagInFrame(cpa_original) over (partition by player_id, day order by version rows between unbounded preceding and current row) as cpa_before
  from activity_fact_log where ${inMonths} and player_id in (select player_id from activity_fact_log
    where offer_partner_id in {links:Array(UInt32)} and ${inMonths} and cpa_original != 0))
where known_at > {since:DateTime64(3)} and known_at <= {known:DateTime64(3)} and (cpa_original != 0 or cpa_before != 0)
group by player_id, 2, 4, 5
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
  const byPlace = Map.groupBy(rows, ({ source, link, ids }) =>
    source === 'player' ? playerPlace(ids[0]) : linkPlace(link),
  )
  const found = changed.map((one) => ({ one, rows: rowsOf(one, byPlace) }))
  const records = await readChangedRecords(
    clickhouse,
    found.flatMap(({ one, rows: own }) =>
      groupByCause(own).flatMap((same) =>
        same.slice(0, NAMED).flatMap((row) => row.ids.map((id) => ({ ...row, id, key: one.key }))),
      ),
    ),
    params.known,
  )
  return new Map(found.map(({ one, rows: own }) => [keyText(one.key), causesOf(own, (row) => records(one, row))]))
}

const playerPlace = (player: number | null | undefined): string => `player ${player}`
const linkPlace = (link: number): string => `link ${link}`

/** The rows of the key's players or days that became known since it was booked. */
function rowsOf({ key, items, since }: ChangedKey, byPlace: ReadonlyMap<string, readonly CauseRow[]>): CauseRow[] {
  const source = SOURCES[key.kind]
  const days = new Set(items.map(({ day }) => day))
  const places =
    source === 'player' ? [...new Set(items.map(({ player }) => playerPlace(player)))] : [linkPlace(key.offerPartner)]
  return places
    .flatMap((place) => byPlace.get(place) ?? [])
    .filter(
      (row) =>
        row.source === source &&
        (source === 'player' ? row.on_day.startsWith(key.month) : days.has(row.on_day)) &&
        new Date(isoOf(row.at)).getTime() > since.getTime(),
    )
}

const groupByCause = (rows: readonly CauseRow[]): CauseRow[][] => [
  ...Map.groupBy(rows, ({ cause, user }) => `${user} ${cause}`).values(),
]

function causesOf(rows: readonly CauseRow[], recordsOf: (row: CauseRow) => readonly ChangedRecord[]): Cause[] {
  const causes = groupByCause(rows)
    .flatMap((same) => {
      const [first] = same
      const at = same
        .map((row) => isoOf(row.at))
        .sort()
        .at(-1)
      if (first === undefined || at === undefined) return []
      const facts = first.source === 'player' ? playersOf(same).size : same.reduce((sum, row) => sum + row.facts, 0)
      const named = same.slice(0, NAMED).flatMap(recordsOf).slice(0, NAMED)
      const changed = named.filter(isChanged)
      // Records that an earlier entry has booked already; a cause without any other keeps them.
      const records = changed.length === 0 ? named : changed
      return [{ cause: first.cause, user: first.user, at, facts: facts - (named.length - records.length), records }]
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1))
  const effective = causes.filter(mayHaveEffect)
  return effective.length === 0 ? causes : effective
}

/** False if all of its records are named, and none of them gives the key anything else than before. */
const mayHaveEffect = ({ records, facts }: Cause): boolean => records.some(isChanged) || facts > records.length

const isChanged = ({ before, after }: ChangedRecord): boolean =>
  before.base !== after.base || before.amount !== after.amount

const playersOf = (rows: readonly CauseRow[]): Set<number | undefined> => new Set(rows.map(({ ids }) => ids[0]))
