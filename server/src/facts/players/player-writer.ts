// Writes only those facts of players that changed: first the days, then the player with the fingerprints of all days, then the logs.
// If the process dies between two steps, the same players are written again with the same result.

import type { Clickhouse } from '../../clickhouse/client.ts'
import { isDamage } from '../../clickhouse/failure.ts'
import { type Causes, logContent } from '../cause.ts'
import { DAY_ONLY, emptyRow, PLAYER_DATES, PLAYER_DIMENSIONS, PLAYER_ONLY } from '../columns.ts'
import {
  ACTIVITY_COLUMNS,
  type DayFact,
  dayContents,
  fingerprint,
  LOG_COLUMNS,
  PLAYER_COLUMNS,
  type PlayerFact,
  playerContent,
  VERSION_COLUMNS,
} from '../fact-row.ts'
import { createLineBytes, type LineBytes } from '../line-bytes.ts'
import { inSlices } from '../loop.ts'
import { type MonthChanges, monthOfDay } from '../months/month-changes.ts'

/** The facts to write; undefined if the player was deleted or is inactive. */
export interface PlayerRows {
  readonly id: number
  readonly rows: { readonly player: PlayerFact; readonly activity: readonly DayFact[] } | undefined
}

/** How facts of players are written. */
export interface WriteOptions {
  readonly changes: MonthChanges
  readonly version: number
  readonly causes: Causes
  /** An earlier attempt may have written some rows: all rows are written again, and existing days are read from the fact table itself. */
  readonly isUncertain?: boolean
  /** Suffix of a rebuild's tables: all rows are written to them, and only rows that differ from the current tables are logged. */
  readonly rebuildInto?: string
  /** Suffix of a running rebuild's tables: rows already written to the current tables are repeated there and not logged again. */
  readonly mirrorInto?: string
}

interface Written {
  hash: number
  /** Day → fingerprint of its row. */
  days: Map<string, number>
}

interface Lines {
  /** Months of the written days. */
  months: Set<string>
  player: LineBytes
  activity: LineBytes
  playerLog: LineBytes
  activityLog: LineBytes
}

const PLAYER_TABLE_COLUMNS = [...PLAYER_COLUMNS, ...VERSION_COLUMNS, 'hash', 'days', 'hashes']
const ACTIVITY_TABLE_COLUMNS = [...ACTIVITY_COLUMNS, ...VERSION_COLUMNS]
const PLAYER_LOG_COLUMNS = [...PLAYER_COLUMNS, ...VERSION_COLUMNS, ...LOG_COLUMNS]
const ACTIVITY_LOG_COLUMNS = [...ACTIVITY_COLUMNS, ...VERSION_COLUMNS, ...LOG_COLUMNS]
/** One insert may contain days of many months. */
const SETTINGS = { max_partitions_per_insert_block: 10_000 }

/** Returns how many rows were written. */
export async function writePlayers(
  clickhouse: Clickhouse,
  players: readonly PlayerRows[],
  options: WriteOptions,
): Promise<number> {
  const ids = players.map((player) => player.id)
  const { written, isUncertain } = await readExisting(clickhouse, ids, options)
  const lines: Lines = {
    months: new Set(),
    player: createLineBytes(),
    activity: createLineBytes(),
    playerLog: createLineBytes(),
    activityLog: createLineBytes(),
  }
  const exact = { ...options, isUncertain }
  await inSlices(players, (player) => addPlayer(lines, player, written.get(player.id), exact))
  const insert = (table: string, columns: readonly string[], text: LineBytes): Promise<void> =>
    clickhouse.insertText(table, columns, 'JSONCompactEachRow', text.finish(), { settings: SETTINGS })
  const suffix = options.rebuildInto ?? options.mirrorInto ?? ''
  // Reports do not read a rebuild's tables before the exchange, so no month changes yet.
  await options.changes.during('activity', suffix === '' ? lines.months : [], () =>
    insert(`activity_fact${suffix}`, ACTIVITY_TABLE_COLUMNS, lines.activity),
  )
  await insert(`player_fact${suffix}`, PLAYER_TABLE_COLUMNS, lines.player)
  if (options.mirrorInto === undefined) {
    await insert('activity_fact_log', ACTIVITY_LOG_COLUMNS, lines.activityLog)
    await insert('player_fact_log', PLAYER_LOG_COLUMNS, lines.playerLog)
  }
  return lines.player.count + lines.activity.count
}

function addPlayer(lines: Lines, { id, rows }: PlayerRows, written: Written | undefined, options: WriteOptions): void {
  if (rows === undefined && written === undefined) return
  const { version, isUncertain = false } = options
  const isRebuild = options.rebuildInto !== undefined
  const log = `,${logContent(options.causes.forKey(id))}]`
  const days = new Map<string, number>()
  let isChanged = isUncertain
  const player = rows?.player ?? emptyPlayer(id)
  const contentOfDay = dayContents(player)
  for (const row of rows?.activity ?? []) {
    const content = contentOfDay(row)
    const hash = fingerprint(content)
    const isSame = !isUncertain && written?.days.get(row.day) === hash
    days.set(row.day, hash)
    if (!isSame) lines.activityLog.add(`[${content},${version},0${log}`)
    if (!isSame || isRebuild) {
      lines.activity.add(`[${content},${version},0]`)
      lines.months.add(monthOfDay(row.day))
    }
    isChanged ||= !isSame
  }
  for (const day of written?.days.keys() ?? []) {
    if (days.has(day)) continue
    const content = dayContents(emptyPlayer(id))({ ...NO_ACTIVITY, player_id: id, day })
    lines.activityLog.add(`[${content},${version},1${log}`)
    lines.months.add(monthOfDay(day))
    if (!isRebuild) lines.activity.add(`[${content},${version},1]`)
    isChanged = true
  }
  const content = playerContent(player)
  const hash = rows === undefined ? 0 : fingerprint(content)
  const isSame = !isUncertain && written?.hash === hash
  const line = `[${content},${version},${rows === undefined ? 1 : 0}`
  if (!isSame) lines.playerLog.add(line + log)
  const isNeeded = isRebuild ? rows !== undefined : isChanged || !isSame
  if (!isNeeded) return
  lines.player.add(`${line},${hash},${JSON.stringify([...days.keys()])},${JSON.stringify([...days.values()])}]`)
}

const NO_ACTIVITY = emptyRow(DAY_ONLY)
const NO_PLAYER = emptyRow({ ...PLAYER_ONLY, ...PLAYER_DATES, ...PLAYER_DIMENSIONS })
const emptyPlayer = (player_id: number): PlayerFact => ({ ...NO_PLAYER, player_id })

interface WrittenRow {
  player_id: number
  hash: number
  days: string[]
  hashes: number[]
}

/** Reads the log instead of a damaged table, so that facts go on until a rebuild has replaced it. */
async function readExisting(
  clickhouse: Clickhouse,
  ids: readonly number[],
  options: WriteOptions,
): Promise<{ written: Map<number, Written>; isUncertain: boolean }> {
  const isUncertain = options.isUncertain === true || options.mirrorInto !== undefined
  try {
    const written = isUncertain
      ? await readWrittenDays(clickhouse, ids, options.mirrorInto ?? '')
      : await readWritten(clickhouse, ids)
    return { written, isUncertain }
  } catch (error) {
    if (!isDamage(error)) throw error
    return { written: await readWrittenDays(clickhouse, ids, '_log'), isUncertain: true }
  }
}

async function readWritten(clickhouse: Clickhouse, ids: readonly number[]): Promise<Map<number, Written>> {
  const rows = await clickhouse.query<WrittenRow>(
    'select player_id, hash, days, hashes from player_fact final where player_id in {ids:Array(UInt32)}',
    { ids },
    { settings: { do_not_merge_across_partitions_select_final: 1 } },
  )
  return new Map(rows.map((row) => [row.player_id, toWritten(row)]))
}

const toWritten = ({ hash, days, hashes }: WrittenRow): Written => ({
  hash,
  days: new Map(days.map((day, index) => [day, hashes[index] ?? 0])),
})

/** All days that any version of these players has in activity_fact, without fingerprints. */
async function readWrittenDays(
  clickhouse: Clickhouse,
  ids: readonly number[],
  suffix: string,
): Promise<Map<number, Written>> {
  const rows = await clickhouse.query<WrittenRow>(
    `select player_id, 0 as hash, groupUniqArray(day) as days, [] as hashes from activity_fact${suffix}
      where player_id in {ids:Array(UInt32)} group by player_id
      union all select distinct player_id, 0, [], [] from player_fact${suffix} where player_id in {ids:Array(UInt32)}`,
    { ids },
  )
  const written = new Map<number, Written>()
  for (const row of rows)
    if (!written.has(row.player_id) || row.days.length > 0) written.set(row.player_id, toWritten(row))
  return written
}
