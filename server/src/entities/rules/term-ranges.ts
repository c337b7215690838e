// Dated terms: ranges of days with a value; on all other days the owner's own field holds. Here: what an edit without a date changes in the
// ranges, so that the new value holds from its day on and no earlier day changes. Pure.

import { addDays } from '@tributary/contract/period'
import { FIRST_DAY } from '../../facts/columns.ts'

/** Days from `from` to `to`, both included; `to` null is open. */
export interface Span {
  readonly from: string
  readonly to: string | null
}

export interface EditPlan<S extends Span> {
  /** The range in force on the day of the edit: it ends the day before. */
  readonly cut: S | null
  /** The range that began on the day of the edit: the edit replaces it. */
  readonly gone: S | null
  /** Earlier days without a range: they get one with the value that the field had. */
  readonly gaps: readonly { readonly from: string; readonly to: string }[]
}

/** `spans` never overlap. Ranges that begin after the day are planned, and stay. */
export function planEdit<S extends Span>(spans: readonly S[], day: string): EditPlan<S> {
  const sorted = [...spans].sort((a, b) => (a.from < b.from ? -1 : 1))
  const inForce = sorted.find((span) => span.from <= day && (span.to === null || day <= span.to)) ?? null
  const gaps: { from: string; to: string }[] = []
  let next = FIRST_DAY
  for (const { from, to } of sorted) {
    if (next >= day) break
    if (from > next) gaps.push({ from: next, to: addDays(from < day ? from : day, -1) })
    next = to === null ? day : addDays(to, 1)
  }
  if (next < day) gaps.push({ from: next, to: addDays(day, -1) })
  return {
    cut: inForce !== null && inForce.from < day ? inForce : null,
    gone: inForce !== null && inForce.from === day ? inForce : null,
    gaps,
  }
}
