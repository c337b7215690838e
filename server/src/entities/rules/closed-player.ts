// A change of players that a closed month will true up needs a reason. It becomes part of the cause, which the audit log and the ledger show.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../engine/model/request-context.ts'

/** SQL: whether a month that is closed for one of the partners holds figures of the player. */
export const hasClosedFigures = (player: RawBuilder<unknown>, partners: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from period_close_partner c
    where c.reopened_at is null and c.partner_id = any(${partners})
      and (exists (select from player_report r where r.player_id = ${player} and to_char(r.report_date, 'YYYY-MM') = c.month)
        or exists (select from ledger_item i where i.player_id = ${player})
        or exists (select from player q where q.id = ${player} and to_char(q.qualified_at, 'YYYY-MM') = c.month)))`

/** Facts and audit of the rest of the transaction name the change and its reason as their cause. */
export const nameReason = (db: Db, change: string, reason: string): Promise<unknown> =>
  sql`select set_config('tributary.cause', ${`${change}: ${reason}`}, true)`.execute(db)
