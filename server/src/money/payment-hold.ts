// What holds payments back: a dispute of the statement, or billing that the partner has changed and staff have not confirmed.
import type { MessageKey } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'

/** SQL that is true while nothing of the statement with the alias `s` may be paid. */
export const PAYMENT_HELD = `(s.disputed_at is not null
  or exists (select from partner_billing h where h.partner_id = s.partner_id and h.proposed_at is not null))`

/** Undefined if the statement may be paid. */
export async function findPaymentHold(db: Db, statement: number): Promise<MessageKey | undefined> {
  const { rows } = await sql<{ disputed: boolean }>`
    select s.disputed_at is not null as disputed from statement s where s.id = ${statement} and ${sql.raw(PAYMENT_HELD)}`.execute(
    db,
  )
  const [held] = rows
  return held === undefined ? undefined : held.disputed ? 'statement_disputed' : 'billing_unconfirmed'
}
