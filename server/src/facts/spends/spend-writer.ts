// Writes spend facts that differ from those in ClickHouse, then their log. Partner and day are part of the table's key, so a spend that moves
// needs a deleted row at every other place where it still has a row.

import type { Clickhouse } from '../../clickhouse/client.ts'
import { isDamage } from '../../clickhouse/failure.ts'
import { logContent } from '../cause.ts'
import { emptyRow, SPEND } from '../columns.ts'
import { fingerprint, LOG_COLUMNS, SPEND_COLUMNS, type SpendFact, spendContent, VERSION_COLUMNS } from '../fact-row.ts'
import { monthOfDay } from '../months/month-changes.ts'
import type { WriteOptions } from '../players/player-writer.ts'

/** The row to write; undefined if the spend no longer counts. */
export interface SpendRow {
  readonly id: number
  readonly row: SpendFact | undefined
}

const TABLE_COLUMNS = [...SPEND_COLUMNS, ...VERSION_COLUMNS, 'hash']
const TABLE_LOG_COLUMNS = [...SPEND_COLUMNS, ...VERSION_COLUMNS, ...LOG_COLUMNS]
/** One insert may contain spends of many months. */
const SETTINGS = { max_partitions_per_insert_block: 10_000 }

/** Returns how many rows were written. */
export async function writeSpends(
  clickhouse: Clickhouse,
  spends: readonly SpendRow[],
  options: WriteOptions,
): Promise<number> {
  const { version, rebuildInto, mirrorInto, isUncertain = false } = options
  const ids = spends.map((spend) => spend.id)
  const written = await readWritten(clickhouse, ids, mirrorInto ?? '').catch((error: unknown) => {
    if (!isDamage(error)) throw error
    return readLogged(clickhouse, ids)
  })
  const lines: string[] = []
  const months = new Set<string>()
  const log: string[] = []
  for (const { id, row } of spends) {
    const places = written.get(id) ?? []
    if (row === undefined && places.length === 0) continue
    const content = spendContent(row ?? emptySpend(id))
    const hash = row === undefined ? 0 : fingerprint(content)
    const isSame = !isUncertain && isWritten(places, row, hash)
    if (!isSame)
      log.push(`[${content},${version},${row === undefined ? 1 : 0},${logContent(options.causes.forKey(id))}]`)
    if (row !== undefined && (!isSame || rebuildInto !== undefined)) {
      lines.push(`[${content},${version},0,${hash}]`)
      months.add(monthOfDay(row.day))
    }
    // Applies to the tables of a rebuild as well, because a mirrored change may already have written a row there.
    for (const place of places) {
      if (place.is_deleted === 1 || isAt(place, row)) continue
      const gone = { ...emptySpend(id), day: place.day, partner_id: place.partner_id }
      lines.push(`[${spendContent(gone)},${version},1,0]`)
      months.add(monthOfDay(place.day))
    }
  }
  const table = `spend_fact${rebuildInto ?? mirrorInto ?? ''}`
  const insert = (into: string, columns: readonly string[], rows: readonly string[]): Promise<void> =>
    clickhouse.insertText(into, columns, 'JSONCompactEachRow', rows.join('\n'), { settings: SETTINGS })
  await options.changes.during('spend', table === 'spend_fact' ? months : [], () => insert(table, TABLE_COLUMNS, lines))
  if (mirrorInto === undefined) await insert('spend_fact_log', TABLE_LOG_COLUMNS, log)
  return lines.length
}

/** A day and partner under which a spend has, or had, a row. */
interface Place {
  readonly spend_id: number
  readonly day: string
  readonly partner_id: number
  readonly is_deleted: 0 | 1
  readonly hash: number
}

const isAt = ({ day, partner_id }: Place, row: SpendFact | undefined): boolean =>
  row !== undefined && row.partner_id === partner_id && row.day === day

/** True if `row` is the only row that is not deleted; without `row`, true if all are deleted. */
function isWritten(places: readonly Place[], row: SpendFact | undefined, hash: number): boolean {
  const live = places.filter((place) => place.is_deleted === 0)
  return row === undefined ? live.length === 0 : live.length === 1 && live[0]?.hash === hash
}

const NO_SPEND = emptyRow(SPEND)
const emptySpend = (spend_id: number): SpendFact => ({ ...NO_SPEND, spend_id })

async function readWritten(
  clickhouse: Clickhouse,
  ids: readonly number[],
  suffix: string,
): Promise<Map<number, Place[]>> {
  const rows = await clickhouse.query<Place>(
    `select spend_id, day, partner_id, argMax(is_deleted, version) as is_deleted, argMax(hash, version) as hash
      from spend_fact${suffix} where spend_id in {ids:Array(UInt64)} group by spend_id, day, partner_id`,
    { ids },
  )
  return Map.groupBy(rows, (row) => row.spend_id)
}

/** Every place that a spend has had, for a damaged table, which cannot say which of them it still has. */
async function readLogged(clickhouse: Clickhouse, ids: readonly number[]): Promise<Map<number, Place[]>> {
  const rows = await clickhouse.query<Place>(
    `select spend_id, day, partner_id, 0 as is_deleted, 0 as hash from spend_fact_log
      where spend_id in {ids:Array(UInt64)} group by spend_id, day, partner_id`,
    { ids },
  )
  return Map.groupBy(rows, (row) => row.spend_id)
}
