// Addresses, saved views, saved reports and browser storage outlive the code that wrote them, so their keys must not change.
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  defaultQuery,
  toStored as toStoredList,
  writeSearch as writeListSearch,
} from '../src/entities/list/list-state.ts'
import { writeDefaultView, writeStoredColumns, writeStoredList } from '../src/entities/list/list-storage.ts'
import {
  defaultState,
  type ReportState,
  toStored as toStoredReport,
  writeSearch as writeReportSearch,
} from '../src/screens/general-report/report-state.ts'
import { TOKEN_KEY } from '../src/state/token-store.ts'

const REPORT: ReportState = {
  ...defaultState('2026-11-20'),
  knownAt: '2026-11-01T10:00:00.000Z',
  columns: ['nd', 's', 'formula:7', 'cc'],
  chart: 'nd',
  levels: ['month', 'partner', 'site_id_sub_id', 'country'],
  from: '2026-10-01',
  to: '2026-10-31',
  second: '2026-09-15',
  activity: 'ftd',
  baseLine: 'qualified',
  filters: {
    offers: { mode: 'in', values: [3, 0] },
    partners: { mode: 'nin', values: [7] },
    subId: { mode: 'like', values: ['camp'] },
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

test('the address of a report keeps its keys [NAV-12]', () => {
  expect(writeReportSearch(REPORT)).toMatchInlineSnapshot(`
    {
      "activity": "ftd",
      "baseline": "qualified",
      "by": "month.partner.site_id_sub_id.country",
      "chart": "nd",
      "columns": "nd.s.formula:7.cc",
      "firstDeposit": "2026-10-01|2026-10-05",
      "from": "2026-10-01",
      "if": {
        "nd": {
          "gt": 5,
        },
        "roi_2": {
          "lte": -12.5,
        },
      },
      "known": "2026-11-01T10:00:00.000Z",
      "limit": 50,
      "offers": [
        3,
        0,
      ],
      "page": 3,
      "partners": {
        "nin": [
          7,
        ],
      },
      "second": "2026-09-15",
      "sort": "-cfd_2",
      "subId": {
        "like": "camp",
      },
      "to": "2026-10-31",
    }
  `)
})

test('storage and saved reports keep their keys [NAV-12] [REP-16]', () => {
  expect(toStoredReport(REPORT, null)).toMatchInlineSnapshot(`
    {
      "preset": null,
      "search": {
        "activity": "ftd",
        "baseline": "qualified",
        "by": "month.partner.site_id_sub_id.country",
        "chart": "nd",
        "columns": "nd.s.formula:7.cc",
        "firstDeposit": "2026-10-01|2026-10-05",
        "from": "2026-10-01",
        "if": {
          "nd": {
            "gt": 5,
          },
          "roi_2": {
            "lte": -12.5,
          },
        },
        "limit": 50,
        "offers": [
          3,
          0,
        ],
        "partners": {
          "nin": [
            7,
          ],
        },
        "second": "2026-09-15",
        "sort": "-cfd_2",
        "subId": {
          "like": "camp",
        },
        "to": "2026-10-31",
      },
    }
  `)
})

const QUERY = {
  ...defaultQuery('click', '2026-11-20'),
  query: '12 monkeys',
  conditions: [
    { path: 'active', operator: 'eq', values: ['1'] },
    { path: 'offer.advertiser', operator: 'in', values: ['3', '4'] },
    { path: 'partner', operator: 'nin', values: ['9'] },
  ],
  order: [{ path: 'id', desc: true }],
} as const

test('the address of a list and saved views keep their keys [LIST-02] [NAV-12]', () => {
  expect(writeListSearch(QUERY)).toMatchInlineSnapshot(`
    {
      "filter[active]": 1,
      "filter[offer.advertiser][in]": "3|4",
      "filter[partner][nin]": 9,
      "limit": 20,
      "order[id]": "DESC",
      "page": 1,
      "query": "12 monkeys",
    }
  `)
  expect(toStoredList(QUERY, true, null)).toMatchInlineSnapshot(`
    {
      "conditions": [
        {
          "operator": "eq",
          "path": "active",
          "values": [
            "1",
          ],
        },
        {
          "operator": "in",
          "path": "offer.advertiser",
          "values": [
            "3",
            "4",
          ],
        },
        {
          "operator": "nin",
          "path": "partner",
          "values": [
            "9",
          ],
        },
      ],
      "limit": 20,
      "order": [
        {
          "desc": true,
          "path": "id",
        },
      ],
      "panel": true,
    }
  `)
})

test('keys of browser storage keep their names [NAV-12]', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('window', { localStorage: { setItem: (key: string, value: string) => void kept.set(key, value) } })
  onTestFinished(() => void vi.unstubAllGlobals())
  const list = toStoredList(QUERY, true, null)
  writeStoredList('click', list)
  writeStoredColumns('click', { shown: ['id'], widths: { id: 80 }, pinned: [] })
  writeDefaultView('click', list)
  expect([TOKEN_KEY, ...kept.keys()].sort()).toEqual(['columns:click', 'list:click', 'token_data', 'view:click'])
})
