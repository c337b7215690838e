// Deletes months of clicks. Sums by day (click_day) are made first and count in place of the clicks. Clicks that arrive for such a month
// later count beside its sums, until the next deletion adds them.
import type { Clickhouse } from '../../clickhouse/client.ts'
import type { Postgres } from '../../postgres/client.ts'

/** A month ('202606') whose clicks are deleted. */
export interface DeletedMonth {
  readonly month: string
  /** The sums of click_day that count. */
  readonly run: number
  /** False while the sums include clicks that are still there. */
  readonly isDropped: boolean
}

export const CLICK_DAY_KEYS = [
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'advertiser_id',
  'landing_id',
  'stream_id',
  'traffic_source_id',
  'country_id',
  'site_id',
] as const

/** A subquery of PostgreSQL: all deleted months as JSON. */
export const DELETED_MONTHS_SQL = `(select coalesce(json_agg(json_build_object('month', month, 'run', run,
  'isDropped', dropped_at is not null) order by month), '[]') from deleted_clicks)`

/** SQL of the first day of which all clicks are kept; null if none were deleted. */
export const CLICKS_KEPT_FROM_SQL = `(select to_char(to_date(max(month), 'YYYYMM') + interval '1 month', 'YYYY-MM-DD') from deleted_clicks
  where dropped_at is not null)`

export async function readDeletedMonths({ pool }: Pick<Postgres, 'pool'>): Promise<readonly DeletedMonth[]> {
  const { rows } = await pool.query<{ months: DeletedMonth[] }>(`select ${DELETED_MONTHS_SQL} as months`)
  return rows[0]?.months ?? []
}

/** SQL conditions. */
export interface DeletedConditions {
  /** Selects clicks that no sums include. */
  readonly clicks: string
  /** Selects the rows of click_day that count; null: there are none. */
  readonly days: string | null
}

export function deletedConditions(months: readonly DeletedMonth[]): DeletedConditions {
  const present = months.filter(({ isDropped }) => !isDropped).map(({ month }) => Number(month))
  return {
    clicks: present.length === 0 ? '1' : `toYYYYMM(day) not in (${present.join(', ')})`,
    days: months.length === 0 ? null : `run in (${months.map(({ run }) => Number(run)).join(', ')})`,
  }
}

interface Engines {
  readonly postgres: Pick<Postgres, 'pool'>
  readonly clickhouse: Clickhouse
}

interface StoredMonth {
  readonly month: string
  readonly run: number
  readonly clicks: number
  readonly isDropped: boolean
  /** No report that began before the sums counted can still be running. */
  readonly isReady: boolean
}

/** Longer than any report runs, which may have been planned before the sums counted. */
const GRACE_MS = 600_000
const MAX_SECONDS = 3600
/** ClickHouse refuses to drop large partitions by default. */
const DROP_ANY_SIZE = { max_partition_size_to_drop: 0 }

export interface DeletionOptions {
  readonly graceMs?: number
  /** Tests stop here: after the sums count, and after the clicks are gone. */
  readonly onStep?: (step: 'summed' | 'dropped') => Promise<void>
}

/**
 * Deletes clicks of months before `cut` ('202606'; null: none are to be deleted). Sums are made first; the clicks go with a later call. May be
 * interrupted anywhere. Nothing may write clicks meanwhile. Returns the months whose clicks went.
 */
export async function deleteOldClicks(
  engines: Engines,
  cut: string | null,
  now: number,
  options: DeletionOptions = {},
): Promise<string[]> {
  const { clickhouse } = engines
  await dropOldRuns(engines)
  const gone = await finishDeletions(engines, cut, options)
  const stored = await readStored(engines, options)
  for (const month of await readClickMonths(clickhouse)) {
    const before = stored.find((one) => one.month === month)
    if (cut === null || month >= cut || before?.isDropped === false) continue
    await sumDays(engines, month, before, now)
    await options.onStep?.('summed')
  }
  return gone
}

/**
 * Finishes deletions that have begun: drops the clicks of a month once no running report needs them. If the month has more clicks than were summed,
 * or is to be kept, its sums stop counting instead.
 */
export async function finishDeletions(
  engines: Engines,
  cut: string | null,
  options: DeletionOptions = {},
): Promise<string[]> {
  const { postgres, clickhouse } = engines
  const gone: string[] = []
  for (const { month, clicks, isDropped, isReady } of await readStored(engines, options)) {
    if (isDropped) continue
    const present = await countClicks(clickhouse, month)
    // Fewer: an interrupted call has dropped them.
    const isGone = present < clicks
    if (!isGone && (present > clicks || cut === null || month >= cut)) await keepClicks(postgres, month)
    else if (isGone || isReady) {
      if (!isGone) await dropClicks(clickhouse, month)
      await options.onStep?.('dropped')
      await postgres.pool.query(
        'update deleted_clicks set dropped_at = clock_timestamp(), base_run = null where month = $1',
        [month],
      )
      gone.push(month)
    }
  }
  return gone
}

/** Restores the state before the sums were made, so that the clicks themselves count. */
async function keepClicks({ pool }: Engines['postgres'], month: string): Promise<void> {
  await pool.query('delete from deleted_clicks where month = $1 and base_run is null', [month])
  await pool.query(
    'update deleted_clicks set run = base_run, base_run = null, clicks = 0, dropped_at = clock_timestamp() where month = $1',
    [month],
  )
}

/** Statements on partitions are replicated by the tables themselves: on a cluster, another server could run them on rows that it lacks yet. */
const dropClicks = (clickhouse: Clickhouse, month: string): Promise<void> =>
  clickhouse.exec(
    `alter table click drop partition id '${month}'`,
    {},
    { settings: DROP_ANY_SIZE, maxSeconds: MAX_SECONDS },
  )

async function readStored({ postgres }: Engines, { graceMs = GRACE_MS }: DeletionOptions): Promise<StoredMonth[]> {
  const { rows } = await postgres.pool.query<StoredMonth>(
    `select month, run, clicks, dropped_at is not null as "isDropped",
      begun_at <= clock_timestamp() - make_interval(secs => $1) as "isReady" from deleted_clicks order by month`,
    [graceMs / 1000],
  )
  return rows
}

async function readClickMonths(clickhouse: Clickhouse): Promise<string[]> {
  const rows = await clickhouse.query<{ month: string }>(
    'select distinct _partition_id as month from click order by month',
  )
  return rows.map(({ month }) => month)
}

async function countClicks(clickhouse: Clickhouse, month: string): Promise<number> {
  const [found] = await clickhouse.query<{ clicks: number }>(
    'select count() as clicks from click where toYYYYMM(day) = {month:UInt32}',
    { month: Number(month) },
  )
  return found?.clicks ?? 0
}

/** Stores the sums of a month, with those of earlier deletions, and lets them count. */
async function sumDays(
  { postgres, clickhouse }: Engines,
  month: string,
  before: StoredMonth | undefined,
  now: number,
): Promise<void> {
  const clicks = await countClicks(clickhouse, month)
  const [highest] = await clickhouse.query<{ run: number }>('select max(run) as run from click_day')
  // A run without rows, of a month that has only bots, is known to the record alone.
  const { rows: used } = await postgres.pool.query<{ run: number | null }>('select max(run) as run from deleted_clicks')
  const run = Math.max(now, (highest?.run ?? 0) + 1, Number(used[0]?.run ?? 0) + 1)
  const keys = CLICK_DAY_KEYS.join(', ')
  const insert = (select: string): Promise<void> =>
    clickhouse.exec(
      `insert into click_day (run, day, ${keys}, is_click, is_unique) ${select}`,
      { month: Number(month) },
      { lane: 'long', maxSeconds: MAX_SECONDS },
    )
  await insert(`select ${run}, day, ${keys}, n_click, n_unique from (
      select day, ${keys}, sum(is_click) as n_click, sum(is_unique) as n_unique from click
      where toYYYYMM(day) = {month:UInt32} group by day, ${keys}) where n_click > 0 or n_unique > 0`)
  if (before !== undefined)
    await insert(`select ${run}, day, ${keys}, is_click, is_unique from click_day
      where run = ${before.run} and toYYYYMM(day) = {month:UInt32}`)
  await postgres.pool.query(
    `insert into deleted_clicks as d (month, run, clicks) values ($1, $2, $3)
      on conflict (month) do update set base_run = d.run, run = excluded.run, clicks = excluded.clicks,
        begun_at = clock_timestamp(), dropped_at = null`,
    [month, run, clicks],
  )
}

/** Drops sums that do not count: replaced ones, and those of an interrupted call. */
async function dropOldRuns({ postgres, clickhouse }: Engines): Promise<void> {
  const { rows } = await postgres.pool.query<{ run: number }>(
    'select unnest(array[run, base_run]) as run from deleted_clicks',
  )
  const needed = new Set(rows.map(({ run }) => run))
  const found = await clickhouse.query<{ partition: string; run: number }>(
    'select distinct _partition_id as partition, run from click_day',
  )
  for (const { partition, run } of found) {
    if (needed.has(run)) continue
    await clickhouse.exec(`alter table click_day drop partition id '${partition}'`)
  }
}
