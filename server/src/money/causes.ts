// Why what is owed by a key has changed: the causes of the versions of its facts that became known since it was booked.

import type { Clickhouse } from '../clickhouse/client.ts'
import { isoOf } from '../clickhouse/statement.ts'
import type { Item } from './ledger-diff.ts'
import { keyText, type LedgerKey } from './ledger-key.ts'

export interface Cause {
  readonly cause: string
  /** Id of the user; 0: the product itself. */
  readonly user: number
  readonly at: string
  /** Players or spends. */
  readonly facts: number
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
}

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
  toString(max(l.known_at)) as at, uniqExact(l.player_id) as facts
from (select distinct player_id, day, offer_partner_id as link from activity_fact_log
  where offer_partner_id in {links:Array(UInt32)} and ${within}) as k
join (select player_id, day, cause, actor_id, known_at from activity_fact_log
  where ${within} and known_at > {since:DateTime64(3)} and known_at <= {known:DateTime64(3)}) as l
on l.player_id = k.player_id and l.day = k.day
group by link, on_day, cause, user
union all
select k.link, toString(k.day), 'spend', toString(l.cause), l.actor_id, toString(max(l.known_at)), uniqExact(l.spend_id)
from (select distinct spend_id, day, offer_partner_id as link from spend_fact_log
  where offer_partner_id in {links:Array(UInt32)} and ${within}) as k
join (select spend_id, cause, actor_id, known_at from spend_fact_log
  where known_at > {since:DateTime64(3)} and known_at <= {known:DateTime64(3)}) as l on l.spend_id = k.spend_id
group by 1, 2, 4, 5`,
    params,
    { lane: 'long' },
  )
  const byLink = Map.groupBy(rows, ({ link }) => link)
  return new Map(changed.map((one) => [keyText(one.key), causesOf(one, byLink.get(one.key.offerPartner) ?? [])]))
}

function causesOf({ key, items, since }: ChangedKey, rows: readonly CauseRow[]): Cause[] {
  const days = new Set(items.map(({ day }) => day))
  const source = key.kind === 'agency' ? 'spend' : 'activity'
  const found = rows.filter(
    (row) => row.source === source && days.has(row.on_day) && new Date(isoOf(row.at)).getTime() > since.getTime(),
  )
  const byCause = Map.groupBy(found, ({ cause, user }) => `${user} ${cause}`)
  return [...byCause.values()]
    .flatMap((same) => {
      const [first] = same
      const at = same
        .map((row) => isoOf(row.at))
        .sort()
        .at(-1)
      if (first === undefined || at === undefined) return []
      return [{ cause: first.cause, user: first.user, at, facts: same.reduce((sum, { facts }) => sum + facts, 0) }]
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1))
}
