// Cleans up after clicks: deletes inbox rows some time after their hand-over, deletes writers that ended, and shortens visitors' IPs,
// which are personal data.
import type { Clickhouse } from '../../clickhouse/client.ts'
import type { Postgres } from '../../postgres/client.ts'
import { lowestId } from './click-lines.ts'

/** Rows stay in the inbox this long after the click, so that the tracker finds recent clicks even while ClickHouse is busy. */
const GRACE_MS = 600_000
const DELETED_AT_ONCE = 10_000

/** Deletes one batch and returns true if more rows may be left. Times are in milliseconds. */
export async function dropLoadedClicks(postgres: Postgres, now: number, graceMs = GRACE_MS): Promise<boolean> {
  const { rowCount } = await postgres.pool.query(
    `delete from click_inbox where id = any(array(
      select c.id from click_inbox c join click_writer w on w.id = c.writer
      where c.id < $1 and c.id <= w.loaded_id order by c.id limit ${DELETED_AT_ONCE}))`,
    [lowestId(now - graceMs)],
  )
  return rowCount === DELETED_AT_ONCE
}

/** If a deleted writer was only silent, the loader inserts it again. */
export async function dropSilentWriters(postgres: Postgres): Promise<void> {
  await postgres.pool.query(
    `delete from click_writer w where w.started_at < now() - interval '1 day'
      and not exists (select from click_inbox c where c.writer = w.id)`,
  )
}

/** SQL: 203.0.113.7 → 203.0.113.0, 2001:db8:1:2::3 → 2001:db8:1::. A short IP stays as it is. */
const SHORTENED = `if(position(ip, ':') > 0,
  concat(arrayStringConcat(arraySlice(splitByChar(':', ip), 1, 3), ':'), '::'),
  replaceRegexpOne(ip, '\\\\.[0-9]+$', '.0'))`

const PROGRESS_NAME = 'shortened addresses'

/**
 * Shortens the IPs of the oldest month whose days are all before `before`, if there is one that was not done yet. So that each month is rewritten
 * at most once, an IP stays whole for up to a month longer than that. Returns the month.
 */
export async function shortenOldIps(
  { pool }: Postgres,
  clickhouse: Clickhouse,
  before: string,
): Promise<string | undefined> {
  const { rows } = await pool.query<{ month: string }>(
    `select detail ->> 'month' as month from facts_progress where name = $1`,
    [PROGRESS_NAME],
  )
  const [found] = await clickhouse.query<{ month: string }>(
    'select min(_partition_id) as month from click where _partition_id > {done:String} and toYYYYMM(day) < {before:UInt32}',
    { done: rows[0]?.month ?? '', before: Number(before.slice(0, 7).replace('-', '')) },
  )
  const month = found?.month ?? ''
  if (month === '') return undefined
  await clickhouse.exec(
    `alter table click${clickhouse.macros.on_cluster} update ip = ${SHORTENED} in partition id '${month}' where ip != ${SHORTENED}`,
  )
  await pool.query(
    `insert into facts_progress (name, at, detail) values ($1, now(), $2)
      on conflict (name) do update set at = excluded.at, detail = excluded.detail`,
    [PROGRESS_NAME, JSON.stringify({ month })],
  )
  return month
}

/** For months to which clicks have moved: all months are shortened again, which changes only what is whole. */
export const forgetShortenedIps = async ({ pool }: Postgres): Promise<void> =>
  void (await pool.query('delete from facts_progress where name = $1', [PROGRESS_NAME]))
