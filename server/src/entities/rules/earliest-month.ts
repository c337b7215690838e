// The earliest month that is closed, adjusted, stated or entered: a year before the first record of the network, so that balances from elsewhere
// can be entered.
import { addDays } from '@tributary/contract/period'
import { sql } from 'kysely'
import { invalidField } from '../../lib/app-error.ts'
import type { Db } from '../engine/model/request-context.ts'

const DAYS_BEFORE = 366

/** 'YYYY-MM'. Records are players, player reports, spends, ledger entries and partner offers. */
export async function readEarliestMonth(db: Db): Promise<string> {
  const { rows } = await sql<{ day: string }>`select coalesce(least(
      (select min(registered_at) from player)::date, (select min(report_date) from player_report), (select min(date) from partner_spend),
      ((select min(earned_month) from ledger_entry) || '-01')::date, (select min(created_at) from offer_partner)::date), current_date)::text as day`.execute(
    db,
  )
  return addDays(rows[0]?.day ?? '1970-01-01', -DAYS_BEFORE).slice(0, 7)
}

/** Throws `invalid` for a month long before the network. */
export async function rejectEarlyMonth(db: Db, month: string, field = 'month'): Promise<void> {
  const first = await readEarliestMonth(db)
  if (month < first) throw invalidField(field, 'month_too_early', { month: first })
}
