// Writes spend facts that differ from those in ClickHouse, then their log. Month, partner and day are in the table's key, so a spend that moves
// gets a deleted row at every other place where it still has one.

import type { Clickhouse } from '../../clickhouse/client.ts'
import { logContent } from '../cause.ts'
import { emptyRow, SPEND } from '../columns.ts'
import { fingerprint, LOG_COLUMNS, SPEND_COLUMNS, type SpendFact, spendContent, VERSION_COLUMNS } from '../fact-row.ts'
import { monthOfDay } from '../months/month-changes.ts'
import type { WriteOptions } from '../players/player-writer.ts'

/** The row to write; undefined: the spend is gone. */
export interface SpendRow {
  readonly id: number
  readonly row: SpendFact | undefined
}

const TABLE_COLUMNS = [...SPEND_COLUMNS, ...VERSION_COLUMNS, 'hash']
const TABLE_LOG_COLUMNS = [...SPEND_COLUMNS, ...VERSION_COLUMNS, ...LOG_COLUMNS]
/** Spends of many months may come in one insert. */
const SETTINGS = { max_partitions_per_insert_block: 10_000 }

/** Returns how many rows were written. */
export async function writeSpends(
  clickhouse: Clickhouse,
  spends: readonly SpendRow[],
  options: WriteOptions,
): Promise<number> {
  const { version, rebuildInto, mirrorInto, isUncertain = false } = options
  const ids = spends.map((spend) => spend.id)
  const written = await readWritten(clickhouse, ids, mirrorInto ?? '')
  const lines: string[] = []
  const months = new Set<string>()
  const log: string[] = []
  for (const { id, row } of spends) {
    const known = written.get(id) ?? []
    if (row === undefined && known.length === 0) continue
    const content = spendContent(row ?? emptySpend(id))
    const hash = row === undefined ? 0 : fingerprint(content)
    const isSame = !isUncertain && isWritten(known, row, hash)
    if (!isSame) log.push(`[${content},${version},${row === undefined ? 1 : 0},${logContent(options.causes.of(id))}]`)
    if (row !== undefined && (!isSame || rebuildInto !== undefined)) {
      lines.push(`[${content},${version},0,${hash}]`)
      months.add(monthOfDay(row.day))
    }
    // Also in the tables of a rebuild, where a change may already have written one.
    for (const place of known) {
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

/** A day and partner at which a spend has, or had, its row. */
interface Place {
  readonly spend_id: number
  readonly day: string
  readonly partner_id: number
  readonly is_deleted: 0 | 1
  readonly hash: number
}

const isAt = ({ day, partner_id }: Place, row: SpendFact | undefined): boolean =>
  row !== undefined && row.partner_id === partner_id && row.day === day

/** Whether this row is the only one that is not deleted. */
function isWritten(known: readonly Place[], row: SpendFact | undefined, hash: number): boolean {
  const holding = known.filter((place) => place.is_deleted === 0)
  return row === undefined ? holding.length === 0 : holding.length === 1 && holding[0]?.hash === hash
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
