// The handler that accepts partners' claims, for one spend or many.
import type { Calls } from '@tributary/contract/calls/registry'
import { isClaimant } from '@tributary/contract/spend-claim'
import { sql } from 'kysely'
import { entityNamed } from '../entities/engine/model/model.ts'
import { contextFor, type Db, type RequestContext } from '../entities/engine/model/request-context.ts'
import { changeSelected, toBulkAnswer } from '../entities/engine/save/bulk.ts'
import { saveRow } from '../entities/engine/save/save.ts'
import { AppError } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

const spend = entityNamed('partner_spend')

export const acceptSpends: Handler<Calls['partner_spend_accept']> = async (
  { body, person, language, requestId },
  services,
) => {
  if (isClaimant(person)) throw new AppError('forbidden')
  const context = contextFor(person, requestId, services)
  const outcome = await changeSelected(
    context,
    spend,
    body,
    'accept claims',
    (db, id) => acceptClaim(db, context, id),
    sql`t.claim_sum is null`,
  )
  return { accepted: outcome.changed, ...toBulkAnswer(outcome, language) }
}

/** Accepts one claim, in its own currency. Returns false if it was withdrawn or accepted meanwhile. */
async function acceptClaim(db: Db, context: RequestContext, id: number): Promise<boolean> {
  const { rows } = await sql<{ sum: string; currency: number; isEqual: boolean }>`
    select claim_sum as sum, claim_currency_id as currency,
      (claim_sum, claim_currency_id) is not distinct from (sum, currency_id) as "isEqual" from partner_spend
    where id = ${id} and claim_sum is not null for no key update`.execute(db)
  const [claim] = rows
  if (claim === undefined) return false
  const { isEqual, ...accepted } = claim
  // A sum that is the claim already keeps its source.
  return (await saveRow(db, context, spend, id, { ...(isEqual ? {} : accepted), claim_sum: null })).hasChanged
}
