// Spend: the currency defaults to the report currency.

import { type EntityRules, isCreating } from '../engine/model/entity-rules.ts'
import { readReportCurrency } from './report-currency.ts'

export const partnerSpendRules: EntityRules = {
  async prepare(change) {
    if (isCreating(change)) change.values.currency ??= await readReportCurrency(change.db)
  },
}
