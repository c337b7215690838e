// The form of adjustments: the kind is chosen, and the sign of the amount is said.
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { businessToday } from '../../state/profile-facts.ts'

export const ADJUSTMENT_LIST: ListSlots = {
  form: {
    fields: {
      kind: { initial: null },
      month: {
        get initial() {
          return businessToday().slice(0, 7)
        },
      },
      amount: { hint: (words) => words.adjustmentSign },
    },
  },
}
