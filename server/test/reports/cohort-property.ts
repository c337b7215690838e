// Compares random cohort reports with the recount, and drills into every number.

import { today } from '@tributary/contract/period'
import { BASELINES } from '@tributary/contract/reports/choices'
import {
  type CohortAnswer,
  type CohortInput,
  type CohortRequest,
  type CohortRow,
  cohortRequest,
  type FlatCohortRow,
} from '@tributary/contract/reports/cohort'
import {
  COHORT_BASES,
  COHORT_GROUPS,
  COHORT_METRICS,
  COHORT_REPORT_NAMES,
  COHORT_REPORTS,
  COHORT_UNITS,
  type CohortVariant,
} from '@tributary/contract/reports/cohort-choices'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Viewer } from '../../src/reports/engine/query.ts'
import { answerCohort } from '../../src/reports/kinds/cohort.ts'
import { answerCohortRows } from '../../src/reports/kinds/cohort-rows.ts'
import type { TestServices } from '../support/harness.ts'
import { recountCohorts } from './cohort-recount.ts'
import type { Fact } from './reports-oracle.ts'
import { addDays, DAYS, type World } from './reports-world.ts'

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)

function questions(world: World): fc.Arbitrary<CohortInput> {
  const start = world.spends.map(({ day }) => day).sort()[0] ?? '2026-03-20'
  const few = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 3 })
  const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 })
  return fc
    .record({
      shape: fc.record({
        period: oneOf(...COHORT_UNITS),
        cohortBy: oneOf(...COHORT_BASES),
        groupBy: oneOf(...COHORT_GROUPS, 'off' as const, 'off' as const),
        periods: fc.integer({ min: 1, max: 14 }),
        baseLine: oneOf('all' as const, 'all' as const, ...BASELINES),
      }),
      days: fc.tuple(fc.integer({ min: -3, max: DAYS }), fc.integer({ min: 0, max: DAYS })),
      filters: fc.record({
        partners: rarely(few),
        countries: rarely(few.map((nin) => ({ nin }))),
        landings: rarely(few),
      }),
      gte: fc.option(fc.tuple(oneOf('size', ...COHORT_METRICS), fc.integer({ min: 0, max: 3 })), {
        freq: 1,
        nil: undefined,
      }),
    })
    .map(({ shape, days: [from, length], filters, gte }) => ({
      filter: {
        ...shape,
        dateFrom: addDays(start, from),
        dateTo: addDays(start, from + length),
        ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
      },
      cfFilter: gte === undefined ? {} : { [gte[0]]: { gte: gte[1] } },
      pagination: { limit: -1 },
    }))
}

const simplify = ({ cohort, group, ...row }: CohortRow) => ({ ...row, cohort: cohort.id, group: group?.id ?? null })

export async function checkCohorts(
  services: TestServices,
  world: World,
  facts: readonly Fact[],
  { runs, seed }: { runs: number; seed: number },
): Promise<void> {
  const scope = fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }), { nil: null })
  const names = oneOf(...COHORT_REPORT_NAMES)
  await fc.assert(
    fc.asyncProperty(questions(world), scope, names, fc.nat(), async (input, partners, name, place) => {
      const [request, variant] = [cohortRequest.parse(input), COHORT_REPORTS[name]]
      const viewer: Viewer = { role: 'ADMIN', partners, language: 'en' }
      const answer = await answerCohort(request, viewer, services, variant)
      const counted = recountCohorts(facts, request, variant, partners, today(world.zone))
      const rows = variant.isFlat
        ? counted.rows.flatMap(({ cohort, group, size, cells }) =>
            cells.map((cell) => ({ cohort, group, size, ...cell })),
          )
        : counted.rows
      const shown = variant.isFlat
        ? (answer.rows as FlatCohortRow[]).map(({ cohort, group, ...row }) => ({
            ...row,
            cohort: cohort.id,
            group: group?.id ?? null,
          }))
        : (answer.rows as CohortRow[]).map(simplify)
      const { total, average } = answer
      expect({ rows: shown, total, average }).toEqual({ rows, total: counted.total, average: counted.average })
      await checkPages(request, viewer, services, variant, answer)
      if (!variant.isFlat) await checkCell(request, viewer, services, variant, answer.rows as CohortRow[], place)
    }),
    { numRuns: runs, seed },
  )
}

/** A page contains its own rows and the totals of all rows. */
async function checkPages(
  request: CohortRequest,
  viewer: Viewer,
  services: TestServices,
  variant: CohortVariant,
  whole: CohortAnswer,
): Promise<void> {
  if (whole.items < 2) return
  const page = await answerCohort({ ...request, pagination: { page: 2, limit: 1 } }, viewer, services, variant)
  expect({ total: page.total, average: page.average, items: page.items }).toEqual({
    total: whole.total,
    average: whole.average,
    items: whole.items,
  })
  if (!variant.isFlat) expect(page.rows).toEqual([whole.rows[1]])
}

async function checkCell(
  { filter }: CohortRequest,
  viewer: Viewer,
  services: TestServices,
  variant: CohortVariant,
  rows: readonly CohortRow[],
  place: number,
): Promise<void> {
  const row = rows[place % Math.max(1, rows.length)]
  const cell = row?.cells[place % Math.max(1, row.cells.length)]
  const metric = (['players', 'nd', 'deposits', 'deposits_amount', 'income', 's'] as const)[place % 6] ?? 'nd'
  if (row === undefined || cell === undefined) return
  const path = { cohort: String(row.cohort.id), ...(row.group && { group: row.group.id }) }
  for (const [asked, value] of [
    [{ ...path, period: cell.period, metric }, cell.m[metric] ?? 0],
    [{ ...path, metric: 'size' as const }, row.size],
  ] as const) {
    const opened = await answerCohortRows(
      { filter, cell: asked, pagination: { page: 1, limit: -1 } },
      viewer,
      services,
      variant,
    )
    const sum = opened.items.reduce((all, item) => all + Math.round(item.value * 10_000), 0) / 10_000
    const round = (number: number) =>
      (Math.sign(number) * Math.round(Math.abs(Math.round(number * 10_000)) / 100)) / 100
    expect({ asked, total: round(opened.total), sum: round(sum) }).toEqual({ asked, total: value, sum: value })
  }
}
