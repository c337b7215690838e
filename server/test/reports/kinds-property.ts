// Checks dashboard, costs, new deposits and new streams of a stored world against single facts.

import { today } from '@tributary/contract/period'
import { CHART_PERIODS, TOP_COUNT, TOP_METRICS } from '@tributary/contract/reports/choices'
import type { ReportTotal } from '@tributary/contract/reports/general'
import {
  type ChartPoint,
  costRequest,
  dashboardQuery,
  newDepositRequest,
  newStreamsRequest,
} from '@tributary/contract/reports/kinds'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Viewer } from '../../src/reports/engine/query.ts'
import { answerCosts } from '../../src/reports/kinds/costs.ts'
import { answerEfficiency, answerTop } from '../../src/reports/kinds/dashboard.ts'
import { answerNewDeposits } from '../../src/reports/kinds/new-deposits.ts'
import { answerNewStreams } from '../../src/reports/kinds/new-streams.ts'
import type { TestServices } from '../support/harness.ts'
import type { Fact } from './reports-oracle.ts'
import { measure } from './reports-recount.ts'
import { numbersOf } from './reports-recount-income.ts'
import { addDays, DAYS, type World } from './reports-world.ts'

type Choose = (fact: Fact) => boolean

/** Facts by a key, in the order of the keys. */
function gather(facts: readonly Fact[], keyOf: (fact: Fact) => readonly unknown[]): Map<string, Fact[]> {
  const groups = new Map<string, Fact[]>()
  for (const fact of facts) {
    const key = JSON.stringify(keyOf(fact))
    groups.set(key, [...(groups.get(key) ?? []), fact])
  }
  return groups
}

const totalOf = ({ total: { partial, ...m } }: { total: ReportTotal }) => numbersOf({ m, ...(partial && { partial }) })
/** Unknown numbers come last. */
const rank = (value: unknown): number => (value === null ? -Number.MAX_VALUE : Number(value))
const says = (fact: Fact): boolean => fact.kind !== 'spend' || fact.n.entered_spend !== 0n
const sorted = <T>(list: readonly T[]): string[] => list.map((one) => JSON.stringify(one)).sort()

interface ReportCase {
  services: TestServices
  viewer: Viewer
  facts: readonly Fact[]
  from: string
  to: string
  period: (typeof CHART_PERIODS)[number]
  partners: number[]
}

async function checkDashboard(
  { services, viewer, facts, from, to, period, partners }: ReportCase,
  metric: (typeof TOP_METRICS)[number],
) {
  const query = dashboardQuery.parse({ period, dateFrom: from, dateTo: to, 'partners[]': partners.map(String), metric })
  const efficiency = await answerEfficiency(query, viewer, services)
  const points = (of: readonly Fact[]) =>
    [...gather(of, ({ dims }) => [dims[period]])]
      .map(([key, group]) => ({ date: (JSON.parse(key) as string[])[0] ?? '', m: measure(group, '') }))
      .sort((a, b) => (a.date < b.date ? -1 : 1))
  const bare = (list: readonly ChartPoint[]) => list.map((point) => ({ date: point.date, m: numbersOf(point) }))
  expect(bare(efficiency.points)).toEqual(points(facts.filter(says)))
  expect(totalOf(efficiency)).toEqual(measure([...facts], ''))
  for (const dimension of ['partner', 'country'] as const) {
    const top = await answerTop(query, dimension, viewer, services)
    const counted = [...gather(facts.filter(says), ({ dims }) => [dims[dimension]])]
      .map(([key, group]) => ({ id: (JSON.parse(key) as number[])[0], m: measure(group, ''), points: points(group) }))
      .sort((a, b) => rank(b.m[metric]) - rank(a.m[metric]) || Number(a.id) - Number(b.id))
      .slice(0, TOP_COUNT)
    expect(top.rows.map((row) => ({ id: row.group.id, m: numbersOf(row), points: bare(row.points) }))).toEqual(counted)
    expect(totalOf(top)).toEqual(measure([...facts], ''))
  }
}

async function checkCosts({ services, viewer, facts, from, to, partners }: ReportCase) {
  const request = costRequest.parse({ filter: { dateFrom: from, dateTo: to, partners }, pagination: { limit: -1 } })
  const answer = await answerCosts(request, viewer, services)
  const isCost: Choose = ({ n }) =>
    ['player_spend', 'entered_spend', 'new_deposits', 'qualified_players'].some((part) => (n[part] ?? 0n) !== 0n)
  const numbers = (group: Fact[]) => {
    const { nd, s, cfd } = measure(group, '')
    return { ql: Number(group.reduce((sum, { n }) => sum + (n.qualified_players ?? 0n), 0n)), nd, s, cfd }
  }
  const ofDays = facts.filter(({ kind }) => kind !== 'click')
  const groups = gather(ofDays, ({ dims, day }) => [dims.partner, dims.stream, dims.country, day])
  const counted = [...groups].flatMap(([key, group]) => (group.some(isCost) ? [[key, numbers(group)]] : []))
  const shown = answer.rows.map(({ partner, stream, country, day, m: { ql, nd, s, cfd } }) => [
    JSON.stringify([partner.id, stream.id, country.id, day.id]),
    { ql, nd, s, cfd },
  ])
  expect(sorted(shown)).toEqual(sorted(counted))
  expect(answer.total).toEqual(numbers([...ofDays]))
  if (answer.items > 2) {
    const page = await answerCosts({ ...request, pagination: { page: 2, limit: 2 } }, viewer, services)
    expect(page.rows).toEqual(answer.rows.slice(2, 4))
    expect(page.total).toEqual(answer.total)
  }
}

async function checkNewDeposits({ services, viewer, facts, from, to, period, partners }: ReportCase) {
  const request = newDepositRequest.parse({ filter: { period, dateFrom: from, dateTo: to, partners } })
  for (const [name, keys] of [
    ['partner_report/new_deposit', ['partner']],
    ['partner_report/stream_report', ['stream', 'traffic_source', 'country']],
  ] as const) {
    const answer = await answerNewDeposits(request, name, viewer, services)
    const firsts = facts.filter(({ n }) => n.new_deposits === 1n)
    const counted = [...gather(firsts, ({ dims }) => keys.map((key) => dims[key]))].map(([key, group]) => [
      key,
      sorted([...gather(group, ({ dims }) => [dims[period]])].map(([at, ones]) => [at, ones.length])),
      group.length,
    ])
    const shown = answer.rows.map(({ cells, total, ...groups }) => [
      JSON.stringify(keys.map((key) => groups[key]?.id)),
      sorted(Object.entries(cells).map(([date, count]) => [JSON.stringify([date]), count])),
      total,
    ])
    expect(sorted(shown)).toEqual(sorted(counted))
    expect(answer.total.total).toBe(firsts.length)
    const dates = new Set(answer.periods.map(({ date }) => date))
    for (const { cells } of answer.rows) for (const date of Object.keys(cells)) expect(dates.has(date)).toBe(true)
  }
}

async function checkNewStreams(
  { services, viewer, from, to, partners }: ReportCase,
  all: readonly Fact[],
  now: string,
) {
  const request = newStreamsRequest.parse({ filter: { dateFrom: from, dateTo: to, partners } })
  const answer = await answerNewStreams(request, viewer, services)
  const isActivity: Choose = ({ kind, n }) =>
    kind === 'click' || (n.registrations ?? 0n) > 0n || (n.deposits_count ?? 0n) > 0n
  const first = new Map<unknown, string>()
  for (const { dims, day } of all.filter(isActivity)) {
    const known = first.get(dims.stream)
    if (known === undefined || day < known) first.set(dims.stream, day)
  }
  const until = to > now ? to : now
  const since = all.filter(({ day, dims }) => {
    const begun = first.get(dims.stream) ?? ''
    return dims.stream !== 0 && begun >= from && begun <= to && day >= from && day <= until
  })
  const within = since.filter(({ dims }) => partners.length === 0 || partners.includes(Number(dims.partner)))
  const counted = [...gather(within.filter(says), ({ dims }) => [dims.manager, dims.partner, dims.stream])].map(
    ([key, group]) => [key, first.get(group[0]?.dims.stream), measure(group, '')],
  )
  const shown = answer.rows.map(({ manager, partner, stream, first_day, ...row }) => [
    JSON.stringify([manager.id, partner.id, stream.id]),
    first_day,
    numbersOf(row),
  ])
  const byKey = (list: unknown[][]) => Object.fromEntries(list.map(([key, ...rest]) => [String(key), rest]))
  expect(byKey(shown)).toEqual(byKey(counted))
  expect(totalOf(answer)).toEqual(measure(within, ''))
}

export async function checkKinds(
  services: TestServices,
  world: World,
  facts: readonly Fact[],
  { runs, seed }: { runs: number; seed: number },
): Promise<void> {
  const start = world.spends.map(({ day }) => day).sort()[0] ?? '2026-03-20'
  const question = fc.record({
    days: fc.tuple(fc.integer({ min: -3, max: DAYS }), fc.integer({ min: 0, max: DAYS })),
    period: fc.constantFrom(...CHART_PERIODS),
    metric: fc.constantFrom(...TOP_METRICS),
    partners: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
    scope: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }), { nil: null }),
  })
  await fc.assert(
    fc.asyncProperty(question, async ({ days: [at, length], period, metric, partners, scope }) => {
      const [from, to] = [addDays(start, at), addDays(start, at + length)]
      const viewer: Viewer = { role: 'ADMIN', partners: scope, language: 'en' }
      const inScope = facts.filter(({ dims }) => scope === null || scope.includes(Number(dims.partner)))
      const chosen = inScope.filter(
        ({ day, dims }) =>
          day >= from && day <= to && (partners.length === 0 || partners.includes(Number(dims.partner))),
      )
      const reportCase: ReportCase = { services, viewer, facts: chosen, from, to, period, partners }
      await checkDashboard(reportCase, metric)
      await checkCosts(reportCase)
      await checkNewDeposits(reportCase)
      await checkNewStreams(reportCase, inScope, today(world.zone))
    }),
    { numRuns: runs, seed },
  )
}
