// From sums of parts by period to the cells that are shown: what has not begun has no cell, cumulative ones add up, ratios are made again. Pure.
import { divideHalfUp } from '@tributary/contract/money'
import type { CohortCell, CohortTotals } from '@tributary/contract/reports/cohort'
import type { Metrics } from '@tributary/contract/reports/general'
import type { MetricName } from '@tributary/contract/reports/traffic'
import { addNumbers, prepareDerive, type Whole } from '../engine/derive.ts'
import { begunPeriods, type CohortQuestion, wholePeriods } from './cohort-query.ts'
import { COHORT_NUMBERS, COHORT_PARTS, comparedMetric } from './compile-cohort.ts'

/** Sums of a cohort, or of several groups of it. */
export interface CohortSums {
  readonly cohort: string
  /** Groups with players in them. */
  readonly groups: number
  /** By period, in the order of COHORT_NUMBERS; a period without facts is absent. */
  readonly periods: ReadonlyMap<number, readonly Whole[]>
}

const ZEROS: readonly Whole[] = COHORT_NUMBERS.map(() => 0)
const place = (name: (typeof COHORT_NUMBERS)[number]): number => COHORT_NUMBERS.indexOf(name)

/** Sums of some rows, added up: no rows are zeros. */
const sumOf = (rows: readonly (readonly Whole[])[]): readonly Whole[] => (rows.length === 0 ? ZEROS : addNumbers(rows))

export const sizeOf = ({ periods }: CohortSums): number => Number(periods.get(0)?.[place('cohort_players')] ?? 0)

export interface CohortTable {
  cellsOf(sums: CohortSums): CohortCell[]
  wholeOf(sums: CohortSums): Metrics
  totalsOf(rows: readonly CohortSums[]): CohortTotals
  averageOf(rows: readonly CohortSums[]): CohortTotals
}

export function prepareTable(question: CohortQuestion): CohortTable {
  const measure = prepareMeasure(question)
  const cellsOf = (sums: CohortSums): CohortCell[] => {
    const columns = columnsOf([sums], question, begunPeriods)
    return columns.map(({ own, sofar, size, areWhole }, period) => ({
      period,
      state: areWhole ? 'whole' : 'partial',
      m: measure.cell(own, sofar, size),
    }))
  }
  const wholeOf = (sums: CohortSums): Metrics => {
    const all = sumOf([...sums.periods.values()])
    return measure.whole(all, all[place('cohort_players')] ?? 0)
  }
  return {
    cellsOf,
    wholeOf,
    totalsOf: (rows) => totalsOf(mergeCohorts(rows), question, measure),
    averageOf: (rows) => averageOf(rows, question, measure),
  }
}

/** `size`: the players of the cohort; `among` as of `Derive`. */
interface Measure {
  /** Of the numbers of a period alone, and of all periods up to it. */
  cell(own: readonly Whole[], sofar: readonly Whole[], size: Whole, among?: number): Metrics
  /** Of all periods together. */
  whole(all: readonly Whole[], size: Whole, among?: number): Metrics
}

function prepareMeasure(question: CohortQuestion): Measure {
  const { metrics, isCumulative } = question
  const names: MetricName[] = metrics.map((name) => comparedMetric(name, question))
  const derive = prepareDerive(names, COHORT_PARTS)
  const show = (numbers: readonly Whole[], size: Whole, among?: number): Metrics => {
    const full = [...numbers]
    full[place('cohort_players')] = size
    const { cohort_check, ...m } = derive(full, among)
    const isFree = Number(full[place('player_spend')]) + Number(full[place('entered_spend')]) === 0
    return {
      ...m,
      ...(cohort_check !== undefined && { avg_check: cohort_check }),
      ...(isCumulative && isFree && { cfd: null }),
    }
  }
  /** Whoever has deposited up to a moment has made a first deposit up to it. */
  const depositorsOf = (numbers: readonly Whole[]): readonly Whole[] => {
    const changed = [...numbers]
    changed[place('depositors')] = numbers[place('new_deposits')] ?? 0
    return changed
  }
  return {
    cell: (own, sofar, size, among) => show(isCumulative ? depositorsOf(sofar) : own, size, among),
    whole: (all, size, among) => show(depositorsOf(all), size, among),
  }
}

/** What several cohorts say of one period. */
interface Column {
  readonly own: readonly Whole[]
  readonly sofar: readonly Whole[]
  readonly size: Whole
  /** Groups with players in them. */
  readonly groups: number
  /** Each of them has lived through all of it. */
  readonly areWhole: boolean
}

/** Period by period; `reach` says how many of them a cohort counts in. Each row is gone through once. */
function columnsOf(
  rows: readonly CohortSums[],
  question: CohortQuestion,
  reach: (question: CohortQuestion, cohort: string) => number,
): Column[] {
  const columns: Column[] = []
  for (const { cohort, groups, periods } of rows) {
    const size = periods.get(0)?.[place('cohort_players')] ?? 0
    const whole = wholePeriods(question, cohort)
    const length = reach(question, cohort)
    let sofar = ZEROS
    for (let period = 0; period < length; period++) {
      const own = periods.get(period) ?? ZEROS
      sofar = question.isCumulative ? addNumbers([sofar, own]) : own
      const column = { own, sofar, size, groups, areWhole: period < whole }
      const known = columns[period]
      columns[period] = known === undefined ? column : joinColumns(known, column)
    }
  }
  return columns
}

function joinColumns(one: Column, other: Column): Column {
  const own = addNumbers([one.own, other.own])
  return {
    own,
    sofar: one.sofar === one.own && other.sofar === other.own ? own : addNumbers([one.sofar, other.sofar]),
    size: addNumbers([[one.size], [other.size]])[0] ?? 0,
    groups: one.groups + other.groups,
    areWhole: one.areWhole && other.areWhole,
  }
}

/** Of whole cohorts, all their groups together. */
function totalsOf(rows: readonly CohortSums[], question: CohortQuestion, measure: Measure): CohortTotals {
  const cells = columnsOf(rows, question, begunPeriods).map(
    ({ own, sofar, size, areWhole }, period): CohortCell => ({
      period,
      state: areWhole ? 'whole' : 'partial',
      m: measure.cell(own, sofar, size),
    }),
  )
  const all = allOf(rows)
  const size = all[place('cohort_players')] ?? 0
  return { size: Number(size), m: measure.whole(all, size), cells }
}

const allOf = (rows: readonly CohortSums[]): readonly Whole[] => sumOf(rows.flatMap((row) => [...row.periods.values()]))

/** All groups of a cohort together. */
function mergeCohorts(rows: readonly CohortSums[]): CohortSums[] {
  const merged = new Map<string, { cohort: string; groups: number; periods: Map<number, readonly Whole[]> }>()
  for (const { cohort, groups, periods } of rows) {
    const known = merged.get(cohort) ?? { cohort, groups: 0, periods: new Map<number, readonly Whole[]>() }
    merged.set(cohort, known)
    known.groups += groups
    for (const [period, numbers] of periods) {
      const before = known.periods.get(period)
      known.periods.set(period, before === undefined ? numbers : addNumbers([before, numbers]))
    }
  }
  return [...merged.values()]
}

/** Counts and sums of a cohort of average size; ratios as of all of them together. */
function averageOf(rows: readonly CohortSums[], question: CohortQuestion, measure: Measure): CohortTotals {
  const filled = mergeCohorts(rows).filter(({ groups }) => groups > 0)
  const groups = filled.reduce((sum, row) => sum + row.groups, 0)
  const cells = columnsOf(filled, question, wholePeriods).map(
    ({ own, sofar, size, groups: among }, period): CohortCell => ({
      period,
      state: 'whole',
      m: measure.cell(own, sofar, size, among),
    }),
  )
  const all = allOf(filled)
  const size = all[place('cohort_players')] ?? 0
  const hundredths = divideHalfUp(BigInt(size) * 100n, BigInt(groups)) ?? 0n
  return { size: Number(hundredths) / 100, m: measure.whole(all, size, groups), cells }
}
