// A partner must learn nothing of others, of income, profit and ROI from any report. Each answer is loaded twice, before and after all of that
// changed, and must be equal to the letter: totals, counts, orders, options and rejections.
import { PERMISSIONS } from '@tributary/contract/access'
import {
  GENERAL_REPORT_NAMES,
  REPORT_FILTER_NAMES,
  reportFilterOf,
  TOP_METRICS,
  VALUED_FILTERS,
} from '@tributary/contract/reports/choices'
import { COHORT_METRICS, COHORT_REPORT_NAMES } from '@tributary/contract/reports/cohort-choices'
import { DIMENSION_NAMES, dimensionOf, isVisibleTo, METRIC_NAMES, metricOf } from '@tributary/contract/reports/traffic'
import { beforeAll, expect, test, vi } from 'vitest'
import { loadRecipient } from '../../src/access/recipient.ts'
import { MODULES } from '../../src/modules.ts'
import { makeReport } from '../../src/reports/saved/make-report.ts'
import type { Server } from '../../src/server.ts'
import { seedReports } from '../reports/reports-seed.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let partner: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  await seedReports(server.services)
  const { pool } = server.services.postgres
  // The rows of the seed have explicit ids.
  for (const table of ['partner', 'partner_stream']) await pool.query(`alter table ${table} alter id restart with 1000`)
  partner = await signIn(server, 'PARTNER', 2)
  // Grants every permission, also those that no partner role may have: numbers are hidden by the kind of role.
  await pool.query('update "user" set permissions = $2 where id = $1', [partner.id, PERMISSIONS])
  await awaitFacts()
  const byModel: Question = ['POST', 'general_report', { filter: { ...TWICE, groupBy: 'payment_model' } }]
  await vi.waitFor(async () => expect(await take(byModel)).toContain('"title":"CPA"'), SOON)
})

const SOON = { timeout: 90_000, interval: 50 }

/** Waits until all changes are in the facts, so that none arrives between two answers. */
const awaitFacts = () =>
  vi.waitFor(async () => {
    const { rows } = await server.services.postgres.pool.query('select count(*)::int as waiting from outbox')
    expect(rows[0].waiting).toBe(0)
  }, SOON)

const JUNE = { dateFrom: '2026-06-01', dateTo: '2026-06-30' }
const TWICE = { ...JUNE, secondDateTo: '2026-05-31' }
const ALL = { pagination: { page: 1, limit: -1 } }
const shown = METRIC_NAMES.filter((name) => isVisibleTo(metricOf(name), 'PARTNER'))
const hidden = METRIC_NAMES.filter((name) => !isVisibleTo(metricOf(name), 'PARTNER'))
const levels = DIMENSION_NAMES.filter((name) => isVisibleTo(dimensionOf(name), 'PARTNER'))
const filters = REPORT_FILTER_NAMES.filter((name) => isVisibleTo(reportFilterOf(name), 'PARTNER'))
/** The other partner, nobody, and the own partner. */
const IDS = [1, 999, 2]

type Question = readonly [method: string, path: string, body?: unknown]

const QUESTIONS: Readonly<Record<string, readonly Question[]>> = {
  'groups and totals': [
    ...levels.map((groupBy): Question => ['POST', 'general_report', { filter: { ...TWICE, groupBy }, ...ALL }]),
    ...GENERAL_REPORT_NAMES.map(
      (name): Question => ['POST', name, { filter: { ...TWICE, groupBy: 'partner' }, ...ALL }],
    ),
    ['POST', 'cost_report', { filter: JUNE }],
    ['POST', 'partner_report/new_deposit', { filter: JUNE }],
    ['POST', 'partner_report/stream_report', { filter: JUNE }],
    ['POST', 'new_streams', { filter: JUNE }],
    ['GET', 'dashboard/efficiency_chart?dateFrom=2026-06-01&dateTo=2026-06-30'],
    ...TOP_METRICS.flatMap((metric): Question[] => [
      ['GET', `dashboard/top_partners_chart?dateFrom=2026-06-01&dateTo=2026-06-30&metric=${metric}`],
      ['GET', `dashboard/top_country_chart?dateFrom=2026-06-01&dateTo=2026-06-30&metric=${metric}`],
    ]),
    ...COHORT_REPORT_NAMES.map((name): Question => ['POST', name, { filter: { ...JUNE, groupBy: 'partner' } }]),
  ],
  // By the order and under a condition at once: of every second metric the condition keeps all rows.
  'orders and conditions': [
    ...shown.map(
      (by, at): Question => [
        'POST',
        'general_report',
        { filter: JUNE, sort: { by, desc: true }, cfFilter: { [by]: { gte: at % 2 } } },
      ],
    ),
    ...['cohort', 'group', 'size', ...COHORT_METRICS].map(
      (by): Question => ['POST', 'cohort_analysis', { filter: JUNE, sort: { by, desc: true } }],
    ),
  ],
  // reports-every-kind.test.ts drills into numbers of every report.
  counts: shown.map(
    (metric, at): Question =>
      at % 2 === 0
        ? ['POST', 'general_report/rows', { filter: JUNE, cell: { path: [], metric } }]
        : ['POST', 'general_report_click_old/rows', { filter: JUNE, cell: { path: [1], metric } }],
  ),
  'options of filters': [
    ...VALUED_FILTERS.map((field): Question => ['GET', `general_report/values?field=${field}`]),
    ...['partner', 'partner_stream', 'offer', 'user', 'partner_group', 'advertiser', 'offer_partner', 'country'].map(
      (name): Question => ['GET', `${name}?lookup=1&limit=-1`],
    ),
  ],
  'filters by ids, own and foreign': filters
    .filter((name) => reportFilterOf(name).kind === 'references')
    .flatMap((name) => IDS.map((id): Question => ['POST', 'general_report', { filter: { ...JUNE, [name]: [id] } }])),
  files: [
    ...GENERAL_REPORT_NAMES.map((name): Question => ['POST', `${name}/export`, { filter: JUNE, format: 'csv' }]),
    ['GET', 'postback/export?format=csv'],
    ['GET', 'offer/export?format=csv'],
    ['GET', 'offer_partner/export?format=csv'],
  ],
  'what has changed': [['POST', 'general_report/changes', { filter: JUNE, since: '2026-06-01T00:00:00Z' }]],
}

/** Build time and freshness may differ, because they are the same for everyone. */
const PASSING = new Set(['request_id', 'built_at', 'watermark', 'sources', 'known_from'])

async function take([method, path, body]: Question): Promise<string> {
  const answer = await partner.call(method, path, body)
  const text = await answer.text()
  const shown = text.startsWith('{')
    ? JSON.stringify(JSON.parse(text, (key, value) => (PASSING.has(key) ? null : value)))
    : text
  return `${method} ${path} ${JSON.stringify(body)} → ${answer.status} ${shown}`
}

const AT_ONCE = 6

async function takeAll(questions: readonly Question[]): Promise<string[]> {
  const taken: string[] = []
  for (let start = 0; start < questions.length; start += AT_ONCE)
    taken.push(...(await Promise.all(questions.slice(start, start + AT_ONCE).map(take))))
  return taken
}

/** Multiplies others' numbers by ten, and changes the income from the partner's own player. */
async function changeOthers(round: number): Promise<void> {
  const { clickhouse, postgres } = server.services
  const version = 100 + round
  await clickhouse.exec(`insert into activity_fact (day, player_id, version, registrations, first_deposits, deposits_count, deposits,
      first_amount, bets, income, cpa_spend, registered_day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id,
      country_id, site_id, outer_id, actual_country_id, previous_day, previous_bet_day)
    select '2026-06-02', 1000 + number, ${version}, 1, 1, 3, 70, 20, 10, 5000, 10, '2026-06-02', 1, 1, 1, 1, 1, 1, 1, 'theirs', 'q', 1,
      '1970-01-01', '1970-01-01' from numbers(10)`)
  await clickhouse.exec(`insert into activity_fact (day, player_id, version, registrations, income, registered_day, offer_partner_id, offer_id,
      partner_id, advertiser_id, stream_id, traffic_source_id, country_id, site_id, outer_id, actual_country_id, previous_day, previous_bet_day)
    values ('2026-06-02', 2, ${version}, 1, ${7000 * round}, '2026-06-02', 2, 2, 2, 1, 2, 2, 2, 'site2', 'p2', 2, '1970-01-01', '1970-01-01')`)
  await clickhouse.exec(`insert into click (id, day, created_at, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id,
      traffic_source_id, country_id, bot, is_click, is_unique, site_id, promocode, ip_country)
    select generateUUIDv7(number), '2026-06-02', '2026-06-02 10:00:00.000', 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 'theirs', 'theirs', 'UA' from numbers(50)`)
  await clickhouse.exec(`insert into spend_fact (spend_id, version, is_deleted, day, offer_partner_id, offer_id, partner_id, advertiser_id,
      stream_id, traffic_source_id, country_id, site_id, sum)
    select 100 + number, ${version}, 0, '2026-06-02', 0, 0, 1, 0, 1, 0, 1, '', 70 from numbers(5)`)
  await postgres.pool.query(`update partner set title = 'Renamed ${round}' where id = 1`)
  await postgres.pool.query(`insert into partner (title, state) values ('Newcomer ${round}', 'approved')`)
  await postgres.pool.query(`insert into partner_stream (partner_id, title) values (1, 'theirs ${round}')`)
  await postgres.pool.query(
    `insert into player (partner_id, advertiser_id, outer_id) values (1, 1, 'theirs ${round}');
     insert into postback (partner_id, advertiser_id, direction, status, method) values (1, 1, 'in', 'accepted', 'GET')`,
  )
  await awaitFacts()
}

/** Every answer before and after one change of all others' numbers, and what an admin saw of it. */
let answersByCall: ReadonlyMap<string, { before: string[]; after: string[] }>
let adminSaw: { before: Totals; after: Totals }
interface Totals {
  readonly income: number
  readonly cc: number
}

beforeAll(async () => {
  const admin = await signIn(server, 'ADMIN')
  const totals = async () =>
    ((await (await admin.call('POST', 'general_report', { filter: JUNE })).json()) as { total: Totals }).total
  const takeEach = async () => {
    const answers = new Map<string, string[]>()
    for (const [name, questions] of Object.entries(QUESTIONS)) answers.set(name, await takeAll(questions))
    return answers
  }
  const [before, seen] = [await takeEach(), await totals()]
  await changeOthers(1)
  const after = await takeEach()
  adminSaw = { before: seen, after: await totals() }
  answersByCall = new Map(
    [...before].map(([name, answers]) => [name, { before: answers, after: after.get(name) ?? [] }]),
  )
})

test.each(Object.keys(QUESTIONS))(
  'to a partner nothing shows of others, of income, profit and ROI: %s [PERM-07]',
  (name) => {
    const { before = [], after = [] } = answersByCall.get(name) ?? {}
    expect(before.length).toBeGreaterThan(0)
    expect(after).toEqual(before)
    const answers = before.map((answer) => answer.slice(answer.indexOf('→')))
    expect(answers.join()).not.toMatch(/"(income|profit|roi)|North|Acme|Renamed|Newcomer|theirs/)
    expect(before.filter((answer) => answer.includes('→ 5'))).toEqual([])
    // Proves that the equal answers are not all errors.
    if (name !== 'options of filters')
      expect(before.filter((answer) => answer.includes('→ 200')).length).toBeGreaterThan(0)
  },
)

test('an admin sees the change, so the test would notice it [PERM-07]', () => {
  const { before, after } = adminSaw
  expect([after.income > before.income, after.cc > before.cc]).toEqual([true, true])
})

test('hidden numbers cannot be used by name either: not as order, condition, cell, column, level or filter [PERM-07]', async () => {
  expect(hidden).toEqual(expect.arrayContaining(['income', 'profit', 'roi']))
  const filter = JUNE
  const questions = [
    ...GENERAL_REPORT_NAMES.flatMap((name) =>
      hidden.flatMap((metric): Question[] => [
        ['POST', name, { filter, sort: { by: metric } }],
        ['POST', name, { filter: TWICE, sort: { by: `${metric}_2` } }],
        ['POST', name, { filter, cfFilter: { [metric]: { gt: 1 } } }],
        ['POST', `${name}/rows`, { filter, cell: { path: [], metric } }],
        ['POST', `${name}/export`, { filter, format: 'csv', columns: [metric] }],
      ]),
    ),
    ...GENERAL_REPORT_NAMES.flatMap((name): Question[] => [
      ['POST', name, { filter: { ...filter, groupBy: 'advertiser' } }],
      ['POST', name, { filter: { ...filter, fourthGroupBy: 'advertiser' } }],
      ['POST', name, { filter: { ...filter, advertisers: [1] } }],
      ['POST', name, { filter: { ...filter, mediaId: 'm' } }],
    ]),
    ['POST', 'cost_report', { filter: { ...filter, advertisers: [1] } }],
    ['POST', 'cohort_analysis', { filter: { ...filter, groupBy: 'advertiser' } }],
    ['POST', 'cohort_analysis', { filter: { ...filter, advertisers: [1] } }],
    ['GET', 'general_report/values?field=mediaId'],
    ['GET', 'dashboard/top_partners_chart?metric=income'],
  ] as const satisfies readonly Question[]
  for (const question of questions) expect(await take(question)).toMatch(/→ (403|422) /)
})

test('a mailed report shared by another user shows the partner what its screen shows; a report that the screen rejects is not sent [PERM-07] [REP-16]', async () => {
  const recipient = await loadRecipient(server.services.postgres, partner.id)
  const make = async (report: string, request: Record<string, unknown>, columns: string[] = []) => {
    if (recipient === undefined) throw new Error('the partner is not there')
    const state = { search: {}, request, preset: null, comparesPrevious: false, columns, look: {} }
    const saved = { report, title: 'Kept', state, format: 'csv' } as const
    const made = await makeReport(saved, recipient, server.services, new AbortController().signal)
    return new TextDecoder().decode(made?.content)
  }
  const others = { advertisers: [999], mediaId: ['none'] }
  for (const name of GENERAL_REPORT_NAMES) {
    const kept = {
      filter: { ...TWICE, groupBy: 'advertiser', secondGroupBy: 'partner', thirdGroupBy: 'off', ...others },
      cfFilter: { cc: { gte: 1 }, ...Object.fromEntries(hidden.map((metric) => [metric, { gt: 1_000_000 }])) },
      sort: { by: hidden[0], desc: true },
    }
    const seen = { filter: { ...TWICE, groupBy: 'partner', secondGroupBy: 'off' }, cfFilter: { cc: { gte: 1 } } }
    const body = { ...seen, columns: ['nd', 'cc', 'cc_2'], format: 'csv' }
    const file = await (await partner.call('POST', `${name}/export`, body)).text()
    expect(file.split('\n').length).toBeGreaterThan(2)
    expect(await make(name, kept, ['nd', ...hidden, 'cc', ...hidden.map((metric) => `${metric}_2`), 'cc_2'])).toBe(file)
  }
  // If all levels are hidden, the screen groups by offer.
  const alone = await make('general_report', { filter: { ...JUNE, groupBy: 'advertiser', secondGroupBy: 'off' } }, [
    'cc',
  ])
  expect(alone).toMatch(/^"?Offer/)
  for (const [report, filter] of [
    ['cost_report', { ...JUNE, advertisers: [1] }],
    ['cohort_analysis', { ...JUNE, groupBy: 'advertiser' }],
  ] as const)
    await expect(make(report, { filter })).rejects.toMatchObject({ code: 'forbidden' })
})
