// Whether shown numbers meet conditions: the same comparison as order.ts makes in SQL, for rows that are not made there.
import type { Metrics } from '@tributary/contract/reports/general'
import { hundredthsOf } from './order.ts'
import type { Question } from './query.ts'

export const meetsLimits = (metrics: Metrics, limits: Question['limits']): boolean =>
  limits.every(({ key, condition }) => {
    const value = metrics[key]
    if (value === null || value === undefined) return hundredthsOf(condition).length === 0
    const hundredths = BigInt(Math.round(value * 100))
    return hundredthsOf(condition).every(([operator, bound]) => {
      if (operator === '>') return hundredths > bound
      if (operator === '>=') return hundredths >= bound
      return operator === '<' ? hundredths < bound : hundredths <= bound
    })
  })
