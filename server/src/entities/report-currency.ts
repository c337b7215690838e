// The currency of amounts that name none: the installation's own.

import { sql } from 'kysely'
import type { Db } from './acting.ts'

/** Undefined when the installation has not chosen one. */
export async function readReportCurrency(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ id: number | null }>`select report_currency_id as id from setting`.execute(db)
  return rows[0]?.id ?? undefined
}
