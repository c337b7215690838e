// Budgets are of a month: whichever of its days is sent, the first one is kept, so that a month has one budget.

import type { EntityRules } from '../engine/model/entity-rules.ts'

export const budgetRules: EntityRules = {
  async prepare({ values }) {
    if (typeof values.month === 'string') values.month = `${values.month.slice(0, 8)}01`
  },
}
