// Writes all facts anew into tables beside those in use, then exchanges them. Reports go on meanwhile, and changes go to both. Raw clicks exist
// only in ClickHouse: they stay, and only their day is computed again when the zone has changed.

import { SOURCES } from '@tributary/contract/reports/traffic'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Postgres } from '../postgres/client.ts'
import { causedBy } from './cause.ts'
import { checkZone } from './clicks/click-lines.ts'
import { CLICK_COLUMNS } from './columns.ts'
import { allPlayers, allSpends, keepRates, readAllRates } from './expansion.ts'
import { MAPS, type MapName } from './map-writer.ts'
import { createMonthChanges, type MonthChanges } from './months/month-changes.ts'
import { readMonthsOf } from './months/month-sums.ts'
import { SUMMED_SOURCES } from './months/summed-columns.ts'
import { deleteIds, readAllIds } from './outbox.ts'
import type { Projection } from './projection.ts'
import { noteRebuild } from './rebuild-request.ts'
import { hasSameBase, hasSamePercentages, keepSetting, readKeptSetting, readSetting } from './setting.ts'

export interface Rebuild {
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
  readonly projection: Projection
  readonly changes?: MonthChanges
  /** The requests that it answers. */
  readonly requests: readonly number[]
  /** Runs between two pieces and projects changes that the outbox numbers after `after`. True ends the work. */
  readonly between: (after: number) => Promise<boolean>
  /** Runs `work` while no clicks are handed over. */
  withoutClicks(work: () => Promise<void>): Promise<void>
}

const TABLES = ['player_fact', 'activity_fact', 'spend_fact', 'offer_map', 'partner_map', 'affiliate_map', 'link_map']
const BIG_TABLES = ['player_fact', 'activity_fact', 'spend_fact']
const BESIDE = '_rebuild'
const NOTE_MS = 500
const MAP_SOURCES: Record<MapName, string> = { offer: 'offer', partner: 'partner', link: 'offer_partner' }

/** False when it was ended early and has to begin anew. */
export async function rebuild(work: Rebuild): Promise<boolean> {
  const { postgres, clickhouse, projection, changes = createMonthChanges(postgres) } = work
  const setting = await readSetting(postgres.pool)
  const kept = await readKeptSetting(postgres.pool)
  // Changes that wait now are in the record that is read from here on, so the rebuild covers them.
  const covered = await readAllIds(postgres)
  const rates = await readAllRates(postgres)
  for (const table of TABLES) await makeBeside(clickhouse, table)
  try {
    projection.mirrorInto(BESIDE)
    await projection.refreshRates()
    if (!(await fill(work, covered.at(-1) ?? 0))) return false
    for (const table of BIG_TABLES) await mergeBeside(clickhouse, table)
    for (const table of TABLES) await exchange(clickhouse, table, changes)
  } finally {
    projection.mirrorInto(undefined)
    for (const table of TABLES) await dropBeside(clickhouse, table)
  }
  if (kept !== undefined && kept.zone !== setting.zone) {
    await work.withoutClicks(() => rewriteDays(clickhouse, setting.zone, changes))
  }
  if (kept === undefined || !hasSameBase(kept, setting) || !hasSamePercentages(kept, setting))
    await keepSetting(postgres.pool, setting)
  for (const change of rates) await keepRates(postgres, change)
  await deleteIds(postgres, covered)
  return true
}

async function fill({ postgres, projection, requests, between }: Rebuild, after: number): Promise<boolean> {
  const into = { rebuildInto: BESIDE }
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
    if (Date.now() - notedAt >= NOTE_MS) {
      notedAt = Date.now()
      await noteRebuild(postgres, requests, Math.min(done, total), total)
    }
    return between(after)
  }
  for await (const [first, second] of inPairs(allPlayers(postgres))) {
    // While one piece waits for an engine, the other is computed. Changes are projected when neither is in flight.
    const written = await Promise.allSettled([first, second].map((ids) => projection.players(ids, causes, into)))
    for (const one of written) if (one.status === 'rejected') throw one.reason
    if (await next(first.length + second.length)) return false
  }
  for await (const ids of allSpends(postgres)) {
    await projection.spends(ids, causes, into)
    if (await next(ids.length)) return false
  }
  await noteRebuild(postgres, requests, total, total)
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

async function makeBeside(clickhouse: Clickhouse, table: string): Promise<void> {
  await dropBeside(clickhouse, table)
  await clickhouse.exec(`create table ${table}${BESIDE}${clickhouse.macros.on_cluster} as ${table}`)
}

/** Without SYNC, which waits for every reader of the table: an idle session of the embedded engine may hold its last result for long. */
async function dropBeside(clickhouse: Clickhouse, table: string): Promise<void> {
  await clickhouse.exec(`drop table if exists ${table}${BESIDE}${clickhouse.macros.on_cluster}`)
}

/** Merges to one part a partition, so that FINAL has nothing to compare. Not in lane `write`, where clicks go. */
async function mergeBeside(clickhouse: Clickhouse, table: string): Promise<void> {
  const rows = await clickhouse.query<{ id: string }>(`select distinct _partition_id as id from ${table}${BESIDE}`)
  for (const { id } of rows) {
    await clickhouse.exec(
      `optimize table ${table}${BESIDE}${clickhouse.macros.on_cluster} partition id '${id}' final`,
      {},
      { lane: 'long' },
    )
  }
}

async function exchange(clickhouse: Clickhouse, table: string, changes: MonthChanges): Promise<void> {
  const swap = (): Promise<void> =>
    clickhouse.exec(`exchange tables ${table} and ${table}${BESIDE}${clickhouse.macros.on_cluster}`)
  const summed = SOURCES.find((source) => SUMMED_SOURCES[source].table === table)
  if (summed === undefined) return swap()
  const [was, will] = [await readMonthsOf(clickhouse, table), await readMonthsOf(clickhouse, `${table}${BESIDE}`)]
  await changes.during(summed, [...was, ...will], swap)
}

const COPY_SECONDS = 3600

/** Month by month, so that no step needs memory for all clicks. */
async function rewriteDays(clickhouse: Clickhouse, zone: string, changes: MonthChanges): Promise<void> {
  await makeBeside(clickhouse, 'click')
  const columns = CLICK_COLUMNS.join(', ')
  const values = CLICK_COLUMNS.map((column) =>
    column === 'day' ? `toDate(created_at, '${checkZone(zone)}')` : column,
  ).join(', ')
  const months = await clickhouse.query<{ month: number }>(
    'select distinct toYYYYMM(day) as month from click order by month',
  )
  for (const { month } of months) {
    await clickhouse.exec(
      `insert into click${BESIDE} (${columns}) select ${values} from click where toYYYYMM(day) = {month:UInt32}`,
      { month },
      { maxSeconds: COPY_SECONDS },
    )
  }
  await exchange(clickhouse, 'click', changes)
  await dropBeside(clickhouse, 'click')
}
