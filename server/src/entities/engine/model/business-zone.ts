// The business time zone.

import { DEFAULT_ZONE } from '@tributary/contract/period'
import { sql } from 'kysely'
import type { Db } from './request-context.ts'

/** IANA name from the settings. */
export async function readBusinessZone(db: Db): Promise<string> {
  const { rows } = await sql<{ zone: string }>`select business_time_zone as zone from setting`.execute(db)
  return rows[0]?.zone ?? DEFAULT_ZONE
}
