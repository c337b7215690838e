// Spends from Google Sheets, from the sheet to the record: what is taken, what is left alone, and that no failure loses or doubles a cell.

import type { IntegrationState } from '@tributary/contract/calls/integration'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type CellValue,
  type GoogleSheetsServer,
  type Spreadsheet,
  startGoogleSheetsServer,
} from '../../../demo/google-sheets-server.ts'
import { noteError } from '../../src/integrations/integration.ts'
import { createSharedSheets, sharedSheets } from '../../src/integrations/sheets/open-sheets.ts'
import { parseSheet } from '../../src/jobs/parse-sheet.ts'
import { queueSheetParses } from '../../src/jobs/plan-sheet-parses.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, linkOf, makeNetwork, refused, register, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { listen } from '../support/live-ear.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import {
  DAYS,
  files,
  keysOf,
  MONTH,
  makeSheet as newSheet,
  parse as parseByHand,
  spends as readSpends,
  type Sheet,
  until,
} from './sheets-bench.ts'

let google: GoogleSheetsServer
let server: Server
let admin: SignedIn

beforeAll(async () => {
  google = await startGoogleSheetsServer((id) => files[id])
  afterAll(() => google.stop())
  server = await startTestApp({ modules: MODULES, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  admin = await signIn(server, 'ADMIN')
  const bad = await refused(admin, 'PUT', 'integration/sheets', { credential: '{"client_email":"x"}' })
  expect(bad).toEqual({ credential: ['This is not the JSON key of a Google service account'] })
  // The clock of this machine starts nothing by itself.
  await server.services.postgres.pool.query(
    `insert into sheet_run (kind, due_at, files) values ('daily', '2998-01-01', 0), ('monthly', '2998-01-01', 0)`,
  )
  await done(admin, 'PUT', 'integration/sheets', { base_url: google.url, credential: google.credential })
})

beforeEach(() => {
  // Failures of one test neither pause nor delay the next one.
  sharedSheets.fill(server.services, createSharedSheets({ readsPerMinute: 1000, pauseMs: 10 }))
})

const makeSheet = (days?: readonly string[]) => newSheet({ admin }, days)
const parse = (sheet: Sheet, body?: Record<string, unknown>) => parseByHand({ google, server, admin }, sheet, body)
const spends = (sheet: Sheet) => readSpends({ server }, sheet)

test('Settings show the address to share with; the access test names what is wrong [SPD-04] [ENT-23]', async () => {
  const state = await done(admin, 'GET', 'integration/sheets')
  expect(state).toMatchObject({ account: google.account, daily: { next_at: expect.any(String) } })
  const open = await makeSheet()
  open.serveDays(1)
  const shut = await makeSheet()
  shut.serve([], { isShared: false })
  const access = (file: string) => done(admin, 'POST', 'integration/sheets/test_access', { file })
  // An error of the service is over as soon as a test succeeds.
  await noteError(server.services, 'sheets', 'Google was away')
  expect(await access(`https://docs.google.com/spreadsheets/d/${open.file}/edit`)).toMatchObject({
    is_open: true,
    title: 'Spends',
    tabs: ['03.2026'],
  })
  const { items } = await done(admin, 'GET', 'integration')
  const [health] = (items as IntegrationState[]).filter(({ name }) => name === 'sheets')
  expect(String(health?.last_success_at) > String(health?.last_error_at)).toBe(true)
  expect(await access(shut.file)).toMatchObject({
    is_open: false,
    key: 'sheet_file_not_shared',
    message: `The spreadsheet is not shared with ${google.account}`,
  })
  expect(await access('no-such-file-anywhere')).toMatchObject({ key: 'sheet_file_not_found' })
  expect(await access('!')).toMatchObject({ key: 'sheet_file_invalid' })
})

test('a sheet is taken once, with progress; the same sheet again changes nothing; edits and blanks follow [SPD-04] [MON-08]', async () => {
  const sheet = await makeSheet()
  sheet.serveDays(10, '20,5', '', 40)
  const ear = await listen(admin, 'job')
  const before = google.calls.length
  const first = await parse(sheet)
  expect(google.calls.slice(before).filter((call) => call !== 'token')).toEqual([
    `get ${sheet.file}`,
    `values ${sheet.file}`,
  ])
  expect(first).toMatchObject({
    status: 'success',
    trigger: 'manual',
    spend_month: '2026-03-01',
    file_id: sheet.file,
    file_title: 'Spends',
    file_url: `${google.url}/spreadsheets/d/${sheet.file}/edit`,
    rows_taken: 3,
    rows_changed: 3,
    rows_removed: 0,
    rows_unchanged: 0,
    calls: 2,
    started_by: expect.objectContaining({ id: admin.id }),
    duration_ms: expect.any(Number),
    warnings: [],
  })
  await until(async () => ear.heard.find((event) => event.includes('"state":"done"')))
  expect(ear.heard.find((event) => event.includes('"state":"running"'))).toContain('"total":3')
  ear.leave()
  expect(await spends(sheet)).toEqual(['1 10.00 sheet', '2 20.50 sheet', '4 40.00 sheet'])
  expect(await parse(sheet)).toMatchObject({ rows_taken: 3, rows_changed: 0, rows_removed: 0, rows_unchanged: 3 })

  sheet.serveDays(11, '', 5, 40)
  expect(await parse(sheet)).toMatchObject({ rows_taken: 3, rows_changed: 2, rows_removed: 1, rows_unchanged: 1 })
  expect(await spends(sheet)).toEqual(['1 11.00 sheet', '3 5.00 sheet', '4 40.00 sheet'])
  const { rows } = await server.services.postgres.pool.query(
    `select action, cause, user_id as user, before ->> 'sum' as was, after ->> 'sum' as became from audit_log
      where entity = 'partner_spend' and coalesce(after, before) ->> 'stream' = $1 order by id`,
    [String(sheet.ground.net.stream.id)],
  )
  const by = { cause: 'sheet', user: admin.id }
  expect(rows).toEqual([
    ...['10.0000', '20.5000', '40.0000'].map((became) => ({ action: 'create', ...by, was: null, became })),
    { action: 'delete', ...by, was: '20.5000', became: null },
    { action: 'update', ...by, was: '10.0000', became: '11.0000' },
    { action: 'create', ...by, was: null, became: '5.0000' },
  ])
})

test('other sources are never touched; a difference is a warning that names both [MON-06] [MON-08]', async () => {
  const sheet = await makeSheet()
  const { ground } = sheet
  const enter = (day: number, sum: string) =>
    done(admin, 'POST', 'partner_spend', { ...ground.spend, date: `${MONTH}-0${day}`, sum })
  await enter(1, '99')
  await enter(2, '20')
  const { pool } = server.services.postgres
  await pool.query(
    `insert into partner_spend (stream_id, country_id, date, sum, currency_id, source) values ($1, $2, $3, 7, $4, 'import')`,
    [ground.net.stream.id, ground.net.country.id, DAYS[2], ground.net.currency.id],
  )
  sheet.serveDays(10, 20, 30, 40)
  const row = await parse(sheet)
  const code = String(ground.net.currency.value)
  expect(keysOf(row)).toEqual(expect.arrayContaining(['C2 sheet_conflict_manual', 'E2 sheet_conflict_import']))
  expect((row.warnings as Json[]).find(({ cell }) => cell === 'C2')).toMatchObject({
    values: { sum: `10.00 ${code}`, kept: `99.00 ${code}` },
    gid: 4,
    tab: '03.2026',
  })
  sheet.serveDays('', '', '', 40)
  await parse(sheet)
  expect(await spends(sheet)).toEqual(['1 99.00 manual', '2 20.00 manual', '3 7.00 import', '4 40.00 sheet'])
})

test('cells that the rules of spends reject are warnings: no activity, no agency, no partner offer, a future day; a zero there is ignored [SPD-03] [SPD-04]', async () => {
  const sheet = await makeSheet([DAYS[0] ?? ''])
  const { ground, stream, country } = sheet
  const cpa = await done(admin, 'POST', 'partner_stream', { partner: ground.net.partner.id, title: unique('Cpa') })
  const elsewhere = await makeNetwork(admin)
  const foreign = await done(admin, 'POST', 'partner_stream', {
    partner: elsewhere.partner.id,
    title: unique('Theirs'),
  })
  const link = await done(
    admin,
    'POST',
    'offer_partner',
    linkOf({ ...elsewhere, partner: ground.net.partner, stream: cpa }),
  )
  await register(admin, elsewhere, link, DAYS[0] ?? '')
  sheet.serve([
    ['Stream', 'Country', 1, 2, 3],
    [stream, country, 5, 6, 0],
    [String(cpa.title), String(elsewhere.country.title), 7],
    [stream, String(elsewhere.country.title), 8],
    [String(foreign.title), country, 9],
    ['nobody', country, 9],
  ])
  const row = await parse(sheet)
  expect(row).toMatchObject({ status: 'warnings', rows_taken: 1 })
  expect(keysOf(row).sort()).toEqual([
    'A5 sheet_stream_unknown',
    'A6 sheet_stream_unknown',
    'C3 sheet_paid_otherwise',
    'C4 sheet_link_missing',
    'D2 sheet_without_activity',
  ])
  expect(await spends(sheet)).toEqual(['1 5.00 sheet'])
})

test('unreadable cells keep their spend; an unidentified row deletes nothing [MON-08]', async () => {
  const sheet = await makeSheet()
  sheet.serveDays(10, 20, 30)
  await parse(sheet)
  sheet.serveDays('#REF!', 'ten', 30)
  expect(await parse(sheet)).toMatchObject({ rows_taken: 1, rows_removed: 0, status: 'warnings' })
  sheet.serve([
    ['Stream', 'Country', 1, 2],
    [`${sheet.stream} renamed`, sheet.country, 10, 20],
  ])
  expect(await parse(sheet, { allow_removals: true })).toMatchObject({ rows_removed: 0 })
  expect(await spends(sheet)).toEqual(['1 10.00 sheet', '2 20.00 sheet', '3 30.00 sheet'])
})

test('a parse that removes over 30 % of the month changes nothing and warns; staff can allow it [MON-08]', async () => {
  const sheet = await makeSheet()
  sheet.serveDays(70, 30, '', 0)
  await parse(sheet)
  sheet.serveDays(70, '', 5)
  expect(await parse(sheet)).toMatchObject({ rows_removed: 2, status: 'success' })
  sheet.serveDays(40, '', 5)
  const refusal = await parse(sheet)
  expect(refusal).toMatchObject({ rows_taken: 0, rows_changed: 0, rows_removed: 0 })
  expect(keysOf(refusal)).toEqual([' sheet_removes_much'])
  expect(await spends(sheet)).toEqual(['1 70.00 sheet', '3 5.00 sheet'])
  expect(await parse(sheet, { allow_removals: true })).toMatchObject({ rows_changed: 1 })
  expect(await spends(sheet)).toEqual(['1 40.00 sheet', '3 5.00 sheet'])
})

test('no tab, two tabs, a tab that is too large or unknown: named, and nothing is taken [SPD-04]', async () => {
  const sheet = await makeSheet()
  sheet.serveDays(10)
  await parse(sheet)
  const tab = (title: string, rows: CellValue[][] = [['Stream', 'Country', 1]], id = 1) => ({ id, title, rows })
  const outcome = async (...tabs: Spreadsheet['tabs']): Promise<string[]> => {
    sheet.serve([], { tabs })
    return keysOf(await parse(sheet))
  }
  expect(await outcome(tab('02.2026'))).toEqual([' sheet_tab_absent'])
  expect(await outcome(tab('03.2026'), tab('March 2026', [], 2))).toEqual([' sheet_tab_repeated'])
  expect(await outcome(tab('03.2026', [['what', 'is', 'this']]))).toEqual([' sheet_layout_unknown'])
  expect(
    await outcome(
      tab(
        '03.2026',
        Array.from({ length: 10_001 }, () => ['x']),
      ),
    ),
  ).toEqual([' sheet_tab_large'])
  expect(await spends(sheet)).toEqual(['1 10.00 sheet'])
})

test('a ledger of all months gives its months one by one [SPD-04]', async () => {
  const sheet = await makeSheet()
  const lines = [
    ['Date', 'Stream', 'Country', 'Sum'],
    ['2026-03-01', sheet.stream, sheet.country, 3],
    ['2026-04-01', sheet.stream, sheet.country, 4],
    ['02.03.2026', sheet.stream, sheet.country, '5,50'],
  ]
  sheet.serve(lines, {}, 'All spends')
  expect(await parse(sheet)).toMatchObject({ rows_taken: 2, status: 'success' })
  expect(await spends(sheet)).toEqual(['1 3.00 sheet', '2 5.50 sheet'])
})

test('429, 503, cut answers and a revoked key never lose or double a cell [MON-08]', async () => {
  const sheet = await makeSheet()
  sheet.serveDays(10, 20)
  google.fail({ status: 429, retryAfter: 1 }, { status: 503 }, 'cut', 'cut json')
  expect(await parse(sheet)).toMatchObject({ rows_taken: 2, calls: 6 })
  google.revoke()
  sharedSheets.fill(server.services, createSharedSheets({ readsPerMinute: 1000, pauseMs: 10 }))
  sheet.serveDays(10, 21)
  const refusal = await parse(sheet)
  expect(keysOf(refusal)).toEqual([' sheet_file_key_refused'])
  expect(refusal).toMatchObject({ status: 'warnings', rows_taken: 0 })
  const list = (await done(admin, 'GET', 'integration')).items as Json[]
  expect(list.find(({ name }) => name === 'sheets')).toMatchObject({
    last_error: expect.stringContaining('invalid_grant'),
  })
  google.revoke(false)
  sharedSheets.fill(server.services, createSharedSheets({ readsPerMinute: 1000, pauseMs: 10 }))
  expect(await parse(sheet)).toMatchObject({ rows_changed: 1, rows_unchanged: 1 })
})

test('by the clock a failure that passes is tried again some minutes later, and only the last one is logged [SPD-04] [MON-08]', async () => {
  const sheet = await makeSheet()
  sheet.serveDays(10, 20)
  google.fail(...Array.from({ length: 6 }, () => ({ status: 503 })))
  const { pool } = server.services.postgres
  const { file, ground } = sheet
  const task = { partner: ground.net.partner.id, group: null, file, months: [MONTH], trigger: 'daily' as const }
  const id = await server.services.jobs.enqueue(parseSheet, {
    ...task,
    startedBy: null,
    takesRemovals: false,
    language: 'en',
  })
  const jobIn = async (state: string) =>
    (await pool.query('select from jobs.job where id = $1 and state = $2', [id, state])).rows[0]
  await until(() => jobIn('retry'))
  const logged = async () => (await done(admin, 'GET', `google_parse_result?filter[file_id]=${file}`)).items as Json[]
  expect(await logged()).toEqual([])
  await pool.query('update jobs.job set start_after = now() where id = $1', [id])
  await until(() => jobIn('completed'))
  expect(await logged()).toMatchObject([{ trigger: 'daily', status: 'success', rows_taken: 2 }])
})

test('two files of a partner keep to their own spends; a file that is no longer the partner’s hands them over [MON-08]', async () => {
  const sheet = await makeSheet()
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Group') })
  const second = { ...sheet, file: 'another-spreadsheet-of-it' }
  const member = await done(admin, 'POST', 'partner_partner_group', {
    partner: sheet.ground.net.partner.id,
    partner_group: group.id,
    spend_spreadsheet_id: second.file,
  })
  const other = { ...second, membership: Number(member.id) }
  sheet.serveDays(10)
  await parse(sheet)
  files[other.file] = {
    ...(files[sheet.file] as Spreadsheet),
    tabs: [
      {
        id: 0,
        title: '03.2026',
        rows: [
          ['Stream', 'Country', 1, 2],
          [sheet.stream, sheet.country, 11, 12],
        ],
      },
    ],
  }
  expect(keysOf(await parse(other))).toEqual(['C2 sheet_conflict_file'])
  expect(await spends(sheet)).toEqual(['1 10.00 sheet', '2 12.00 sheet'])
  expect(await parse(sheet)).toMatchObject({ rows_removed: 0, rows_unchanged: 1 })
  await done(admin, 'PUT', `partner_partner_group/${sheet.membership}`, { spend_spreadsheet_id: null })
  expect(await parse(other)).toMatchObject({ rows_changed: 1, rows_unchanged: 1, status: 'success' })
  expect(await spends(sheet)).toEqual(['1 11.00 sheet', '2 12.00 sheet'])
})

test('whoever may not edit spends, or only claims them, parses nothing [PERM-03] [MON-06]', async () => {
  const sheet = await makeSheet()
  const partner = await signIn(server, 'PARTNER', sheet.ground.net.partner.id)
  for (const call of ['parse_sheet', 'preview_sheet'])
    expect((await ask(partner, 'POST', `partner_partner_group/${sheet.membership}/${call}`, {})).status).toBe(403)
  expect((await ask(admin, 'POST', 'partner_partner_group/99999999/parse_sheet', {})).status).toBe(404)
  const late = await refused(admin, 'POST', `partner_partner_group/${sheet.membership}/parse_sheet`, {
    month: '2999-01',
  })
  expect(late).toHaveProperty('month')
})

test('the clock parses every file once at its time; at the beginning of a month the month before, too [SPD-04] [ENT-23]', async () => {
  await done(admin, 'POST', 'setting', {
    daily_spend_parsing_time: '05:00',
    monthly_spend_parsing_time: '06:00',
    monthly_spend_parsing_day: 5,
  })
  const { pool } = server.services.postgres
  const sheet = await makeSheet()
  sheet.serveDays(10)
  const queued = async (now: string): Promise<{ months: string[]; trigger: string }[]> => {
    await pool.query(`delete from jobs.job where name = 'parse-sheet'`)
    await queueSheetParses(server.services, new Date(now))
    const { rows } = await pool.query<{ data: { months: string[]; trigger: string; partner: number } }>(
      `select data from jobs.job where name = 'parse-sheet' order by data ->> 'trigger'`,
    )
    return rows
      .map(({ data }) => data)
      .filter(({ partner }) => partner === sheet.ground.net.partner.id)
      .map(({ months, trigger }) => ({ months, trigger }))
  }
  expect(await queued('2999-03-02T05:00:30Z')).toEqual([
    { trigger: 'daily', months: ['2999-02', '2999-03'] },
    { trigger: 'monthly', months: ['2999-02'] },
  ])
  expect(await queued('2999-03-02T05:01:30Z')).toEqual([])
  expect(await queued('2999-03-03T04:59:30Z')).toEqual([])
  expect(await queued('2999-03-04T09:00:00Z')).toEqual([{ trigger: 'daily', months: ['2999-03'] }])
  expect(await queued('2999-03-05T06:00:00Z')).toEqual([
    { trigger: 'daily', months: ['2999-03'] },
    { trigger: 'monthly', months: ['2999-02'] },
  ])
  const state = await done(admin, 'GET', 'integration/sheets')
  expect(state).toMatchObject({ daily: { last_at: expect.any(String), files: expect.any(Number) } })
})
