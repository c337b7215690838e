// Reads recorded clicks from the inbox, or from ClickHouse if they are no longer there.

import { sql, type Transaction } from 'kysely'
import type { Clickhouse } from '../../clickhouse/client.ts'
import { lowestId } from '../../facts/clicks/click-lines.ts'
import {
  FIRST_CLICK_COLUMNS,
  type FirstClick,
  readFirstClicks,
  toVisit,
  type Uniqueness,
} from '../../facts/clicks/uniqueness.ts'
import type { Database, Postgres } from '../../postgres/client.ts'
import { isUuid, timeOfClickId } from './click-id.ts'

/** The fields of a click that its player inherits. Empty texts are null. */
export interface RecordedClick {
  id: string
  offer_partner_id: number
  offer_id: number
  partner_id: number
  advertiser_id: number
  landing_id: number | null
  stream_id: number
  traffic_source_id: number
  site_id: string
  sub_id: string | null
  sub2: string | null
  sub3: string | null
  sub4: string | null
  sub5: string | null
  partner_click_id: string | null
  promocode: string | null
  media_id: string | null
  ip_country: string | null
}

/** Finds clicks by id; the keys of the result are ids in lower case. Unknown ids are omitted. */
export type FindClicks = (
  trx: Transaction<Database>,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, RecordedClick>>

const COLUMNS = `id, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, site_id, sub_id, sub2,
  sub3, sub4, sub5, partner_click_id, promocode, media_id, ip_country`
const LOADED_SQL = `select ${COLUMNS} from click
  where created_at in (select fromUnixTimestamp64Milli(arrayJoin({times:Array(Int64)}), 'UTC')) and id in {ids:Array(UUID)}`

export function createClickFinder(clickhouse: Clickhouse): FindClicks {
  return async (trx, texts) => {
    const found = new Map<string, RecordedClick>()
    const ids = [...new Set(texts.map((text) => text.toLowerCase()))].filter((id) => timeOfClickId(id) !== undefined)
    if (ids.length === 0) return found
    const inbox = await sql<RecordedClick>`select ${sql.raw(COLUMNS)} from click_inbox_row
      where id = any(${ids}::uuid[])`.execute(trx)
    for (const click of inbox.rows) found.set(click.id, click)
    const rest = ids.filter((id) => !found.has(id))
    if (rest.length > 0) {
      const times = rest.map((id) => timeOfClickId(id) ?? 0)
      for (const click of await clickhouse.query<RecordedClick>(LOADED_SQL, { times, ids: rest })) {
        found.set(click.id, withoutEmpty(click))
      }
    }
    return dropDeletedReferences(trx, found)
  }
}

/** The referenced table of each reference that a player inherits from a click. */
const REFERENCED_TABLES = {
  landing_id: 'landing',
  offer_partner_id: 'offer_partner',
  offer_id: 'offer',
  partner_id: 'partner',
  stream_id: 'partner_stream',
  traffic_source_id: 'traffic_source',
} as const
type ReferenceColumn = keyof typeof REFERENCED_TABLES

/** Referenced rows may have been deleted. A deleted landing is removed from its click; for any other deleted row the click is omitted. */
async function dropDeletedReferences(
  trx: Transaction<Database>,
  clicks: ReadonlyMap<string, RecordedClick>,
): Promise<Map<string, RecordedClick>> {
  if (clicks.size === 0) return new Map()
  const present = Object.entries(REFERENCED_TABLES).map(([column, table]) => {
    const ids = new Set([...clicks.values()].map((click) => click[column as ReferenceColumn]))
    return sql`array(select id from ${sql.table(table)} where id = any(${[...ids]}::int[])) as ${sql.ref(column)}`
  })
  const { rows } = await sql<Record<ReferenceColumn, number[]>>`select ${sql.join(present)}`.execute(trx)
  const isGone = (column: ReferenceColumn, click: RecordedClick): boolean =>
    rows[0]?.[column].includes(click[column] ?? 0) !== true
  const { landing_id: _landing, ...needed } = REFERENCED_TABLES
  return new Map(
    [...clicks]
      .filter(([, click]) => !Object.keys(needed).some((column) => isGone(column as ReferenceColumn, click)))
      .map(([id, click]) => [id, isGone('landing_id', click) ? { ...click, landing_id: null } : click]),
  )
}

/** Converts the '' and 0 of ClickHouse to null, except for the site id, which is never absent. */
const withoutEmpty = (click: RecordedClick): RecordedClick => {
  const present = Object.entries(click).map(([name, value]) => [name, name === 'site_id' ? value : value || null])
  // The columns stay the same, and required ones are never empty.
  return Object.fromEntries(present) as RecordedClick
}

/** Restores the first clicks since `since` (milliseconds), so that a restart makes no visitor unique again. Returns their number. */
export async function restoreUniqueness(
  uniqueness: Uniqueness,
  since: number,
  { postgres, clickhouse }: { postgres: Postgres; clickhouse: Clickhouse },
): Promise<number> {
  let restored = 0
  for await (const { id, visit } of readFirstClicks(clickhouse, since)) {
    restored++
    uniqueness.restore(visit, id)
  }
  return restored + (await restoreFromInbox(uniqueness, since, postgres))
}

/** Restores the first clicks since `since` that are not handed over. Returns their number. */
export async function restoreFromInbox(uniqueness: Uniqueness, since: number, postgres: Postgres): Promise<number> {
  let restored = 0
  await readInbox(postgres, lowestId(since), HIGHEST_ID, (click) => {
    restored++
    uniqueness.restore(toVisit(click), click.id)
  })
  return restored
}

/** Restores the first clicks of the inbox between two ids, because after a lost connection it is unknown which of them were committed. */
export async function restoreUnconfirmed(
  uniqueness: Uniqueness,
  postgres: Postgres,
  first: string,
  last: string,
): Promise<void> {
  await readInbox(postgres, first, last, (click) => uniqueness.restore(toVisit(click), click.id))
}

const PAGE = 20_000
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

async function readInbox(
  postgres: Postgres,
  from: string,
  to: string,
  restore: (click: FirstClick) => void,
): Promise<void> {
  if (!isUuid(from)) return
  const page = `select ${FIRST_CLICK_COLUMNS} from click_inbox_row where id >= $1 and id > $2 and id <= $3 and canonical_id is null and not bot order by id limit ${PAGE}`
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await postgres.pool.query<FirstClick>(page, [from, after, to])
    for (const row of rows) restore(row)
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? HIGHEST_ID
  }
}
