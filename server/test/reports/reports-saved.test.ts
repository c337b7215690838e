// What people keep of a report and take away: files of exactly what is seen, columns of their own, saved reports, mails on a schedule.
import type { GeneralReportAnswer, GeneralReportInput, ReportRow } from '@tributary/contract/reports/general'
import { REPORTS } from '@tributary/contract/reports/registry'
import {
  type ReportDelivery,
  type ReportFormula,
  SAVED_CALLS,
  type SavedReport,
} from '@tributary/contract/reports/saved'
import { parseCsv } from 'hucre/csv'
import { beforeAll, describe, expect, test } from 'vitest'
import { accessModule } from '../../src/api/access-module.ts'
import { reportModule } from '../../src/api/report-routes.ts'
import { mailModule } from '../../src/integrations/module.ts'
import { queueDueReports } from '../../src/jobs/send-due-reports.ts'
import { sendReport } from '../../src/jobs/send-report.ts'
import { reportMailModule } from '../../src/reports/module.ts'
import type { Server } from '../../src/server.ts'
import { startTestApp } from '../support/harness.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
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
})

/** A job is done when it is done: only the test itself may run out of time, never a look at what has become of it. */
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 110_000, interval: 50 })

const JUNE = { dateFrom: '2026-06-01', dateTo: '2026-06-30' }

async function ok<T>(answer: Promise<Response>, status = 200): Promise<T> {
  const response = await answer
  if (response.status !== status) throw new Error(`${response.status}: ${await response.text()}`)
  return (status === 204 ? undefined : await response.json()) as T
}

const sheetOf = async (body: object, who = admin): Promise<string[][]> => {
  const answer = await who.call('POST', 'general_report/export', { ...body, format: 'csv' })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return parse(await answer.text())
}
const parse = (text: string): string[][] =>
  parseCsv(text.replace(/^\ufeff/, '')).map((row) => row.map((cell) => (cell === null ? '' : String(cell))))

/** The rows of an answer as a sheet has them. */
function flatten(rows: readonly ReportRow[], depth: number, keys: readonly string[], path: string[] = []): string[][] {
  return rows.flatMap((row) => {
    const group = row.g ?? row.sg ?? row.tg ?? row.fg
    const isDay = group?.date !== undefined && group.week !== undefined && group.month !== undefined
    const own = [...path, row.s?.title ?? (isDay ? String(group.id) : (group?.title ?? ''))]
    const cells = keys.map((key) => String(row.m[key as 'cc'] ?? ''))
    const line = [...own, ...new Array<string>(depth - own.length).fill(''), ...cells]
    return [line, ...flatten(row.children ?? [], depth, keys, own)]
  })
}

describe('a file', () => {
  const KEYS = ['s', 'cc', 'avg_check', 'roi']
  test.each([
    ['two levels', { filter: JUNE }],
    ['by a number', { filter: { ...JUNE, thirdGroupBy: 'day' }, sort: { by: 'deposits_amount', desc: true } }],
    [
      'by titles, backwards',
      { filter: { ...JUNE, groupBy: 'partner', secondGroupBy: 'offer' }, sort: { by: 'group', desc: true } },
    ],
    [
      'days',
      { filter: { ...JUNE, groupBy: 'month', secondGroupBy: 'week', thirdGroupBy: 'day', fourthGroupBy: 'site_id' } },
    ],
    ['under a condition', { filter: JUNE, cfFilter: { nd: { gte: 1 } } }],
    ['of chosen players', { filter: { ...JUNE, groupBy: 'player_outer_id', activity: 'ftd' } }],
    ['of players by their qualification', { filter: { ...JUNE, groupBy: 'landing', baseLine: 'unqualified' } }],
    ['of nothing', { filter: { dateFrom: '2020-01-01', dateTo: '2020-01-02' } }],
    ['the total alone', { filter: { ...JUNE, groupBy: 'off', secondGroupBy: 'off' } }],
  ] as [string, GeneralReportInput][])('has what is seen: %s [REP-14]', async (_name, request) => {
    const answer = await ok<GeneralReportAnswer>(
      admin.call('POST', 'general_report', { ...request, pagination: { limit: -1 } }),
    )
    const [head = [], ...rows] = await sheetOf({ ...request, columns: KEYS })
    const depth = Math.max(1, head.length - KEYS.length)
    const total = [
      'Total',
      ...new Array<string>(depth - 1).fill(''),
      ...KEYS.map((key) => String(answer.total[key as 'cc'] ?? '')),
    ]
    expect(rows).toEqual([...flatten(answer.rows, depth, KEYS), total])
    expect(head.slice(depth)).toEqual(['Spend, EUR', 'Clicks', 'Avg check, EUR', 'ROI, %'])
  })

  test.each(['general_report_old', 'general_report_click', 'general_report_click_old'])(
    'of %s has what that report shows [REP-04] [REP-14]',
    async (path) => {
      const request = { filter: { ...JUNE, groupBy: 'partner', secondGroupBy: 'day' }, sort: { by: 'cc', desc: true } }
      const answer = await ok<GeneralReportAnswer>(admin.call('POST', path, { ...request, pagination: { limit: -1 } }))
      const file = await admin.call('POST', `${path}/export`, { ...request, columns: ['cc', 'cr'], format: 'csv' })
      const [, ...rows] = parse(await file.text())
      const isFlat = path.endsWith('old')
      const shown = isFlat
        ? answer.rows.map((row) =>
            [row.g?.title ?? row.s?.title ?? '', String(row.sg?.id ?? ''), row.m.cc, row.m.cr].map(String),
          )
        : flatten(answer.rows, 2, ['cc', 'cr'])
      expect(rows.slice(0, -1)).toEqual(shown)
    },
  )

  test('comes as xlsx with the number of its rows, in the language of the person [REP-14] [I18N-02]', async () => {
    const answer = await admin.call(
      'POST',
      'general_report/export',
      { filter: JUNE, columns: ['nd'] },
      { 'accept-language': 'ru' },
    )
    expect(answer.headers.get('content-type')).toContain('spreadsheetml')
    expect(answer.headers.get('x-total-rows')).toBe('6')
    expect(new Uint8Array(await answer.arrayBuffer()).slice(0, 2)).toEqual(new Uint8Array([0x50, 0x4b]))
  })

  test('a second period stands beside the first; every number is there when none is named [REP-03] [REP-14]', async () => {
    const [head = []] = await sheetOf({ filter: { ...JUNE, secondDateTo: '2026-05-31' } })
    expect(head).toContain('Income, EUR (02.05.2026 – 31.05.2026)')
    expect(head).toHaveLength(2 + 38)
  })

  test('a partner has neither income nor ROI nor others in it [PERM-07]', async () => {
    const rows = await sheetOf({ filter: JUNE }, partner)
    expect(rows[0]).not.toContain('Income, EUR')
    expect(JSON.stringify(rows)).not.toMatch(/ROI|North/)
    for (const column of ['income', 'roi']) {
      const refused = await partner.call('POST', 'general_report/export', { filter: JUNE, columns: [column] })
      expect(refused.status).toBe(403)
    }
    for (const column of ['cc_2', 'formula:999', 'nonsense'])
      expect((await admin.call('POST', 'general_report/export', { filter: JUNE, columns: [column] })).status).toBe(422)
  })
})

describe('columns of one’s own', () => {
  const make = (body: object, who = admin) => who.call('POST', 'report_formula', body)

  test('are shared by the team, worked out at every level, and changed by their owner [REP-14]', async () => {
    const profit = await ok<ReportFormula>(make({ title: 'Profit', expression: 'income - s', unit: 'money' }), 201)
    const leader = await signIn(server, 'TEAM_LEADER')
    const { items } = await ok<{ items: ReportFormula[] }>(leader.call('GET', 'report_formula'))
    expect(items).toMatchObject([{ title: 'Profit', expression: 'income - s', unit: 'money', is_own: false }])
    const body = { title: 'Profit', expression: '(income - s) / nd', unit: 'money' }
    expect((await leader.call('PUT', `report_formula/${profit.id}`, body)).status).toBe(403)
    expect((await make({ ...body })).status).toBe(422)
    for (const expression of ['income -', 'income; s', 'luck', ''])
      expect((await make({ title: expression || 'none', expression, unit: 'money' })).status).toBe(422)
    const rows = await sheetOf({ filter: JUNE, columns: ['income', 's', `formula:${profit.id}`] })
    expect(rows[0]?.at(-1)).toBe('Profit, EUR')
    for (const row of rows.slice(1)) {
      const [income, spend, value] = row.slice(-3)
      expect(Number(value)).toBeCloseTo(Number(income) - Number(spend), 6)
    }
    const stale = await admin.call('PUT', `report_formula/${profit.id}`, { ...body, version: 99 })
    expect(stale.status).toBe(409)
    await ok(admin.call('PUT', `report_formula/${profit.id}`, { ...body, version: profit.version }))
  })

  test('are made of unrounded sums and sort on the server: at every level, from page to page, in every variant and in the file [REP-14] [REP-12]', async () => {
    const body = { title: 'Thousandths', expression: '-(deposits_amount * 1000 + cc)', unit: 'count' }
    const { id, version } = await ok<ReportFormula>(make(body), 201)
    const key = `formula:${id}` as const
    const request = { filter: { ...JUNE, groupBy: 'partner', secondGroupBy: 'day' }, formulas: [id], sort: { by: key } }
    for (const path of ['general_report', 'general_report_old', 'general_report_click', 'general_report_click_old']) {
      const ask = (pagination: object) => ok<GeneralReportAnswer>(admin.call('POST', path, { ...request, pagination }))
      const whole = await ask({ limit: -1 })
      expect(whole.formulas).toEqual([{ id, version }])
      const isSorted = (rows: readonly ReportRow[]): boolean => {
        const numbers = rows.filter(({ s }) => s === undefined).map(({ m }) => m[key] ?? Number.POSITIVE_INFINITY)
        return numbers.every((one, at) => at === 0 || (numbers[at - 1] ?? 0) <= one)
      }
      expect([path, isSorted(whole.rows), whole.rows.every(({ children = [] }) => isSorted(children))]).toEqual([
        path,
        true,
        true,
      ])
      const pages: ReportRow[] = []
      for (let page = 1; page <= whole.items; page++) pages.push(...(await ask({ page, limit: 1 })).rows)
      expect(pages).toEqual(whole.rows)
    }
    const { rows, total } = await ok<GeneralReportAnswer>(admin.call('POST', 'general_report', request))
    // 150.1234 of deposits and four clicks: shown as 150.12, which a thousand of would be 150120.
    expect(total[key]).toBe(-150_127.4)
    const [, ...lines] = await sheetOf({ ...request, columns: ['cc', key] })
    expect(lines.slice(0, -1)).toEqual(flatten(rows, 2, ['cc', key]))
    expect(lines.at(-1)?.at(-1)).toBe('-150127.4')
    const costs = await ok<{ rows: ReportRow[] }>(
      admin.call('POST', 'cost_report', { filter: JUNE, sort: { by: key, desc: true }, formulas: 'all' }),
    )
    expect(costs.rows.length).toBeGreaterThan(0)
    for (const sort of ['formula:999', 'formula:x', `${key}_2`])
      expect((await admin.call('POST', 'general_report', { ...request, sort: { by: sort } })).status).toBe(422)
    expect((await partner.call('POST', 'general_report', request)).status).toBe(200)
    await admin.call('DELETE', `report_formula/${id}`)
  })

  test('one with a hidden number does not exist for a partner, by any way [PERM-07] [REP-14]', async () => {
    const { items } = await ok<{ items: ReportFormula[] }>(admin.call('GET', 'report_formula'))
    const [profit] = items
    expect((await ok<{ items: ReportFormula[] }>(partner.call('GET', 'report_formula'))).items).toEqual([])
    const tried = { filter: JUNE, columns: [`formula:${profit?.id}`] }
    expect((await partner.call('POST', 'general_report/export', tried)).status).toBe(422)
    expect((await make({ title: 'mine', expression: 'roi * 1', unit: 'percent' }, partner)).status).toBe(403)
    expect((await partner.call('DELETE', `report_formula/${profit?.id}`)).status).toBe(404)
  })
})

const STATE = {
  search: { by: 'offer', from: '2026-06-01', to: '2026-06-30' },
  request: { filter: { ...JUNE, groupBy: 'partner', secondGroupBy: 'off' }, sort: { by: 'nd', desc: true } },
  columns: ['nd', 'cc'],
}
const save = (more: object = {}, who = admin) =>
  who.call('POST', 'saved_report', { report: 'general_report', title: 'Partners of June', state: STATE, ...more })

describe('saved reports', () => {
  test('are one’s own until they are shared; one is the default [REP-16]', async () => {
    const first = await ok<SavedReport>(save({ is_default: true }), 201)
    const second = await ok<SavedReport>(save({ title: 'Other', is_default: true, shared: true }), 201)
    expect((await save()).status).toBe(422)
    const mine = await ok<{ items: SavedReport[] }>(admin.call('GET', 'saved_report?report=general_report'))
    expect(mine.items.map(({ title, is_default }) => [title, is_default])).toEqual([
      ['Other', true],
      ['Partners of June', false],
    ])
    const theirs = await ok<{ items: SavedReport[] }>(partner.call('GET', 'saved_report'))
    expect(theirs.items).toMatchObject([{ title: 'Other', is_own: false, is_default: false, owner: { title: '' } }])
    expect((await partner.call('PUT', `saved_report/${first.id}`, body('x'))).status).toBe(404)
    expect((await partner.call('PUT', `saved_report/${second.id}`, body('x'))).status).toBe(403)
    expect((await partner.call('DELETE', `saved_report/${second.id}`)).status).toBe(403)
    const renamed = await ok<SavedReport>(admin.call('PUT', `saved_report/${second.id}`, body('Renamed')))
    expect(renamed).toMatchObject({ title: 'Renamed', shared: false })
    await ok(admin.call('DELETE', `saved_report/${second.id}`), 204)
    expect((await admin.call('DELETE', `saved_report/${second.id}`)).status).toBe(404)
  })
  const body = (title: string) => ({ report: 'general_report', title, state: STATE })

  test('whoever looks on as someone else reads reports and keeps nothing of them [REP-16] [PERM-07]', async () => {
    const [person, onlooker] = [await signIn(server, 'TEAM_LEADER'), await signIn(server, 'ADMIN')]
    const kept = await ok<SavedReport>(save({ title: 'Theirs' }, person), 201)
    await ok(onlooker.call('POST', `user/${person.id}/view_as`), 204)
    for (const { name, method, path } of SAVED_CALLS) {
      const isReading = method === 'GET'
      const answer = await onlooker.call(method, path.replace(':id', String(kept.id)), isReading ? undefined : {})
      const { code } = (await answer.json()) as { code?: string }
      expect([name, answer.status, code]).toEqual(isReading ? [name, 200, undefined] : [name, 403, 'view_only'])
    }
    for (const { name, path } of REPORTS) {
      for (const own of [path, `${path}/export`]) {
        const answer = await onlooker.call('POST', own, {})
        await answer.body?.cancel()
        expect([name, answer.status]).toEqual([name, 200])
      }
    }
    const { items } = await ok<{ items: SavedReport[] }>(person.call('GET', 'saved_report'))
    expect(items.filter(({ is_own }) => is_own)).toEqual([kept])
  })

  test('a state that no report accepts is rejected when it is saved [REP-16]', async () => {
    for (const state of [
      { ...STATE, request: { filter: { groupBy: 'nothing' } } },
      { ...STATE, request: { filters: {} } },
      { ...STATE, preset: 'someday' },
      { search: {} },
    ])
      expect((await save({ title: 'bad', state })).status).toBe(422)
    expect((await save({ report: 'no_report' })).status).toBe(422)
  })
})

describe('mails', () => {
  const due = async (id: number): Promise<void> => {
    await server.services.postgres.pool.query(
      `update report_schedule set next_at = now() - interval '1 minute' where saved_report_id = $1`,
      [id],
    )
    await queueDueReports(server.services, new Date())
  }
  const deliveries = async (who: SignedIn) =>
    (await ok<{ items: ReportDelivery[] }>(who.call('GET', 'report_delivery'))).items
  const settled = (who: SignedIn, status: string) =>
    eventually(async () => (await deliveries(who))[0]?.status).toBe(status)

  test('bring the file with the rows that their person may see at that time [REP-16] [PERM-07]', async () => {
    const shared = await ok<SavedReport>(save({ title: 'Mailed', shared: true }), 201)
    const daily = { every: 'day', at_time: '07:30', format: 'csv' }
    await ok(admin.call('PUT', `saved_report/${shared.id}/schedule`, daily))
    const theirs = await ok<SavedReport>(partner.call('PUT', `saved_report/${shared.id}/schedule`, daily))
    expect(theirs.schedule).toMatchObject({ every: 'day', at_time: '07:30', format: 'csv', ended_at: null })
    expect(Date.parse(theirs.schedule?.next_at ?? '')).toBeGreaterThan(Date.now())
    await due(shared.id)
    await Promise.all([settled(admin, 'sent'), settled(partner, 'sent')])
    const sheets = new Map(
      post.mails.map(({ to, attachments }) => [
        to?.[0]?.address,
        parse(new TextDecoder().decode(attachments[0]?.content as ArrayBuffer)),
      ]),
    )
    const titles = sheets.get(admin.email)?.map(([title]) => title)
    expect(titles).toEqual(expect.arrayContaining(['Partner', 'North', 'South', 'Total']))
    expect(JSON.stringify(sheets.get(partner.email))).not.toContain('North')
    expect(sheets.get(partner.email)?.[0]).toEqual(['Partner', 'First deposits', 'Clicks'])
    const [sent] = await deliveries(partner)
    expect(sent).toMatchObject({ status: 'sent', error: null, saved_report: { title: 'Mailed' } })
    expect(sent?.bytes).toBeGreaterThan(10)
    // A second look finds nothing due.
    expect(await queueDueReports(server.services, new Date())).toBe(0)
    await ok(admin.call('DELETE', `saved_report/${shared.id}/schedule`), 204)
  })

  test('end when their user is disabled, with that reason [REP-16]', async () => {
    const one = await ok<SavedReport>(save({ title: 'Ending' }), 201)
    await ok(admin.call('PUT', `saved_report/${one.id}/schedule`, { every: 'week', weekday: 3, at_time: '08:00' }))
    const { pool } = server.services.postgres
    await pool.query('update "user" set enabled = false where id = $1', [admin.id])
    const before = post.mails.length
    await due(one.id)
    await eventually(
      async () =>
        (await pool.query('select end_reason from report_schedule where saved_report_id = $1', [one.id])).rows,
    ).toEqual([{ end_reason: 'disabled' }])
    await pool.query('update "user" set enabled = true where id = $1', [admin.id])
    expect(post.mails).toHaveLength(before)
    expect((await deliveries(admin))[0]).toMatchObject({ status: 'skipped', error: 'disabled' })
    await due(one.id)
    expect((await deliveries(admin))[0]?.status).toBe('skipped')
  })

  test('are retried when the mail server rejects them; one can be requested at once [REP-16]', async () => {
    const one = await ok<SavedReport>(save({ title: 'At once' }), 201)
    post.refuse(true)
    const delivery = await ok<ReportDelivery>(admin.call('POST', `saved_report/${one.id}/send`, {}), 201)
    await eventually(async () => (await deliveries(admin))[0]?.error).toMatch(/later|451/)
    expect((await deliveries(admin))[0]).toMatchObject({ id: delivery.id, status: 'waiting' })
    post.refuse(false)
  })

  test('contain the report’s notes, and so does every file [REP-14] [REP-16]', async () => {
    const columns = 'spend_id version is_deleted day partner_id stream_id country_id sum rate_missing'.split(' ')
    const days = { dateFrom: '2026-07-01', dateTo: '2026-07-31' }
    await server.services.clickhouse.insert('spend_fact', columns, [[9, 1, 0, '2026-07-02', 1, 1, 1, '0', 1]])
    const told = 'Some amounts are left out: a currency has no rate for their day.'
    const namesIn = async (path: string, filter: object): Promise<(string | undefined)[]> => {
      const answer = await admin.call('POST', `${path}/export`, { filter, format: 'csv' })
      return parse(await answer.text()).map(([name]) => name)
    }
    for (const path of ['general_report', 'general_report_click_old', 'cost_report', 'dashboard']) {
      expect([path, (await namesIn(path, days)).at(-1)]).toEqual([path, told])
      expect([path, (await namesIn(path, JUNE)).at(-1)]).toEqual([path, 'Total'])
    }
    const then = await namesIn('general_report', { ...JUNE, knownAt: '2026-07-02T10:00:30Z' })
    expect(then.slice(-2)).toEqual(['As known on 02.07.2026 13:00:30', expect.stringMatching(/^Changes are recorded/)])
    const state = { ...STATE, request: { filter: days } }
    const { id } = await ok<SavedReport>(save({ title: 'Without a rate', state }), 201)
    await ok(admin.call('POST', `saved_report/${id}/send`, {}), 201)
    await settled(admin, 'sent')
    expect(post.mails.at(-1)?.text).toContain(told)
  })

  test('of what is shared no more are not sent, whenever they were to be [REP-16] [PERM-07]', async () => {
    const title = 'No longer shared'
    const { id } = await ok<SavedReport>(save({ title, shared: true }), 201)
    post.refuse(true)
    await ok(partner.call('POST', `saved_report/${id}/send`, {}), 201)
    await eventually(async () => (await deliveries(partner))[0]?.error).toMatch(/later|451/)
    await ok(admin.call('PUT', `saved_report/${id}`, { report: 'general_report', title, shared: false, state: STATE }))
    post.refuse(false)
    const [waiting] = await deliveries(partner)
    const context = {
      services: server.services,
      signal: new AbortController().signal,
      id: '1',
      attempt: 2,
      isLastAttempt: false,
    }
    await sendReport.run({ delivery: waiting?.id, format: 'csv' }, context)
    expect((await deliveries(partner))[0]).toMatchObject({ id: waiting?.id, status: 'skipped', error: 'deleted' })
  })
})
