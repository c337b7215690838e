// Budgets: `month` is stored as the first day of the month, so that a month has one budget.

import type { EntityRules } from '../engine/model/entity-rules.ts'

export const budgetRules: EntityRules = {
  async prepare({ values }) {
    if (typeof values.month === 'string') values.month = `${values.month.slice(0, 8)}01`
  },
}
