// Rejects texts of a spend spreadsheet that are neither Google's id nor the address of a spreadsheet.

import { spreadsheetIdOf } from '@tributary/contract/sheet-mapping'
import { type Change, type EntityRules, isChanging } from '../engine/model/entity-rules.ts'

const FIELD = 'spend_spreadsheet_id'

export function checkSpreadsheet(change: Change): void {
  const given = change.values[FIELD]
  if (!isChanging(change, FIELD) || typeof given !== 'string' || given.trim() === '') return
  if (spreadsheetIdOf(given) === null) change.reject(FIELD, 'spreadsheet_invalid')
}

export const partnerPartnerGroupRules: EntityRules = {
  prepare(change) {
    checkSpreadsheet(change)
    return Promise.resolve()
  },
}
