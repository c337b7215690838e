// Sets dated terms of partner offers. A new value ends or overwrites the open range; any other overlap is rejected.

import type { Entity } from '@tributary/contract/entity'
import { addDays } from '@tributary/contract/period'
import { sql } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import { entityNamed, tableOf } from '../engine/model/model.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import { lockSnapshot } from '../engine/read/snapshot.ts'
import { saveRow } from '../engine/save/save.ts'

export interface Terms {
  value: string | number
  date_from: string
  date_to?: string | null | undefined
}

/** Sets a value from a day on; an open range from the same day is overwritten. Throws `not_found` out of scope, `invalid` on overlap. */
export async function setTerms(
  db: Db,
  context: RequestContext,
  history: Entity,
  offerPartner: number,
  terms: Terms,
): Promise<void> {
  // The lock serializes changes of one partner offer's terms.
  if ((await lockSnapshot(db, context, entityNamed('offer_partner'), offerPartner)) === undefined)
    throw new AppError('not_found')
  const open = await findOpenRange(db, history, offerPartner)
  if (open?.date_from === terms.date_from) {
    await saveRow(db, context, history, open.id, { value: terms.value, date_to: terms.date_to ?? null })
    return
  }
  if (open !== undefined && open.date_from < terms.date_from) {
    await saveRow(db, context, history, open.id, { date_to: addDays(terms.date_from, -1) })
  }
  await saveRow(db, context, history, null, { offer_partner: offerPartner, ...terms, date_to: terms.date_to ?? null })
}

async function findOpenRange(
  db: Db,
  history: Entity,
  offerPartner: number,
): Promise<{ id: number; date_from: string } | undefined> {
  const statement = sql<{ id: number; date_from: string }>`select id, date_from from ${tableOf(history)}
    where offer_partner_id = ${offerPartner} and date_to is null`
  return (await statement.execute(db)).rows[0]
}
