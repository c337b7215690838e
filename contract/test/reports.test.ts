// What the general report accepts, rejects by name, and declares about its dimensions and metrics.
import { expect, test } from 'vitest'
import { REPORT_FILTER_NAMES, reportFilterOf, VALUED_FILTERS } from '../reports/choices.ts'
import { generalReportRequest, METRIC_KEYS } from '../reports/general.ts'
import { REPORTS } from '../reports/registry.ts'
import {
  COMPONENTS,
  DIMENSION_NAMES,
  dimensionOf,
  GROUP_BYS,
  METRIC_NAMES,
  metricOf,
  SOURCES,
} from '../reports/traffic.ts'

const messagesOf = (input: unknown): string[] =>
  generalReportRequest
    .safeParse(input)
    .error?.issues.map(
      (issue) => `${issue.path.join('.')}${'keys' in issue ? `.${issue.keys.join()}` : ''}: ${issue.message}`,
    ) ?? []

test('an empty request groups by offer and traffic source and returns 20 rows of page 1 [REP-01]', () => {
  expect(generalReportRequest.parse({})).toEqual({
    filter: {
      groupBy: 'offer',
      secondGroupBy: 'traffic_source',
      thirdGroupBy: 'off',
      fourthGroupBy: 'off',
      activity: 'all',
      baseLine: 'all',
    },
    cfFilter: {},
    pagination: { page: 1, limit: 20 },
    formulas: [],
  })
})

test('there are 21 ways to group, with off as the last [REP-01]', () => {
  expect(GROUP_BYS).toHaveLength(22)
  expect(new Set(GROUP_BYS).size).toBe(22)
  expect(GROUP_BYS.at(-1)).toBe('off')
})

test('every filter accepts one value, many, or all but some; unknown fields and operators are rejected by name [REP-01]', () => {
  for (const name of REPORT_FILTER_NAMES) {
    const { kind } = reportFilterOf(name)
    const accepted = {
      references: [[1], { in: [1] }, { nin: [0, 1] }],
      texts: ['a', ['a'], { in: ['a'] }, { nin: [''] }, { like: 'a' }],
      period: ['2026-01-01|2026-01-31'],
    }[kind]
    for (const value of accepted) expect(messagesOf({ filter: { [name]: value } })).toEqual([])
    expect(messagesOf({ filter: { [name]: { gt: 1 } } })[0]).toMatch(
      new RegExp(`^filter.${name}: ${kind === 'period' ? '' : 'unknown_operator'}`),
    )
  }
  expect(messagesOf({ filter: { colour: 1 } })[0]).toContain('filter.colour')
  expect(messagesOf({ cfFilter: { luck: { gt: 1 } } })[0]).toContain('cfFilter.luck')
  expect(messagesOf({ cfFilter: { nd: { near: 1 } } })[0]).toContain('cfFilter.nd.near')
})

test('dates that are reversed or do not exist are rejected [REP-01]', () => {
  expect(messagesOf({ filter: { dateFrom: '2026-03-02', dateTo: '2026-03-01' } })).toEqual([
    'filter.dateTo: dates_reversed',
  ])
  expect(messagesOf({ filter: { dateFrom: '2026-02-30' } })).toEqual(['filter.dateFrom: date_invalid'])
  expect(messagesOf({ filter: { secondDateFrom: '2026-02-01' } })).toEqual(['filter.secondDateTo: required'])
  expect(messagesOf({ filter: { firstDeposit: '2026-02-02|2026-02-01' } })).toEqual([
    'filter.firstDeposit: date_invalid',
  ])
})

test('a filter may have 10,000 ids and a period 13 months [REP-01]', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => index)
  expect(messagesOf({ filter: { offers: { in: ids }, dateFrom: '2025-01-01', dateTo: '2026-01-31' } })).toEqual([])
})

test('metrics use existing components; a ratio and a difference name the metrics from which they are derived [REP-02]', () => {
  for (const name of METRIC_NAMES) {
    const { sum, over, madeOf, times } = metricOf(name)
    for (const part of [...sum.plus, ...(sum.minus ?? []), ...(over?.plus ?? [])])
      expect(COMPONENTS).toHaveProperty(part)
    expect(madeOf !== undefined, name).toBe(over !== undefined || sum.minus !== undefined)
    for (const other of madeOf ?? []) expect(METRIC_NAMES).toContain(other)
    if (times !== undefined) expect(over).toBeDefined()
  }
  expect(METRIC_KEYS).toHaveLength(2 * METRIC_NAMES.length)
})

test('dimensions name an entity exactly when they refer to one, and sources that exist [REP-01]', () => {
  for (const name of DIMENSION_NAMES) {
    const { value, entity, sources } = dimensionOf(name)
    expect(value === 'reference').toBe(entity !== undefined)
    for (const source of sources) expect(SOURCES).toContain(source)
  }
  expect(VALUED_FILTERS).toContain('siteId')
})

test('a partner never gets income, profit, ROI or the advertiser [PERM-07]', () => {
  const hidden = METRIC_NAMES.filter((name) => metricOf(name).hiddenFrom?.includes('PARTNER'))
  expect(hidden).toEqual(['income', 'profit', 'roi'])
  expect(dimensionOf('advertiser').hiddenFrom).toContain('PARTNER')
  expect(reportFilterOf('advertisers').hiddenFrom).toContain('PARTNER')
})

test('every report and each of its calls declares its access', () => {
  for (const report of REPORTS) for (const { access } of [report, ...report.calls]) expect(access).toBeDefined()
})
