// How far the facts are: everything answered or changed until then is in ClickHouse. A report is as fresh as the older of the two.

import type { Postgres } from '../postgres/client.ts'

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

/** Notes how far one source is. It never goes back, and is not written more often than somebody could read it. */
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
