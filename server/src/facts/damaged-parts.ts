// Finds parts of ClickHouse's tables whose bytes are not those that were written, and makes again what the record can make again. What only
// ClickHouse has (clicks, sums of deleted months, the logs of what was known) must be restored, so the log names it.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { Logger } from '../lib/log.ts'
import type { Postgres } from '../postgres/client.ts'
import { SUMS_TABLE } from './months/summed-columns.ts'
import { REBUILT_TABLES } from './rebuild.ts'
import { requestRebuild } from './rebuild-request.ts'

interface Engines {
  readonly postgres: Pick<Postgres, 'pool'>
  readonly clickhouse: Clickhouse
}

/** A part that cannot be read; a detached one was left out when the engine started, so its rows are missing without an error. */
export interface DamagedPart {
  readonly table: string
  readonly part: string
  readonly isDetached: boolean
  readonly reason: string
}

const CHECK_SECONDS = 3600
const SUMS: readonly string[] = [SUMS_TABLE, 'month_run']
/** Errors of the engine that bytes on disk cause. */
const DAMAGE_ERRORS = [
  'CHECKSUM_DOESNT_MATCH',
  'TOO_LARGE_SIZE_COMPRESSED',
  'CORRUPTED_DATA',
  'CANNOT_DECOMPRESS',
  'CANNOT_READ_ALL_DATA',
  'ATTEMPT_TO_READ_AFTER_EOF',
  'NO_FILE_IN_DATA_PART',
  'BAD_SIZE_OF_FILE_IN_DATA_PART',
  'UNKNOWN_CODEC',
]

/** How many errors of that kind the engine has had since it started, in any statement or merge. */
export async function countDamageErrors(clickhouse: Clickhouse): Promise<number> {
  const names = DAMAGE_ERRORS.map((name) => `'${name}'`).join(', ')
  const [row] = await clickhouse.query<{ count: number }>(
    `select toUInt32(sum(value)) as count from system.errors where name in (${names})`,
  )
  return row?.count ?? 0
}

/** Parts that the engine left out at its start; this reads no data. */
export async function findDetachedParts(clickhouse: Clickhouse): Promise<DamagedPart[]> {
  return clickhouse.query<DamagedPart>(
    `select table, name as part, true as isDetached, reason from system.detached_parts
      where database = currentDatabase() and reason in ('broken', 'broken-on-start')`,
  )
}

/** Reads every byte of every table. */
export async function findDamagedParts(clickhouse: Clickhouse): Promise<DamagedPart[]> {
  const tables = await clickhouse.query<{ name: string }>(
    `select name from system.tables where database = currentDatabase() and engine like '%MergeTree' order by name`,
  )
  const found = await findDetachedParts(clickhouse)
  for (const { name } of tables) {
    const { columns, rows } = await clickhouse.table(
      `check table ${name}`,
      {},
      { lane: 'long', maxSeconds: CHECK_SECONDS, settings: { check_query_single_value_result: 0 } },
    )
    const [part, isPassed, message] = ['part_path', 'is_passed', 'message'].map((column) => columns.indexOf(column))
    for (const row of rows)
      if (!isTrue(row[isPassed ?? -1]))
        found.push({
          table: name,
          part: String(row[part ?? -1]),
          isDetached: false,
          reason: String(row[message ?? -1]),
        })
  }
  return found
}

const isTrue = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true'

/** Logs each part, and has made again what can be: facts by a rebuild, sums of months at once. */
export async function mendDamage(engines: Engines, log: Logger, found: readonly DamagedPart[]): Promise<void> {
  const facts = new Set<string>()
  for (const { table, part, isDetached, reason } of found) {
    const [isFact, isSum] = [REBUILT_TABLES.includes(table), SUMS.includes(table)]
    const damage = { table, part, detached: isDetached, reason }
    if (isFact) facts.add(`${table} ${part}`)
    if (isSum) await forgetSums(engines, { table, part, isDetached })
    if (isFact || isSum) log.error(damage, 'a part of ClickHouse is damaged; it is made again from the record')
    else log.error(damage, 'a part of ClickHouse is damaged; only a back-up has its rows')
  }
  if (facts.size === 0) return
  const { rows } = await engines.postgres.pool.query(
    `select from facts_rebuild where state in ('waiting', 'running') limit 1`,
  )
  if (rows.length === 0) await requestRebuild(engines.postgres, `damaged: ${[...facts].join(', ').slice(0, 500)}`)
}

/** No month's sums count any more, so they are made again; reports read the facts meanwhile. */
async function forgetSums(
  { postgres, clickhouse }: Engines,
  { table, part, isDetached }: Pick<DamagedPart, 'table' | 'part' | 'isDetached'>,
): Promise<void> {
  await postgres.pool.query('update fact_month set number = number + 1')
  const name = part.replace(/[^\w-]/g, '')
  const which = isDetached ? 'drop detached part' : 'drop part'
  await clickhouse.exec(
    `alter table ${table}${clickhouse.macros.on_cluster} ${which} '${name}'`,
    {},
    {
      settings: isDetached ? { allow_drop_detached: 1 } : {},
    },
  )
}

const REST_MS = 30_000
/** Reading everything must not become all that the engine does. */
const REST_FACTOR = 10

/** A step of the writer: looks for left-out parts at the start, and for damaged ones once the engine has met one. */
export function createDamageStep(engines: Engines, log: Logger): () => Promise<boolean> {
  let known: number | undefined
  let nextCheck = 0
  return async () => {
    const count = await countDamageErrors(engines.clickhouse)
    if (known === undefined) {
      await mendDamage(engines, log, await findDetachedParts(engines.clickhouse))
      known = 0
    }
    const began = performance.now()
    if (count > known && began >= nextCheck) {
      await mendDamage(engines, log, await findDamagedParts(engines.clickhouse))
      known = await countDamageErrors(engines.clickhouse)
      nextCheck = performance.now() + Math.max(REST_MS, (performance.now() - began) * REST_FACTOR)
    }
    return false
  }
}
