// The preview of a spend sheet, and the log of its parse: what they count, say and keep to themselves.

import type { SheetPreview } from '@tributary/contract/calls/spend-sheet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GoogleSheetsServer, startGoogleSheetsServer } from '../../../demo/google-sheets-server.ts'
import { createSharedSheets, sharedSheets } from '../../src/integrations/sheets/open-sheets.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, makeNetwork, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { DAYS, files, keysOf, MONTH, makeSheet, parse as parseByHand, type Sheet, spends } from './sheets-bench.ts'

let google: GoogleSheetsServer
let server: Server
let admin: SignedIn

beforeAll(async () => {
  google = await startGoogleSheetsServer((id) => files[id])
  afterAll(() => google.stop())
  server = await startTestApp({ modules: MODULES, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  admin = await signIn(server, 'ADMIN')
  await server.services.postgres.pool.query(
    `insert into sheet_run (kind, due_at, files) values ('daily', '2998-01-01', 0), ('monthly', '2998-01-01', 0)`,
  )
  await done(admin, 'PUT', 'integration/sheets', { base_url: google.url, credential: google.credential })
  sharedSheets.fill(server.services, createSharedSheets({ readsPerMinute: 1000, pauseMs: 10 }))
})

const parse = (sheet: Sheet): Promise<Json> => parseByHand({ google, server, admin }, sheet)
const preview = async (sheet: Sheet, headers?: Record<string, string>): Promise<SheetPreview> =>
  (await done(
    admin,
    'POST',
    `partner_partner_group/${sheet.membership}/preview_sheet`,
    { month: MONTH },
    headers,
  )) as unknown as SheetPreview

test('the preview shows what would be read; a mapping names unknown headings, and is audited [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  sheet.serve([
    ['Кампания', 'Рынок', 'Когда', 'Цифра'],
    [sheet.stream, sheet.country, '2026-03-01', 12],
  ])
  const path = `partner_partner_group/${sheet.membership}`
  const blind = await done(admin, 'POST', `${path}/preview_sheet`, { month: MONTH })
  expect(blind).toMatchObject({ layout: null, cells: 0, headings: expect.arrayContaining(['Кампания', 'Цифра']) })
  const mapping = { headings: { stream: 'Кампания', country: 'Рынок', date: 'Когда', sum: 'Цифра' } }
  const seen = await done(admin, 'POST', `${path}/preview_sheet`, { month: MONTH, mapping })
  expect(seen).toMatchObject({
    layout: 'ledger',
    tab: '03.2026',
    cells: 1,
    columns: expect.arrayContaining([{ column: 'sum', cell: 'D1', heading: 'Цифра' }]),
    sample: [expect.objectContaining({ cell: 'D2', date: '2026-03-01', sum: '12.0000' })],
  })
  expect(await spends({ server }, sheet)).toEqual([])
  await admin.call('PUT', `${path}/sheet_mapping`, { mapping })
  expect(await parse(sheet)).toMatchObject({ rows_taken: 1, status: 'success' })
  expect(await done(admin, 'GET', path)).toMatchObject({ sheet_mapping: mapping })
})

test('a preview judges as the parse does: equal counts, and the same warnings [SPD-04] [MON-08]', async () => {
  const sheet = await makeSheet({ admin })
  sheet.serveDays(10, 20, 30)
  await parse(sheet)
  await done(admin, 'POST', 'partner_spend', { ...sheet.ground.spend, date: DAYS[3], sum: '99' })
  const elsewhere = await makeNetwork(admin)
  const foreign = await done(admin, 'POST', 'partner_stream', {
    partner: elsewhere.partner.id,
    title: unique('Theirs'),
  })
  sheet.serve([
    ['Stream', 'Country', 1, 2, 3, 4, 5, 6],
    [sheet.stream, sheet.country, 11, 20, 30, 40, 50, 60],
    ['nobody', sheet.country, 1],
    [String(foreign.title), sheet.country, 2],
  ])
  const seen = await preview(sheet)
  const log = await parse(sheet)
  expect(keysOf(log)).toEqual([
    'A3 sheet_stream_unknown',
    'A4 sheet_stream_unknown',
    'F2 sheet_conflict_manual',
    'H2 sheet_without_activity',
  ])
  expect(seen.warnings.map(({ cell, key }) => `${cell} ${key}`)).toEqual(keysOf(log))
  expect(seen).toMatchObject({ rows_taken: 4, rows_changed: 2, rows_removed: 0, rows_unchanged: 2, warnings_total: 4 })
  const { rows_taken, rows_changed, rows_removed, rows_unchanged } = log
  expect(seen).toMatchObject({ rows_taken, rows_changed, rows_removed, rows_unchanged })
})

test('a stream of another partner is reported like one that does not exist, also in older logs [PERM-07] [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  const elsewhere = await makeNetwork(admin)
  const foreign = await done(admin, 'POST', 'partner_stream', {
    partner: elsewhere.partner.id,
    title: unique('Theirs'),
  })
  sheet.serve([
    ['Stream', 'Country', 1],
    [String(foreign.title), sheet.country, 2],
    ['Nobody’s', sheet.country, 2],
  ])
  const log = await parse(sheet)
  const tell = (row: Json) =>
    (row.warnings as SheetPreview['warnings']).map(({ message, values }) => message.replace(values.name ?? '', '…'))
  expect(tell(log)).toEqual(['The partner has no stream “…”', 'The partner has no stream “…”'])
  const old = { tab: '', gid: null, cell: 'A2', key: 'sheet_stream_foreign', values: { name: 'X' } }
  await server.services.postgres.pool.query('update google_parse_result set warnings = $2 where id = $1', [
    log.id,
    JSON.stringify([{ ...old, message: 'The stream “X” belongs to another partner', remedy: 'Move it' }]),
  ])
  expect(JSON.stringify(await done(admin, 'GET', `google_parse_result/${log.id}`))).not.toContain('another partner')
})

test('warnings are in the language of the reader; the list and its file tell their number [SPD-04] [UX-05]', async () => {
  const sheet = await makeSheet({ admin })
  sheet.serveDays('ten', -5, 30)
  const log = await parse(sheet)
  expect(log).toMatchObject({ warnings_count: 2, rows_changed: 1 })
  const russian = { 'accept-language': 'ru' }
  const read = await done(admin, 'GET', `google_parse_result/${log.id}`, undefined, russian)
  expect((read.warnings as Json[])[0]).toMatchObject({
    message: '«ten» — не число, или неясно, где в нём тысячи, а где дробная часть',
    remedy: expect.stringContaining('Запишите'),
  })
  expect((await preview(sheet, russian)).warnings[0]?.message).toContain('не число')
  const path = `google_parse_result/export?format=csv&filter[file_id]=${sheet.file}`
  const file = await (await admin.call('GET', path)).text()
  expect(file.split('\r\n')[0]).toContain('Number of warnings')
})

test('a date that the locale reads as another month’s is a warning with its address, not lost in silence [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  const row = (date: string, sum: number) => [date, sheet.stream, sheet.country, sum]
  const rows = [['Date', 'Stream', 'Country', 'Sum'], row('03/01/2026', 5), row('04/03/2026', 6), row('05/20/2026', 7)]
  sheet.serve(rows, {}, 'Spends')
  const log = await parse(sheet)
  expect(log).toMatchObject({ rows_taken: 1 })
  expect(keysOf(log)).toEqual(['A3 sheet_day_swapped'])
  expect((log.warnings as Json[])[0]).toMatchObject({
    values: { value: '04/03/2026', day: '2026-04-03', month: MONTH },
  })
})

test('a form takes an ID of a spreadsheet or its address at docs.google.com, and no other address [SPD-04] [API-05]', async () => {
  const { membership, ground } = await makeSheet({ admin })
  const id = 'abcdefghij-1234567890'
  for (const path of [`partner_partner_group/${membership}`, `partner/${ground.net.partner.id}`]) {
    const save = (spend_spreadsheet_id: string | null) => ask(admin, 'PATCH', path, { spend_spreadsheet_id })
    for (const bad of [
      `https://evil.example/spreadsheets/d/${id}`,
      `https://docs.google.com.evil.example/spreadsheets/d/${id}`,
      'https://docs.google.com/document/d/x',
    ])
      expect(await save(bad), bad).toMatchObject({
        status: 422,
        body: { formErrors: { spend_spreadsheet_id: [expect.stringContaining('docs.google.com')] } },
      })
    for (const good of [
      id,
      'a1B-2_c',
      'https://docs.google.com/spreadsheets/d/a1B-2_c',
      `https://docs.google.com/spreadsheets/d/${id}/edit?gid=0#gid=0`,
      null,
    ])
      expect((await save(good)).status, String(good)).toBe(200)
  }
})

test('nobody reads the sheet of a partner whom they do not see through their own one [PERM-06] [PERM-07] [SPD-04]', async () => {
  const [own, theirs] = [await makeSheet({ admin }), await makeSheet({ admin })]
  const leader = await signIn(server, 'TEAM_LEADER')
  const { partner_group } = await done(admin, 'GET', `partner_partner_group/${own.membership}`)
  const group = (partner_group as Json).id
  await done(admin, 'PATCH', `partner_group/${group}`, { team_leaders: [leader.id] })
  const { file } = theirs
  const taken = {
    status: 422,
    body: { formErrors: { spend_spreadsheet_id: [expect.stringContaining('a partner you cannot see')] } },
  }
  for (const path of [`partner_partner_group/${own.membership}`, `partner/${own.ground.net.partner.id}`])
    for (const text of [file, `https://docs.google.com/spreadsheets/d/${file}/edit`])
      expect(await ask(leader, 'PATCH', path, { spend_spreadsheet_id: text })).toMatchObject(taken)
  // As it was before the rule, or as an administrator may leave it.
  await done(admin, 'PATCH', `partner_partner_group/${own.membership}`, { spend_spreadsheet_id: file })
  for (const call of ['preview_sheet', 'parse_sheet'])
    expect(
      await ask(leader, 'POST', `partner_partner_group/${own.membership}/${call}`, { month: MONTH }),
    ).toMatchObject(taken)
  await done(admin, 'POST', `partner_partner_group/${own.membership}/preview_sheet`, { month: MONTH })
})
