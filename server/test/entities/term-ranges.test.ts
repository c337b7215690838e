// What an edit without a date does to ranges, held against a table of days.

import { addDays, daysBetween } from '@tributary/contract/period'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planEdit, type Span } from '../../src/entities/rules/term-ranges.ts'
import { FIRST_DAY } from '../../src/facts/columns.ts'
import { type Dated, valueInForce } from '../../src/facts/terms.ts'

const START = '2026-03-01'
/** The days that are compared: the first ones of all, and those around the edits. */
const DAYS = [...Array.from({ length: 60 }, (_, index) => addDays(START, index - 10)), FIRST_DAY, addDays(FIRST_DAY, 1)]

interface Stored extends Span {
  readonly value: number | null
}

/** Lengths and pauses in turn, so that ranges never overlap; the last one may be open. */
const ranges: fc.Arbitrary<Stored[]> = fc
  .tuple(
    fc.array(fc.record({ pause: fc.nat(4), length: fc.nat(6), value: fc.option(fc.nat(9)) }), { maxLength: 5 }),
    fc.boolean(),
  )
  .map(([parts, isOpen]) => {
    let next = START
    return parts.map(({ pause, length, value }, index): Stored => {
      const from = addDays(next, pause)
      const to = addDays(from, length)
      next = addDays(to, 1)
      return { from, to: isOpen && index === parts.length - 1 ? null : to, value }
    })
  })

const datedOf = (stored: readonly Stored[], otherwise: number | null): Dated<number | null> => ({
  ranges: stored,
  otherwise,
})

/** The stored ranges after an edit, as the rule writes them. */
function edit(stored: readonly Stored[], field: number | null, day: string): Stored[] {
  const { cut, replaced, gaps } = planEdit(stored, day)
  return [
    ...stored
      .filter((range) => range !== replaced)
      .map((range) => (range === cut ? { ...range, to: addDays(day, -1) } : range)),
    ...gaps.map((gap) => ({ ...gap, value: field })),
  ]
}

test('an edit holds from its day until the next planned range, and no earlier day changes [MON-04]', () => {
  fc.assert(
    fc.property(
      ranges,
      fc.option(fc.nat(9)),
      fc.array(fc.tuple(fc.nat(40), fc.nat(9)), { maxLength: 4 }),
      (first, field, edits) => {
        let [stored, otherwise] = [first, field]
        const naive = new Map(DAYS.map((day) => [day, valueInForce(datedOf(first, field), day)]))
        for (const [offset, value] of edits.sort(([a], [b]) => a - b)) {
          const day = addDays(START, offset)
          const planned = stored
            .map(({ from }) => from)
            .filter((from) => from > day)
            .sort()[0]
          const isPlanned = (on: string): boolean =>
            stored.some(({ from, to }) => from > day && from <= on && (to === null || on <= to))
          for (const on of DAYS) if (on >= day && !isPlanned(on)) naive.set(on, value)
          stored = edit(stored, otherwise, day)
          otherwise = value
          if (planned !== undefined) expect(daysBetween(day, planned)).toBeGreaterThan(0)
        }
        const known = new Map(DAYS.map((day) => [day, valueInForce(datedOf(stored, otherwise), day)]))
        expect(known).toEqual(naive)
        const sorted = [...stored].sort((a, b) => (a.from < b.from ? -1 : 1))
        for (const [index, range] of sorted.entries()) {
          expect(range.to === null || range.to >= range.from).toBe(true)
          const after = sorted[index + 1]
          if (after !== undefined) expect(range.to !== null && range.to < after.from).toBe(true)
        }
      },
    ),
    { numRuns: 2000 },
  )
})
