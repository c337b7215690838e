// What a tab changes in a month, against a model that shares nothing with it.

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Placed, PlacedCell } from '../../src/integrations/sheets/place-cells.ts'
import { type KnownSpend, planTake, type TakePlan, type Verdict } from '../../src/integrations/sheets/plan-take.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'

const FILE = 'mine'
const keyOf = (stream: number, day: number): string => `${stream} 1  2026-11-0${day}`

interface Entry {
  readonly stream: number
  readonly day: number
  /** Whole units. */
  readonly sum: number
  readonly source: 'manual' | 'import' | 'sheet'
}

const spot = { stream: fc.integer({ min: 1, max: 2 }), day: fc.integer({ min: 1, max: 9 }) }
const bySpot = { maxLength: 18, selector: ({ stream, day }: { stream: number; day: number }) => keyOf(stream, day) }
const entries = fc.uniqueArray(
  fc.record({
    ...spot,
    sum: fc.integer({ min: 0, max: 50 }),
    source: fc.constantFrom('sheet' as const, 'sheet' as const, 'manual' as const, 'import' as const),
  }),
  bySpot,
)
/** `kind`: what the cell holds, or that the rules refuse it. */
const cells = fc.uniqueArray(
  fc.record({
    ...spot,
    sum: fc.integer({ min: 0, max: 50 }),
    kind: fc.constantFrom('sum' as const, 'sum' as const, 'sum' as const, 'broken' as const, 'rejected' as const),
  }),
  bySpot,
)

const knownOf = (all: readonly Entry[]): KnownSpend[] =>
  all.map(({ stream, day, sum, source }, index) => ({
    id: index + 1,
    stream,
    country: 1,
    site: null,
    date: `2026-11-0${day}`,
    sum: `${sum}.0000`,
    currency: 1,
    source,
    claim: null,
    claimCurrency: null,
    isActive: true,
    offerPartner: 1,
    file: source === 'sheet' ? FILE : null,
  }))

const NOTHING_PLACED: Placed = {
  cells: [],
  places: new Set(),
  sparedCells: new Set(),
  sparedPlaces: new Set(),
  hasStrays: false,
  unreadDays: new Set(),
  isPartial: false,
  warnings: [],
}

type Cell = { stream: number; day: number; sum: number; kind: 'sum' | 'broken' | 'rejected' }

function plan(all: readonly Entry[], sheet: readonly Cell[], takesRemovals: boolean): TakePlan {
  const placedCells = sheet
    .filter(({ kind }) => kind !== 'broken')
    .map(
      ({ stream, day, sum }): PlacedCell => ({
        stream,
        country: 1,
        site: null,
        date: `2026-11-0${day}`,
        sum: `${sum}.0000`,
        currency: 1,
        at: { row: stream, column: day },
      }),
    )
  const placed: Placed = {
    ...NOTHING_PLACED,
    cells: placedCells,
    places: new Set(['1 1 ', '2 1 ']),
    sparedCells: new Set(sheet.filter(({ kind }) => kind === 'broken').map(({ stream, day }) => keyOf(stream, day))),
  }
  const verdicts = new Map<string, Verdict>(
    sheet.map(({ stream, day, kind }) => [
      keyOf(stream, day),
      kind === 'rejected' ? { rejected: 'sheet_without_activity', values: {} } : { offerPartner: 1 },
    ]),
  )
  const grid = { title: '11.2026', id: 0 }
  return planTake({
    grid,
    file: FILE,
    otherFiles: new Set(),
    placed,
    known: knownOf(all),
    currencies: new Map(),
    verdicts,
    takesRemovals,
  })
}

/** The spends after the plan. */
function apply(all: readonly Entry[], { added, changed, removed }: TakePlan): Entry[] {
  const kept = all.flatMap((entry, index) => {
    if (removed.includes(index + 1)) return []
    const change = changed.find(({ id }) => id === index + 1)
    return [change === undefined ? entry : { ...entry, sum: Number(change.sum) }]
  })
  const fresh = added.map(({ stream, date, sum }) => ({
    stream,
    day: Number(date.slice(-1)),
    sum: Number(sum),
    source: 'sheet' as const,
  }))
  return [...kept, ...fresh]
}

/** Spot by spot: what stays, what the sheet says, what goes. */
function expected(all: readonly Entry[], sheet: readonly Cell[]): Entry[] {
  const spends: Entry[] = []
  for (const stream of [1, 2])
    for (let day = 1; day <= 9; day++) {
      const was = all.find((entry) => entry.stream === stream && entry.day === day)
      const cell = sheet.find((found) => found.stream === stream && found.day === day)
      const staysAsItWas = (was !== undefined && was.source !== 'sheet') || (cell !== undefined && cell.kind !== 'sum')
      if (staysAsItWas) spends.push(...(was === undefined ? [] : [was]))
      else if (cell !== undefined) spends.push({ stream, day, sum: cell.sum, source: 'sheet' })
    }
  return spends
}

const sorted = (all: readonly Entry[]): string[] =>
  all.map(({ stream, day, sum, source }) => `${stream} ${day} ${sum} ${source}`).sort()

test('after a parse the month equals the sheet and the spends of other sources; a second parse changes nothing [MON-08]', () => {
  fc.assert(
    fc.property(entries, cells, (all, sheet) => {
      const first = plan(all, sheet, true)
      const after = apply(all, first)
      expect(sorted(after)).toEqual(sorted(expected(all, sheet)))
      const again = plan(after, sheet, false)
      expect([again.added, again.changed, again.removed]).toEqual([[], [], []])
    }),
    { numRuns: fuzzRuns(300) },
  )
})

test('either nothing is taken, where over 30 % would go, or all of it [MON-08]', () => {
  fc.assert(
    fc.property(entries, cells, (all, sheet) => {
      const after = expected(all, sheet)
      const own = all.filter(({ source }) => source === 'sheet')
      const sum = own.reduce((total, entry) => total + entry.sum, 0)
      const loss = own.reduce((total, { stream, day, sum: was }) => {
        const now = after.find((entry) => entry.stream === stream && entry.day === day)?.sum ?? 0
        return total + Math.max(0, was - now)
      }, 0)
      const careful = plan(all, sheet, false)
      const isRefused = careful.warnings.some(({ key }) => key === 'sheet_removes_much')
      expect(isRefused).toBe(loss * 10 > sum * 3)
      expect(sorted(apply(all, careful))).toEqual(sorted(isRefused ? all : after))
    }),
    { numRuns: fuzzRuns(300) },
  )
})

test('a claim is a conflict unless its sum and its currency are those of the cell [MON-06] [MON-08]', () => {
  const amount = { sum: fc.integer({ min: 0, max: 2 }), currency: fc.integer({ min: 1, max: 2 }) }
  fc.assert(
    fc.property(fc.record(amount), fc.record(amount), fc.boolean(), (sheet, claim, isEntered) => {
      const place = { stream: 1, country: 1, site: null, date: '2026-11-01' }
      const cell = { ...place, sum: `${sheet.sum}.0000`, currency: sheet.currency, at: { row: 1, column: 1 } }
      const spend: KnownSpend = {
        ...place,
        id: 1,
        sum: isEntered ? cell.sum : null,
        currency: cell.currency,
        source: isEntered ? 'sheet' : 'manual',
        claim: `${claim.sum}.0000`,
        claimCurrency: claim.currency,
        isActive: true,
        offerPartner: 1,
        file: isEntered ? FILE : null,
      }
      const { changed, warnings } = planTake({
        grid: { title: '11.2026', id: 0 },
        file: FILE,
        otherFiles: new Set(),
        placed: { ...NOTHING_PLACED, cells: [cell], places: new Set(['1 1 ']) },
        known: [spend],
        currencies: new Map([
          [1, 'EUR'],
          [2, 'USD'],
        ]),
        verdicts: new Map([[keyOf(1, 1), { offerPartner: 1 }]]),
        takesRemovals: false,
      })
      const isSame = sheet.sum === claim.sum && sheet.currency === claim.currency
      const show = ({ sum, currency }: typeof claim) => `${sum}.00 ${currency === 1 ? 'EUR' : 'USD'}`
      expect(warnings.map(({ values }) => values)).toEqual(isSame ? [] : [{ sum: show(sheet), claim: show(claim) }])
      expect(changed).toHaveLength(isEntered ? 0 : 1)
    }),
    { numRuns: fuzzRuns(100) },
  )
})

test.each(['sheet_link_missing', 'sheet_site_missing'] as const)(
  'a row whose names fit no partner offer (%s) may be a mistyped one: missing rows keep their sums [MON-08]',
  (rejected) => {
    const known = knownOf([{ stream: 1, day: 1, sum: 5, source: 'sheet' }])
    const cell = { stream: 1, country: 1, site: '112-O05', date: '2026-11-01', sum: '5.0000', currency: 1 }
    const cells = [{ ...cell, at: { row: 1, column: 1 } }]
    const planned = (verdict: Verdict) =>
      planTake({
        grid: { title: '11.2026', id: 0 },
        file: FILE,
        otherFiles: new Set(),
        placed: { ...NOTHING_PLACED, cells, places: new Set(['1 1 112-O05']) },
        known,
        currencies: new Map(),
        verdicts: new Map([['1 1 112-O05 2026-11-01', verdict]]),
        takesRemovals: true,
      })
    expect(planned({ rejected, values: {} })).toMatchObject({ added: [], changed: [], removed: [] })
    // A rule about the day or the month says that the names are right.
    expect(planned({ rejected: 'sheet_without_activity', values: {} }).removed).toEqual([1])
  },
)
