// The report currency, which is the default currency of money.

import { sql } from 'kysely'
import type { Db } from '../engine/model/request-context.ts'

/** Id of the report currency of the settings, else of the euro. Undefined if there is neither. */
export async function readReportCurrency(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ id: number | null }>`select coalesce(report_currency_id,
    (select id from currency where value = 'EUR' or title = 'EUR' order by id limit 1)) as id from setting`.execute(db)
  return rows[0]?.id ?? undefined
}
