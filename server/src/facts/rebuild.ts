// Rebuilds all facts in a second set of tables and exchanges them with the current ones; reports keep working, and changes go to both sets.
// Clicks exist only in ClickHouse: they stay, and only their day is recomputed when the business time zone changed.

import { SOURCES } from '@tributary/contract/reports/traffic'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Postgres } from '../postgres/client.ts'
import { causedBy } from './cause.ts'
import { forgetShortenedIps } from './clicks/click-cleanup.ts'
import { checkZone } from './clicks/click-lines.ts'
import { finishDeletions } from './clicks/deleted-clicks.ts'
import { CLICK_COLUMNS } from './columns.ts'
import { allPlayers, allSpends, readAllRates, storeRates } from './expansion.ts'
import { MAPS, type MapName } from './map-writer.ts'
import { createMonthChanges, type MonthChanges } from './months/month-changes.ts'
import { readTableMonths } from './months/month-sums.ts'
import { SUMMED_SOURCES } from './months/summed-columns.ts'
import { deleteChangeIds, readAllChangeIds } from './outbox.ts'
import type { Projection } from './projection.ts'
import { storeRebuildProgress } from './rebuild-request.ts'
import { hasSameBase, hasSamePercentages, readAppliedSetting, readSetting, storeAppliedSetting } from './setting.ts'

/** What a rebuild needs. */
export interface RebuildWork {
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
  readonly projection: Projection
  readonly changes?: MonthChanges
  /** Ids of the requests that the rebuild serves. */
  readonly requests: readonly number[]
  /** Runs between two pieces and projects outbox changes with ids above `after`. True ends the rebuild early. */
  readonly between: (after: number) => Promise<boolean>
  /** Runs `work` while the hand-over of clicks is paused. */
  withoutClicks(work: () => Promise<void>): Promise<void>
}

/** Tables that the record can make again. */
export const REBUILT_TABLES: readonly string[] = [
  'player_fact',
  'activity_fact',
  'spend_fact',
  'offer_map',
  'partner_map',
  'affiliate_map',
  'link_map',
]
const FACT_TABLES = ['player_fact', 'activity_fact', 'spend_fact']
const REBUILD_SUFFIX = '_rebuild'
const PROGRESS_EVERY_MS = 500
const MAP_SOURCES: Record<MapName, string> = { offer: 'offer', partner: 'partner', offer_partner: 'offer_partner' }

/** Returns false if it was ended early; the next rebuild starts from the beginning. */
export async function rebuild(work: RebuildWork): Promise<boolean> {
  const { postgres, clickhouse, projection, changes = createMonthChanges(postgres) } = work
  const setting = await readSetting(postgres.pool)
  const applied = await readAppliedSetting(postgres.pool)
  // The rebuild reads the record after this point, so it covers all changes that wait now.
  const covered = await readAllChangeIds(postgres)
  const rates = await readAllRates(postgres)
  for (const table of REBUILT_TABLES) await createRebuildTable(clickhouse, table)
  try {
    projection.mirrorInto(REBUILD_SUFFIX)
    await projection.refreshRates()
    if (!(await fillTables(work, covered.at(-1) ?? 0))) return false
    for (const table of FACT_TABLES) await mergeRebuildTable(clickhouse, table)
    for (const table of REBUILT_TABLES) await exchangeTables(clickhouse, table, changes)
  } finally {
    projection.mirrorInto(undefined)
    for (const table of REBUILT_TABLES) await dropRebuildTable(clickhouse, table)
  }
  if (applied !== undefined && applied.zone !== setting.zone) {
    await work.withoutClicks(async () => {
      // Clicks that move to another month must count once; the next deletion sums them again.
      await finishDeletions({ postgres, clickhouse }, null)
      await rewriteDays(clickhouse, setting.zone, changes)
      await forgetShortenedIps(postgres)
    })
  }
  if (applied === undefined || !hasSameBase(applied, setting) || !hasSamePercentages(applied, setting))
    await storeAppliedSetting(postgres.pool, setting)
  for (const change of rates) await storeRates(postgres, change)
  await deleteChangeIds(postgres, covered)
  return true
}

async function fillTables({ postgres, projection, requests, between }: RebuildWork, after: number): Promise<boolean> {
  const into = { rebuildInto: REBUILD_SUFFIX }
  const causes = causedBy({ cause: 'rebuild', actorId: 0, requestId: '', at: Date.now() })
  for (const name of Object.keys(MAPS).filter(isMapName)) {
    const { rows } = await postgres.pool.query<{ id: number }>(`select id from ${MAP_SOURCES[name]} order by id`)
    await projection.map(
      name,
      rows.map((row) => row.id),
      into,
    )
  }
  const total = await countRows(postgres)
  let done = 0
  let notedAt = 0
  const next = async (count: number): Promise<boolean> => {
    done += count
    if (Date.now() - notedAt >= PROGRESS_EVERY_MS) {
      notedAt = Date.now()
      await storeRebuildProgress(postgres, requests, Math.min(done, total), total)
    }
    return between(after)
  }
  for await (const [first, second] of inPairs(allPlayers(postgres))) {
    // One piece is computed while the other waits for an engine. `between` must run when neither is in flight.
    const written = await Promise.allSettled([first, second].map((ids) => projection.players(ids, causes, into)))
    for (const one of written) if (one.status === 'rejected') throw one.reason
    if (await next(first.length + second.length)) return false
  }
  for await (const ids of allSpends(postgres)) {
    await projection.spends(ids, causes, into)
    if (await next(ids.length)) return false
  }
  await storeRebuildProgress(postgres, requests, total, total)
  return true
}

async function* inPairs(pieces: AsyncIterable<number[]>): AsyncGenerator<[number[], number[]]> {
  let first: number[] | undefined
  for await (const piece of pieces) {
    if (first !== undefined) yield [first, piece]
    first = first === undefined ? piece : undefined
  }
  if (first !== undefined) yield [first, []]
}

const isMapName = (name: string): name is MapName => name in MAPS

async function countRows(postgres: Postgres): Promise<number> {
  const { rows } = await postgres.pool.query<{ count: number }>(
    'select (select count(*) from player) + (select count(*) from partner_spend) as count',
  )
  return rows[0]?.count ?? 0
}

async function createRebuildTable(clickhouse: Clickhouse, table: string): Promise<void> {
  await dropRebuildTable(clickhouse, table)
  await clickhouse.exec(`create table ${table}${REBUILD_SUFFIX}${clickhouse.macros.on_cluster} as ${table}`)
}

/** Not SYNC, because that waits for every reader, and an idle session of the embedded engine may keep its last result for long. */
async function dropRebuildTable(clickhouse: Clickhouse, table: string): Promise<void> {
  await clickhouse.exec(`drop table if exists ${table}${REBUILD_SUFFIX}${clickhouse.macros.on_cluster}`)
}

/** Merges each partition to one part, so that FINAL compares nothing. It does not use lane `write`, because clicks need that. */
async function mergeRebuildTable(clickhouse: Clickhouse, table: string): Promise<void> {
  const rows = await clickhouse.query<{ id: string }>(
    `select distinct _partition_id as id from ${table}${REBUILD_SUFFIX}`,
  )
  for (const { id } of rows) {
    await clickhouse.exec(
      `optimize table ${table}${REBUILD_SUFFIX}${clickhouse.macros.on_cluster} partition id '${id}' final`,
      {},
      { lane: 'long' },
    )
  }
}

async function exchangeTables(clickhouse: Clickhouse, table: string, changes: MonthChanges): Promise<void> {
  const swap = (): Promise<void> =>
    clickhouse.exec(`exchange tables ${table} and ${table}${REBUILD_SUFFIX}${clickhouse.macros.on_cluster}`)
  const summed = SOURCES.find((source) => SUMMED_SOURCES[source].table === table)
  if (summed === undefined) return swap()
  const [was, will] = [
    await readTableMonths(clickhouse, table),
    await readTableMonths(clickhouse, `${table}${REBUILD_SUFFIX}`),
  ]
  await changes.during(summed, [...was, ...will], swap)
}

const COPY_SECONDS = 3600

/** Recomputes the day of all clicks, month by month to limit memory. */
async function rewriteDays(clickhouse: Clickhouse, zone: string, changes: MonthChanges): Promise<void> {
  await createRebuildTable(clickhouse, 'click')
  const columns = CLICK_COLUMNS.join(', ')
  const values = CLICK_COLUMNS.map((column) =>
    column === 'day' ? `toDate(created_at, '${checkZone(zone)}')` : column,
  ).join(', ')
  const months = await clickhouse.query<{ month: number }>(
    'select distinct toYYYYMM(day) as month from click order by month',
  )
  for (const { month } of months) {
    await clickhouse.exec(
      `insert into click${REBUILD_SUFFIX} (${columns}) select ${values} from click where toYYYYMM(day) = {month:UInt32}`,
      { month },
      { maxSeconds: COPY_SECONDS },
    )
  }
  await exchangeTables(clickhouse, 'click', changes)
  await dropRebuildTable(clickhouse, 'click')
}
