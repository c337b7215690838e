// From sums of parts by period to the cells that are shown: what has not begun has no cell, cumulative ones add up, ratios are made again. Pure.
import type { CohortCell, CohortTotals } from '@tributary/contract/reports/cohort'
import type { Metrics } from '@tributary/contract/reports/general'
import type { MetricName } from '@tributary/contract/reports/traffic'
import { begunPeriods, type CohortQuestion, periodDays } from './cohort-question.ts'
import { COHORT_NUMBERS, COHORT_PARTS, comparedMetric } from './compile-cohort.ts'
import { addNumbers, prepareDerive, type Whole } from './derive.ts'

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
    const size = sums.periods.get(0)?.[place('cohort_players')] ?? 0
    let sofar = ZEROS
    return Array.from({ length: begunPeriods(question, sums.cohort) }, (_, period) => {
      const own = sums.periods.get(period) ?? ZEROS
      sofar = addNumbers([sofar, own])
      return { period, state: stateOf(question, sums.cohort, period), m: measure(own, sofar, size) }
    })
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

function stateOf({ unit, today }: CohortQuestion, cohort: string, period: number): CohortCell['state'] {
  return periodDays(unit, cohort, period).to < today ? 'whole' : 'partial'
}

interface Measure {
  /** A cell's own numbers, those of all periods up to it, and the players of its cohort. */
  (own: readonly Whole[], sofar: readonly Whole[], size: Whole): Metrics
  readonly whole: (all: readonly Whole[], size: Whole) => Metrics
}

function prepareMeasure(question: CohortQuestion): Measure {
  const { metrics, isCumulative } = question
  const names: MetricName[] = metrics.map((name) => comparedMetric(name, question))
  const derive = prepareDerive(names, COHORT_PARTS)
  const show = (numbers: readonly Whole[], size: Whole): Metrics => {
    const full = [...numbers]
    full[place('cohort_players')] = size
    const { cohort_check, ...m } = derive(full)
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
  const measure = (own: readonly Whole[], sofar: readonly Whole[], size: Whole): Metrics =>
    isCumulative ? show(depositorsOf(sofar), size) : show(own, size)
  return Object.assign(measure, {
    whole: (all: readonly Whole[], size: Whole): Metrics => show(depositorsOf(all), size),
  })
}

/** What several cohorts say of one period, each of those that have begun it. */
function column(
  rows: readonly CohortSums[],
  question: CohortQuestion,
  period: number,
  isWanted: (row: CohortSums) => boolean,
): { own: readonly Whole[]; sofar: readonly Whole[]; size: Whole; rows: readonly CohortSums[] } {
  const chosen = rows.filter((row) => period < begunPeriods(question, row.cohort) && isWanted(row))
  const own = sumOf(chosen.map((row) => row.periods.get(period) ?? ZEROS))
  const sofar = question.isCumulative
    ? sumOf(chosen.flatMap((row) => [...row.periods].filter(([at]) => at <= period).map(([, numbers]) => numbers)))
    : own
  const size = sumOf(chosen.map((row) => row.periods.get(0) ?? ZEROS))[place('cohort_players')] ?? 0
  return { own, sofar, size, rows: chosen }
}

const longest = (rows: readonly CohortSums[], question: CohortQuestion): number =>
  Math.max(0, ...new Set(rows.map(({ cohort }) => begunPeriods(question, cohort))))

/** Of whole cohorts, all their groups together. */
function totalsOf(rows: readonly CohortSums[], question: CohortQuestion, measure: Measure): CohortTotals {
  const all = sumOf(rows.flatMap((row) => [...row.periods.values()]))
  const size = all[place('cohort_players')] ?? 0
  const cells = Array.from({ length: longest(rows, question) }, (_, period): CohortCell => {
    const { own, sofar, size, rows: chosen } = column(rows, question, period, () => true)
    const isWhole = chosen.every(({ cohort }) => stateOf(question, cohort, period) === 'whole')
    return { period, state: isWhole ? 'whole' : 'partial', m: measure(own, sofar, size) }
  })
  return { size: Number(size), cells, m: measure.whole(all, size) }
}

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
  const cells = Array.from({ length: longest(filled, question) }, (_, period): CohortCell | null => {
    const isWhole = (row: CohortSums) => stateOf(question, row.cohort, period) === 'whole'
    const { own, sofar, size, rows: chosen } = column(filled, question, period, isWhole)
    if (chosen.length === 0) return null
    const divisor = chosen.reduce((sum, row) => sum + row.groups, 0)
    return { period, state: 'whole', m: perGroup(measure(own, sofar, size), divisor) }
  }).filter((cell) => cell !== null)
  const { size, m } = totalsOf(filled, question, measure)
  return { size: groups === 0 ? 0 : round(size / groups), cells, m: perGroup(m, groups) }
}

const ADDITIVE = ['players', 'nd', 'deposits', 'deposits_amount', 'income', 's'] as const

function perGroup(m: Metrics, groups: number): Metrics {
  const shared = ADDITIVE.flatMap((name) => {
    const value = m[name]
    return value === undefined || value === null ? [] : [[name, groups === 0 ? null : round(value / groups)]]
  })
  return { ...m, ...Object.fromEntries(shared) }
}

const round = (value: number): number => (Math.sign(value) * Math.round(Math.abs(value) * 100)) / 100
