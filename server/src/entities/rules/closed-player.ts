// A change of players that a closed month will true up needs a reason. It becomes part of the cause, which the audit log and the ledger show.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../engine/model/request-context.ts'
import { withReason } from '../engine/save/cause.ts'

/** SQL: whether a month that is closed for one of the partners holds figures of the player. */
export const hasClosedFigures = (player: RawBuilder<unknown>, partners: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from period_close_partner c
    where c.reopened_at is null and c.partner_id = any(${partners})
      and (exists (select from player_report r where r.player_id = ${player} and to_char(r.report_date, 'YYYY-MM') = c.month)
        or exists (select from ledger_item i where i.player_id = ${player})
        or exists (select from player q where q.id = ${player} and to_char(q.qualified_at, 'YYYY-MM') = c.month)))`

/** SQL: whether the offer of a player `t` pays for single players, so that a payment resolution means something; `s` is the setting. */
export const IS_PAID_BY_PLAYER = sql`exists (select from payment_model m where m.type in ('CPA', 'CPA_RS') and m.id in (
    payment_model_on(t.offer_id, (t.registered_at at time zone s.business_time_zone)::date),
    payment_model_on(t.offer_id, (coalesce(t.qualified_at, now()) at time zone s.business_time_zone)::date)))`

/** Facts and audit of the rest of the transaction name the change and its reason as their cause. */
export const nameReason = (db: Db, change: string, reason: string): Promise<unknown> =>
  sql`select set_config('tributary.cause', ${withReason(change, reason)}, true)`.execute(db)

/** The same for what a form does to a player; a change that has a cause of its own keeps it. */
export const nameAct = (db: Db, act: string): Promise<unknown> =>
  sql`select set_config('tributary.cause', ${act}, true)
    where current_setting('tributary.cause', true) = 'update player'`.execute(db)
