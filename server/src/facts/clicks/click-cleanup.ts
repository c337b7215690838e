// Cleans up after clicks: deletes inbox rows some time after their hand-over, deletes writers that ended, and shortens visitors' IPs,
// which are personal data, after the time in the settings.
import { addDays, dayOf } from '@tributary/contract/period'
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

/** Returns true if there were IPs to shorten. */
export async function shortenOldIps(postgres: Postgres, clickhouse: Clickhouse, now: number): Promise<boolean> {
  const { rows } = await postgres.pool.query<{ zone: string; days: number }>(
    'select business_time_zone as zone, personal_data_days as days from setting',
  )
  const setting = rows[0]
  if (setting === undefined) return false
  const before = addDays(dayOf(now, setting.zone), -setting.days)
  const old = `day < '${before}' and ip != ${SHORTENED}`
  const [found] = await clickhouse.query<{ rows: number }>(`select count() as rows from click where ${old}`)
  if ((found?.rows ?? 0) === 0) return false
  await clickhouse.exec(`alter table click${clickhouse.macros.on_cluster} update ip = ${SHORTENED} where ${old}`)
  return true
}
