// Rule: entries of the ledger name advertiser and country, so both stay once an offer has entries.

import { sql } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import { type Change, type EntityRules, isChanging } from '../engine/model/entity-rules.ts'
import type { Fragment } from '../engine/model/model.ts'
import { waitForClose } from './closed-period.ts'

/** Call it in `prepare` of the rules of offers. */
export async function keepClosedPlace(change: Change): Promise<void> {
  const { before } = change
  const fields = ['advertiser', 'advertiser_country']
  if (before !== null) await rejectOtherPlace(change, fields, sql`o.id = ${before.id}`, 'offer_has_closed_money')
}

/** The offers' country and advertiser are those of this row. */
export const advertiserCountryRules: EntityRules = {
  async prepare(change) {
    const { before } = change
    if (before === null) return
    const ofOffer = sql`o.advertiser_country_id = ${before.id}`
    await rejectOtherPlace(change, ['advertiser', 'country'], ofOffer, 'country_has_closed_money')
  },
}

/** Throws `conflict` if one of the fields changes and offers that meet the condition have entries. */
async function rejectOtherPlace(
  change: Change,
  fields: readonly string[],
  ofOffer: Fragment,
  key: 'offer_has_closed_money' | 'country_has_closed_money',
): Promise<void> {
  const changed = fields.filter((field) => isChanging(change, field))
  if (changed.length === 0) return
  await waitForClose(change.db)
  const { rows } = await sql`select from ledger_entry e join offer_partner l on l.id = e.offer_partner_id
    join offer o on o.id = l.offer_id where ${ofOffer} limit 1`.execute(change.db)
  const issues = Object.fromEntries(changed.map((field) => [field, [{ key }]]))
  if (rows.length > 0) throw new AppError('conflict', { issues })
}
