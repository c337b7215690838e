// Plans how an edit without a date changes the ranges of a dated term, so that the new value applies from today on and past days keep theirs.
// On days without a range the owner's field applies.

import { addDays } from '@tributary/contract/period'
import { FIRST_DAY } from '../../facts/columns.ts'

/** Days from `from` to `to`, both included; an open range has `to` null. */
export interface Span {
  readonly from: string
  readonly to: string | null
}

export interface EditPlan<S extends Span> {
  /** The range in force on the day of the edit; it has to end the day before. */
  readonly cut: S | null
  /** The range that began on the day of the edit; it has to be deleted. */
  readonly replaced: S | null
  /** Past days without a range; they need one with the field's old value. */
  readonly gaps: readonly { readonly from: string; readonly to: string }[]
}

/** `spans` must not overlap. Ranges that begin after `day` stay. */
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
    replaced: inForce !== null && inForce.from === day ? inForce : null,
    gaps,
  }
}
