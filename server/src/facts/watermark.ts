// How far the facts are: ClickHouse has everything that was answered or changed until then. A report is as fresh as the older of the two sources.

import type { Clickhouse } from '../clickhouse/client.ts'
import { isoOf } from '../clickhouse/statement.ts'
import type { Postgres } from '../postgres/client.ts'
import { publishLive } from '../postgres/live.ts'

export const SOURCES = ['clicks', 'record'] as const
export type Source = (typeof SOURCES)[number]

export type Watermark = Record<Source, Date>

const NEVER = new Date(0)

export async function readWatermark(postgres: Pick<Postgres, 'pool'>): Promise<Watermark> {
  const { rows } = await postgres.pool.query<{ name: string; at: Date }>(
    'select name, at from facts_progress where name = any($1)',
    [SOURCES],
  )
  const at = (source: Source): Date => rows.find((row) => row.name === source)?.at ?? NEVER
  return { clicks: at('clicks'), record: at('record') }
}

/** Milliseconds between two notes when nothing has come in. */
const QUIET_MS = 1000

/** Stores how far one source is. It never goes back; a quiet source is written once a second. */
export function createWatermarkWriter(
  postgres: Pick<Postgres, 'pool'>,
  source: Source,
): (at: number, hasNews: boolean) => Promise<void> {
  let last = 0
  return async (at, hasNews) => {
    if (at <= last || (!hasNews && at - last < QUIET_MS)) return
    await postgres.pool.query(
      `insert into facts_progress (name, at) values ($1, $2)
        on conflict (name) do update set at = excluded.at where facts_progress.at < excluded.at`,
      [source, new Date(at)],
    )
    last = at
  }
}

// Tells open screens that reports are being recomputed, and that they are current again. Screens ask for the details themselves.

/** Younger changes are not announced: facts follow them within this time. */
export const PATIENCE = '3 seconds'

const BUSY = `select exists (select from (select created_at from outbox order by id limit 1) as oldest
    where created_at < now() - $1::interval)
  or exists (select from facts_rebuild where state in ('waiting', 'running')) as busy`

/** Each call announces a change of state since the last one. The first call of a process only remembers the state. */
export function createAnnouncer(postgres: Postgres): () => Promise<void> {
  let wasBusy: boolean | undefined
  return async () => {
    const { rows } = await postgres.pool.query<{ busy: boolean }>(BUSY, [PATIENCE])
    const isBusy = rows[0]?.busy === true
    if (wasBusy !== undefined && isBusy !== wasBusy)
      await publishLive(postgres.db, 'report_cache', {}, { everyone: true })
    wasBusy = isBusy
  }
}

// The first logged version of facts: reports cannot answer as known before it.

/** Null when nothing is logged. Answered from the ranges of parts, without reading rows. */
export async function readBegin(clickhouse: Clickhouse): Promise<Date | null> {
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
