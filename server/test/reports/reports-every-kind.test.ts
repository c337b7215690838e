// What holds for every report of traffic, over its registry: it answers, its numbers open, it goes out as a file and into a mail, it keeps to
// the rows of who asks, and whatever is wrong with a question is refused by name.
import { GENERAL_REPORTS, REPORT_FILTER_NAMES, reportFilterOf } from '@tributary/contract/reports/choices'
import type { CohortAnswer } from '@tributary/contract/reports/cohort'
import type { GeneralReportAnswer, GeneralReportRowsAnswer, Metrics } from '@tributary/contract/reports/general'
import type { CostAnswer, DashboardAnswer, NewDepositAnswer, NewStreamsAnswer } from '@tributary/contract/reports/kinds'
import { TRAFFIC_REPORTS } from '@tributary/contract/reports/registry'
import type { ReportDelivery, SavedReport } from '@tributary/contract/reports/saved'
import { screenAddress } from '@tributary/contract/reports/screen-address'
import { DIMENSION_NAMES, METRICS } from '@tributary/contract/reports/traffic'
import { parseCsv } from 'hucre/csv'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadRecipient } from '../../src/access/recipient.ts'
import { accessModule } from '../../src/api/access-module.ts'
import { reportModule } from '../../src/api/report-routes.ts'
import { mailModule } from '../../src/integrations/module.ts'
import { reportMailModule } from '../../src/reports/module.ts'
import { type MadeReport, makeReport } from '../../src/reports/saved/make-report.ts'
import type { Server } from '../../src/server.ts'
import { startTestApp } from '../support/harness.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { readSheet } from '../support/sheet-file.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { EVERY_FILTER_VALUE } from './reports-bad-values.ts'
import { seedReports } from './reports-seed.ts'

let server: Server
let post: MailServer
let admin: SignedIn
let partner: SignedIn

beforeAll(async () => {
  post = await startMailServer()
  server = await startTestApp({
    modules: [accessModule, mailModule, reportModule, reportMailModule],
    env: { SMTP_URL: post.url },
  })
  admin = await signIn(server, 'ADMIN')
  await seedReports(server.services)
  partner = await signIn(server, 'PARTNER', 2)
  // Whatever a person of that role could be let see.
  await server.services.postgres.pool.query(
    `update user_role set permissions = array['general_report', 'cohort_analysis_view', 'cohort_analysis_cumulative_view', 'partner_report',
      'new_streams', 'dashboard'] where id = (select role_id from "user" where id = $1)`,
    [partner.id],
  )
})

const JUNE = { dateFrom: '2026-06-01', dateTo: '2026-06-30' }
const PATHS = TRAFFIC_REPORTS.map(({ path }) => path)

async function ok<T>(answer: Promise<Response>, status = 200): Promise<T> {
  const response = await answer
  if (response.status !== status) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

interface Cell {
  readonly cell: object
  readonly value: number
}
type Numbers = Readonly<Metrics>
const isDerived = (key: string) => key in METRICS && 'madeOf' in METRICS[key as keyof typeof METRICS]
const isPart = (key: string) => !isDerived(key) && !/^(retention|cohort_check)|_arrow$/.test(key)
/** Every number of a place that is a count or a sum. */
const cellsAt = (place: object, m: Numbers, names?: readonly string[]): Cell[] =>
  Object.entries(m).flatMap(([metric, value]) =>
    isPart(metric) && typeof value === 'number' && (names === undefined || names.includes(metric))
      ? [{ cell: { ...place, metric }, value }]
      : [],
  )

/** All numbers of an answer, as its own calls name them. */
function cellsOf(path: string, answer: unknown): Cell[] {
  if (path.startsWith('general')) {
    const { rows, total } = answer as GeneralReportAnswer
    const groups = rows.flatMap(({ g, sg, s, m }) =>
      s === undefined
        ? cellsAt({ path: [g, sg].flatMap((group) => (group === undefined ? [] : [group.id])) }, m)
        : cellsAt({ path: [], nus: s.id }, m),
    )
    return [...groups, ...cellsAt({ path: [] }, total)]
  }
  if (path.startsWith('cohort')) {
    const { rows, total } = answer as CohortAnswer
    const groups = rows.flatMap((row) => {
      const place = { cohort: String(row.cohort.id) }
      if ('period' in row) return cellsAt({ ...place, period: row.period }, row.m)
      return [
        { cell: { ...place, metric: 'size' }, value: row.size },
        ...cellsAt(place, row.m),
        ...row.cells.flatMap(({ period, m }) => cellsAt({ ...place, period }, m)),
      ]
    })
    const columns = total.cells.flatMap(({ period, m }) => cellsAt({ period }, m))
    return [...groups, ...columns, ...cellsAt({}, total.m), { cell: { metric: 'size' }, value: total.size }]
  }
  if (path === 'cost_report') {
    const { rows, total } = answer as CostAnswer
    const groups = rows.flatMap(({ partner, stream, country, day, m }) =>
      cellsAt({ path: [partner.id, stream.id, country.id, day.id] }, m),
    )
    return [...groups, ...cellsAt({ path: [] }, total)]
  }
  if (path === 'new_streams') {
    const { rows, total } = answer as NewStreamsAnswer
    const groups = rows.flatMap((row) => cellsAt({ path: [row.manager.id, row.partner.id, row.stream.id] }, row.m))
    return [...groups, ...cellsAt({ path: [] }, total)]
  }
  if (path === 'dashboard') {
    const { points, partners, countries, total } = answer as DashboardAnswer
    const lines = [
      ...partners.map((row) => ['partner', row] as const),
      ...countries.map((row) => ['country', row] as const),
    ]
    return [
      ...points.flatMap(({ date, m }) => cellsAt({ path: [date] }, m)),
      ...lines.flatMap(([of, { group, m, points: own }]) => [
        ...cellsAt({ of, path: [group.id] }, m),
        ...own.flatMap((point) => cellsAt({ of, path: [group.id, point.date] }, point.m)),
      ]),
      ...cellsAt({ path: [] }, total),
    ]
  }
  const { rows, total } = answer as NewDepositAnswer
  const numbers = (place: object, { cells, total: all }: { cells: Record<string, number>; total: number }): Cell[] => [
    { cell: { ...place, metric: 'nd' }, value: all },
    ...Object.entries(cells).map(([period, value]) => ({ cell: { ...place, period, metric: 'nd' }, value })),
  ]
  const groups = rows.flatMap(({ stream, traffic_source, country, partner, ...row }) =>
    numbers({ path: stream === undefined ? [partner.id] : [stream.id, traffic_source?.id, country?.id] }, row),
  )
  return [...groups, ...numbers({ path: [] }, total)]
}

const ask = (path: string, who = admin, filter: object = {}) =>
  ok<{ sources: unknown; watermark: string; built_at: string }>(
    who.call('POST', path, { filter: { ...JUNE, ...filter } }),
  )

describe.each(PATHS)('%s', (path) => {
  /** Asked once: nothing is written before the last of these tests. */
  let first: ReturnType<typeof ask> | undefined
  const seen = () => {
    first ??= ask(path)
    return first
  }

  test('shows how current each source is [REP-10]', async () => {
    const { sources, watermark, built_at } = await seen()
    expect(Object.keys(sources as object).sort()).toEqual(['clicks', 'players', 'spends'])
    for (const moment of [watermark, built_at]) expect(Number.isNaN(Date.parse(moment))).toBe(false)
  })

  test('every number opens what it is made of, with the same count or sum [REP-13]', async () => {
    const all = cellsOf(path, await seen())
    expect(all.length).toBeGreaterThan(2)
    const every = Math.ceil(all.length / 6)
    const cells = all.filter((_, place) => place % every === all.length % every)
    const opened: object[] = []
    for (const { cell } of cells) {
      const body = { filter: JUNE, cell, pagination: { page: 1, limit: -1 } }
      const { total, items } = await ok<GeneralReportRowsAnswer>(admin.call('POST', `${path}/rows`, body))
      const cents = (value: number) => Math.round(value * 100) / 100
      opened.push({ cell, total: cents(total), sum: cents(items.reduce((sum, { value }) => sum + value, 0)) })
    }
    expect(opened).toEqual(cells.map(({ cell, value }) => ({ cell, total: value, sum: value })))
  })

  test('goes out as the file of what is seen [REP-14] [REP-07]', async () => {
    const { rows, points } = (await seen()) as unknown as { rows?: unknown[]; points?: unknown[] }
    const response = await admin.call('POST', `${path}/export`, { filter: JUNE, format: 'csv' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toContain('.csv')
    const [header = [], ...lines] = parseCsv((await response.text()).replace(/^\ufeff/, ''))
    expect(Number(response.headers.get('x-total-rows'))).toBe(lines.length)
    expect(lines.length).toBeGreaterThan((rows ?? points ?? []).length)
    expect(lines.every((line) => line.length === header.length)).toBe(true)
    expect(lines.at(-1)?.[0]).toBe('Total')
    const excel = await admin.call('POST', `${path}/export`, { filter: JUNE }, { 'accept-language': 'ru' })
    expect(
      Buffer.from(await excel.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
    const wrong = await admin.call('POST', `${path}/export`, { filter: JUNE, columns: ['nothing'] })
    expect(wrong.status).toBe(path.startsWith('partner_report') ? 200 : 422)
  })

  test('is saved by name and mailed, with a link to its screen and the mailed days [REP-16]', async () => {
    // Kept on another day than it is sent.
    const search = { kept: 'as "it" is', from: '2020-01-01', to: '2020-01-31' }
    const state = { search, request: { filter: JUNE } }
    const saved = await ok<SavedReport>(
      admin.call('POST', 'saved_report', { report: path, title: `All of ${path}`, state }),
      201,
    )
    await ok<ReportDelivery>(admin.call('POST', `saved_report/${saved.id}/send`, {}), 201)
    const subject = new RegExp(`All of ${path}`)
    await expect.poll(() => post.mails.some((mail) => subject.test(mail.subject ?? '')), { timeout: 15_000 }).toBe(true)
    const mail = post.mails.find((one) => subject.test(one.subject ?? ''))
    expect(mail?.attachments).toHaveLength(1)
    const { origin, pathname, searchParams } = new URL(/http\S+/.exec(mail?.text ?? '')?.[0] ?? '')
    expect([origin, pathname]).toEqual([server.services.config.publicUrl, screenAddress(path, {})])
    expect(Object.fromEntries(searchParams)).toEqual({ ...search, from: JUNE.dateFrom, to: JUNE.dateTo })
  })

  test('a partner has their own rows alone, by any way, and no income [PERM-07]', async () => {
    const answer = await ask(path, partner)
    const text = JSON.stringify(answer)
    expect(text).not.toMatch(/North|n1|"income"|"profit"|"roi"/)
    const file = await partner.call('POST', `${path}/export`, { filter: JUNE, format: 'csv' })
    expect(await file.text()).not.toMatch(/North|n1|Income|ROI/)
    const foreign = cellsOf(path, await seen()).slice(0, 6)
    for (const { cell } of foreign) {
      const response = await partner.call('POST', `${path}/rows`, { filter: JUNE, cell })
      expect([200, 403]).toContain(response.status)
      expect(await response.text()).not.toMatch(/North|n1|p1/)
    }
    const refused = await partner.call('POST', path, { filter: { ...JUNE, advertisers: [1] } })
    expect(refused.status).toBe(403)
  })

  test('an invalid request is rejected by the name of its field [REP-01]', async () => {
    const refused = async (body: unknown) => {
      const response = await admin.call('POST', path, body)
      const answer = (await response.json()) as { formErrors?: unknown }
      expect([body, response.status, answer.formErrors !== undefined]).toEqual([body, 422, true])
    }
    for (const body of [{ nothing: 1 }, { filter: { nothing: 1 } }, { filter: 7 }, { filter: [] }, []])
      await refused(body)
    // A fourth of them each: the schemas of the filters are shared.
    const quarter = PATHS.indexOf(path) % 4
    const values = EVERY_FILTER_VALUE.filter((_, place) => place % 4 === quarter)
    for (const [field, value] of values) await refused({ filter: { ...JUNE, [field]: value } })
  })
})

test.each(Object.keys(GENERAL_REPORTS))(
  'a file of %s has the columns that were asked for, in their order [REP-14]',
  async (path) => {
    const body = { filter: { ...JUNE, secondGroupBy: 'off' }, columns: ['nd', 'cc'], format: 'csv' }
    const [header] = parseCsv((await (await admin.call('POST', `${path}/export`, body)).text()).replace(/^\ufeff/, ''))
    expect(header).toEqual(['Offer', 'First deposits', 'Clicks'])
  },
)

test('the dashboard compares its total with another period, and the top five have totals of their own that open their facts [REP-09] [REP-03] [REP-13]', async () => {
  const second = { secondDateFrom: '2026-05-01', secondDateTo: '2026-05-31' }
  const filter = { ...JUNE, period: 'week', metric: 'cr' }
  const plain = (await ask('dashboard', admin, filter)) as unknown as DashboardAnswer
  const answer = (await ask('dashboard', admin, { ...filter, ...second })) as unknown as DashboardAnswer
  const report = (await ask('general_report', admin, { ...second, groupBy: 'week' })) as unknown as GeneralReportAnswer
  expect(plain.second).toBeNull()
  expect(answer.second).toEqual({ dateFrom: '2026-05-01', dateTo: '2026-05-31' })
  expect(answer.total).toEqual(report.total)
  expect(answer.total).toMatchObject(plain.total)
  expect(answer.points).toEqual(plain.points)
  for (const of of ['partners', 'countries'] as const) {
    const ids = answer[of].map(({ group }) => group.id)
    const own = (await ask('general_report', admin, { [of]: ids, groupBy: 'week' })) as unknown as GeneralReportAnswer
    expect(answer[`${of}_total`]).toEqual(own.total)
    const body = {
      filter: { ...JUNE, ...filter, [of]: ids },
      cell: { of: of === 'partners' ? 'partner' : 'country', path: [], metric: 'cr' },
    }
    const { total } = await ok<GeneralReportRowsAnswer>(admin.call('POST', 'dashboard/rows', body))
    expect(total).toBe(answer[`${of}_total`].cr)
  }
})

// One report of each engine: the others build their conditions by the same functions, and reports-sql.test.ts puts these texts into every
// filter of theirs.
describe.each(['general_report', 'cohort_analysis', 'dashboard'])('%s', (path) => {
  test('what would be a part of a statement is only a value, in every field [REP-01]', async () => {
    const evil = ["'; drop table click; --", '{name:String}', '\\', "') or 1=1 --", '\u0000', '😀%_', '$1 $$']
    const names = REPORT_FILTER_NAMES.filter((name) => reportFilterOf(name).kind === 'texts')
    const shapes = [
      (text: string) => text,
      (text: string) => [text],
      (text: string) => ({ nin: [text] }),
      (text: string) => ({ like: text }),
    ]
    for (const [at, shape] of shapes.entries()) {
      const values = names.map((name, place) => [name, shape(evil[(place + at) % evil.length] ?? '')])
      const response = await admin.call('POST', path, { filter: { ...JUNE, ...Object.fromEntries(values) } })
      expect([at, response.status, await response.text()]).toEqual([at, 200, expect.any(String)])
    }
    expect(cellsOf(path, await ask(path)).length).toBeGreaterThan(2)
  })

  test('a filter takes 10,000 ids; 20,001 are rejected [REP-01]', async () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => index)
    for (const value of [ids, { nin: ids.map((id) => id + 10) }]) {
      const answer = await ask(path, admin, { partners: value, countries: value })
      expect(cellsOf(path, answer).length).toBeGreaterThan(2)
    }
    const response = await admin.call('POST', path, {
      filter: { ...JUNE, partners: [...ids, ...ids.map((id) => id + 10_000), 20_001] },
    })
    expect(response.status).toBe(422)
  })
})

/** What a spreadsheet would run, in every name that a report shows, in texts that came with visitors and players, and over a column of one's own. */
async function nameEverythingAsFormulas(): Promise<number> {
  const { clickhouse, postgres } = server.services
  const signs = ['=', '+', '-', '@', '\t=', '\r=']
  const tables = ['partner', 'partner_stream', 'offer', 'advertiser', 'country', 'traffic_source', 'landing', 'product']
  for (const [at, table] of [...tables, 'payment_model', 'partner_group'].entries())
    await postgres.pool.query(`update ${table} set title = $1 || 'cmd|' || id`, [signs[at % signs.length]])
  await postgres.pool.query(`update "user" set full_name = '=cmd|' || id`)
  await clickhouse.exec(`insert into activity_fact (day, player_id, version, registrations, first_deposits, deposits_count, deposits,
      first_amount, registered_day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, country_id, site_id,
      sub_id, promocode, outer_id, actual_country_id, previous_day, previous_bet_day)
    values ('2026-06-03', 77, 1, 1, 1, 1, 5, 5, '2026-06-03', 2, 2, 2, 1, 2, 2, 2, '=cmd|site', '+cmd|sub', '@cmd|code', '-cmd|player', 2,
      '1970-01-01', '1970-01-01')`)
  const column = { title: '=cmd|column', expression: 'cc + uc', unit: 'count' }
  return (await ok<{ id: number }>(admin.call('POST', 'report_formula', column), 201)).id
}

/** How many cells were made harmless; none is left that is not. */
async function neutralisedIn(file: Response, what: unknown): Promise<number> {
  const { header, rows } = await readSheet(file)
  const texts = [header, ...rows].flat().filter((cell): cell is string => typeof cell === 'string')
  const running = texts.filter((text) => /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text))
  expect([what, running]).toEqual([what, []])
  return texts.filter((text) => /^'\s?[=+\-@]/.test(text)).length
}

/** Cohorts are days, unless they are divided. */
const filterOf = (path: string) => ({ ...JUNE, ...(path.startsWith('cohort') && { groupBy: 'partner' }) })
/** As `readSheet` takes them. */
const fileOf = (name: string, content: ArrayBuffer | Uint8Array): Response =>
  new Response(new Uint8Array(content), {
    headers: { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` },
  })

test('no file of any report lets a name run as a formula, taken or mailed [REP-14] [REP-16]', async () => {
  const column = `formula:${await nameEverythingAsFormulas()}`
  const take = async (path: string, body: object): Promise<number> => {
    const file = await admin.call('POST', `${path}/export`, { filter: filterOf(path), ...body })
    expect([path, body, file.status]).toEqual([path, body, 200])
    return neutralisedIn(file, [path, body])
  }
  for (const path of PATHS)
    expect([path, await take(path, { format: 'csv' })]).toEqual([path, expect.toSatisfy((n) => n > 0)])
  // The seed has no more of them.
  const shown = DIMENSION_NAMES.filter(
    (name) => !/^(day|week|month|product|payment_model|partner_group|manager|affiliate_id|landing)$/.test(name),
  )
  for (const groupBy of shown) {
    const filter = { ...JUNE, groupBy, secondGroupBy: 'off' }
    const count = await take('general_report', { filter, columns: ['cc'], format: 'csv' })
    expect([groupBy, count]).toEqual([groupBy, expect.toSatisfy((n) => n > 0)])
  }
  expect(
    await take('general_report', { filter: { ...JUNE, groupBy: 'day', secondGroupBy: 'off' }, columns: [column] }),
  ).toBe(1)
  const recipient = await loadRecipient(server.services.postgres, admin.id)
  if (recipient === undefined) throw new Error('there is nobody to send to')
  const look = { search: {}, preset: null, comparesPrevious: false, look: {} }
  for (const path of ['general_report', 'cohort_analysis', 'dashboard', 'new_streams'] as const) {
    const state = { ...look, request: { filter: filterOf(path) }, columns: path === 'general_report' ? [column] : [] }
    const report = { report: path, title: '=cmd', state, format: 'csv' } as const
    const made = await makeReport(report, recipient, server.services, AbortSignal.timeout(60_000))
    expect([path, made?.contentType]).toEqual([path, expect.stringContaining('text/csv')])
    const { fileName, content } = made as MadeReport
    const count = await neutralisedIn(fileOf(fileName, content), [path, 'for a mail'])
    expect([path, count]).toEqual([path, expect.toSatisfy((n) => n > 0)])
  }
  for (const format of ['xlsx', 'csv']) {
    const title = `=cmd|${format}`
    const state = { search: {}, request: { filter: JUNE } }
    const { id } = await ok<SavedReport>(
      admin.call('POST', 'saved_report', { report: 'general_report', title, state }),
      201,
    )
    await ok<ReportDelivery>(admin.call('POST', `saved_report/${id}/send`, { format }), 201)
    const arrived = () => post.mails.find(({ subject }) => subject?.includes(title))?.attachments[0]
    await expect.poll(arrived, { timeout: 60_000 }).toMatchObject({ filename: expect.stringContaining(`.${format}`) })
    // No text: it is attached in base64.
    const { filename, content } = arrived() ?? {}
    expect(await neutralisedIn(fileOf(filename ?? '', content as ArrayBuffer), title)).toBeGreaterThan(0)
  }
})
