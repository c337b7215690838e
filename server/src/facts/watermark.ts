// How far reports lag behind: the stored watermark, the live event that announces a change of it, and the start of the fact log. ClickHouse
// has every click answered, and every record change made, until the watermark. A report is as fresh as the older of the two.

import type { Clickhouse } from '../clickhouse/client.ts'
import { isoOf } from '../clickhouse/statement.ts'
import type { Postgres } from '../postgres/client.ts'
import { publishLive } from '../postgres/live.ts'

export const SOURCES = ['clicks', 'record'] as const
/** What has a watermark of its own. */
export type Source = (typeof SOURCES)[number]

/**
 * For each source the moment until which ClickHouse has everything: `clicks`, the clicks handed over; `record`, the facts of record
 * changes.
 */
export type Watermark = Record<Source, Date>

const NEVER = new Date(0)

/** The epoch for a source that was never read. */
export async function readWatermark(postgres: Pick<Postgres, 'pool'>): Promise<Watermark> {
  const { rows } = await postgres.pool.query<{ name: string; at: Date }>(
    'select name, at from facts_progress where name = any($1)',
    [SOURCES],
  )
  const at = (source: Source): Date => rows.find((row) => row.name === source)?.at ?? NEVER
  return { clicks: at('clicks'), record: at('record') }
}

/** Milliseconds between two writes of the watermark while nothing changes. */
const QUIET_MS = 1000

/** Stores the watermark (milliseconds) of one source. It never moves back; without changes it is written once a second. */
export function createWatermarkWriter(
  postgres: Pick<Postgres, 'pool'>,
  source: Source,
): (at: number, hasChanges: boolean) => Promise<void> {
  let last = 0
  return async (at, hasChanges) => {
    if (at <= last || (!hasChanges && at - last < QUIET_MS)) return
    await postgres.pool.query(
      `insert into facts_progress (name, at) values ($1, $2)
        on conflict (name) do update set at = excluded.at where facts_progress.at < excluded.at`,
      [source, new Date(at)],
    )
    last = at
  }
}

/** Changes younger than this are not announced, because facts usually include them by then. */
export const ANNOUNCE_AFTER = '3 seconds'

const IS_BUSY_SQL = `select exists (select from (select created_at from outbox order by id limit 1) as oldest
    where created_at < now() - $1::interval)
  or exists (select from facts_rebuild where state in ('waiting', 'running')) as busy`

/** Each call of the result announces if the state differs from that of the last call. The first call only stores the state. */
export function createFreshnessAnnouncer(postgres: Postgres): () => Promise<void> {
  let wasBusy: boolean | undefined
  return async () => {
    const { rows } = await postgres.pool.query<{ busy: boolean }>(IS_BUSY_SQL, [ANNOUNCE_AFTER])
    const isBusy = rows[0]?.busy === true
    if (wasBusy !== undefined && isBusy !== wasBusy)
      await publishLive(postgres.db, 'report_cache', {}, { everyone: true })
    wasBusy = isBusy
  }
}

/**
 * The time of the first logged version of facts; reports as known before it are impossible. Null when nothing is logged.
 * ClickHouse answers from the metadata of parts, without reading rows.
 */
export async function readLogStart(clickhouse: Clickhouse): Promise<Date | null> {
  const { rows } = await clickhouse.table(
    `select min(begin) from (
      select min(known_at) as begin, count() as n from activity_fact_log union all select min(known_at), count() from spend_fact_log
    ) where n > 0 having count() > 0`,
    {},
    { lane: 'short' },
  )
  const [[text] = []] = rows
  return typeof text === 'string' ? new Date(isoOf(text)) : null
}
