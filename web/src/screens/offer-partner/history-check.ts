// Dated terms of a link as they are typed: an end is not before its beginning, and two ranges of one term never meet.

import type { FormIssues } from '../../entities/form/form-check.ts'
import type { ChildRow, FormRow } from '../../entities/form/form-row.ts'

export const HISTORIES = [
  'cost_history',
  'bl_deposit_history',
  'bl_period_history',
  'bet_requirement_history',
  'max_days_history',
] as const

const OPEN_END = '9999-12-31'

interface Range {
  readonly index: number
  readonly from: string
  readonly to: string
}

function rangesOf(value: unknown): Range[] {
  const rows = Array.isArray(value) ? (value as ChildRow[]) : []
  return rows.flatMap((row, index) =>
    row._status === 'deleted' || typeof row.date_from !== 'string' || row.date_from === ''
      ? []
      : [{ index, from: row.date_from, to: typeof row.date_to === 'string' && row.date_to ? row.date_to : OPEN_END }],
  )
}

export function checkHistories(values: FormRow): FormIssues {
  const issues: FormIssues = {}
  for (const history of HISTORIES) {
    const ranges = rangesOf(values[history])
    for (const range of ranges) {
      const path = `${history}.${range.index}`
      if (range.to < range.from) issues[`${path}.date_to`] = { key: 'dates_reversed' }
      const isMet = ranges.some((other) => other !== range && other.from <= range.to && range.from <= other.to)
      if (isMet) issues[`${path}.date_from`] = { key: 'history_overlap' }
    }
  }
  return issues
}
