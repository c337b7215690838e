// Computes cohort tables player by player from the facts of the naive recount, without SQL or the engine.

import type { CohortRequest } from '@tributary/contract/reports/cohort'
import type { CohortVariant } from '@tributary/contract/reports/cohort-choices'
import type { PartlyReported } from '@tributary/contract/reports/general'
import type { Fact, Value } from './reports-oracle.ts'
import { hundredths } from './reports-oracle-money.ts'
import { countsAs } from './reports-recount.ts'
import { isIncomePartial, isIncomeUnknown } from './reports-recount-income.ts'
import { addDays } from './reports-world.ts'

type Numbers = Record<string, number | null>

interface CountedCohort extends PartlyReported {
  cohort: string
  group: Value | null
  size: number
  cells: ({ period: number; state: string; m: Numbers } & PartlyReported)[]
  m: Numbers
  payback?: number | null
}
type CountedTotals = Pick<CountedCohort, 'size' | 'cells' | 'm' | 'partial'>

/** Computes the calendar independently. */
function stretchOf(unit: string, day: string): string {
  if (unit === 'day') return day
  if (unit === 'month') return `${day.slice(0, 7)}-01`
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(day, -weekday)
}
function after(unit: string, stretch: string): string {
  if (unit === 'day') return addDays(stretch, 1)
  return unit === 'week' ? addDays(stretch, 7) : stretchOf('month', addDays(stretch, 40).slice(0, 10))
}
function distance(unit: string, from: string, to: string): number {
  let count = 0
  for (let at = from; at < to; at = after(unit, at)) count++
  return count
}

export function recountCohorts(
  facts: readonly Fact[],
  { filter, cfFilter }: CohortRequest,
  { isCumulative }: CohortVariant,
  scope: readonly number[] | null,
  today: string,
): { rows: CountedCohort[]; total: CountedTotals; average: CountedTotals } {
  const { period: unit, cohortBy, groupBy, periods = 99, dateFrom = '', dateTo = '' } = filter
  const everything = { from: '1970-01-02', to: today }
  const asked = {
    ...filter,
    groupBy: 'off',
    secondGroupBy: 'off',
    thirdGroupBy: 'off',
    fourthGroupBy: 'off',
    activity: 'all',
  }
  const placed = facts.flatMap((fact) => {
    if (fact.kind === 'click') return []
    if (countsAs(fact, asked as never, everything, scope) === null) return []
    const basis =
      fact.kind === 'spend' ? fact.day : cohortBy === 'registration' ? fact.registeredDay : fact.firstDepositDay
    if (basis < dateFrom || basis > dateTo || basis === '1970-01-01') return []
    const cohort = stretchOf(unit, basis)
    const at = fact.kind === 'spend' ? 0 : distance(unit, cohort, stretchOf(unit, fact.day))
    const group = groupBy === 'off' ? null : (fact.dims[groupBy] ?? 0)
    return at < periods ? [{ fact, cohort, at, group }] : []
  })
  /** Sums and counts are divided by `among`. */
  const measured = (
    of: typeof placed,
    size: bigint,
    cumulative: boolean,
    among = 1n,
  ): { m: Numbers } & PartlyReported => {
    const facts = of.map(({ fact }) => fact)
    const known = (value: number | null) => (isIncomeUnknown(facts) ? null : value)
    const sum = (part: string) => of.reduce((total, { fact }) => total + (fact.n[part] ?? 0n), 0n)
    const [nd, count, amount, income] = [
      sum('new_deposits'),
      sum('deposits_count'),
      sum('deposits_amount'),
      sum('income'),
    ]
    const spend = sum('player_spend') + sum('entered_spend')
    const payers = BigInt(
      new Set(of.filter(({ fact }) => (fact.n.deposits_count ?? 0n) > 0n).map(({ fact }) => fact.player)).size,
    )
    const m = {
      players: hundredths(payers, among),
      retention: hundredths(payers * 100n, size),
      nd: hundredths(nd, among),
      deposits: hundredths(count, among),
      deposits_amount: hundredths(amount, 10_000n * among),
      avg_check: hundredths(amount, 10_000n * (cumulative ? nd : count)),
      income: known(hundredths(income, 10_000n * among)),
      s: hundredths(spend, 10_000n * among),
      profit: known(hundredths(income - spend, 10_000n * among)),
      cfd: cumulative && spend === 0n ? null : hundredths(spend, 10_000n * nd),
      roi: known(hundredths((income - spend) * 100n, spend)),
    }
    return { m, ...(isIncomePartial(facts) && { partial: ['income' as const] }) }
  }
  const sizeOf = (of: typeof placed): bigint =>
    of.reduce(
      (total, { fact }) => total + (fact.n[cohortBy === 'registration' ? 'registrations' : 'new_deposits'] ?? 0n),
      0n,
    )
  const cellsOf = (of: typeof placed, begun: number, ends: (at: number) => string) =>
    Array.from({ length: begun }, (_, at) => ({
      period: at,
      state: ends(at) <= today ? 'whole' : 'partial',
      ...measured(
        of.filter((one) => (isCumulative ? one.at <= at : one.at === at)),
        sizeOf(of),
        isCumulative,
      ),
    }))
  const begunOf = (cohort: string) => Math.min(periods, distance(unit, cohort, stretchOf(unit, today)) + 1)
  const endOf = (cohort: string) => (at: number) => {
    let day = cohort
    for (let step = 0; step <= at; step++) day = after(unit, day)
    return day
  }
  const keys = new Map(placed.map(({ cohort, group }) => [JSON.stringify([cohort, group]), { cohort, group }]))
  const rows = [...keys.values()]
    .map(({ cohort, group }): CountedCohort => {
      const of = placed.filter((one) => one.cohort === cohort && one.group === group)
      const cells = cellsOf(of, begunOf(cohort), endOf(cohort))
      const row = { cohort, group, size: Number(sizeOf(of)), cells, ...measured(of, sizeOf(of), isCumulative) }
      return isCumulative
        ? { ...row, payback: cells.find(({ m }) => m.roi != null && m.roi >= 0)?.period ?? null }
        : row
    })
    .filter(({ m, size }) =>
      Object.entries(cfFilter).every(([key, limit]) => {
        const value = key === 'size' ? size : m[key]
        return limit?.gte === undefined || (value != null && value >= limit.gte)
      }),
    )
    .sort((a, b) =>
      a.cohort < b.cohort
        ? -1
        : a.cohort > b.cohort
          ? 1
          : b.size - a.size || (String(a.group) < String(b.group) ? -1 : 1),
    )
  const kept = placed.filter((one) => rows.some(({ cohort, group }) => one.cohort === cohort && one.group === group))
  const longest = Math.max(0, ...rows.map(({ cohort }) => begunOf(cohort)))
  const cells = Array.from({ length: longest }, (_, at) => {
    const lived = rows.filter(({ cohort }) => at < begunOf(cohort))
    const of = kept.filter((one) => lived.some(({ cohort, group }) => one.cohort === cohort && one.group === group))
    return {
      period: at,
      state: lived.every(({ cohort }) => endOf(cohort)(at) <= today) ? 'whole' : 'partial',
      ...measured(
        of.filter((one) => (isCumulative ? one.at <= at : one.at === at)),
        sizeOf(of),
        isCumulative,
      ),
    }
  })
  const total = { size: Number(sizeOf(kept)), cells, ...measured(kept, sizeOf(kept), isCumulative) }
  return { rows, total, average: averageOf() }

  /** Averages cohorts with players; each period averages those that have fully reached it. */
  function averageOf(): CountedTotals {
    const averaged = rows.filter(({ cohort }) => rows.some((one) => one.cohort === cohort && one.size > 0))
    const share = (of: typeof rows, isMeant: (at: number) => boolean) => {
      const facts = kept.filter((one) => of.some(({ cohort, group }) => one.cohort === cohort && one.group === group))
      const meant = facts.filter(({ at }) => isMeant(at))
      const among = BigInt(of.filter((row) => row.size > 0).length)
      return { ...measured(meant, sizeOf(facts), isCumulative, among), size: hundredths(sizeOf(facts), among) ?? 0 }
    }
    const hasLived = (cohort: string, at: number) => at < begunOf(cohort) && endOf(cohort)(at) <= today
    const reach = Array.from({ length: longest }, (_, at) => averaged.filter(({ cohort }) => hasLived(cohort, at)))
    const lived = reach.filter((of) => of.length > 0)
    return {
      ...share(averaged, () => true),
      cells: lived.map((of, at) => {
        const { size: _size, ...numbers } = share(of, (one) => (isCumulative ? one <= at : one === at))
        return { period: at, state: 'whole', ...numbers }
      }),
    }
  }
}
