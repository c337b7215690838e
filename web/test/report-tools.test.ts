// Tools of a report: selecting and searching rows, formulas, emphasis, earlier moments.
import type { Permission, RoleKind } from '@tributary/contract/access'
import { REPORT_FILTER_NAMES } from '@tributary/contract/reports/choices'
import type { ReportGroup, ReportRow } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'
import { describe, expect, test } from 'vitest'
import { fileNameIn } from '../src/data/download.ts'
import { reportsEn } from '../src/i18n/en/reports.ts'
import type { ReportWords } from '../src/i18n/shape.ts'
import { formatMoment, parseMoment } from '../src/lib/date-format.ts'
import { areFormulasOutdated } from '../src/reports/columns/use-formulas.ts'
import { isOffered } from '../src/reports/filter/filter-options.ts'
import { longerPeriod } from '../src/reports/filter/nothing-found.tsx'
import { readMoment } from '../src/reports/run/known-moment.ts'
import { namedColumns } from '../src/reports/table/report-columns.ts'
import { searchRows } from '../src/reports/table/table-bar.tsx'
import { barDots, overlayDots, timeDots } from '../src/screens/general-report/chart-rows.ts'
import { treeOf } from '../src/screens/general-report/report-rows.ts'
import {
  defaultState,
  readSearch,
  toRequest,
  toStored,
  writeSearch,
} from '../src/screens/general-report/report-state.ts'
import { onlyRows, withoutRows } from '../src/screens/general-report/row-filters.ts'
import { parentsOf } from '../src/screens/general-report/use-selection.ts'

const state = defaultState('2026-11-20')
const group = (id: number | string, title = `#${id}`): ReportGroup => ({ id, title })

describe('rows that are chosen', () => {
  test('alone keep the filters of all their parents [REP-14] [REP-05]', () => {
    const rows: ReportRow[] = [
      { g: group(1), m: {}, children: [{ sg: group('2026-11-19'), m: {}, children: [{ tg: group(7), m: {} }] }] },
    ]
    const tree = treeOf({ rows } as Parameters<typeof treeOf>[0])
    const path = parentsOf(tree, ['offer', 'day', 'country'], 2)
    expect(path.map(({ dimension, groups }) => [dimension, groups[0]?.id])).toEqual([
      ['offer', 1],
      ['day', '2026-11-19'],
    ])
    expect(
      onlyRows({ ...state, from: '2026-11-01' }, { path, dimension: 'country', groups: [group(7), group(8)] }),
    ).toEqual({
      from: '2026-11-19',
      to: '2026-11-19',
      filters: { offers: { mode: 'in', values: [1] }, countries: { mode: 'in', values: [7, 8] } },
    })
  })

  test('are excluded one after another, and a later selection adds to the filters [REP-14]', () => {
    const first = withoutRows(state, { path: [], dimension: 'partner', groups: [group(1), group(2)] })
    expect(first).toEqual({ filters: { partners: { mode: 'nin', values: [1, 2] } } })
    const second = onlyRows({ ...state, ...first }, { path: [], dimension: 'country', groups: [group(3)] })
    expect(second?.filters).toEqual({
      partners: { mode: 'nin', values: [1, 2] },
      countries: { mode: 'in', values: [3] },
    })
    expect(withoutRows(state, { path: [], dimension: 'day', groups: [group('2026-11-20')] })).toBeNull()
    expect(
      onlyRows(state, { path: [], dimension: 'day', groups: [group('2026-11-19'), group('2026-11-20')] }),
    ).toBeNull()
    expect(withoutRows(state, { path: [], dimension: 'partner', groups: [] })).toBeNull()
  })

  test('of an existing filter are removed from it, or cannot be excluded: no other rows return [REP-14]', () => {
    const sites = (mode: 'in' | 'like', values: string[], ids: string[]) =>
      withoutRows(
        { ...state, filters: { siteId: { mode, values } } },
        { path: [], dimension: 'site_id', groups: ids.map((id) => group(id)) },
      )?.filters?.siteId
    expect(sites('in', ['a', 'b', 'c'], ['a', 'b'])).toEqual({ mode: 'in', values: ['c'] })
    expect(sites('in', ['a', 'b'], ['a', 'b'])).toEqual({ mode: 'nin', values: ['a', 'b'] })
    // A partner of two groups is shown under the first, whichever group the filter names.
    expect(sites('in', ['a'], ['b'])).toBeUndefined()
    expect(sites('like', ['a'], ['ab'])).toBeUndefined()
  })

  test('a day of the second period only is shown by itself [REP-03] [REP-14]', () => {
    const compared = { ...state, from: '2026-11-10', to: '2026-11-15', second: 'previous' }
    const only = (dimension: 'day' | 'week', id: string) =>
      onlyRows(compared, { path: [], dimension, groups: [group(id)] })
    expect(only('day', '2026-11-05')).toEqual({ from: '2026-11-05', to: '2026-11-05', second: 'off' })
    expect(only('week', '2026-11-02')).toEqual({ from: '2026-11-04', to: '2026-11-08', second: 'off' })
    expect(only('week', '2026-11-09')).toEqual({ from: '2026-11-10', to: '2026-11-15' })
    expect(only('day', '2026-10-01')).toBeNull()
  })
})

describe('the search among rows', () => {
  const shape = {
    childrenOf: (row: ReportRow) => row.children,
    titleOf: (row: ReportRow) => (row.g ?? row.sg)?.title ?? '',
    withChildren: (row: ReportRow, children: ReportRow[]) => ({ ...row, children }),
  }
  const rows: ReportRow[] = [
    {
      g: group(1, 'Volta'),
      m: {},
      children: [
        { sg: group(1, 'SEO'), m: {} },
        { sg: group(2, 'Push'), m: {} },
      ],
    },
    { g: group(2, 'Seomaster'), m: {}, children: [{ sg: group(2, 'Push'), m: {} }] },
  ]
  const titles = (list: readonly ReportRow[]): unknown[] =>
    list.map((row) => [shape.titleOf(row), ...titles(row.children ?? [])])

  test('keeps matching rows with their parents and children [REP-05]', () => {
    const { rows: kept, found } = searchRows(rows, ' seo', shape)
    expect(titles(kept)).toEqual([
      ['Volta', ['SEO']],
      ['Seomaster', ['Push']],
    ])
    expect(found).toBe(2)
    expect(searchRows(rows, 'nothing', shape)).toEqual({ rows: [], found: 0 })
    expect(searchRows(rows, '  ', shape).rows).toBe(rows)
  })
})

describe('columns of one’s own', () => {
  const profit: ReportFormula = {
    id: 12,
    title: 'Margin',
    expression: '(income - s) / income',
    unit: 'percent',
    owner: { id: 1, title: 'Olena' },
    is_own: true,
    version: 1,
  }
  // Russian has plural forms that English lacks.
  const words = reportsEn as unknown as ReportWords
  const facts = { words, currency: 'EUR', secondPeriod: '1–2', writtenBy: (name: string) => `by ${name}` }

  test('are listed among the metrics, for both periods, with their formula [REP-14]', () => {
    const columns = namedColumns(['nd', 'formula:12', 'formula:99'], [profit], facts)
    expect(columns.map(({ key }) => key)).toEqual(['nd', 'nd_2', 'formula:12', 'formula:12_2'])
    // The value as the server computes it, from unrounded sums.
    const row: ReportRow = { m: { income: 200, s: 50, income_2: 0, s_2: 5, 'formula:12': 75, 'formula:12_2': null } }
    expect(columns.slice(2).map((column) => column.text(row))).toEqual(['75.00', null])
    expect(columns[2]).toMatchObject({ label: 'Margin', hint: '%', explain: '(income - s) / income\nby Olena' })
  })

  test('sort in the address, are requested by id, and reloaded after a change [REP-14] [NAV-12]', () => {
    const own = readSearch({ by: 'offer', sort: '-formula:12', columns: 'nd.formula:12.formula:99' }, '2026-11-20')
    expect(own && toRequest(own)).toMatchObject({ sort: { by: 'formula:12', desc: true }, formulas: [12, 99] })
    expect(own && toRequest({ ...own, columns: null }).formulas).toBe('all')
    expect(readSearch({ by: 'offer', sort: 'formula:x' }, '2026-11-20')?.sort).toBeNull()
    expect(areFormulasOutdated([profit], 'all', [{ id: 12, version: 1 }])).toBe(false)
    expect(areFormulasOutdated([{ ...profit, version: 2 }], 'all', [{ id: 12, version: 1 }])).toBe(true)
    expect(areFormulasOutdated([profit], 'all', [])).toBe(true)
    // A deleted or unrequested formula must not cause a reload.
    expect(areFormulasOutdated([profit], [99], [])).toBe(false)
  })
})

describe('an earlier moment', () => {
  test('is entered in the business zone and stored in the address [REP-16] [NAV-12]', () => {
    expect(parseMoment('29.03.2026 04:30:00', 'Europe/Kyiv')).toBe('2026-03-29T01:30:00.000Z')
    expect(formatMoment('2026-10-25T00:30:00Z', 'Europe/Kyiv')).toBe('25.10.2026 03:30')
    expect(parseMoment('nonsense', 'Europe/Kyiv')).toBeNull()
    expect(readMoment('yesterday')).toBeNull()
    const known = { ...state, knownAt: '2026-11-01T10:00:00.000Z' }
    expect(readSearch(writeSearch(known), '2026-11-20')).toEqual(known)
    expect(toRequest(known).filter?.knownAt).toBe(known.knownAt)
    expect(toStored(known, null).search).not.toHaveProperty('known')
  })
})

test('a file has the name that the server sends [REP-14]', () => {
  expect(fileNameIn(`attachment; filename="x.csv"; filename*=UTF-8''%D0%9E%D1%82%D1%87%D1%91%D1%82.csv`)).toBe(
    'Отчёт.csv',
  )
  expect(fileNameIn('attachment; filename="report.xlsx"')).toBe('report.xlsx')
  expect(fileNameIn(null)).toBeNull()
})

describe('a report without rows', () => {
  test.each([
    [{ from: '2026-11-20', to: '2026-11-20' }, 'current_month'],
    [{ from: '2026-11-01', to: '2026-11-20' }, 'current_year'],
    [{ from: '2026-01-01', to: '2026-11-20' }, undefined],
    [{ from: '2025-01-01', to: '2026-11-10' }, 'current_month'],
  ] as const)('of %o offers a longer period where there is one: %s [REP-01]', (days, offered) => {
    expect(longerPeriod(days, '2026-11-20')?.preset).toBe(offered)
  })
})

describe('a chart', () => {
  const rows: ReportRow[] = ['2026-10-01', '2026-10-02', '2026-09-29', '2026-09-30'].map((day, place) => ({
    g: group(day),
    m: { roi: place === 1 ? null : place + 1, roi_2: place + 10 },
  }))
  const first = { from: '2026-10-01', to: '2026-10-02' }

  test('along time has only days of the period, and a gap where a number is missing [REP-14]', () => {
    expect(timeDots(rows, 'day', first, '2026-10-02', ({ m }) => m.roi ?? null)).toEqual([
      { at: '2026-10-01', title: '#2026-10-01', value: 1 },
      { at: '2026-10-02', title: '#2026-10-02', value: null, isRunning: true },
    ])
    const months = [
      { g: group('2026-09-01'), m: {} },
      { g: group('2026-10-01'), m: {} },
    ]
    expect(timeDots(months, 'month', { from: '2026-09-30', to: '2026-09-30' }, '2026-11-20', () => 1)).toHaveLength(1)
    const weeks = [
      { g: group('2026-09-28'), m: {} },
      { g: group('2026-10-05'), m: {} },
    ]
    expect(timeDots(weeks, 'week', { from: '2026-10-04', to: '2026-10-04' }, '2026-11-20', () => 1)).toHaveLength(1)
  })

  test('marks the unfinished day, week or month [REP-14]', () => {
    const runningOf = (level: 'day' | 'week' | 'month', today: string) =>
      timeDots(
        [{ g: group('2026-10-05'), m: {} }],
        level,
        { from: '2026-10-01', to: '2026-11-30' },
        today,
        () => 1,
      ).map(({ isRunning = false }) => isRunning)
    expect([runningOf('day', '2026-10-05'), runningOf('day', '2026-10-06')]).toEqual([[true], [false]])
    expect([runningOf('week', '2026-10-11'), runningOf('week', '2026-10-12')]).toEqual([[true], [false]])
    expect([runningOf('month', '2026-10-31'), runningOf('month', '2026-11-01')]).toEqual([[true], [false]])
    expect(runningOf('day', '2026-10-04')).toEqual([false])
  })

  test('lays the second period over the first [REP-03] [REP-14]', () => {
    const over = timeDots(rows, 'day', first, '2026-10-02', ({ m }) => m.roi ?? null)
    const second = timeDots(
      rows,
      'day',
      { from: '2026-09-29', to: '2026-09-30' },
      '2026-10-02',
      ({ m }) => m.roi_2 ?? null,
    )
    expect(overlayDots(over, second)).toEqual([
      { at: '2026-10-01', title: '#2026-09-29', value: 12 },
      { at: '2026-10-02', title: '#2026-09-30', value: 13 },
    ])
    expect(overlayDots(over.slice(1), second)).toHaveLength(1)
  })

  test('of groups has the first twelve and all others together, without unallocated spend [REP-14]', () => {
    const many: ReportRow[] = Array.from({ length: 14 }, (_, place) => ({ g: group(place + 1), m: {} }))
    const spend = { id: 'x', title: 'NUS', country: '', partner: '', stream: '', date: '' }
    const twelve = many.slice(0, 12).map((row) => String(row.g?.id))
    const dots = (total: number | null) => barDots([{ s: spend, m: {} }, ...many], () => 1, { title: 'Others', total })
    expect(barDots([{ s: spend, m: {} }, ...many], () => 1, null).map(({ at }) => at)).toEqual(twelve)
    expect(dots(20).map(({ at }) => at)).toEqual([...twelve, 'others'])
    expect(dots(20).at(-1)).toEqual({ at: 'others', title: 'Others', value: 8 })
    expect(dots(null)).toHaveLength(12)
    expect(barDots(many.slice(0, 12), () => 1, { title: 'Others', total: 20 })).toHaveLength(12)
  })
})

test('filters are offered to users who may read the look-ups of their options [REP-02] [PERM-07]', () => {
  const offeredTo = (role: RoleKind, permissions: readonly Permission[] = []) =>
    REPORT_FILTER_NAMES.filter((name) => isOffered(name, { role, permissions }))
  const without = (...names: string[]) => REPORT_FILTER_NAMES.filter((name) => !names.includes(name))
  expect(offeredTo('ADMIN')).toEqual(REPORT_FILTER_NAMES)
  expect(offeredTo('PARTNER')).toEqual(
    without('advertisers', 'partnerGroups', 'managers', 'partnerTags', 'offerTags', 'mediaId'),
  )
  expect(offeredTo('MANAGER')).toEqual(without('partnerTags', 'offerTags'))
  expect(offeredTo('MANAGER', ['offer_view'])).toEqual(without('partnerTags'))
})
