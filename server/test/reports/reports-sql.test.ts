// The statements themselves: each kind has a golden text, the engine can plan it, and no value ever becomes a part of it.

import {
  GENERAL_REPORTS,
  REPORT_FILTER_NAMES,
  type ReportVariant,
  reportFilterOf,
} from '@tributary/contract/reports/choices'
import { type GeneralReportInput, generalReportRequest } from '@tributary/contract/reports/general'
import { dimensionOf, GROUP_BYS, METRIC_NAMES } from '@tributary/contract/reports/traffic'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Clickhouse } from '../../src/clickhouse/client.ts'
import { migrateClickhouse } from '../../src/clickhouse/migrate.ts'
import { compileDrill } from '../../src/reports/engine/compile-drill.ts'
import { compileFlat, compileTree } from '../../src/reports/engine/compile-rows.ts'
import { compileFilteredTotal, compilePlayerCount, needsPlayerCount } from '../../src/reports/engine/compile-totals.ts'
import type { Statement } from '../../src/reports/engine/params.ts'
import { parseQuery } from '../../src/reports/engine/parse.ts'
import { planReport } from '../../src/reports/engine/plan.ts'
import type { ReportQuery, Viewer } from '../../src/reports/engine/query.ts'
import { REPORT_SETTINGS } from '../../src/reports/engine/run-statement.ts'
import { compileUnallocatedSpend } from '../../src/reports/engine/unallocated-spend.ts'
import { compileFilterValues } from '../../src/reports/filter-values.ts'
import { compileChanges } from '../../src/reports/kinds/compile-changes.ts'
import { openTestClickhouse } from '../support/harness.ts'

let clickhouse: Clickhouse

beforeAll(async () => {
  clickhouse = openTestClickhouse()
  await migrateClickhouse(clickhouse)
})

const SETTING = {
  zone: 'Europe/Kyiv',
  currency: 'EUR',
  countries: { codes: ['UA', 'PL'], ids: [1, 2] },
  deletedClicks: [],
}
const REPORTED = { advertisers: [1, 2], days: ['2026-06-20', '2026-06-21'] }
const ADMIN: Viewer = { role: 'ADMIN', partners: null, language: 'en' }
const JUNE = { dateFrom: '2026-06-01', dateTo: '2026-06-30' }

function parse(
  input: GeneralReportInput,
  viewer = ADMIN,
  variant: ReportVariant = GENERAL_REPORTS.general_report,
): ReportQuery {
  const { formulas: _formulas, ...request } = generalReportRequest.parse(input)
  return parseQuery({ ...request, variant }, { viewer, setting: SETTING, reportedIncome: REPORTED })
}

function pageOf(query: ReportQuery): Statement | null {
  const plan = planReport(query, query.metrics)
  const ranks = query.levels.map((level) => (dimensionOf(level).entity === undefined ? null : [3, 1, 2]))
  return query.isFlat ? compileFlat(query, plan, ranks) : compileTree(query, plan, [], query.levels.length)
}

/** All statements that a query can lead to. */
function compileAll(query: ReportQuery): Statement[] {
  const plan = planReport(query, query.metrics)
  const drills = METRIC_NAMES.filter((name) => query.metrics.includes(name)).flatMap((metric) => {
    const isFiltered = query.metricFilters.length > 0
    const statements = compileDrill(
      [
        {
          metric,
          selection: { ...query, second: null },
          report: query,
          plan,
          spend: { which: 'allocated' },
          ...(isFiltered && { filteredBy: query }),
        },
      ],
      { page: 1, limit: 20 },
    )
    return statements === null
      ? []
      : [statements.rows, statements.total, ...(statements.terms ? [statements.terms] : [])]
  })
  return [
    pageOf(query),
    compileFilteredTotal(query, plan),
    compileUnallocatedSpend(query, plan),
    compilePlayerCount(query, plan),
    query.knownAt === null ? null : compileChanges({ ...query, second: null }, plan, 'Europe/Kyiv', 100),
    ...drills,
  ].filter((statement) => statement !== null)
}

const explain = ({ sql, params }: Statement) =>
  clickhouse.query(`explain ${sql}`, params, { settings: REPORT_SETTINGS })

const QUESTIONS: Record<string, GeneralReportInput> = {
  'two-levels': { filter: JUNE },
  'four-levels-second-period': {
    filter: {
      ...JUNE,
      groupBy: 'month',
      secondGroupBy: 'offer',
      thirdGroupBy: 'week',
      fourthGroupBy: 'day',
      secondDateTo: '2026-05-31',
    },
    sort: { by: 'roi_2', desc: true },
  },
  'mapped-dimensions': {
    filter: {
      ...JUNE,
      groupBy: 'product',
      secondGroupBy: 'manager',
      thirdGroupBy: 'affiliate_id',
      fourthGroupBy: 'site_id_sub_id',
    },
    sort: { by: 'group', desc: false },
    pagination: { page: 2, limit: 50 },
  },
  'limits-on-days': { filter: { ...JUNE, groupBy: 'day', secondDateTo: '2026-05-31' }, cfFilter: { nd: { gt: 5 } } },
  'limits-on-numbers': { filter: { ...JUNE, groupBy: 'promocode' }, cfFilter: { nd: { gt: 5 }, roi: { lte: 12.5 } } },
  'every-filter': {
    filter: {
      ...JUNE,
      activity: 'ftd',
      baseLine: 'qualified',
      ...Object.fromEntries(
        REPORT_FILTER_NAMES.map((name) => [
          name,
          { references: { nin: [0, 7] }, texts: { like: 'x' }, period: '2026-01-01|2026-06-30' }[
            reportFilterOf(name).kind
          ],
        ]),
      ),
    },
  },
  'known-earlier': { filter: { ...JUNE, activity: 'ftd', knownAt: '2026-07-01T10:00:00Z' } },
  'total-alone': { filter: { ...JUNE, groupBy: 'off', secondGroupBy: 'off' } },
}

const FLAT: GeneralReportInput = {
  filter: { ...JUNE, secondGroupBy: 'day', thirdGroupBy: 'manager', fourthGroupBy: 'sub_id' },
}
const VARIED: Record<string, readonly [GeneralReportInput, ReportVariant]> = {
  ...Object.fromEntries(
    Object.entries(QUESTIONS).map(([name, input]) => [name, [input, GENERAL_REPORTS.general_report]]),
  ),
  'by-click': [
    { filter: { ...JUNE, groupBy: 'actual_country', secondDateTo: '2026-05-31' } },
    GENERAL_REPORTS.general_report_click,
  ],
  flat: [
    { ...FLAT, cfFilter: { nd: { gt: 5 } }, pagination: { page: 3, limit: 10 } },
    GENERAL_REPORTS.general_report_old,
  ],
  'by-click-known-earlier': [
    { filter: { ...JUNE, knownAt: '2026-06-20T10:00:00Z' } },
    GENERAL_REPORTS.general_report_click,
  ],
  'by-click-flat': [{ ...FLAT, sort: { by: 'roi', desc: true } }, GENERAL_REPORTS.general_report_click_old],
}

describe('golden statements', () => {
  test.each(Object.entries(VARIED))('%s [REP-02] [REP-03] [REP-04]', async (name, [input, variant]) => {
    const query = parse(input, { ...ADMIN, partners: [3, 5] }, variant)
    const plan = planReport(query, query.metrics)
    const [page, total, lost] = [pageOf(query), compileFilteredTotal(query, plan), compileUnallocatedSpend(query, plan)]
    const changes = query.knownAt === null ? [] : [compileChanges(query, plan, 'Europe/Kyiv', 100)]
    const players = needsPlayerCount(query) ? [compilePlayerCount(query, plan)] : []
    const text = [page, total, ...players, lost, ...changes]
      .map((statement) =>
        statement === null
          ? '-- nothing to ask'
          : `${statement.sql};\n-- ${JSON.stringify(statement.params, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`,
      )
      .join('\n\n')
    await expect(`${text}\n`).toMatchFileSnapshot(`../../src/reports/golden/${name}.sql`)
  })

  test('months that are summed up [REP-15]', async () => {
    const june = { month: '202606', run: 7 }
    const sums = { click: [june], activity: [{ ...june, run: 8 }], spend: [{ ...june, run: 9 }] }
    const filter = { dateFrom: '2026-05-20', dateTo: '2026-06-30', groupBy: 'month' as const, partners: [3] }
    // Entered spend knows no landing page: its sums are read by themselves.
    const texts = [{}, { landings: [5, 0] }].map((more) =>
      pageOf({ ...parse({ filter: { ...filter, ...more } }), sums }),
    )
    await expect(`${texts.map((statement) => statement?.sql).join('\n\n')}\n`).toMatchFileSnapshot(
      '../../src/reports/golden/month-sums.sql',
    )
  })
})

describe('the engine can plan', () => {
  test.each(Object.entries(VARIED))('%s', async (_, [input, variant]) => {
    for (const statement of compileAll(parse(input, ADMIN, variant)))
      expect((await explain(statement)).length).toBeGreaterThan(0)
  })

  test('every dimension, alone and above another [REP-01]', async () => {
    for (const [place, groupBy] of GROUP_BYS.entries()) {
      for (const secondGroupBy of ['off', place % 2 === 0 ? 'week' : 'product'] as const) {
        const query = parse({ filter: { ...JUNE, groupBy, secondGroupBy, secondDateTo: '2026-05-31' } })
        const statement = compileTree(query, planReport(query, query.metrics), [], query.levels.length)
        if (statement !== null) expect((await explain(statement)).length).toBeGreaterThan(0)
      }
    }
  })

  test('clicks by partner offer and day are read from the daily roll-up', async () => {
    const query = parse({ filter: { ...JUNE, secondDateTo: '2026-05-31', partners: [1] } })
    const statement = compileTree(query, { ...planReport(query, query.metrics), sources: ['click'] }, [], 2)
    await clickhouse.insert(
      'click',
      ['id', 'day', 'created_at'],
      [['01900000-0000-7000-8000-000000000001', '2026-06-01', '2026-06-01 10:00:00.000']],
    )
    const plan = JSON.stringify(await explain(statement ?? { sql: '', params: {} }))
    expect(plan).toContain('by_day_link')
  })
})

describe('a value never becomes SQL', () => {
  const EVIL = [
    "'; drop table click; --",
    '{p1:String}',
    "\\' or 1=1 --",
    '/*',
    'union select',
    '`',
    '\u0000',
    '\n',
  ] as const

  test('hostile texts in every text filter', async () => {
    const names = REPORT_FILTER_NAMES.filter((name) => reportFilterOf(name).kind === 'texts')
    const filter = Object.fromEntries(names.map((name) => [name, { in: [...EVIL, 'x'] }]))
    // There is one more hostile text than text filters.
    const likes = [0, 1].map((from) =>
      Object.fromEntries(names.map((name, index) => [name, { like: EVIL[(index + from) % EVIL.length] }])),
    )
    expect(new Set(likes.flatMap((like) => Object.values(like).map((one) => one.like))).size).toBe(EVIL.length)
    const clean = parse({
      filter: {
        ...JUNE,
        ...Object.fromEntries(
          Object.keys(filter).map((name) => [name, { in: [...EVIL.map((_, index) => `y${index}`), 'x'] }]),
        ),
      },
    })
    const compiled = compileAll(parse({ filter: { ...JUNE, ...filter } }))
    expect(compiled.map(({ sql }) => sql)).toEqual(compileAll(clean).map(({ sql }) => sql))
    const compiledLikes = likes.flatMap((like) => compileAll(parse({ filter: { ...JUNE, ...like } })))
    for (const statement of [...compiled, ...compiledLikes])
      await clickhouse.table(statement.sql, statement.params, { settings: REPORT_SETTINGS })
    for (const name of ['general_report_click', 'general_report_click_old'] as const) {
      const [page, cleanPage] = [{ ...JUNE, ...filter }, clean].map((one) =>
        pageOf(
          'levels' in one
            ? { ...one, isByClick: true, isFlat: GENERAL_REPORTS[name].isFlat }
            : parse({ filter: one }, ADMIN, GENERAL_REPORTS[name]),
        ),
      )
      expect(page?.sql).toBe(cleanPage?.sql)
      if (page != null) await clickhouse.table(page.sql, page.params, { settings: REPORT_SETTINGS })
    }
    const valuesLike = (query: string) => compileFilterValues({ field: 'siteId', query, page: 1, limit: 10 }, ADMIN)
    for (const text of EVIL) {
      const values = valuesLike(text)
      expect(values.sql).toBe(valuesLike('y').sql)
      expect((await clickhouse.table(values.sql, values.params)).rows).toEqual([])
    }
    expect(await clickhouse.query('select count() as n from click')).toEqual([{ n: 1 }])
  })
})
