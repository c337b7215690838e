// The currency of amounts that name none: the installation's own.

import { sql } from 'kysely'
import type { Db } from '../engine/model/request-context.ts'

/** The one that the settings choose, else the euro, as in reports. Undefined when there is neither. */
export async function readReportCurrency(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ id: number | null }>`select coalesce(report_currency_id,
    (select id from currency where value = 'EUR' or title = 'EUR' order by id limit 1)) as id from setting`.execute(db)
  return rows[0]?.id ?? undefined
}
