// Headings of spend sheets that change after a parse, from the sheet to the record: no spend moves to another day or is lost in silence.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CellValue, type GoogleSheetsServer, startGoogleSheetsServer } from '../../../demo/google-sheets-server.ts'
import { createSharedSheets, sharedSheets } from '../../src/integrations/sheets/open-sheets.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { done, type Json, unique } from '../support/entity-calls.ts'
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
  await done(admin, 'PUT', 'integration/sheets', { base_url: google.url, credential: google.credential })
  sharedSheets.fill(server.services, createSharedSheets({ readsPerMinute: 1000, pauseMs: 10 }))
})

const parse = (sheet: Sheet, body?: Record<string, unknown>) => parseByHand({ google, server, admin }, sheet, body)

test('a renamed heading is understood, or named while its spends stay; the preview lists it [SPD-04] [MON-08]', async () => {
  const sheet = await makeSheet({ admin })
  const serve = (last: CellValue, sums: CellValue[] = [100, 100, 100, 100]) =>
    sheet.serve([
      ['Stream', 'Country', 1, 2, 3, last],
      [sheet.stream, sheet.country, ...sums],
    ])
  serve(4)
  await parse(sheet)
  const all = [1, 2, 3, 4].map((day) => `${day} 100.00 sheet`)
  for (const heading of ['4 Mar', '04.03.26', '4 мар', '04/03', 'Mar 4', '04-03']) {
    serve(heading)
    expect(await parse(sheet)).toMatchObject({ status: 'success', rows_removed: 0, rows_unchanged: 4 })
  }
  for (const [heading, key] of [
    ['0', 'sheet_heading_unknown'],
    [32, 'sheet_heading_unknown'],
    ['Fourth', 'sheet_heading_unknown'],
    ['', 'sheet_heading_absent'],
  ] as const) {
    serve(heading)
    const row = await parse(sheet, { allow_removals: true })
    expect(row).toMatchObject({ status: 'warnings', rows_removed: 0 })
    expect(keysOf(row)).toEqual([`F1 ${key}`])
    expect(await spends({ server }, sheet)).toEqual(all)
    const preview = await done(admin, 'POST', `partner_partner_group/${sheet.membership}/preview_sheet`, {
      month: MONTH,
    })
    expect(preview.headings).toEqual(['Stream', 'Country', ...(heading === '' ? [] : [String(heading)])])
  }
  serve('Fourth', [100, 100, '', 100])
  expect(await parse(sheet)).toMatchObject({ rows_removed: 1 })
  expect(await spends({ server }, sheet)).toEqual(all.filter((spend) => !spend.startsWith('3')))
})

test('a heading that is marked as ignored is listed by preview and log, and warns no more [SPD-04] [MON-08]', async () => {
  const sheet = await makeSheet({ admin })
  const path = `partner_partner_group/${sheet.membership}`
  sheet.serve([
    ['Stream', 'Country', 1, 2, 'Plan'],
    [sheet.stream, sheet.country, 10, 20, 500],
  ])
  expect(keysOf(await parse(sheet))).toEqual(['E1 sheet_heading_unknown'])
  const mapping = { headings: {}, ignored: ['Plan'] }
  const seen = await done(admin, 'POST', `${path}/preview_sheet`, { month: MONTH, mapping })
  expect(seen).toMatchObject({ warnings: [], left_columns: [{ cell: 'E1', heading: 'Plan', is_ignored: true }] })
  await admin.call('PUT', `${path}/sheet_mapping`, { mapping })
  const quiet = await parse(sheet)
  expect(quiet).toMatchObject({
    status: 'success',
    rows_unchanged: 2,
    warnings: [],
    ignored_columns: [{ tab: '03.2026', cell: 'E1', heading: 'Plan' }],
  })
  // Another heading is news again.
  sheet.serve([
    ['Stream', 'Country', 1, 2, 'Plan 2'],
    [sheet.stream, sheet.country, 10, 20, 500],
  ])
  const again = await parse(sheet)
  expect(again).toMatchObject({ status: 'warnings', ignored_columns: [] })
  expect(keysOf(again)).toEqual(['E1 sheet_heading_unknown'])
  expect(await spends({ server }, sheet)).toEqual(['1 10.00 sheet', '2 20.00 sheet'])
})

test('a second table of a tab is read by its own headings [SPD-04]', async () => {
  const sheet = await makeSheet({ admin }, DAYS)
  sheet.serve([
    ['Stream', 'Country', 1, 2],
    [sheet.stream, sheet.country, 100, 100],
    [],
    ['Stream', 'Country', 3, 4],
    [sheet.stream, sheet.country, 33, 44],
  ])
  expect(await parse(sheet)).toMatchObject({ status: 'success', rows_taken: 4 })
  expect(await spends({ server }, sheet)).toEqual([
    ...['1 100.00 sheet', '2 100.00 sheet', '3 33.00 sheet', '4 44.00 sheet'],
  ])
})

test('a sum that differs from a claim is taken with a warning that names both [MON-06] [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  const { net, link } = sheet.ground
  await server.services.postgres.pool.query(
    `insert into partner_spend (stream_id, country_id, date, claim_sum, claim_currency_id, claim_at, currency_id, offer_partner_id)
      values ($1, $2, $3, 33, $4, now(), $4, $5)`,
    [net.stream.id, net.country.id, DAYS[0], net.currency.id, link.id],
  )
  const code = String(net.currency.value)
  sheet.serveDays(40)
  for (const changed of [1, 0]) {
    const row = await parse(sheet)
    expect(row).toMatchObject({ status: 'warnings', rows_taken: 1, rows_changed: changed })
    expect(row.warnings as Json[]).toMatchObject([
      { cell: 'C2', key: 'sheet_conflict_claim', values: { sum: `40.00 ${code}`, claim: `33.00 ${code}` } },
    ])
    expect((row.warnings as Json[])[0]?.message).toContain(`33.00 ${code}`)
  }
  // Staff accept claims, a parse does not: an equal one stays until then, and the spend stays the sheet's.
  sheet.serveDays(33)
  expect(await parse(sheet)).toMatchObject({ status: 'success', rows_changed: 1 })
  const told = async () =>
    (
      await server.services.postgres.pool.query<{ id: number; told: string }>(
        `select id, concat_ws(' ', source, round(sum), coalesce(round(claim_sum)::text, 'none')) as told from partner_spend where stream_id = $1`,
        [net.stream.id],
      )
    ).rows
  const before = await told()
  expect(before).toMatchObject([{ told: 'sheet 33 33' }])
  const ids = before.map(({ id }) => Number(id))
  expect(await done(admin, 'PUT', 'partner_spend/accept', { ids })).toMatchObject({ accepted: 1 })
  expect(await told()).toMatchObject([{ told: 'sheet 33 none' }])
  expect(await parse(sheet)).toMatchObject({ status: 'success', rows_unchanged: 1 })
})

test('a text with an exponent or more than four digits after the point is refused; a number is rounded half-up [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  sheet.serveDays('1e2', '12.34567', 100 / 3, 1.00005)
  expect(keysOf(await parse(sheet))).toEqual(['C2 sheet_sum_invalid', 'D2 sheet_sum_precise'])
  const { rows } = await server.services.postgres.pool.query(
    'select sum from partner_spend where stream_id = $1 order by date',
    [sheet.ground.net.stream.id],
  )
  expect(rows).toEqual([{ sum: '33.3333' }, { sum: '1.0001' }])
})

test('a claim of the same number in another currency is a conflict, and is accepted in its own [MON-06] [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  const { net, link } = sheet.ground
  const other = await done(admin, 'POST', 'currency', { title: unique('Other'), value: `O${sheet.membership}` })
  const { pool } = server.services.postgres
  const { rows } = await pool.query(
    `insert into partner_spend (stream_id, country_id, date, claim_sum, claim_currency_id, claim_at, currency_id, offer_partner_id)
      values ($1, $2, $3, 40, $4, now(), $4, $5) returning id`,
    [net.stream.id, net.country.id, DAYS[0], other.id, link.id],
  )
  sheet.serveDays(40)
  for (let parses = 0; parses < 2; parses++)
    expect((await parse(sheet)).warnings).toMatchObject([
      {
        key: 'sheet_conflict_claim',
        values: { sum: `40.00 ${String(net.currency.value)}`, claim: `40.00 ${String(other.value)}` },
      },
    ])
  const ids = [Number(rows[0].id)]
  expect(await done(admin, 'GET', `partner_spend/${ids[0]}`)).toMatchObject({
    currency: { id: net.currency.id },
    claim_currency: { id: other.id },
  })
  expect(await done(admin, 'PUT', 'partner_spend/accept', { ids })).toMatchObject({ accepted: 1 })
  expect(await done(admin, 'GET', `partner_spend/${ids[0]}`)).toMatchObject({
    sum: '40.0000',
    currency: { id: other.id },
    claim_currency: null,
  })
})
