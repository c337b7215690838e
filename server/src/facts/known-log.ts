// Retention of the logs of what was known when. Of the months before a cut only the last version of each fact stays, as known at their end, so that
// reports as known on any later moment stay exact.
import type { Clickhouse } from '../clickhouse/client.ts'
import { ACTIVITY_COLUMNS, LOG_COLUMNS, PLAYER_COLUMNS, SPEND_COLUMNS, VERSION_COLUMNS } from './fact-row.ts'

const LOGS: Readonly<Record<string, { readonly key: string; readonly columns: readonly string[] }>> = {
  player_fact_log: { key: 'player_id', columns: PLAYER_COLUMNS },
  activity_fact_log: { key: 'player_id, day', columns: ACTIVITY_COLUMNS },
  spend_fact_log: { key: 'spend_id', columns: SPEND_COLUMNS },
}
/** Back-ups leave tables with this suffix out. */
const NEXT_SUFFIX = '_rebuild'
const EXEC = { lane: 'long', maxSeconds: 3600, settings: { max_partition_size_to_drop: 0 } } as const

/** Reduces the log's months before `cut` ('202606'). May be interrupted anywhere. Returns the tables that it has changed. */
export async function shortenKnownLogs(clickhouse: Clickhouse, cut: string): Promise<string[]> {
  const changed: string[] = []
  for (const table of Object.keys(LOGS)) if (await shortenLog(clickhouse, table, cut)) changed.push(table)
  return changed
}

async function shortenLog(clickhouse: Clickhouse, table: string, cut: string): Promise<boolean> {
  const { key, columns } = LOGS[table] ?? { key: '', columns: [] }
  const old = `toYYYYMM(known_at) < ${Number(cut)}`
  const months = await clickhouse.query<{ month: string; begin: string }>(
    `select toString(toYYYYMM(known_at)) as month, toString(min(known_at)) as begin from ${table} where ${old} group by month order by month`,
  )
  const end = lastMoment(cut)
  const base = end.slice(0, 7).replace('-', '')
  if (months.length === 0 || (months.length === 1 && months[0]?.begin === end)) return false
  const { on_cluster } = clickhouse.macros
  const [next, kept] = [`${table}${NEXT_SUFFIX}`, [...columns, ...VERSION_COLUMNS, ...LOG_COLUMNS]]
  const values = kept.map((column) => (column === 'known_at' ? `toDateTime64('${end}', 3, 'UTC')` : column))
  await clickhouse.exec(`drop table if exists ${next}${on_cluster}`)
  await clickhouse.exec(`create table ${next}${on_cluster} as ${table}`)
  await clickhouse.exec(
    `insert into ${next} (${kept.join(', ')}) select ${values.join(', ')} from (
      select ${kept.join(', ')} from ${table} where ${old} order by ${key}, version desc limit 1 by ${key}) where is_deleted = 0`,
    {},
    { lane: 'long', maxSeconds: EXEC.maxSeconds },
  )
  const [found] = await clickhouse.query<{ rows: number }>(`select count() as rows from ${next}`)
  const hasRows = (found?.rows ?? 0) > 0
  // In one step, so that no report misses a version or counts with a part of them.
  if (hasRows) await clickhouse.exec(`alter table ${table} replace partition id '${base}' from ${next}`)
  for (const { month } of months)
    if (!hasRows || month !== base) await clickhouse.exec(`alter table ${table} drop partition id '${month}'`, {}, EXEC)
  await clickhouse.exec(`drop table if exists ${next}${on_cluster}`)
  return true
}

/** The last millisecond before a month, as ClickHouse writes it. */
function lastMoment(month: string): string {
  const begin = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(4)) - 1, 1)
  return new Date(begin - 1).toISOString().replace('T', ' ').replace('Z', '')
}
