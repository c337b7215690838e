// Writes what became of entered spends: only what differs from what is there, and then to the log.

import type { Clickhouse } from '../clickhouse/client.ts'
import { logContent } from './cause.ts'
import {
  fingerprint,
  LOG_COLUMNS,
  NO_DAY,
  SPEND_COLUMNS,
  type SpendFact,
  spendContent,
  VERSION_COLUMNS,
} from './fact-row.ts'
import type { WriteOptions } from './player-writer.ts'

/** What is written; undefined: the spend is gone. */
export interface SpendRow {
  readonly id: number
  readonly row: SpendFact | undefined
}

const TABLE_COLUMNS = [...SPEND_COLUMNS, ...VERSION_COLUMNS, 'hash']
const TABLE_LOG_COLUMNS = [...SPEND_COLUMNS, ...VERSION_COLUMNS, ...LOG_COLUMNS]

/** Returns how many rows were written. */
export async function writeSpends(
  clickhouse: Clickhouse,
  spends: readonly SpendRow[],
  options: WriteOptions,
): Promise<number> {
  const { version, rebuildInto, mirrorInto } = options
  const ids = spends.map((spend) => spend.id)
  const written = await readWritten(clickhouse, ids, mirrorInto ?? '')
  const lines: string[] = []
  const log: string[] = []
  for (const { id, row } of spends) {
    const known = written.get(id)
    if (row === undefined && known === undefined) continue
    const content = spendContent(row ?? emptySpend(id))
    const hash = row === undefined ? 0 : fingerprint(content)
    const isSame = known === hash && options.isUncertain !== true
    const line = `[${content},${version},${row === undefined ? 1 : 0}`
    if (!isSame) log.push(`${line},${logContent(options.causes.of(id))}]`)
    if (rebuildInto !== undefined ? row !== undefined : !isSame) lines.push(`${line},${hash}]`)
  }
  const table = `spend_fact${rebuildInto ?? mirrorInto ?? ''}`
  await clickhouse.insertText(table, TABLE_COLUMNS, 'JSONCompactEachRow', lines.join('\n'))
  if (mirrorInto === undefined) {
    await clickhouse.insertText('spend_fact_log', TABLE_LOG_COLUMNS, 'JSONCompactEachRow', log.join('\n'))
  }
  return lines.length
}

const emptySpend = (spend_id: number): SpendFact => ({
  spend_id,
  day: NO_DAY,
  offer_partner_id: 0,
  offer_id: 0,
  partner_id: 0,
  advertiser_id: 0,
  stream_id: 0,
  traffic_source_id: 0,
  country_id: 0,
  site_id: '',
  sub_id: '',
  media_id: '',
  currency_id: 0,
  base_original: 0n,
  base: 0n,
  sum: 0n,
  rate_missing: 0,
})

async function readWritten(
  clickhouse: Clickhouse,
  ids: readonly number[],
  suffix: string,
): Promise<Map<number, number>> {
  const rows = await clickhouse.query<{ spend_id: number; hash: number }>(
    `select spend_id, hash from spend_fact${suffix} final where spend_id in {ids:Array(UInt64)}`,
    { ids },
    { settings: { do_not_merge_across_partitions_select_final: 1 } },
  )
  return new Map(rows.map((row) => [row.spend_id, row.hash]))
}
