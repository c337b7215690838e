// The state of the report in the address, in storage and on the wire.
import { defaultParseSearch } from '@tanstack/react-router'
import { REPORTS } from '@tributary/contract/reports/registry'
import { screenAddress } from '@tributary/contract/reports/screen-address'
import { describe, expect, test } from 'vitest'
import {
  chooseLevel,
  defaultState,
  effectiveSort,
  findHidden,
  findUnreadable,
  fromStored,
  keepVisible,
  nextSort,
  ownSecondPeriod,
  type ReportState,
  readSearch,
  secondPeriodOf,
  toRequest,
  toStored,
  writeSearch,
} from '../src/screens/general-report/report-state.ts'
import { onlyGroup, withoutGroup } from '../src/screens/general-report/row-filters.ts'
import { SCREENS } from '../src/screens/registry.tsx'

const TODAY = '2026-11-20'
const start = defaultState(TODAY)

const everything: ReportState = {
  knownAt: null,
  columns: ['nd', 's', 'formula:7', 'cc'],
  chart: 'nd',
  levels: ['month', 'partner', 'site_id_sub_id', 'country'],
  from: '2026-10-01',
  to: '2026-10-31',
  second: '2026-09-15',
  hasTwoColumns: true,
  activity: 'ftd',
  baseLine: 'qualified',
  filters: {
    offers: { mode: 'in', values: [3, 0] },
    partners: { mode: 'nin', values: [7] },
    subId: { mode: 'like', values: ['camp'] },
    promocode: { mode: 'in', values: ['12', ''] },
    firstDeposit: { mode: 'in', values: ['2026-10-01', '2026-10-05'] },
  },
  conditions: [
    { metric: 'nd', comparison: 'gt', value: 5 },
    { metric: 'roi_2', comparison: 'lte', value: -12.5 },
  ],
  sort: { by: 'cfd_2', desc: true },
  page: 3,
  limit: 50,
}

/** Returns the values as an address holds them. */
const throughAddress = (search: Record<string, unknown>): Record<string, unknown> => JSON.parse(JSON.stringify(search))

describe('the address', () => {
  test('holds the whole state: a copied address gives the same report on another day [NAV-12]', () => {
    expect(readSearch(throughAddress(writeSearch(everything)), '2027-01-05')).toEqual(everything)
    expect(readSearch(throughAddress(writeSearch(start)), '2027-01-05')).toEqual(start)
  })

  test('in a mail reads like the saved report; every report has a screen [REP-16] [NAV-12]', () => {
    const [path, query] = screenAddress('general_report', writeSearch(everything)).split('?')
    expect(path).toBe('/general-report')
    expect(readSearch(defaultParseSearch(query ?? ''), '2027-01-05')).toEqual(everything)
    for (const { path } of REPORTS) expect(SCREENS.map((screen) => screen.path)).toContain(screenAddress(path, {}))
    expect(screenAddress('new_streams', { sites: 'x'.repeat(3000) })).toBe('/new-streams')
  })

  test('without report parameters gives null, so that storage and defaults decide [NAV-12]', () => {
    expect(readSearch({}, TODAY)).toBeNull()
    expect(readSearch({ utm: 'x' }, TODAY)).toBeNull()
  })

  test('a closed chart leaves the address [NAV-12]', () => {
    expect(writeSearch(start, { chart: 'clicks' })).not.toHaveProperty('chart')
  })

  test('keeps other parameters', () => {
    expect(writeSearch(start, { utm: 'x', offers: [1] })).toEqual({
      utm: 'x',
      by: 'offer.traffic_source',
      from: TODAY,
      to: TODAY,
    })
  })

  test.each([
    [{ by: 'offer.offer.nonsense.country' }, { levels: ['offer', 'country'] }],
    [{ by: 'nonsense' }, { levels: ['offer', 'traffic_source'] }],
    [
      { from: '2026-02-30', to: TODAY },
      { from: TODAY, to: TODAY },
    ],
    [
      { from: TODAY, to: '2026-01-01' },
      { from: TODAY, to: TODAY },
    ],
    [{ second: 'yesterday' }, { second: 'off' }],
    [
      { activity: 'none', baseline: 3 },
      { activity: 'all', baseLine: 'all' },
    ],
    [{ offers: ['x', -1, 2.5, 4] }, { filters: { offers: { mode: 'in', values: [4] } } }],
    [{ offers: { like: 'x' } }, { filters: {} }],
    [
      { if: { nd: { gt: 'x', lt: 4, near: 3 }, nonsense: { gt: 1 } } },
      { conditions: [{ metric: 'nd', comparison: 'lt', value: 4 }] },
    ],
    [{ sort: '-nonsense' }, { sort: null }],
    [
      { page: 0, limit: 33 },
      { page: 1, limit: 100 },
    ],
  ])('leaves out what it says wrongly: %j [NAV-12]', (search, expected) => {
    expect(readSearch(search, TODAY)).toEqual({ ...start, ...expected })
  })
})

describe('storage', () => {
  test('gives back the last state, on the first page [NAV-12]', () => {
    expect(fromStored(JSON.parse(JSON.stringify(toStored(everything, null))), TODAY)).toEqual({
      ...everything,
      page: 1,
    })
  })

  test('stores a preset as a preset: on the next day, today is that day', () => {
    const kept = toStored({ ...start, from: '2026-11-01' }, 'current_month')
    expect(fromStored(kept, '2026-12-03')).toMatchObject({ from: '2026-12-01', to: '2026-12-03' })
  })
})

describe('the question', () => {
  test('is by offer and traffic source, today, by default [REP-01]', () => {
    expect(toRequest(start)).toEqual({
      filter: {
        groupBy: 'offer',
        secondGroupBy: 'traffic_source',
        thirdGroupBy: 'off',
        fourthGroupBy: 'off',
        dateFrom: TODAY,
        dateTo: TODAY,
        activity: 'all',
        baseLine: 'all',
      },
      cfFilter: {},
      pagination: { page: 1, limit: 100 },
      formulas: 'all',
    })
  })

  test('carries every filter, condition and the sort in the wire format [REP-01] [REP-03]', () => {
    expect(toRequest(everything)).toEqual({
      filter: {
        groupBy: 'month',
        secondGroupBy: 'partner',
        thirdGroupBy: 'site_id_sub_id',
        fourthGroupBy: 'country',
        dateFrom: '2026-10-01',
        dateTo: '2026-10-31',
        secondDateFrom: '2026-08-16',
        secondDateTo: '2026-09-15',
        activity: 'ftd',
        baseLine: 'qualified',
        offers: [3, 0],
        partners: { nin: [7] },
        subId: { like: 'camp' },
        promocode: ['12', ''],
        firstDeposit: '2026-10-01|2026-10-05',
      },
      cfFilter: { nd: { gt: 5 }, roi_2: { lte: -12.5 } },
      pagination: { page: 3, limit: 50 },
      sort: { by: 'cfd_2', desc: true },
      formulas: [7],
    })
  })

  test('compares with as many days: those right before, or those ending at a day [REP-03]', () => {
    const week = { ...start, from: '2026-11-14', to: '2026-11-20' }
    expect(secondPeriodOf(week)).toBeNull()
    expect(secondPeriodOf({ ...week, second: 'previous' })).toEqual({ from: '2026-11-07', to: '2026-11-13' })
    expect(secondPeriodOf({ ...week, second: '2026-10-31' })).toEqual({ from: '2026-10-25', to: '2026-10-31' })
    expect(secondPeriodOf({ ...week, second: 'last_year' })).toEqual({ from: '2025-11-14', to: '2025-11-20' })
    expect(toRequest({ ...week, second: 'previous' }).filter).toMatchObject({ secondDateTo: '2026-11-13' })
  })

  test('compares with any days; an address with other text compares with none [REP-03] [NAV-12]', () => {
    const own = { from: '2026-03-01', to: '2026-03-31' }
    const second = ownSecondPeriod(own)
    expect(secondPeriodOf({ ...start, second })).toEqual(own)
    expect(readSearch({ by: 'offer', second }, TODAY)?.second).toBe(second)
    expect(toRequest({ ...start, second }).filter).toMatchObject({
      secondDateFrom: own.from,
      secondDateTo: own.to,
    })
    for (const other of [
      '2026-03-31..2026-03-01',
      '2026-03-01..',
      '..',
      '2026-03-01..2026-02-31',
      '2026-01-01..2026-01-02..x',
    ])
      expect(readSearch({ by: 'offer', second: other }, TODAY)?.second).toBe('off')
  })

  test('contains nothing that is hidden from the role [REP-01]', () => {
    const seen = keepVisible(
      {
        ...everything,
        levels: ['advertiser', 'offer'],
        filters: { advertisers: { mode: 'in', values: [1] }, offers: { mode: 'in', values: [2] } },
        sort: { by: 'roi_2', desc: true },
      },
      'PARTNER',
    )
    expect(seen.levels).toEqual(['offer'])
    expect(Object.keys(seen.filters)).toEqual(['offers'])
    expect(seen.conditions.map(({ metric }) => metric)).toEqual(['nd'])
    expect(seen.sort).toBeNull()
  })

  test('contains no sort by a formula that is deleted or hidden from the user [REP-14] [REP-16]', () => {
    const sorted = { ...everything, sort: { by: 'formula:7_2', desc: true } } as const
    expect(keepVisible(sorted, 'PARTNER', [{ id: 6 }]).sort).toBeNull()
    expect(keepVisible(sorted, 'PARTNER', [{ id: 7 }]).sort).toEqual(sorted.sort)
    // Formulas are not loaded yet.
    expect(keepVisible(sorted, 'PARTNER').sort).toEqual(sorted.sort)
  })
})

describe('levels', () => {
  test('selecting a dimension that another level has swaps the two [REP-01]', () => {
    expect(chooseLevel(['offer', 'traffic_source', 'day'], 0, 'day')).toEqual(['day', 'traffic_source', 'offer'])
    expect(chooseLevel(['offer', 'traffic_source'], 1, 'partner')).toEqual(['offer', 'partner'])
  })

  test('off removes a level, but not the last; four is the most [REP-01]', () => {
    expect(chooseLevel(['offer', 'traffic_source', 'day'], 1, 'off')).toEqual(['offer', 'day'])
    expect(chooseLevel(['offer'], 0, 'off')).toEqual(['offer'])
    expect(chooseLevel(['offer', 'day', 'week', 'month'], 4, 'country')).toHaveLength(4)
  })

  test('dates are ascending, others are sorted by clicks; a click reverses the order [REP-05]', () => {
    expect(effectiveSort({ ...start, levels: ['month', 'offer'] })).toEqual({ by: 'group', desc: false })
    expect(effectiveSort(start)).toEqual({ by: 'cc', desc: true })
    expect(nextSort(effectiveSort(start), 'cc')).toEqual({ by: 'cc', desc: false })
    expect(nextSort(effectiveSort(start), 'nd_2')).toEqual({ by: 'nd_2', desc: true })
    expect(nextSort(effectiveSort(start), 'group')).toEqual({ by: 'group', desc: false })
  })
})

describe('a row as a filter', () => {
  test('only this, without this, without another one [REP-01]', () => {
    const offer = { id: 4, title: 'Volta' }
    expect(onlyGroup(start, 'offer', offer)).toEqual({ filters: { offers: { mode: 'in', values: [4] } } })
    const without = { ...start, ...withoutGroup(start, 'offer', offer) }
    expect(withoutGroup(without, 'offer', { id: 5, title: 'Betwell' })).toEqual({
      filters: { offers: { mode: 'nin', values: [4, 5] } },
    })
    const two = { ...start, filters: { offers: { mode: 'in', values: [4, 5] } } } satisfies ReportState
    expect(withoutGroup(two, 'offer', offer)).toEqual({ filters: { offers: { mode: 'in', values: [5] } } })
  })

  test('a week or a month is cut to the period of the report', () => {
    const autumn = { ...start, from: '2026-09-10', to: '2026-11-20' }
    expect(onlyGroup(autumn, 'month', { id: '2026-09-01', title: '' })).toEqual({
      from: '2026-09-10',
      to: '2026-09-30',
    })
    expect(onlyGroup(autumn, 'week', { id: '2026-11-16', title: '' })).toEqual({ from: '2026-11-16', to: '2026-11-20' })
    expect(withoutGroup(autumn, 'day', { id: '2026-11-16', title: '' })).toBeNull()
  })
})

test('names the parameters of an address that cannot be read, and no others [NAV-12]', () => {
  expect(findUnreadable(writeSearch(everything))).toEqual([])
  expect(findUnreadable({ by: 'partner', page: 1, second: 'off', other: 'x' })).toEqual([])
  expect(
    findUnreadable({
      by: 'foo',
      from: '2026-02-31',
      to: 'abc',
      partners: 'abc',
      sort: '-nonsense',
      known: 'yesterday',
    }),
  ).toEqual(['by', 'from', 'to', 'sort', 'known', 'partners'])
  expect(findUnreadable({ from: '2026-11-28', to: '2026-11-01' })).toEqual(['from', 'to'])
})

test('names the parameters of an address that the reader may not see [NAV-12] [PERM-07]', () => {
  const sent = readSearch(
    { by: 'advertiser.offer', advertisers: [1], partners: [2], sort: '-income', columns: 'cc.profit', chart: 'profit' },
    TODAY,
  )
  expect(sent && findHidden(sent, 'PARTNER')).toEqual(['by', 'advertisers', 'sort', 'columns', 'chart'])
  expect(sent && findHidden(sent, 'ADMIN')).toEqual([])
})
