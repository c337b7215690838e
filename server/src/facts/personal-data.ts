// Addresses of visitors are personal data: after the time in the settings the last part of each is gone for good. A network remains, so that
// old clicks can still be told apart by it.

import { addDays, dayOf } from '@tributary/contract/period'
import type { Clickhouse } from '../clickhouse/client.ts'
import type { Postgres } from '../postgres/client.ts'

/** 203.0.113.7 → 203.0.113.0, 2001:db8:1:2::3 → 2001:db8:1::. What is short already stays as it is. */
const SHORTENED = `if(position(ip, ':') > 0,
  concat(arrayStringConcat(arraySlice(splitByChar(':', ip), 1, 3), ':'), '::'),
  replaceRegexpOne(ip, '\\\\.[0-9]+$', '.0'))`

/** Returns whether there was anything to shorten. */
export async function shortenOldAddresses(postgres: Postgres, clickhouse: Clickhouse, now: number): Promise<boolean> {
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
