// Columns of the report: formulas in words, units, formats, greyed numbers.
import type { Metrics, ReportRow } from '@tributary/contract/reports/general'
import { METRIC_NAMES, metricOf } from '@tributary/contract/reports/traffic'
import { describe, expect, test } from 'vitest'
import { reportsEn } from '../src/i18n/en/reports.ts'
import { reportsRu } from '../src/i18n/ru/reports.ts'
import type { ReportWords } from '../src/i18n/shape.ts'
import { measureColumn } from '../src/reports/table/pivot-column.ts'
import { columnsOf, describeFormula, metricsFor } from '../src/reports/table/report-columns.ts'
import { titleOf, titlesOf, treeOf } from '../src/screens/general-report/report-rows.ts'

// Russian has plural forms that English lacks.
const english = reportsEn as unknown as ReportWords

const columns = (secondPeriod: string | null = null) =>
  columnsOf(METRIC_NAMES, { words: english, currency: 'EUR', secondPeriod })
const column = (key: string, secondPeriod: string | null = null) => {
  const found = columns(secondPeriod).find((known) => known.key === key)
  if (!found) throw new Error(`no column ${key}`)
  return found
}
const row = (m: ReportRow['m']): ReportRow => ({ m })

describe('formulas', () => {
  test.each([
    ['roi', '(income − (spend on players + entered spend)) ÷ (spend on players + entered spend) × 100'],
    ['cfd', '(spend on players + entered spend) ÷ first deposits'],
    ['click_reg', 'registrations ÷ unique clicks × 100'],
    ['avg_bet', 'amount of bets ÷ players who bet'],
    ['s', 'spend on players + entered spend'],
    ['nd', 'first deposits'],
  ] as const)('%s is told as it is counted [REP-02]', (metric, text) => {
    expect(describeFormula(metricOf(metric), reportsEn.parts)).toBe(text)
  })

  test('every column has a label and a formula in both languages [REP-02]', () => {
    for (const words of [english, reportsRu])
      for (const { label, explain } of columnsOf(METRIC_NAMES, { words, currency: 'EUR', secondPeriod: null })) {
        expect(label).not.toBe('')
        expect(explain).not.toMatch(/undefined|^$/)
      }
  })
})

describe('words', () => {
  test('sentences of both languages have the same placeholders [I18N-02]', () => {
    const holesOf = (tree: object): [string, string[]][] =>
      Object.entries(tree).flatMap(([key, value]): [string, string[]][] =>
        typeof value === 'string'
          ? [
              [
                key.replace(/_(one|few|many|other)$/, ''),
                [...value.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort(),
              ],
            ]
          : holesOf(value as object).map(([inner, holes]) => [`${key}.${inner}`, holes]),
      )
    expect(new Map(holesOf(reportsRu))).toEqual(new Map(holesOf(reportsEn)))
  })
})

describe('columns', () => {
  test('all metrics of the report in order; income and ROI are hidden from partners [REP-02]', () => {
    expect(columns().map(({ key }) => key)).toEqual(METRIC_NAMES)
    expect(metricsFor('PARTNER')).toEqual(METRIC_NAMES.filter((name) => !['income', 'profit', 'roi'].includes(name)))
  })

  test('with a second period in columns of its own each column is followed by its twin and has an arrow [REP-03]', () => {
    const keys = columns('14.11–20.11').map(({ key }) => key)
    expect(keys).toHaveLength(METRIC_NAMES.length * 2)
    expect(keys.slice(0, 4)).toEqual(['cc', 'cc_2', 'uc', 'uc_2'])
    expect(column('s_2', '14.11–20.11').hint).toBe('EUR · 14.11–20.11')
    const compared = row({ roi: 12, roi_2: 20, cfd: 3, cfd_2: 2, nd: 4, nd_2: 4 })
    const directionOf = (key: string) => column(key, '14.11–20.11').direction?.(compared)
    expect(['roi', 'cfd', 'nd', 's'].map(directionOf)).toEqual(['down', 'up', null, null])
    expect(['cfd', 's', 'roi', 'nd'].map((key) => column(key).isUpGood)).toEqual([false, false, true, true])
    expect(column('roi').direction).toBeUndefined()
  })

  test('in one column the change stands beside the number, with what it was [REP-03]', () => {
    const describeFormer = (value: string) => `was ${value}`
    const facts = { words: english, currency: 'EUR', secondPeriod: '14.11–20.11', describeFormer }
    const [spend] = columnsOf(['s'], facts)
    const changeOf = (numbers: Metrics) => spend?.change?.(row(numbers))
    expect(columnsOf(['s', 'nd'], facts).map(({ key }) => key)).toEqual(['s', 'nd'])
    expect(changeOf({ s: 125, s_2: 100 })).toEqual({ direction: 'up', text: '25.0 %', was: 'was 100.00' })
    expect(changeOf({ s: -50, s_2: -100 })).toMatchObject({ direction: 'up', text: '50.0 %' })
    expect(changeOf({ s: 31, s_2: -13.5 })).toMatchObject({ direction: 'up', text: '' })
    expect(changeOf({ s: -6.6, s_2: 64 })).toMatchObject({ direction: 'down', text: '' })
    expect(changeOf({ s: 5, s_2: 0 })).toMatchObject({ direction: 'up', text: '', isNew: true })
    expect(changeOf({ s: 5, s_2: 5 })).toMatchObject({ direction: null, text: '0 %' })
    expect(changeOf({ s: 5000, s_2: 1 })).toMatchObject({ text: '', isNew: true })
    expect(changeOf({ s: 10_000, s_2: 9_999 })).toMatchObject({ direction: null, text: '0 %' })
    expect(changeOf({ s: 5000, s_2: 60 })).toMatchObject({ text: '>1000 %' })
    expect([changeOf({ s: 0, s_2: 0 }), changeOf({ s: 5 }), changeOf({ s_2: 5 })]).toEqual([null, null, null])
    const [profit] = columnsOf(['profit'], facts)
    const partly = { ...row({ profit: 5, profit_2: 4 }), partial: ['income_2' as const] }
    expect(profit?.change?.(row({ profit: 5, profit_2: 4, income: 6, income_2: 7 }))).toMatchObject({ text: '25.0 %' })
    const partial = { ...partly, partial: [...partly.partial] }
    expect(profit?.change?.(partial)).toBeNull()
    const ofPart = (part: ReturnType<typeof row> | undefined) =>
      columnsOf(['profit', 'nd'], {
        ...facts,
        reported: { of: () => part, describe: (now, former) => `${now} after ${former}` },
      })
    const [compared, players] = ofPart(row({ profit: 3, profit_2: 2 }))
    expect(compared?.change?.(partial)).toMatchObject({ text: '50.0 %', was: '3.00 after 2.00' })
    expect(players?.change?.({ ...partial, m: { nd: 4, nd_2: 2 } })).toMatchObject({ text: '100.0 %' })
    for (const none of [undefined, partial]) expect(ofPart(none)[0]?.change?.(partial)).toBeNull()
    if (spend === undefined) throw new Error('no column')
    const [plain] = columnsOf(['s'], { ...facts, secondPeriod: null })
    const sum = row({ s: 125, s_2: 100 })
    expect(measureColumn(spend, [], sum)).toBeGreaterThan(plain ? measureColumn(plain, [], sum) : 0)
  })

  test('numbers have thin spaces and two decimals, counts none; a missing number is null [REP-17]', () => {
    expect(column('deposits_amount').text(row({ deposits_amount: 1_234_567.5 }))).toBe('1\u202f234\u202f567.50')
    expect(column('cc').text(row({ cc: 12_345 }))).toBe('12\u202f345')
    expect(column('roi').text(row({ roi: -41.25 }))).toBe('\u221241.25')
    expect(column('roi').text(row({ roi: null }))).toBeNull()
    expect(column('roi').text(row({}))).toBeNull()
  })

  test('numbers that rest on income say whether some days or all lack it; others say nothing [REP-02] [REP-03]', () => {
    const some = { ...row({ income: 5, roi: null, income_2: null }), partial: ['income', 'income_2'] as const }
    const partly = { ...some, partial: [...some.partial] }
    expect(['income', 'profit', 'roi'].map((key) => column(key).income?.(partly))).toEqual(Array(3).fill('partial'))
    expect(column('roi_2', '14.11–20.11').income?.(partly)).toBe('unknown')
    expect(column('roi').income?.(row({ roi: 3, income: 5 }))).toBeNull()
    expect(column('s').income).toBeUndefined()
    const long = row({ income: 1_234_567.89 })
    const width = (total: typeof long) => measureColumn(column('income'), [], total)
    expect(width({ ...long, partial: ['income'] })).toBeGreaterThan(width(long))
  })

  test('a header of one long Russian word is not cut: its letters are wider [REP-07]', () => {
    const plain = { ...column('cc'), hint: '', text: () => '0' }
    const widthOf = (label: string) => measureColumn({ ...plain, label }, [], row({}))
    // Padding and 7.2 px for each letter, as browsers draw it.
    expect(widthOf('Квалифицированы')).toBeGreaterThan(26 + 15 * 7.2)
    expect(widthOf('Квалифицированы')).toBeGreaterThan(widthOf('Qualifications_'))
  })

  test('a ratio over few events is greyed, one over many is not [REP-17]', () => {
    expect(column('cfd').isFaint?.(row({ cfd: 12, nd: 9 }))).toBe(true)
    expect(column('cfd').isFaint?.(row({ cfd: 12, nd: 10 }))).toBe(false)
    expect(column('nd').isFaint?.(row({ nd: 1 }))).toBe(false)
  })
})

describe('rows', () => {
  test('levels nest, and unallocated spend is shown beside them [REP-02] [REP-05]', () => {
    const nus = { id: '1|2|3|2026-11-20', title: 'NUS: Ukraine, Mediastorm, main, 20.11.2026' }
    const tree = treeOf({
      rows: [
        { g: { id: 1, title: 'Volta' }, m: {}, children: [{ sg: { id: 1, title: 'SEO' }, m: {} }] },
        { s: { ...nus, country: 'Ukraine', partner: 'Mediastorm', stream: 'main', date: '2026-11-20' }, m: { s: 5 } },
      ],
      total: {},
      player_count: 0,
      not_used_spend: [],
      not_used_count: 0,
      deleted_months: [],
      items: 2,
      pagination: { page: 1, limit: 100, total: 2, maxPageNumber: 1 },
      period: { dateFrom: '', dateTo: '', secondDateFrom: null, secondDateTo: null },
      built_at: '',
      watermark: '',
      known_at: null,
      sources: { clicks: '', players: '', spends: '' },
      currency: 'EUR',
      warnings: [],
      formulas: [],
    })
    expect(tree.rows.map(titleOf)).toEqual(['Volta', 'SEO', nus.title])
    expect(titlesOf(tree, 1)).toEqual(['Volta', 'SEO'])
  })
})
