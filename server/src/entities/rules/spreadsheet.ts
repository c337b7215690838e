// Rejects an address as spend spreadsheet that is not one of a spreadsheet at Google. The parse tells whether an ID exists.

import { spreadsheetIdOf } from '@tributary/contract/sheet-mapping'
import { type Change, type EntityRules, isChanging } from '../engine/model/entity-rules.ts'

const FIELD = 'spend_spreadsheet_id'

export function checkSpreadsheet(change: Change): void {
  const given = change.values[FIELD]
  if (!isChanging(change, FIELD) || typeof given !== 'string' || given.trim() === '') return
  if (given.includes('://') && spreadsheetIdOf(given) === null) change.reject(FIELD, 'spreadsheet_invalid')
}

export const partnerPartnerGroupRules: EntityRules = {
  prepare(change) {
    checkSpreadsheet(change)
    return Promise.resolve()
  },
}
